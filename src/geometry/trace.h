/// The first point of a segment that lies in a solid given by its signed distance (sphere tracing, [Har96]).
///
/// The distance may be inexact as long as it never grows faster than `steepest` times the way; then no solid is stepped
/// over, however thin.
#pragma once

#include <algorithm>
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

}  // namespace tidelock
