#include <algorithm>
#include <bit>
#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "io/checkpoint.h"
#include "io/checkpoint_format.h"

namespace tidelock {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// -1 for a name that is no checkpoint's.
std::int64_t step_of(const fs::path& file) {
    const std::string digits = file.stem().string();
    std::int64_t step = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
    const bool whole = error == std::errc() && end == digits.data() + digits.size();
    return whole && digits.size() >= 6 && step >= 0 && file.extension() == ".tlk" ? step : -1;
}

std::string header_text(const CheckpointIdentity& identity, const CheckpointMoment& moment,
                        const std::vector<CheckpointArray>& arrays) {
    Json list = Json::array();
    for (const CheckpointArray& array : arrays) {
        list.push_back({{"name", array.name},
                        {"type", name_of(array.type)},
                        {"count", array.count},
                        {"offset", array.offset},
                        {"hash", hash_text(array.hash)}});
    }
    Json scene = {{"name", identity.scene_name}, {"hash", hash_text(identity.scene_hash)}};
    if (!identity.simulation.empty()) scene["simulation"] = Json::parse(identity.simulation);
    // The time's bits as well: text is for people, bits are for resuming.
    const Json header = {{"step", moment.step}, {"frame", moment.frame},
                         {"time", moment.time}, {"time_bits", std::bit_cast<std::uint64_t>(moment.time)},
                         {"scene", scene},      {"build", identity.build},
                         {"arrays", list}};
    return header.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Appends to the file and to its hash.
class HashedFile {
  public:
    explicit HashedFile(const fs::path& file) : file_(file) {}
    void write(std::span<const std::byte> bytes) {
        hasher_.add(bytes);
        file_.write(bytes);
    }
    void write(std::string_view bytes) { write(std::as_bytes(std::span(bytes.data(), bytes.size()))); }
    void pad_to(std::uint64_t offset) { write(std::string(offset - file_.size(), '\0')); }
    void finish() {
        const std::uint64_t hash = hasher_.value();
        file_.write(std::as_bytes(std::span(&hash, 1)));
        file_.commit();
    }

  private:
    AtomicFile file_;
    Hasher hasher_;
};

void remove_all_but(const fs::path& folder, std::int64_t step) {
    const auto files = list_checkpoints(folder);
    std::int64_t before = -1;
    for (const fs::path& file : files) {
        if (step_of(file) < step) before = std::max(before, step_of(file));
    }
    for (const fs::path& file : files) {
        std::error_code error;
        if (!fs::is_regular_file(fs::symlink_status(file, error))) continue;  // not ours
        if (step_of(file) != step && step_of(file) != before && !fs::remove(file, error) && error) {
            throw FileError(file, "cannot be removed", error.value());
        }
    }
}

}  // namespace

std::size_t size_of(ArrayType type) {
    switch (type) {
        case ArrayType::u8:
            return 1;
        case ArrayType::i32:
        case ArrayType::u32:
        case ArrayType::f32:
            return 4;
        case ArrayType::i64:
        case ArrayType::u64:
        case ArrayType::f64:
            break;
    }
    return 8;
}

std::string_view name_of(ArrayType type) {
    constexpr std::string_view names[] = {"u8", "i32", "u32", "i64", "u64", "f32", "f64"};
    return names[static_cast<int>(type)];
}

void CheckpointWriter::add(const std::string& name, std::span<const std::byte> bytes, ArrayType type) {
    TIDELOCK_ASSERT(bytes.size() % size_of(type) == 0, "{}: {} bytes of type {}", name, bytes.size(), name_of(type));
    for (const Entry& entry : entries_) {
        if (entry.array.name == name) throw Error(fmt::format("checkpoint: two arrays are named '{}'", name));
    }
    entries_.push_back({{name, type, bytes.size() / size_of(type), 0, 0}, bytes});
}

std::span<const std::byte> CheckpointWriter::keep(std::span<const std::byte> bytes) {
    kept_.push_back(std::make_unique<std::vector<std::byte>>(bytes.begin(), bytes.end()));
    return *kept_.back();
}

fs::path CheckpointWriter::write(const fs::path& folder, const CheckpointIdentity& identity,
                                 const CheckpointMoment& moment) const {
    // Offsets stand in the header, whose length depends on them: a few rounds settle it, since they only grow.
    std::vector<CheckpointArray> arrays;
    for (const Entry& entry : entries_) {
        arrays.push_back(entry.array);
        arrays.back().hash = hash_bytes(entry.bytes);
    }
    std::string header;
    for (std::uint64_t start = 0, end = checkpoint_prefix_bytes; start != end;) {
        start = end;
        std::uint64_t at = aligned(start);
        for (CheckpointArray& array : arrays) {
            array.offset = at;
            at = aligned(at + array.count * size_of(array.type));
        }
        header = header_text(identity, moment, arrays);
        end = std::max(start, checkpoint_prefix_bytes + header.size());
    }
    fs::path path = folder / fmt::format("{:06}.tlk", moment.step);
    HashedFile file(path);
    file.write(checkpoint_magic);
    const std::uint32_t numbers[] = {checkpoint_format_version, static_cast<std::uint32_t>(header.size())};
    file.write(std::as_bytes(std::span(numbers)));
    file.write(header);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        file.pad_to(arrays[i].offset);
        file.write(entries_[i].bytes);
    }
    file.finish();
    remove_all_but(folder, moment.step);
    return path;
}

std::vector<fs::path> list_checkpoints(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (step_of(entry.path()) >= 0) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) { return step_of(a) < step_of(b); });
    return files;
}

}  // namespace tidelock
