/// Files that appear whole or not at all, and reading with a limit.
///
/// An AtomicFile is written under a temporary name in the same folder, synced, renamed, and the folder is synced: after
/// a crash or a power cut the name holds the old content or the new one, never a part. Temporary names start with a dot
/// and end in ".tmp" (remove_temporaries sweeps what a killed process left). Descriptors, not streams: std::ofstream
/// loses the reason of a failure, and a full disk must be told from a missing folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tidelock {

/// The machine would not do it: a full disk, a read-only folder, a damaged file. The run fails (exit code 1), although
/// nothing the user wrote is wrong (that is InputError).
class FileError : public Error {
  public:
    /// "FILE: ATTEMPT: text of error_number"; error_number 0 for damage that is no failed system call.
    FileError(std::filesystem::path file, const std::string& attempt, int error_number = 0);

    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
    /// errno of the call that failed, or 0.
    [[nodiscard]] int error_number() const noexcept { return error_number_; }

  private:
    std::filesystem::path file_;
    int error_number_ = 0;
};

class AtomicFile {
  public:
    /// Opens the temporary. Throws FileError, as every member does, and then leaves no trace.
    explicit AtomicFile(std::filesystem::path file);
    /// Without commit() the temporary is removed and the old content stays.
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends.
    void write(std::span<const std::byte> bytes);
    void write(std::string_view bytes) { write(std::as_bytes(std::span(bytes.data(), bytes.size()))); }
    /// Overwrites bytes that were written before, or appends: offset <= size().
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Makes the content visible under its name. Once.
    void commit();

  private:
    [[noreturn]] void fail(const char* attempt, int error_number);
    void discard() noexcept;

    std::filesystem::path file_, temporary_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

void write_file_atomically(const std::filesystem::path& file, std::span<const std::byte> bytes);
void write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

/// The whole content. Throws FileError if it cannot be read or is longer than `max_bytes`.
[[nodiscard]] std::string read_file(const std::filesystem::path& file,
                                    std::uint64_t max_bytes = std::uint64_t{1} << 32);

/// Makes renames and removals in a folder survive a power cut.
void sync_folder(const std::filesystem::path& folder);

/// Removes the temporaries that killed writers left in a folder. Only where no one else is writing (a lock is held).
void remove_temporaries(const std::filesystem::path& folder);

}  // namespace tidelock
