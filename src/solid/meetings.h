/// The tasks of a search for contacts: pairs of bodies, and bodies and walls, that may be near.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "solid/contact.h"
#include "solid/contact_target.h"
#include "solid/manifold.h"
#include "solid/near_pairs.h"

namespace tidelock {

/// b may be a wall (ContactPoint::wall).
struct Meeting {
    int a, b;
};

template <int D>
[[nodiscard]] std::vector<Meeting> meetings(const std::vector<RigidBody<D>>& bodies, const WallBox<D>& walls,
                                            const std::vector<double>& reach,
                                            const std::vector<std::pair<int, int>>& joined) {
    std::vector<Meeting> out;
    for (const auto& pair : near_pairs<D>(bodies, reach))
        if (!std::binary_search(joined.begin(), joined.end(), pair)) out.push_back({pair.first, pair.second});
    for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
        const auto& body = bodies[static_cast<std::size_t>(i)];
        if (!body.dynamic()) continue;
        for (int axis = 0; axis < D; ++axis)
            for (int side = 0; side < 2; ++side) {
                if (!walls.closed[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)]) continue;
                const double x = body.position[axis];
                const double away = side == 0 ? x - walls.box.low[axis] : walls.box.high[axis] - x;
                if (away <= body.radius + reach[static_cast<std::size_t>(i)])
                    out.push_back({i, ContactPoint<D>::wall(axis, side)});
            }
    }
    return out;
}

template <int D>
[[nodiscard]] WallTarget<D> wall_target(const WallBox<D>& walls, int code) {
    const int axis = (-1 - code) / 2, side = (-1 - code) % 2;
    return {axis, side == 0 ? 1.0 : -1.0, side == 0 ? walls.box.low[axis] : walls.box.high[axis]};
}

template <int D>
[[nodiscard]] ContactPoint<D> contact_of(const ContactCandidate<D>& c, const Meeting& meeting, double touching) {
    ContactPoint<D> contact;
    contact.a = meeting.a;
    contact.b = meeting.b;
    contact.id = 2 * static_cast<std::uint32_t>(c.sample) + (c.of_b ? 1U : 0U);
    contact.normal = c.normal;
    contact.distance = c.distance;
    contact.gap = c.distance - touching;
    contact.point = c.point;
    return contact;
}

/// Runs find(meeting) for all meetings on all threads and strings the results together in their order.
template <class Result, class Find>
[[nodiscard]] std::vector<Result> gather(const char* label, const std::vector<Meeting>& all, const Find& find) {
    std::vector<std::vector<Result>> parts(all.size());
    parallel_for(label, static_cast<std::ptrdiff_t>(all.size()), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        parts[i] = find(all[i]);
    });
    std::vector<Result> out;
    for (auto& part : parts) out.insert(out.end(), part.begin(), part.end());
    return out;
}

}  // namespace tidelock
