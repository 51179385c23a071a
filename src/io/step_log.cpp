#include "io/step_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
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
    const auto type = std::filesystem::status(file, ignored).type();
    if (type == std::filesystem::file_type::not_found) return {};
    if (type != std::filesystem::file_type::regular) throw FileError(file, "is not a file");  // a pipe is waited for
    return read_file(file);
}

/// Whether a step can come after another one; what stands of a run is step 1 and all that follow it, without a gap.
void check_follows(const StepRecord& step, const StepRecord& before, const std::string& place) {
    const auto fail = [&](const std::string& what) {
        throw FileError(place, fmt::format("{}: lines are missing or were changed. Begin again (--restart)", what));
    };
    if (step.step != before.step + 1) fail(fmt::format("step {} comes after step {}", step.step, before.step));
    // Frames have at least a step each.
    if (step.frame < before.frame || step.frame > before.frame + 1)
        fail(
            fmt::format("step {} leads to frame {}, the step before to frame {}", step.step, step.frame, before.frame));
    // Times are sums of steps up to rounding; the last step of a frame may be 1e-6 longer (run/time_steps.h).
    const double expected = before.time + step.dt;
    if (!(std::abs(step.time - expected) <= 1e-5 * step.dt + 1e-9 * expected))
        fail(fmt::format("step {} ends at {} s instead of {} s", step.step, step.time, expected));
    if (before.step == 0) return;
    const bool same = std::equal(step.bodies.begin(), step.bodies.end(), before.bodies.begin(), before.bodies.end(),
                                 [](const BodyRecord& a, const BodyRecord& b) { return a.name == b.name; });
    if (!same) fail(fmt::format("step {} has other bodies than the step before", step.step));
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
    StepRecord before;
    bool later = false;
    for_each_line(content, [&](const std::string& line, int number) {
        // Behind the line of the checkpoint nothing is looked at: a power cut may have left anything there.
        if (later || before.step == last_step) return;
        StepRecord step = parse_step_line(line, place_of(file, number));
        later = step.step > last_step && step.step == before.step + 1;
        if (later) return;
        check_follows(step, before, place_of(file, number));
        kept += line;
        kept += '\n';
        last = step.step;
        before = std::move(step);
    });
    if (kept.size() != content.size()) write_file_atomically(file, kept);
    return last;
}

}  // namespace tidelock
