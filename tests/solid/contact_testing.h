/// Rooms, bodies and steps for the tests of contact.
#pragma once

#include <cmath>

#include "geometry/shape.h"
#include "solid/contact_motion.h"

namespace tidelock {

template <int D>
WallBox<D> walls_around(const Vec<D>& low, const Vec<D>& high, bool closed = true) {
    WallBox<D> walls;
    walls.box.low = low;
    walls.box.high = high;
    for (auto& axis : walls.closed) axis = {closed, closed};
    return walls;
}

template <int D>
WallBox<D> no_walls() {
    return walls_around<D>(Vec<D>::Constant(-1e3), Vec<D>::Constant(1e3), false);
}

/// Only the lower side of y is closed, at y = 0.
template <int D>
WallBox<D> floor_only() {
    auto walls = walls_around<D>(Vec<D>::Constant(-1e3), Vec<D>::Constant(1e3), false);
    walls.box.low[1] = 0;
    walls.closed[1][0] = true;
    return walls;
}

template <int D>
RigidBody<D> body_of(std::shared_ptr<const Shape<D>> shape, const Vec<D>& at, double density = 1000,
                     BodyType type = BodyType::rigid, double shell = 0) {
    RigidBody<D> body;
    body.name = "body";
    body.type = type;
    set_shape<D>(body, std::move(shape), density, shell, {at, {}}, "body");
    return body;
}

template <int D>
RigidBody<D> ball(double radius, const Vec<D>& at, const Vec<D>& velocity = Vec<D>::Zero(), double density = 1000) {
    auto body = body_of<D>(std::make_shared<Sphere<D>>(radius), at, density);
    body.velocity = velocity;
    return body;
}

template <int D>
RigidBody<D> box(const Vec<D>& size, const Vec<D>& at, double friction = 0, BodyType type = BodyType::rigid) {
    auto body = body_of<D>(std::make_shared<Box<D>>(size), at, 1000, type);
    body.friction = friction;
    return body;
}

constexpr double touching = 1e-3;  ///< contact distance of the tests [m]
constexpr double g = 9.81;

/// Steps of bodies in a vacuum.
template <int D>
struct Play {
    std::vector<RigidBody<D>> bodies;
    std::vector<Joint<D>> joints;
    WallBox<D> walls = no_walls<D>();
    Vec<D> gravity = Vec<D>(-g * Vec<D>::Unit(1));
    double dt = 1e-3;
    double time = 0;
    double distance = touching;
    std::vector<ContactMemory<D>> memory;
    RestReport report;
    double deepest = 0;  ///< overlap so far

    [[nodiscard]] ContactOptions options() const {
        ContactOptions o;
        o.distances = {distance, distance};
        o.longest_move = 0.05;
        o.resting_speed = gravity.norm() * dt;
        o.solver.least_speed = gravity.norm() * dt;
        return o;
    }
    void step() {
        report =
            advance_bodies<D>(bodies, {walls, options(), JointGroups<D>(joints, bodies)}, gravity, time, dt, memory);
        deepest = std::max(deepest, report.max_penetration);
        time += dt;
    }
    void run(double seconds) {
        for (int n = static_cast<int>(std::lround(seconds / dt)); n > 0; --n) step();
    }
    [[nodiscard]] double kinetic() const {
        double sum = 0;
        for (const auto& b : bodies) sum += b.kinetic_energy();
        return sum;
    }
    [[nodiscard]] double potential() const {
        double sum = 0;
        for (const auto& b : bodies)
            if (b.dynamic()) sum -= b.mass * gravity.dot(b.position);
        return sum;
    }
    /// What gravity has given since `potential()` was `start`.
    [[nodiscard]] double given(double start) const { return start - potential(); }
    [[nodiscard]] Vec<D> momentum() const {
        Vec<D> sum = Vec<D>::Zero();
        for (const auto& b : bodies) sum += b.mass * b.velocity;
        return sum;
    }
    /// About the origin.
    [[nodiscard]] Spin<D> angular_momentum() const {
        Spin<D> sum = Spin<D>::Zero();
        for (const auto& b : bodies) sum += b.angular_momentum + moment<D>(b.position, b.mass * b.velocity);
        return sum;
    }
};

}  // namespace tidelock
