#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "io/checkpoint.h"
#include "io/checkpoint_format.h"
#include "io/scene_identity.h"

namespace tidelock {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void read_at(int descriptor, const fs::path& file, std::uint64_t offset, std::span<std::byte> out) {
    while (!out.empty()) {
        const auto n = ::pread(descriptor, out.data(), out.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw FileError(file, "cannot be read", errno);
        if (n == 0) throw FileError(file, "is damaged: it ends early");
        offset += static_cast<std::uint64_t>(n);
        out = out.subspan(static_cast<std::size_t>(n));
    }
}

/// Hash of the first `bytes` bytes, through a small buffer.
std::uint64_t hash_of_file(int descriptor, const fs::path& file, std::uint64_t bytes) {
    std::vector<std::byte> buffer(std::min<std::uint64_t>(bytes, 1 << 20));
    Hasher hasher;
    for (std::uint64_t at = 0; at < bytes;) {
        const auto piece = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), bytes - at));
        read_at(descriptor, file, at, piece);
        hasher.add(piece);
        at += piece.size();
    }
    return hasher.value();
}

ArrayType type_from(const std::string& name) {
    for (int t = 0; t <= static_cast<int>(ArrayType::f64); ++t) {
        if (name_of(static_cast<ArrayType>(t)) == name) return static_cast<ArrayType>(t);
    }
    throw Error(fmt::format("unknown type '{}'", name));
}

std::uint64_t hash_from(const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc() || end != text.data() + text.size()) throw Error(fmt::format("'{}' is no hash", text));
    return value;
}

/// In what two scenes differ, as far as it is known.
std::string scene_difference(const CheckpointIdentity& there, const CheckpointIdentity& here) {
    if (there.simulation.empty() || here.simulation.empty())
        return fmt::format("{} there, {} here", hash_text(there.scene_hash), hash_text(here.scene_hash));
    return differences_text(scene_differences(there.simulation, here.simulation));
}

/// Refuses a checkpoint that would not give the same bits, with both values.
void check_identity(const CheckpointReader& found, const CheckpointIdentity& expected) {
    const std::string place = found.file().string();
    const CheckpointIdentity& identity = found.identity();
    if (identity.scene_hash != expected.scene_hash) {
        throw InputError(place,
                         "is of another scene, '{}', this run is of '{}': {}. Resume with the scene of that run, or "
                         "start anew in another folder (--out)",
                         identity.scene_name, expected.scene_name, scene_difference(identity, expected));
    }
    if (identity.build != expected.build) {
        throw InputError(place,
                         "was written by another build of tidelock: '{}', this is '{}'. Resume with that build, or "
                         "start anew in another folder (--out)",
                         identity.build, expected.build);
    }
}

}  // namespace

