#include "app/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/machine.h"
#include "base/timer.h"

namespace tidelock::app {

namespace {

/// "3.1 M" or "420 k".
std::string rate_text(double cells_per_second) {
    return cells_per_second >= 1e6 ? fmt::format("{:.1f} M", cells_per_second / 1e6)
                                   : fmt::format("{:.0f} k", cells_per_second / 1e3);
}

/// Whether it can be written or not.
void put(std::FILE* file, const std::string& text) {
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), file));
    std::fflush(file);
}

}  // namespace

std::string duration_text(double seconds) {
    const auto s = static_cast<long>(std::llround(std::max(0.0, seconds)));
    if (s < 60) return fmt::format("{} s", s);
    if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
    return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

Progress::Progress(bool quiet, std::int64_t frames, double end)
    : quiet_(quiet), columns_(terminal_columns(STDOUT_FILENO)), frames_(frames), end_(end), begun_(wall_seconds()) {}

void Progress::begin(double start) {
    start_ = start;
    begun_ = wall_seconds();
}

Progress::~Progress() { wipe(); }

std::string Progress::line(std::int64_t frame) const {
    int iterations = 0;
    for (const auto& solve : last_.solves) iterations += solve.iterations;
    const double covered = last_.time - start_;
    const double left = covered > 0 ? (wall_seconds() - begun_) / covered * (end_ - last_.time) : 0;
    return fmt::format("frame {}/{}  step {}  t {:.3f} s  dt {:.2e} s  {} iterations  {}cells/s  ETA {}", frame,
                       frames_, last_.step, last_.time, last_.dt, iterations,
                       rate_text(seconds_ > 0 ? cells_ / seconds_ : 0), duration_text(left));
}

void Progress::step(const StepRecord& record) {
    last_ = record;
    if (record.fluid) cells_ += static_cast<double>(record.fluid->cells);
    if (!record.seconds.empty()) seconds_ += record.seconds.front().second;
    if (quiet_ || columns_ == 0) return;
    std::string text = line(record.frame);
    if (static_cast<int>(text.size()) >= columns_) text.resize(static_cast<std::size_t>(columns_ - 1));
    put(stdout, fmt::format("\r{}\033[K", text));
    live_ = true;
}

void Progress::frame(std::int64_t number) {
    if (quiet_ || columns_ > 0 || number == 0) return;
    put(stdout, line(number) + "\n");
}

void Progress::wipe() {
    if (!live_) return;
    put(stdout, "\r\033[K");
    live_ = false;
}

void Progress::say(const std::string& text) {
    if (quiet_) return;
    wipe();
    put(stdout, text + "\n");
}

void Progress::warn(const std::string& text) {
    if (quiet_) return;
    wipe();
    put(stderr, text + "\n");
}

}  // namespace tidelock::app
