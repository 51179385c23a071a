#include "render/smoke_march.h"

#include <cmath>
#include <limits>

namespace tidelock {

using Vec3f = Eigen::Vector3f;

SmokeMarcher::SmokeMarcher(const SmokeVolume& volume, const SmokeLight& light, double extinction,
                           const Vec3& frame_origin, float step)
    : volume_(&volume),
      light_(&light),
      extinction_(static_cast<float>(extinction)),
      step_(step * static_cast<float>(volume.voxel())),
      inverse_voxel_(static_cast<float>(1 / volume.voxel())),
      low_((volume.box().low - frame_origin).cast<float>()),
      high_((volume.box().high - frame_origin).cast<float>()) {}

std::pair<float, float> SmokeMarcher::clip(const Vec3f& from, const Vec3f& direction) const {
    float enter = 0, leave = std::numeric_limits<float>::max();
    for (int a = 0; a < 3; ++a) {
        if (direction[a] == 0) {
            if (from[a] < low_[a] || from[a] > high_[a]) return {0.0f, 0.0f};
            continue;
        }
        const float p = (low_[a] - from[a]) / direction[a], q = (high_[a] - from[a]) / direction[a];
        enter = std::max(enter, std::min(p, q));
        leave = std::min(leave, std::max(p, q));
    }
    return {enter, std::max(enter, leave)};
}

float SmokeMarcher::leave_brick(const Coord3& brick, const Vec3f& start, const Vec3f& slope) {
    float leave = std::numeric_limits<float>::max();
    for (int a = 0; a < 3; ++a) {
        if (slope[a] == 0) continue;
        // The outermost bricks reach to the box: their far side is never left before the box is.
        const auto side = static_cast<float>(SmokeVolume::brick * (brick[a] + (slope[a] > 0 ? 1 : 0)));
        if (brick[a] == 0 && slope[a] < 0) continue;
        leave = std::min(leave, (side - start[a]) / slope[a]);
    }
    return leave;
}

void SmokeMarcher::march(const Vec3f& from, const Vec3f& direction, float jitter, std::span<const float> depths,
                         SmokeSoFar* out) const {
    SmokeSoFar sum;
    std::size_t next = 0;
    auto [enter, leave] = clip(from, direction);
    if (!depths.empty()) leave = std::min(leave, depths.back());
    // Sample coordinates along the ray: start + t * slope.
    const Vec3f start = (from - low_) * inverse_voxel_ - Vec3f::Constant(0.5f), slope = direction * inverse_voxel_;
    Coord3 brick;
    float t = enter;
    while (t < leave && sum.transmittance > 1e-3f) {
        while (next < depths.size() && depths[next] <= t) out[next++] = sum;
        const float end = std::min(t + step_, leave), middle = t + jitter * (end - t);
        const Vec3f s = start + middle * slope;
        if (!volume_->brick_at(s, brick)) {
            // On to the step that holds the brick's far side, keeping the steps' places.
            const float steps = std::floor((leave_brick(brick, start, slope) - t) / step_);
            t += step_ * std::max(1.0f, steps);
            continue;
        }
        const float density = volume_->sample(s);
        if (density > 0) {
            const Eigen::Vector2f light = light_->sample(from + middle * direction);
            const float rate = extinction_ * density;
            for (; next < depths.size() && depths[next] < end; ++next) {
                const float part = std::exp(-rate * (depths[next] - t));
                out[next].scattered = sum.scattered + sum.transmittance * (1 - part) * light;
                out[next].transmittance = sum.transmittance * part;
            }
            const float through = std::exp(-rate * (end - t));
            sum.scattered += sum.transmittance * (1 - through) * light;
            sum.transmittance *= through;
        }
        t = end;
    }
    for (; next < depths.size(); ++next) out[next] = sum;
}

float SmokeMarcher::optical_depth(const Vec3f& from, const Vec3f& direction, float jitter) const {
    const auto [enter, leave] = clip(from, direction);
    const Vec3f start = (from - low_) * inverse_voxel_ - Vec3f::Constant(0.5f), slope = direction * inverse_voxel_;
    const float step = 3 * step_;
    float sum = 0;
    Coord3 brick;
    for (float t = enter; t < leave;) {
        const float end = std::min(t + step, leave), middle = t + jitter * (end - t);
        const Vec3f s = start + middle * slope;
        if (!volume_->brick_at(s, brick)) {
            t += step * std::max(1.0f, std::floor((leave_brick(brick, start, slope) - t) / step));
            continue;
        }
        sum += (end - t) * volume_->sample(s);
        if (sum * extinction_ > 12) break;  // exp(-12) of the light is black
        t = end;
    }
    return extinction_ * sum;
}

}  // namespace tidelock