CheckpointReader::CheckpointReader(fs::path file) : file_(std::move(file)) {
    descriptor_ = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe is not waited for
    if (descriptor_ < 0) throw FileError(file_, "cannot be read", errno);
    try {
        struct stat status = {};
        if (::fstat(descriptor_, &status) != 0) throw FileError(file_, "cannot be read", errno);
        if (!S_ISREG(status.st_mode)) throw FileError(file_, "is not a file");
        const auto size = static_cast<std::uint64_t>(status.st_size);
        if (size < checkpoint_prefix_bytes + checkpoint_suffix_bytes) {
            throw FileError(file_, fmt::format("is damaged: {} bytes are too few for a checkpoint", size));
        }
        const std::uint64_t end = size - checkpoint_suffix_bytes;
        char prefix[checkpoint_prefix_bytes];
        std::uint64_t hash = 0;
        read_at(descriptor_, file_, 0, std::as_writable_bytes(std::span(prefix)));
        read_at(descriptor_, file_, end, std::as_writable_bytes(std::span(&hash, 1)));
        if (std::string_view(prefix, checkpoint_magic.size()) != checkpoint_magic) {
            throw FileError(file_, "is damaged or not a checkpoint: it does not begin with 'tidelock'");
        }
        if (hash_of_file(descriptor_, file_, end) != hash)
            throw FileError(file_, "is damaged: its hash does not match");
        std::uint32_t version = 0, header_bytes = 0;
        std::memcpy(&version, prefix + 8, 4);
        std::memcpy(&header_bytes, prefix + 12, 4);
        if (version > checkpoint_format_version) {
            throw InputError(file_.string(), "has the format version {}, this tidelock reads up to {}", version,
                             checkpoint_format_version);
        }
        if (version == 0 || header_bytes > end - checkpoint_prefix_bytes) {
            throw FileError(file_, "is damaged: its header is longer than the file, or has no version");
        }
        std::string header(header_bytes, '\0');
        read_at(descriptor_, file_, checkpoint_prefix_bytes, std::as_writable_bytes(std::span(header)));
        read_header(header, end);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

CheckpointReader::~CheckpointReader() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

CheckpointReader::CheckpointReader(CheckpointReader&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      identity_(std::move(other.identity_)),
      moment_(other.moment_),
      arrays_(std::move(other.arrays_)) {}

void CheckpointReader::read_header(std::string_view json, std::uint64_t payload_end) {
    try {
        const Json header = Json::parse(json);
        moment_.step = header.at("step").get<std::int64_t>();
        moment_.frame = header.at("frame").get<std::int64_t>();
        moment_.time = std::bit_cast<double>(header.at("time_bits").get<std::uint64_t>());
        identity_.scene_name = header.at("scene").at("name").get<std::string>();
        identity_.scene_hash = hash_from(header.at("scene").at("hash").get<std::string>());
        if (header.at("scene").contains("simulation"))
            identity_.simulation =
                header.at("scene").at("simulation").dump(-1, ' ', false, Json::error_handler_t::replace);
        identity_.build = header.at("build").get<std::string>();
        for (const Json& entry : header.at("arrays")) {
            CheckpointArray array{entry.at("name").get<std::string>(), type_from(entry.at("type").get<std::string>()),
                                  entry.at("count").get<std::uint64_t>(), entry.at("offset").get<std::uint64_t>(),
                                  hash_from(entry.at("hash").get<std::string>())};
            // In this order nothing can overflow.
            if (array.offset > payload_end || array.count > (payload_end - array.offset) / size_of(array.type)) {
                throw Error(fmt::format("array '{}' of {} values does not fit into the file", array.name, array.count));
            }
            arrays_.push_back(std::move(array));
        }
    } catch (const Json::exception& error) {
        throw FileError(file_, fmt::format("is damaged: {}", error.what()));
    } catch (const FileError&) {
        throw;
    } catch (const Error& error) {
        throw FileError(file_, fmt::format("is damaged: {}", error.what()));
    }
}

const CheckpointArray& CheckpointReader::find(const std::string& name) const {
    const auto found =
        std::find_if(arrays_.begin(), arrays_.end(), [&](const CheckpointArray& array) { return array.name == name; });
    if (found == arrays_.end()) throw FileError(file_, fmt::format("holds no array '{}'", name));
    return *found;
}

bool CheckpointReader::contains(const std::string& name) const {
    return std::any_of(arrays_.begin(), arrays_.end(),
                       [&](const CheckpointArray& array) { return array.name == name; });
}

std::size_t CheckpointReader::count(const std::string& name) const { return find(name).count; }

std::size_t CheckpointReader::count_as(const std::string& name, ArrayType type) const {
    const CheckpointArray& array = find(name);
    if (array.type != type) {
        throw FileError(file_,
                        fmt::format("array '{}' holds {}, expected {}", name, name_of(array.type), name_of(type)));
    }
    return array.count;
}

void CheckpointReader::read(const std::string& name, std::span<std::byte> out, ArrayType type) const {
    const std::size_t count = count_as(name, type);
    if (count * size_of(type) != out.size()) {
        throw FileError(
            file_, fmt::format("array '{}' holds {} values, expected {}", name, count, out.size() / size_of(type)));
    }
    read_at(descriptor_, file_, find(name).offset, out);
    // The file was valid when it was opened; this notices a disk that reads differently now.
    if (hash_bytes(out) != find(name).hash) {
        throw FileError(file_, fmt::format("is damaged: the hash of array '{}' does not match", name));
    }
}

std::string CheckpointReader::read_text(const std::string& name) const {
    std::string text(count_as(name, ArrayType::u8), '\0');
    read(name, std::as_writable_bytes(std::span(text)), ArrayType::u8);
    return text;
}

NewestCheckpoint open_newest_checkpoint(const fs::path& folder, const CheckpointIdentity& expected) {
    auto files = list_checkpoints(folder);
    if (files.empty()) {
        throw InputError(folder.string(), "holds no checkpoint to resume from. Run without --resume to start anew");
    }
    std::vector<std::string> skipped;
    std::reverse(files.begin(), files.end());  // clang 14 cannot read std::views
    for (const fs::path& file : files) {
        try {
            CheckpointReader reader(file);
            check_identity(reader, expected);
            return {std::move(reader), std::move(skipped)};
        } catch (const FileError& error) {
            skipped.emplace_back(error.what());
        }
    }
    std::string all;
    for (const std::string& reason : skipped) all += "\n  " + reason;
    throw FileError(folder, "no checkpoint can be used:" + all);
}

}  // namespace tidelock
