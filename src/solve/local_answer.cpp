#include "solve/local_answer.h"

#include <algorithm>
#include <tuple>

#include "solve/colour_order.h"

namespace tidelock {

namespace {

/// Where each body stands in its cluster.
struct Member {
    std::size_t cluster;
    Eigen::Index place;
};

template <int D>
std::vector<Member> members_of(const RigidTerms<D>& bodies) {
    std::vector<Member> out(static_cast<std::size_t>(bodies.bodies()));
    for (std::size_t c = 0; c < bodies.clusters().size(); ++c)
        for (std::size_t m = 0; m < bodies.clusters()[c].size(); ++m)
            out[static_cast<std::size_t>(bodies.clusters()[c][m])] = {c, static_cast<Eigen::Index>(m)};
    return out;
}

/// Per cluster: a group presses on it, and has the last word of a sweep.
template <int D, class T>
std::vector<bool> pressed_by_groups(const StencilLevel<D, T>& level, const std::vector<Member>& members) {
    std::vector<bool> pressed(level.bodies.clusters().size(), false);
    for (Eigen::Index g = 0; g < level.groups.size(); ++g)
        for (Eigen::SparseVector<double>::InnerIterator it(level.groups.force(g)); it; ++it)
            pressed[members[static_cast<std::size_t>(it.index() / rigid_dof<D>)].cluster] = true;
    return pressed;
}

/// W of an entry's cell, whoever else is in it; 0 where the residual need not be zero.
template <int D, class T>
double weight_of(const StencilLevel<D, T>& level, const RigidEntry<D>& e) {
    const auto at = level.offset(e.slot) + e.local;
    if (colour_of<D>(e.local) != 1 || (level.flags.data()[at] & pocket_flag) != 0) return 0;
    const std::ptrdiff_t cell = std::ptrdiff_t{e.slot} * Brick<D>::cells + e.local;
    const auto& links = level.groups.links();
    const auto link = std::lower_bound(links.begin(), links.end(), cell,
                                       [](const GroupLink& l, std::ptrdiff_t c) { return l.cell < c; });
    if (link != links.end() && link->cell == cell) return 0;
    return static_cast<double>(level.inverse.data()[at]);
}

}  // namespace

template <int D, class T>
std::vector<Eigen::MatrixXd> settle_locally(StencilLevel<D, T>& level) {
    constexpr int dof = rigid_dof<D>;
    using Column = Eigen::Matrix<double, dof, 1>;
    const RigidTerms<D>& bodies = level.bodies;
    const std::vector<Member> members = members_of(bodies);
    std::vector<Eigen::MatrixXd> mass;
    for (const auto& cluster : bodies.clusters()) {
        const auto size = dof * static_cast<Eigen::Index>(cluster.size());
        mass.emplace_back(Eigen::MatrixXd::Zero(size, size));
    }
    auto entries = bodies.entries();
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return std::tie(a.slot, a.local, a.body) < std::tie(b.slot, b.local, b.body);
    });
    const std::vector<bool> pressed = pressed_by_groups(level, members);
    const auto member = [&](std::size_t i) { return members[static_cast<std::size_t>(entries[i].body)]; };
    for (std::size_t first = 0, last = 0; first < entries.size(); first = last) {
        bool alone = !pressed[member(first).cluster];
        for (; last < entries.size() &&
               std::tie(entries[last].slot, entries[last].local) == std::tie(entries[first].slot, entries[first].local);
             ++last)
            alone = alone && member(last).cluster == member(first).cluster;
        const double weight = alone ? weight_of(level, entries[first]) : 0.0;
        if (!(weight > 0)) continue;
        for (std::size_t a = first; a < last; ++a) {
            entries[a].settles = true;
            for (std::size_t b = first; b < last; ++b)
                mass[member(a).cluster].template block<dof, dof>(dof * member(a).place, dof * member(b).place) +=
                    weight * Eigen::Map<const Column>(entries[a].k.data()) *
                    Eigen::Map<const Column>(entries[b].k.data()).transpose();
        }
    }
    level.bodies = bodies.with_entries(std::move(entries));
    return mass;
}

#define TIDELOCK_INSTANTIATE(D, T) template std::vector<Eigen::MatrixXd> settle_locally(StencilLevel<D, T>&)
TIDELOCK_INSTANTIATE(2, float);
TIDELOCK_INSTANTIATE(2, double);
TIDELOCK_INSTANTIATE(3, float);
TIDELOCK_INSTANTIATE(3, double);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
