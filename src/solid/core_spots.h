/// Where a core of one solid (geometry/core.h) is nearest to another: the lowest points of the other's signed distance
/// along it, to rounding, and how far it lies flat on the other (numerics/contact 1).
///
/// Target   distance(x), normal(x), its gradient, bound(x), about the distance and quick, and convex(), all in the frame
///          of the core.
/// Flat     A point that is higher than the lowest by less than `flat_slope` of the way between them carries as well:
///          the ends of the stretch of an edge for which that holds, and points all around a ring, but none right beside
///          a lowest one: a wheel would stumble over them. They hold what lies on a face against tilting.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/math.h"
#include "geometry/core.h"
#include "solid/surface_samples.h"

namespace tidelock {

/// How much farther than the lowest point another may be per length between them and still carry: the far edge of a
/// face that is nearly flat on another.
inline constexpr double flat_slope = 0.03;

template <int D>
struct CoreSpot {
    Vec<D> at = Vec<D>::Zero();  ///< on the core
    double distance = 0;         ///< of the target from there [m]
    int place = 0;               ///< among the spots of a core: the same in the next step
    bool lowest = false;         ///< a minimum; else a point that lies about flat
};

/// Spots that a core may have.
inline constexpr int places_of_core = 32;

/// Where a slope that is < 0 at `a` and > 0 at `b` changes its sign: regula falsi, by Illinois.
template <class Slope>
double zero_between(const Slope& slope, double a, double at_a, double b, double at_b) {
    int last = 0;
    for (int i = 0; i < 100 && b - a > 4e-16 * (std::abs(a) + std::abs(b)); ++i) {
        double x = a + (b - a) * (at_a / (at_a - at_b));
        if (!(x > a && x < b)) x = 0.5 * (a + b);
        const double s = slope(x);
        if (std::abs(s) < 1e-15) return x;
        if (s < 0) {
            a = x, at_a = s;
            if (last < 0) at_b *= 0.5;
        } else {
            b = x, at_b = s;
            if (last > 0) at_a *= 0.5;
        }
        last = s < 0 ? -1 : 1;
    }
    return std::abs(at_a) < std::abs(at_b) ? a : b;
}

/// What a search looks for: nothing farther than `within` from the solid's surface [m]; distances that differ by less
/// than `tie` are equal [m].
struct CoreReach {
    double within, tie;
};

/// The spots of a segment. Beside what is not convex it is cut into pieces with a minimum each.
template <int D, class Target>
void segment_spots(const Core<D>& core, const Target& target, const CoreReach& reach, std::vector<CoreSpot<D>>& out) {
    constexpr int most_pieces = 8;
    const double length = core.way.norm(), most = core.radius + reach.within;
    const Vec<D> along = core.way / length;
    const auto at = [&](double s) { return Vec<D>(core.at + s * along); };
    if (target.bound(at(0.5 * length)) > most + steepest_distance * 0.5 * length) return;
    const auto slope = [&](double s) { return target.normal(at(s)).dot(along); };
    const auto distance = [&](double s) { return target.distance(at(s)); };
    const auto add = [&](double s, double d, int place, bool lowest) {
        if (d < most) out.push_back({at(s), d, place, lowest});
    };
    // How far the flat stretch around s goes towards an end: the end, or where it rises too much.
    const auto flat_end = [&](double s, double low, double end, int place) {
        const auto over = [&](double x) { return distance(x) - low - reach.tie - flat_slope * std::abs(x - s); };
        if (over(end) <= 0) {
            if (core.ends && std::abs(end - s) > 1e-9 * length) add(end, distance(end), place, false);
            return;
        }
        double in = s, beyond = end;
        for (int i = 0; i < 40; ++i) (over(0.5 * (in + beyond)) <= 0 ? in : beyond) = 0.5 * (in + beyond);
        if (std::abs(in - s) > 1e-3 * length) add(in, distance(in), place, false);
    };
    const int pieces = target.convex() ? 1 : most_pieces;
    const double piece = length / pieces;
    double left = slope(0);
    if (left >= 0 && core.ends) add(0, distance(0), 0, true);
    if (left >= 0) {
        if (const double d = distance(0); d < most) flat_end(0, d, length, 1);
    }
    for (int k = 0; k < pieces; ++k) {
        const double a = k * piece, b = k + 1 == pieces ? length : a + piece, right = slope(b);
        if (left < 0 && right >= 0) {
            const double s = zero_between(slope, a, left, b, right), d = distance(s);
            if (d < most) {
                add(s, d, 2 + 3 * k, true);
                flat_end(s, d, 0, 3 + 3 * k);
                flat_end(s, d, length, 4 + 3 * k);
            }
        }
        left = right;
    }
    if (left > 0) return;
    const double d = distance(length);
    if (core.ends) add(length, d, 30, true);
    if (d < most) flat_end(length, d, 0, 31);
}

/// The spots of a ring: minima between nodes, and every other node where it lies about flat.
template <class Target>
void ring_spots(const Core<3>& core, const Target& target, const CoreReach& reach, std::vector<CoreSpot<3>>& out) {
    constexpr int nodes = 16;
    constexpr double level = 1e-13;  // slope that is none
    const double most = core.radius + reach.within;
    if (target.bound(core.at) > most + steepest_distance * core.ring) return;
    int least = 0;
    core.way.cwiseAbs().minCoeff(&least);
    const Vec3 e = core.way.cross(Vec3::Unit(least)).normalized(), f = core.way.cross(e);
    const auto at = [&](double turn) { return Vec3(core.at + core.ring * (cosine(turn) * e + sine(turn) * f)); };
    const auto slope = [&](double turn) { return target.normal(at(turn)).dot(cosine(turn) * f - sine(turn) * e); };
    const double step = 2 * std::numbers::pi / nodes;
    std::array<double, nodes> slopes, distances;
    int lowest = 0;
    for (int k = 0; k < nodes; ++k) {
        const auto i = static_cast<std::size_t>(k);
        slopes[i] = slope(k * step);
        distances[i] = target.distance(at(k * step));
        if (distances[i] < distances[static_cast<std::size_t>(lowest)] - reach.tie) lowest = k;
    }
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    CoreSpot<3> low{at(lowest * step), distances[static_cast<std::size_t>(lowest)], 2 * lowest, false};
    for (int k = 0; k < nodes; ++k) {
        const double left = slopes[static_cast<std::size_t>(k)],
                     right = slopes[static_cast<std::size_t>((k + 1) % nodes)];
        if (!(left < -level && right >= -level)) continue;
        const double end = (k + 1) * step, turn = right > level ? zero_between(slope, k * step, left, end, right) : end;
        const Vec3 x = at(turn);
        const CoreSpot<3> spot{x, target.distance(x), 2 * k + 1, true};
        if (spot.distance < most) out.push_back(spot);
        if (spot.distance < low.distance) low = spot;
    }
    const auto beside_lowest = [&](const Vec3& x) {
        return std::any_of(out.begin() + first, out.end(),
                           [&](const CoreSpot<3>& spot) { return (x - spot.at).norm() < step * core.ring; });
    };
    for (int k = 0; k < nodes; k += 2) {
        const Vec3 x = at(k * step);
        if (beside_lowest(x)) continue;
        const double d = distances[static_cast<std::size_t>(k)];
        if (d < most && d - low.distance <= reach.tie + flat_slope * (x - low.at).norm())
            out.push_back({x, d, 2 * k, false});
    }
}

template <int D, class Target>
[[nodiscard]] std::vector<CoreSpot<D>> core_spots(const Core<D>& core, const Target& target, const CoreReach& reach) {
    std::vector<CoreSpot<D>> out;
    if (core.kind == CoreKind::point) {
        const double d = target.distance(core.at);
        if (d < core.radius + reach.within) out.push_back({core.at, d, 0, core.radius > 0});
    } else if (core.kind == CoreKind::segment) {
        segment_spots<D>(core, target, reach, out);
    } else if constexpr (D == 3) {
        ring_spots(core, target, reach, out);
    }
    return out;
}

}  // namespace tidelock
