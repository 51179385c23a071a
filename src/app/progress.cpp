#include "app/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/console.h"
#include "app/machine.h"
#include "base/timer.h"

namespace tidelock::app {

namespace {

/// "0.042", "1.3" or "95".
std::string seconds_text(double seconds) {
    return seconds >= 100 ? fmt::format("{:.0f}", seconds) : fmt::format("{:.2g}", seconds);
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
    const double pace = covered > 0 ? (wall_seconds() - begun_) / covered : 0;  // with files and pictures
    return fmt::format("frame {}/{}  step {}  t {:.3f} s  dt {:.2e} s  {} iterations  {} s/frame  ETA {}", frame,
                       frames_, last_.step, last_.time, last_.dt, iterations,
                       seconds_text(pace * end_ / static_cast<double>(frames_)),
                       duration_text(pace * (end_ - last_.time)));
}

void Progress::step(const StepRecord& record) {
    last_ = record;
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
