#include "solid/crush.h"

#include <fmt/format.h>

#include <algorithm>

namespace tidelock {

namespace {

constexpr double opposite_side = -0.5;  ///< cosine of two normals from which on they hold a body between them
constexpr double touching_share = 0.5;  ///< of the contact distance: nearer than this presses
constexpr double closing_share = 1e-3;  ///< of the contact distance: what closes less in a step may come to rest

template <int D>
Vec<D> normal_on(int body, const ContactPoint<D>& c) {
    return c.a == body ? c.normal : Vec<D>(-c.normal);
}

/// Speed at which the other side of a contact moves towards the body.
template <int D>
double pushing_speed(int body, const ContactPoint<D>& c, const std::vector<Twist<D>>& twists) {
    if (c.a != body) return -c.rows[0].a.dot(twists[static_cast<std::size_t>(c.a)]);
    return c.b >= 0 ? -c.rows[0].b.dot(twists[static_cast<std::size_t>(c.b)]) : 0.0;
}

/// What is nearest to the body on the side opposite to a contact; null if there is nothing.
template <int D>
const ContactPoint<D>* opposite(int body, const ContactPoint<D>& c, const std::vector<ContactPoint<D>>& others) {
    const ContactPoint<D>* nearest = nullptr;
    for (const ContactPoint<D>& other : others) {
        if (other.a != body && other.b != body) continue;
        if (normal_on<D>(body, other).dot(normal_on<D>(body, c)) > opposite_side) continue;
        if (nearest == nullptr || other.gap < nearest->gap) nearest = &other;
    }
    return nearest;
}

template <int D>
std::string other_name(const std::vector<RigidBody<D>>& bodies, int body, const ContactPoint<D>& c) {
    const int other = c.a == body ? c.b : c.a;
    if (other >= 0) return fmt::format("'{}'", bodies[static_cast<std::size_t>(other)].name);
    const int code = -1 - other;
    return fmt::format("the wall {}{}", "xyz"[code / 2], "-+"[code % 2]);
}

/// Whether the body is held from both sides, and they approach each other.
template <int D>
bool is_crushed(int body, const ContactPoint<D>& c, const std::vector<ContactPoint<D>>& contacts,
                const std::vector<Twist<D>>& twists, double dt) {
    const ContactPoint<D>* held = opposite<D>(body, c, contacts);
    const double touching = c.distance - c.gap;
    if (held == nullptr || held->distance > touching_share * touching) return false;
    const double closing = pushing_speed<D>(body, c, twists) + pushing_speed<D>(body, *held, twists);
    return closing * dt > closing_share * touching;
}

}  // namespace

template <int D>
std::string crush_text(const std::vector<RigidBody<D>>& bodies, const ContactPoint<D>& contact, int body,
                       const std::vector<ContactPoint<D>>& others) {
    const std::string& name = bodies[static_cast<std::size_t>(body)].name;
    const std::string first = other_name<D>(bodies, body, contact);
    const ContactPoint<D>* held = opposite<D>(body, contact, others);
    if (held == nullptr) return fmt::format("'{}' cannot get out of the way of {}", name, first);
    return fmt::format("'{}' is crushed between {} and {}", name, first, other_name<D>(bodies, body, *held));
}

template <int D>
bool is_held(const ContactPoint<D>& contact, int body, const std::vector<ContactPoint<D>>& others) {
    return opposite<D>(body, contact, others) != nullptr;
}

template <int D>
std::string crush_text(const std::vector<RigidBody<D>>& bodies, const NoRoom& no_room,
                       const std::vector<ContactPoint<D>>& contacts) {
    if (no_room.body < 0) return {};
    return crush_text<D>(bodies, contacts[no_room.contact], no_room.body, contacts);
}

template <int D>
std::string find_crushed(const std::vector<RigidBody<D>>& bodies, const std::vector<ContactPoint<D>>& contacts,
                         const std::vector<Twist<D>>& twists, double dt) {
    for (const ContactPoint<D>& c : contacts) {
        if (!(c.distance < 0)) continue;
        for (const int body : {c.a, c.b})
            if (body >= 0 && bodies[static_cast<std::size_t>(body)].dynamic() &&
                is_crushed<D>(body, c, contacts, twists, dt))
                return crush_text<D>(bodies, c, body, contacts);
    }
    return {};
}

template <int D>
void keep_inside(const WallBox<D>& walls, std::vector<RigidBody<D>>& bodies) {
    for (RigidBody<D>& body : bodies) {
        if (!body.dynamic() || !body.samples) continue;
        const Pose<D> pose = body.pose();
        for (int a = 0; a < D; ++a)
            for (const int side : {0, 1}) {
                if (!walls.closed[static_cast<std::size_t>(a)][static_cast<std::size_t>(side)]) continue;
                const double inwards = side == 0 ? 1 : -1;
                const double wall = side == 0 ? walls.box.low[a] : walls.box.high[a];
                if (inwards * (body.position[a] - wall) > body.radius) continue;
                double lowest = 0;
                for (const Vec<D>& point : body.samples->points())
                    lowest = std::min(lowest, inwards * (pose.to_world(point)[a] - wall) - 0.5 * body.shell_thickness);
                if (!(lowest < 0)) continue;
                body.position[a] -= inwards * lowest;
                if (inwards * body.velocity[a] < 0) body.velocity[a] = 0;
            }
    }
}

#define TIDELOCK_INSTANTIATE(D)                                                                              \
    template std::string crush_text(const std::vector<RigidBody<D>>&, const ContactPoint<D>&, int,           \
                                    const std::vector<ContactPoint<D>>&);                                    \
    template std::string crush_text(const std::vector<RigidBody<D>>&, const NoRoom&,                         \
                                    const std::vector<ContactPoint<D>>&);                                    \
    template bool is_held(const ContactPoint<D>&, int, const std::vector<ContactPoint<D>>&);                 \
    template std::string find_crushed(const std::vector<RigidBody<D>>&, const std::vector<ContactPoint<D>>&, \
                                      const std::vector<Twist<D>>&, double);                                 \
    template void keep_inside(const WallBox<D>&, std::vector<RigidBody<D>>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
