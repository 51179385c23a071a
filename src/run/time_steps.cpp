#include "run/time_steps.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace tidelock {

namespace {

std::int64_t whole_frames(const scene::Time& time) {
    return static_cast<std::int64_t>(std::floor(time.duration * time.fps + 1e-9));
}

}  // namespace

std::int64_t frame_count(const scene::Time& time) { return std::max<std::int64_t>(1, whole_frames(time)); }

double frame_time(const scene::Time& time, std::int64_t frame) {
    if (frame > 0 && whole_frames(time) < 1) return time.duration;
    return static_cast<double>(frame) / time.fps;
}

double film_rate(const scene::Time& time) { return std::clamp(time.fps, 1.0, 60.0); }

NextStep next_step(const scene::Time& time, double now, double frame_end, double largest) {
    constexpr double most_steps = 1e5, rounding = 1e-6;
    const double left = frame_end - now;
    if (time.step) return *time.step * (1 + rounding) >= left ? NextStep{left, true} : NextStep{*time.step, false};
    const double wanted = std::ceil(left / largest);
    if (!(wanted <= most_steps))  // nor if it is no number
        throw SimulationError(
            fmt::format("at {} s the flow is so fast that a step may last {:.3g} s: {:.3g} steps to the next frame, "
                        "{:.0f} are allowed",
                        now, largest, wanted, most_steps));
    const double steps = std::max(1.0, wanted);
    return {left / steps, steps == 1};
}

}  // namespace tidelock
