/// The first point of a segment that lies in a solid given by its signed distance (sphere tracing, [Har96]).
///
/// The distance may be inexact as long as it never grows faster than `steepest` times the way; then no solid is stepped
/// over, however thin.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "base/vec.h"

namespace tidelock {

/// Where a segment a + t (b - a) meets a solid, t in [0, 1].
struct Contact {
    double at = 0;    ///< smallest t with distance <= touch
    double free = 0;  ///< t of the last point before that was farther than `touch`; 0 if none was
};

/// The first point with distance(x) <= touch [m], or nothing. `touch` > 0 also bounds the step from below, so that a
/// ray along a surface ends. `distance(x)` is called about log(length / touch) times, more near a surface.
template <int D, class Distance>
[[nodiscard]] std::optional<Contact> find_contact(const Distance& distance, const Vec<D>& a, const Vec<D>& b,
                                                  double touch, double steepest = 1.1) {
    const double length = (b - a).norm();
    double way = 0, before = 0;
    while (true) {
        const double t = length > 0 ? way / length : 0;
        const double d = distance(Vec<D>(a + t * (b - a)));
        if (d <= touch) return Contact{t, before};
        if (way >= length) return std::nullopt;
        before = t;
        way = std::min(length, way + std::max(d / steepest, 0.5 * touch));
    }
}

/// Only where it is.
template <int D, class Distance>
[[nodiscard]] std::optional<double> first_contact(const Distance& distance, const Vec<D>& a, const Vec<D>& b,
                                                  double touch) {
    const auto contact = find_contact<D>(distance, a, b, touch);
    return contact ? std::optional(contact->at) : std::nullopt;
}

/// What is known of a straight way without following it.
enum class Sight { clear, blocked, unsure };

/// A straight way of which the distances at both ends are known, or lower bounds of them [m].
template <int D>
struct SightLine {
    Vec<D> from, to;
    double room_from, room_to;
};

/// Whether all points of a way are farther from a solid than `touch` [m] (clear), or some lies in it (blocked), from
/// a few distances: each says of the points around it that they are clear, and the next is asked in the middle of what
/// is left between two. find_contact() finds no contact on a way that is clear, and one on a blocked one.
template <int D, class Distance>
[[nodiscard]] Sight look_along(const Distance& distance, const SightLine<D>& line, double touch,
                               double steepest = 1.1) {
    constexpr int most_asked = 16;
    struct Gap {
        double low, high;  // [m] from the beginning
    };
    if (line.room_from <= touch || line.room_to <= touch) return Sight::unsure;
    const double length = (line.to - line.from).norm();
    std::array<Gap, most_asked + 1> gaps;
    int left = 0;
    const auto add = [&](double low, double high) {
        if (low < high) gaps[static_cast<std::size_t>(left++)] = {low, high};
    };
    add((line.room_from - touch) / steepest, length - (line.room_to - touch) / steepest);
    for (int asked = 0; left > 0; ++asked) {
        if (asked == most_asked) return Sight::unsure;
        const Gap gap = gaps[static_cast<std::size_t>(--left)];
        const double middle = 0.5 * (gap.low + gap.high);
        const double d = distance(Vec<D>(line.from + (middle / length) * (line.to - line.from)));
        if (d <= 0) return Sight::blocked;
        if (d <= touch) return Sight::unsure;
        const double around = (d - touch) / steepest;
        add(gap.low, middle - around);
        add(middle + around, gap.high);
    }
    return Sight::clear;
}

}  // namespace tidelock
