#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

namespace tidelock {
namespace {

namespace fs = std::filesystem;

/// Distinct also for two writers of one file in one process.
fs::path temporary_name(const fs::path& file) {
    static std::atomic<unsigned> counter{0};
    return file.parent_path() / fmt::format(".{}.{}-{}.tmp", file.filename().string(), ::getpid(), counter++);
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

std::string message(const fs::path& file, const std::string& attempt, int error_number) {
    if (error_number == 0) return fmt::format("{}: {}", file.string(), attempt);
    return fmt::format("{}: {}: {}", file.string(), attempt, std::generic_category().message(error_number));
}

class Descriptor {
  public:
    Descriptor(const fs::path& file, int flags) : value_(::open(file.c_str(), flags | O_CLOEXEC)) {}
    ~Descriptor() {
        if (value_ >= 0) ::close(value_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int value() const { return value_; }

  private:
    int value_;
};

}  // namespace

FileError::FileError(fs::path file, const std::string& attempt, int error_number)
    : Error(message(file, attempt, error_number)), file_(std::move(file)), error_number_(error_number) {}

AtomicFile::AtomicFile(fs::path file) : file_(std::move(file)), temporary_(temporary_name(file_)) {
    // rename() would say so only after everything has been written.
    std::error_code ignored;
    if (fs::is_directory(file_, ignored)) fail("cannot be written", EISDIR);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("cannot be written: opening a temporary file beside it", errno);
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() noexcept {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
    descriptor_ = -1;
}

void AtomicFile::fail(const char* attempt, int error_number) {
    discard();
    throw FileError(file_, attempt, error_number);
}

void AtomicFile::write(std::span<const std::byte> bytes) { write_at(size_, bytes); }

void AtomicFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
    if (descriptor_ < 0) throw FileError(file_, "cannot be written: an earlier write failed or it is complete");
    TIDELOCK_ASSERT(offset <= size_, "offset = {}, size = {}", offset, size_);
    while (!bytes.empty()) {
        const auto n = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail("cannot be written: writing", errno);
        if (n == 0) fail("cannot be written: writing", ENOSPC);
        offset += static_cast<std::uint64_t>(n);
        size_ = std::max(size_, offset);
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
}

void AtomicFile::commit() {
    if (descriptor_ < 0) throw FileError(file_, "cannot be written: an earlier write failed or it is complete");
    if (::fsync(descriptor_) != 0) fail("cannot be written: syncing", errno);
    if (::rename(temporary_.c_str(), file_.c_str()) != 0) fail("cannot be written: renaming its temporary file", errno);
    const int descriptor = descriptor_;
    descriptor_ = -1;
    // fsync() has reported every write error; closing can only fail for the descriptor itself.
    ::close(descriptor);
    sync_folder(folder_of(file_));
}

void write_file_atomically(const fs::path& file, std::span<const std::byte> bytes) {
    AtomicFile out(file);
    out.write(bytes);
    out.commit();
}

void write_file_atomically(const fs::path& file, std::string_view bytes) {
    write_file_atomically(file, std::as_bytes(std::span(bytes.data(), bytes.size())));
}

std::string read_file(const fs::path& file, std::uint64_t max_bytes) {
    const Descriptor in(file, O_RDONLY);
    struct stat status = {};
    if (in.value() < 0 || ::fstat(in.value(), &status) != 0) throw FileError(file, "cannot be read", errno);
    if (S_ISDIR(status.st_mode)) throw FileError(file, "cannot be read", EISDIR);
    const auto too_long = [&](std::uint64_t size) {
        if (size > max_bytes) {
            throw FileError(file, fmt::format("holds more than {} bytes, which is the limit", max_bytes));
        }
    };
    too_long(static_cast<std::uint64_t>(status.st_size));
    // The size is a hint (0 in /proc, and the file may grow): read until the end, within the limit.
    std::string content;
    content.reserve(static_cast<std::size_t>(status.st_size));
    std::vector<char> buffer(1 << 16);
    for (;;) {
        const auto n = ::read(in.value(), buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw FileError(file, "cannot be read", errno);
        if (n == 0) return content;
        too_long(content.size() + static_cast<std::uint64_t>(n));
        content.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

void sync_folder(const fs::path& folder) {
    const Descriptor descriptor(folder, O_RDONLY | O_DIRECTORY);
    if (descriptor.value() < 0) throw FileError(folder, "cannot be opened to sync it", errno);
    // Some network file systems cannot sync a folder and say EINVAL; there is nothing more to be done there.
    if (::fsync(descriptor.value()) != 0 && errno != EINVAL) throw FileError(folder, "cannot be synced", errno);
}

void remove_temporaries(const fs::path& folder) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with('.') && name.ends_with(".tmp")) fs::remove(entry.path(), error);
    }
}

}  // namespace tidelock
