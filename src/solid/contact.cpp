#include "solid/contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solid/contact_candidates.h"
#include "solid/meetings.h"

namespace tidelock {

namespace {

constexpr double spare = 0.5;        ///< of the contact distance: how much beyond what may move is looked at
constexpr double tie_share = 1e-3;   ///< of the contact distance: what counts as equally near
constexpr double merge_share = 0.1;  ///< of a body's radius: how far apart one contact may be seen from both sides

template <int D>
std::array<Vec<D>, D> frame_along(const Vec<D>& n) {
    if constexpr (D == 2) {
        return {n, Vec2(-n[1], n[0])};
    } else {
        int least = 0;
        n.cwiseAbs().minCoeff(&least);
        const Vec3 t = n.cross(Vec3::Unit(least)).normalized();
        return {n, t, n.cross(t)};
    }
}

/// Whether a body's own search finds all that there is.
template <int D>
bool finds_all(const RigidBody<D>& body) {
    return body.shape->round() && !(body.shell_thickness > 0);
}

template <int D>
std::vector<ContactCandidate<D>> candidates_of(const RigidBody<D>& a, const RigidBody<D>& b, const CoreReach& reach) {
    std::vector<ContactCandidate<D>> out;
    const bool a_alone = finds_all<D>(a), b_alone = !a_alone && finds_all<D>(b);
    if (!b_alone) CandidateSearch<D, BodyTarget<D>>(a, {b}, b.pose(), reach).find(false, out);
    if (!a_alone) CandidateSearch<D, BodyTarget<D>>(b, {a}, a.pose(), reach).find(true, out);
    return out;
}

/// Beside what does not answer an impulse the point lies on the surface of what does: a ball's arm is its radius.
template <int D>
void put_on_surface(ContactPoint<D>& contact, const std::vector<RigidBody<D>>& bodies) {
    const bool a = bodies[static_cast<std::size_t>(contact.a)].dynamic();
    const bool b = contact.b >= 0 && bodies[static_cast<std::size_t>(contact.b)].dynamic();
    if (a != b) contact.point += (a ? 0.5 : -0.5) * contact.distance * contact.normal;
}

}  // namespace

template <int D>
void complete(ContactPoint<D>& contact, const std::vector<RigidBody<D>>& bodies) {
    const auto& a = bodies[static_cast<std::size_t>(contact.a)];
    const RigidBody<D>* b = contact.b >= 0 ? &bodies[static_cast<std::size_t>(contact.b)] : nullptr;
    contact.friction = b != nullptr ? std::sqrt(a.friction * b->friction) : a.friction;
    contact.restitution = b != nullptr ? std::max(a.restitution, b->restitution) : a.restitution;
    contact.axes = frame_along<D>(contact.normal);
    for (std::size_t k = 0; k < D; ++k) {
        const Vec<D>& e = contact.axes[k];
        auto& row = contact.rows[k];
        row.a << e, moment<D>(contact.point - a.position, e);
        row.b.setZero();
        if (b != nullptr) row.b << -e, -moment<D>(contact.point - b->position, e);
    }
}

template <int D>
std::vector<ContactPoint<D>> find_contacts(const std::vector<RigidBody<D>>& bodies, const WallBox<D>& walls,
                                           const ContactDistances& distances, const std::vector<double>& reach,
                                           const std::vector<std::pair<int, int>>& joined) {
    std::vector<double> grown = reach;
    for (double& r : grown) r += (1 + spare) * std::max(distances.bodies, distances.walls);
    return gather<ContactPoint<D>>("find contacts", meetings<D>(bodies, walls, grown, joined), [&](const Meeting& m) {
        const auto& a = bodies[static_cast<std::size_t>(m.a)];
        const double touching = m.b >= 0 ? distances.bodies : distances.walls;
        CoreReach near{(1 + spare) * touching + reach[static_cast<std::size_t>(m.a)], tie_share * touching};
        double size = a.radius;
        std::vector<ContactCandidate<D>> candidates;
        if (m.b >= 0) {
            const auto& b = bodies[static_cast<std::size_t>(m.b)];
            near.within += reach[static_cast<std::size_t>(m.b)];
            size = std::min(size, b.radius);
            candidates = candidates_of<D>(a, b, near);
        } else {
            CandidateSearch<D, WallTarget<D>>(a, wall_target<D>(walls, m.b), Pose<D>(), near).find(false, candidates);
        }
        const ManifoldScale scale{std::min(touching, merge_share * size), near.tie};
        std::vector<ContactPoint<D>> contacts;
        for (const auto& c : reduce_manifold<D>(std::move(candidates), scale)) {
            contacts.push_back(contact_of<D>(c, m, touching));
            put_on_surface<D>(contacts.back(), bodies);
            complete<D>(contacts.back(), bodies);
        }
        return contacts;
    });
}

template <int D>
std::string describe(const std::vector<RigidBody<D>>& bodies, const ContactPoint<D>& contact) {
    const auto& a = bodies[static_cast<std::size_t>(contact.a)].name;
    if (contact.b >= 0) return fmt::format("'{}' and '{}'", a, bodies[static_cast<std::size_t>(contact.b)].name);
    const int code = -1 - contact.b;
    return fmt::format("'{}' and the wall {}{}", a, "xyz"[code / 2], "-+"[code % 2]);
}

#define TIDELOCK_INSTANTIATE(D)                                                                              \
    template void complete(ContactPoint<D>&, const std::vector<RigidBody<D>>&);                              \
    template std::vector<ContactPoint<D>> find_contacts(const std::vector<RigidBody<D>>&, const WallBox<D>&, \
                                                        const ContactDistances&, const std::vector<double>&, \
                                                        const std::vector<std::pair<int, int>>&);            \
    template std::string describe(const std::vector<RigidBody<D>>&, const ContactPoint<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
