#include "io/step_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "base/file.h"

namespace tidelock {
namespace {

/// Calls f(line without its end, number from 1) for each whole line; what follows the last line end is torn.
void for_each_line(const std::string& content, const std::function<void(const std::string&, int)>& f) {
    std::size_t from = 0;
    int number = 1;
    for (std::size_t end = content.find('\n'); end != std::string::npos; end = content.find('\n', from), ++number) {
        f(content.substr(from, end - from), number);
        from = end + 1;
    }
}

std::string place_of(const std::filesystem::path& file, int line) { return fmt::format("{}:{}", file.string(), line); }

std::string content_of(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::exists(file, ignored) ? read_file(file) : std::string();
}

}  // namespace

StepLog::StepLog(std::filesystem::path file) : file_(std::move(file)) {
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw FileError(file_, "cannot be opened to append", errno);
}

StepLog::~StepLog() { ::close(descriptor_); }

void StepLog::append(const StepRecord& record) {
    const std::string line = to_json_line(record) + "\n";
    const off_t before = ::lseek(descriptor_, 0, SEEK_END);
    if (before < 0) throw FileError(file_, "cannot be appended to", errno);
    ssize_t written = -1;
    do {
        written = ::write(descriptor_, line.data(), line.size());
    } while (written < 0 && errno == EINTR);
    if (written == static_cast<ssize_t>(line.size())) return;
    const int error = written < 0 ? errno : ENOSPC;  // a part of a line: there was room for no more
    if (written > 0 && ::ftruncate(descriptor_, before) != 0) {
        throw FileError(file_, "ends in a part of a line that could be neither completed nor removed", errno);
    }
    throw FileError(file_, fmt::format("cannot be appended to: step {}", record.step), error);
}

void StepLog::sync() {
    if (::fsync(descriptor_) != 0) throw FileError(file_, "cannot be synced", errno);
}

std::vector<StepRecord> read_step_log(const std::filesystem::path& file) {
    std::vector<StepRecord> records;
    for_each_line(content_of(file), [&](const std::string& line, int number) {
        records.push_back(parse_step_line(line, place_of(file, number)));
    });
    return records;
}

std::int64_t cut_step_log(const std::filesystem::path& file, std::int64_t last_step) {
    const std::string content = content_of(file);
    std::string kept;
    std::int64_t last = -1;
    bool later = false;
    for_each_line(content, [&](const std::string& line, int number) {
        // Behind the line of the checkpoint nothing is looked at: a power cut may have left anything there.
        if (later || last == last_step) return;
        const std::int64_t step = parse_step_line(line, place_of(file, number)).step;
        later = step > last_step;
        if (later) return;
        kept += line;
        kept += '\n';
        last = step;
    });
    if (kept.size() != content.size()) write_file_atomically(file, kept);
    return last;
}

}  // namespace tidelock
