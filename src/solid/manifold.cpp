#include "solid/manifold.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "solid/core_spots.h"

namespace tidelock {

namespace {

constexpr double same_normal = 0.95;  ///< cosine within which normals belong together (numerics/contact 2)
template <int D>
using Group = std::vector<ContactCandidate<D>>;

template <int D>
auto order_of(const ContactCandidate<D>& c) {
    return std::tuple(c.of_b, c.sample);
}

template <int D>
Vec<D> in_plane(const Vec<D>& v, const Vec<D>& normal) {
    return v - v.dot(normal) * normal;
}

/// Index of the greatest value; of equal ones (but for rounding) the first.
template <class Group, class Value>
std::size_t greatest(const Group& group, const Value& value) {
    std::size_t best = 0;
    double most = value(group[0]);
    for (std::size_t i = 1; i < group.size(); ++i) {
        const double v = value(group[i]);
        if (v > most + 1e-9 * std::abs(most)) most = v, best = i;
    }
    return best;
}

/// The outermost points of a group in the plane across its normal: two ends in 2D, four corners in 3D.
template <int D>
void append_outermost(const Group<D>& group, Group<D>& out) {
    if (group.empty()) return;
    const Vec<D> n = group[0].normal;
    Vec<D> middle = Vec<D>::Zero();
    for (const auto& c : group) middle += c.point / static_cast<double>(group.size());
    std::vector<std::size_t> chosen;
    const std::size_t first =
        greatest(group, [&](const auto& c) { return in_plane<D>(c.point - middle, n).squaredNorm(); });
    const Vec<D> p = group[first].point;
    const std::size_t second =
        greatest(group, [&](const auto& c) { return in_plane<D>(c.point - p, n).squaredNorm(); });
    chosen = {first, second};
    if constexpr (D == 3) {
        // Farthest from the line between them, on either side.
        const Vec3 across = n.cross(group[second].point - p);
        const auto side = [&](const auto& c) { return across.dot(c.point - p); };
        const std::size_t left = greatest(group, side);
        const std::size_t right = greatest(group, [&](const auto& c) { return -side(c); });
        if (side(group[left]) > 0) chosen.push_back(left);
        if (side(group[right]) < 0) chosen.push_back(right);
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    for (std::size_t i : chosen) out.push_back(group[i]);
}

/// Points in one place count once: the nearest stays. Points of the two surfaces that face each other are one place up
/// to `merge`; those of one surface only if they slid to the same point.
template <int D>
Group<D> merged(const Group<D>& sorted, double merge) {
    Group<D> out;
    for (const auto& c : sorted) {
        const bool known = std::any_of(out.begin(), out.end(), [&](const auto& o) {
            const double near = o.of_b != c.of_b ? merge : 0.01 * merge;
            return (o.point - c.point).squaredNorm() < near * near;
        });
        if (!known) out.push_back(c);
    }
    return out;
}

}  // namespace

template <int D>
std::vector<ContactCandidate<D>> reduce_manifold(std::vector<ContactCandidate<D>> candidates,
                                                 const ManifoldScale& scale) {
    const auto nearer = [](const auto& x, const auto& y) {
        return x.distance != y.distance ? x.distance < y.distance : order_of(x) < order_of(y);
    };
    std::sort(candidates.begin(), candidates.end(), nearer);
    std::vector<Group<D>> groups;
    for (const auto& c : candidates) {
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& g) { return g[0].normal.dot(c.normal) > same_normal; });
        if (group == groups.end()) group = groups.insert(groups.end(), Group<D>{});
        // Of a curved surface only the bottom counts; of a flat one all that is nearly as deep as the deepest.
        const bool first = group->empty();
        const double away = first ? 0 : (c.point - (*group)[0].point).norm();
        const double rise = first ? 0 : c.distance - (*group)[0].distance - scale.tie;
        if (first || c.lowest || (away > 0.99 * c.spacing && rise < flat_slope * away)) group->push_back(c);
    }
    Group<D> kept;
    for (auto& group : groups) {
        group = merged<D>(group, scale.merge);
        const double touching = group[0].distance + scale.tie;
        const auto rest =
            std::find_if(group.begin(), group.end(), [&](const auto& c) { return c.distance > touching; });
        // Ties are settled by position, not by rounding.
        const auto by_order = [](const auto& x, const auto& y) { return order_of(x) < order_of(y); };
        Group<D> deep(group.begin(), rest), shallow(rest, group.end());
        std::sort(deep.begin(), deep.end(), by_order);
        std::sort(shallow.begin(), shallow.end(), by_order);
        append_outermost<D>(deep, kept);
        append_outermost<D>(shallow, kept);
    }
    std::sort(kept.begin(), kept.end(), [](const auto& x, const auto& y) { return order_of(x) < order_of(y); });
    return kept;
}

template std::vector<ContactCandidate<2>> reduce_manifold(std::vector<ContactCandidate<2>>, const ManifoldScale&);
template std::vector<ContactCandidate<3>> reduce_manifold(std::vector<ContactCandidate<3>>, const ManifoldScale&);

}  // namespace tidelock
