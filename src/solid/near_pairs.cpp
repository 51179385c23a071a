#include "solid/near_pairs.h"

#include <algorithm>
#include <cmath>

namespace tidelock {

template <int D>
std::vector<std::pair<int, int>> near_pairs(const std::vector<RigidBody<D>>& bodies, const std::vector<double>& reach) {
    std::vector<int> bounded, unbounded;
    Bounds<D> centres;
    for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
        const auto& body = bodies[static_cast<std::size_t>(i)];
        (std::isfinite(body.radius) ? bounded : unbounded).push_back(i);
        if (std::isfinite(body.radius)) centres.include(body.position);
    }
    std::vector<std::pair<int, int>> pairs;
    const auto add = [&](int i, int j) {
        const bool moves =
            bodies[static_cast<std::size_t>(i)].dynamic() || bodies[static_cast<std::size_t>(j)].dynamic();
        if (moves) pairs.emplace_back(std::min(i, j), std::max(i, j));
    };
    for (int i : unbounded)
        for (int j : bounded) add(i, j);

    int axis = 0;
    if (!bounded.empty()) centres.size().maxCoeff(&axis);
    const auto grown = [&](int i) {
        return bodies[static_cast<std::size_t>(i)].radius + reach[static_cast<std::size_t>(i)];
    };
    const auto low = [&](int i) { return bodies[static_cast<std::size_t>(i)].position[axis] - grown(i); };
    std::sort(bounded.begin(), bounded.end(), [&](int i, int j) { return low(i) != low(j) ? low(i) < low(j) : i < j; });
    std::vector<int> open;  // boxes that the sweep is inside of
    for (int i : bounded) {
        const double here = low(i);
        std::erase_if(open, [&](int j) { return low(j) + 2 * grown(j) < here; });
        for (int j : open) {
            const Vec<D> between =
                bodies[static_cast<std::size_t>(i)].position - bodies[static_cast<std::size_t>(j)].position;
            if (between.cwiseAbs().maxCoeff() <= grown(i) + grown(j)) add(i, j);
        }
        open.push_back(i);
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

template std::vector<std::pair<int, int>> near_pairs(const std::vector<RigidBody<2>>&, const std::vector<double>&);
template std::vector<std::pair<int, int>> near_pairs(const std::vector<RigidBody<3>>&, const std::vector<double>&);

}  // namespace tidelock
