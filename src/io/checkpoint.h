/// Checkpoints: the whole state at one step, as named arrays, in a file that is valid or refused.
///
/// Layout, little-endian:
///     8 bytes   "tidelock"                          these three stay the same in every version of the format,
///     4 bytes   format version                      so that a newer file can be told from a damaged one
///     4 bytes   length n of the header
///     n bytes   header, JSON: step, time, frame, scene (name, hash, simulation), build, arrays (name, type, count,
///               offset, hash)
///     payload   each array at its offset from the file's start, a multiple of 64; gaps are zero
///     8 bytes   XXH64 of everything before (base/hash.h); the last eight bytes in every version
///
/// Promise  a flipped bit or a missing end is found before anything is handed out. Nothing is allocated by a number in
///          a file unless the file is long enough to hold that much.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tidelock {

inline constexpr std::uint32_t checkpoint_format_version = 1;

/// What a checkpoint is of. A run may only resume from one whose scene and build are its own: the same bits follow.
struct CheckpointIdentity {
    std::string scene_name;
    std::uint64_t scene_hash = 0;  ///< of what changes the simulation (io/scene_identity.h)
    std::string build;             ///< names the program that computed it
    std::string simulation = {};   ///< what the hash is of, JSON: to say in what two scenes differ
    bool operator==(const CheckpointIdentity&) const = default;
};

struct CheckpointMoment {
    std::int64_t step = 0;
    std::int64_t frame = 0;
    double time = 0;  ///< [s]; kept bit by bit
    bool operator==(const CheckpointMoment&) const = default;
};

enum class ArrayType { u8, i32, u32, i64, u64, f32, f64 };
[[nodiscard]] std::size_t size_of(ArrayType type);
[[nodiscard]] std::string_view name_of(ArrayType type);

template <class T>
constexpr ArrayType array_type() {
    if constexpr (std::is_same_v<T, float>)
        return ArrayType::f32;
    else if constexpr (std::is_same_v<T, double>)
        return ArrayType::f64;
    else if constexpr (sizeof(T) == 1)
        return ArrayType::u8;
    else {
        static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
        if constexpr (sizeof(T) == 4)
            return std::is_signed_v<T> ? ArrayType::i32 : ArrayType::u32;
        else
            return std::is_signed_v<T> ? ArrayType::i64 : ArrayType::u64;
    }
}

struct CheckpointArray {
    std::string name;
    ArrayType type = ArrayType::u8;
    std::uint64_t count = 0;   ///< values
    std::uint64_t offset = 0;  ///< from the start of the file [bytes]
    std::uint64_t hash = 0;
};

/// Collects arrays by reference (they must live until write) and small values by copy.
class CheckpointWriter {
  public:
    /// Names are unique. `bytes` is a whole number of values of the type.
    void add(const std::string& name, std::span<const std::byte> bytes, ArrayType type);
    template <class T>
    void add(const std::string& name, std::span<const T> values) {
        add(name, std::as_bytes(values), array_type<T>());
    }
    template <class T>
    void add(const std::string& name, const std::vector<T>& values) {
        add(name, std::span<const T>(values));
    }
    /// A copy is kept: for numbers and texts that do not outlive the call.
    template <class T>
    void add_value(const std::string& name, const T& value) {
        add(name, keep(std::as_bytes(std::span(&value, 1))), array_type<T>());
    }
    template <class T>
    void add_copy(const std::string& name, std::span<const T> values) {
        add(name, keep(std::as_bytes(values)), array_type<T>());
    }
    void add_text(const std::string& name, std::string_view text) {
        add(name, keep(std::as_bytes(std::span(text.data(), text.size()))), ArrayType::u8);
    }

    /// Writes FOLDER/NNNNNN.tlk (NNNNNN: the step), atomically, and returns its path. Afterwards the folder holds this
    /// one and the one before it: older ones are deleted, and so are later ones, which a run that stands at this step
    /// has passed over as damaged. Throws FileError.
    // NOLINTNEXTLINE(modernize-use-nodiscard): most want the file, not its name
    std::filesystem::path write(const std::filesystem::path& folder, const CheckpointIdentity& identity,
                                const CheckpointMoment& moment) const;

  private:
    [[nodiscard]] std::span<const std::byte> keep(std::span<const std::byte> bytes);

    struct Entry {
        CheckpointArray array;
        std::span<const std::byte> bytes;
    };
    std::vector<Entry> entries_;
    std::vector<std::unique_ptr<std::vector<std::byte>>> kept_;
};

/// A checkpoint that has been found valid. Arrays are read from the file when asked for, so no second copy is held.
class CheckpointReader {
  public:
    /// Reads the file once from end to end. Throws FileError if it is damaged or cannot be read, InputError if it is
    /// whole but of a newer format.
    explicit CheckpointReader(std::filesystem::path file);
    ~CheckpointReader();
    CheckpointReader(CheckpointReader&& other) noexcept;
    CheckpointReader& operator=(CheckpointReader&&) = delete;

    [[nodiscard]] const std::filesystem::path& file() const { return file_; }
    [[nodiscard]] const CheckpointIdentity& identity() const { return identity_; }
    [[nodiscard]] const CheckpointMoment& moment() const { return moment_; }
    [[nodiscard]] const std::vector<CheckpointArray>& arrays() const { return arrays_; }
    [[nodiscard]] bool contains(const std::string& name) const;
    /// Number of values. Throws FileError for an array that is not there, as all below do, or that has another type.
    [[nodiscard]] std::size_t count(const std::string& name) const;

    /// Fills `out`, whose size must be that of the array.
    void read(const std::string& name, std::span<std::byte> out, ArrayType type) const;
    template <class T>
    void read(const std::string& name, std::span<T> out) const {
        read(name, std::as_writable_bytes(out), array_type<T>());
    }
    template <class T>
    [[nodiscard]] std::vector<T> read_vector(const std::string& name) const {
        std::vector<T> out(count_as(name, array_type<T>()));
        read(name, std::span<T>(out));
        return out;
    }
    template <class T>
    [[nodiscard]] T read_value(const std::string& name) const {
        T value{};
        read(name, std::span<T>(&value, 1));
        return value;
    }
    [[nodiscard]] std::string read_text(const std::string& name) const;

  private:
    void read_header(std::string_view json, std::uint64_t payload_end);
    [[nodiscard]] const CheckpointArray& find(const std::string& name) const;
    [[nodiscard]] std::size_t count_as(const std::string& name, ArrayType type) const;

    std::filesystem::path file_;
    int descriptor_ = -1;
    CheckpointIdentity identity_;
    CheckpointMoment moment_;
    std::vector<CheckpointArray> arrays_;
};

/// FOLDER/NNNNNN.tlk by rising step, whatever they are; empty if there is no such folder.
[[nodiscard]] std::vector<std::filesystem::path> list_checkpoints(const std::filesystem::path& folder);

struct NewestCheckpoint {
    CheckpointReader reader;
    std::vector<std::string> skipped;  ///< what was wrong with newer ones, each naming its file
};

/// The newest valid checkpoint. Throws InputError if there is none to begin with, or if the newest valid one is of
/// another scene, another build or a newer format (naming both values); FileError if all are damaged (naming each).
[[nodiscard]] NewestCheckpoint open_newest_checkpoint(const std::filesystem::path& folder,
                                                      const CheckpointIdentity& expected);

}  // namespace tidelock
