#include "solid/stopping.h"

#include <fmt/format.h>

#include <algorithm>

#include "geometry/trace.h"

namespace tidelock {

namespace {

constexpr int rounds = 8;

/// The deepest point of a body `a` in a body `b` (or behind a wall), b < 0.
template <int D>
struct Touch {
    int a = -1, b = -1;
    int wall_axis = 0, wall_side = 0;
    double gap = 0;                  ///< signed [m]
    Vec<D> point = Vec<D>::Zero();   ///< world [m]
    Vec<D> normal = Vec<D>::Zero();  ///< from b to a
};

/// The way of a pair of bodies over the step.
template <int D>
struct Ways {
    const std::vector<RigidBody<D>>& before;
    const std::vector<RigidBody<D>>& after;
};

/// Looks for the point of body `from` that ends deepest in body `into`, or farthest behind its surface if it went
/// through.
template <int D>
void look_into(const Ways<D>& ways, std::size_t from, std::size_t into, bool flip, Touch<D>& deepest) {
    const auto &a = ways.after[from], &b = ways.after[into];
    const Pose<D> a0 = ways.before[from].pose(), b0 = ways.before[into].pose(), a1 = a.pose(), b1 = b.pose();
    const auto distance = [&](const Vec<D>& y) { return b.distance(y); };
    for (const Vec<D>& sample : *a.samples) {
        const Vec<D> x = a1.to_world(sample);
        const Vec<D> start = b0.to_body(a0.to_world(sample)), end = b1.to_body(x);
        double gap = distance(end);
        Vec<D> at = end;
        const double way = (end - start).norm(), begin = distance(start);
        if (begin > 0 && begin < way) {
            // It may have passed the surface: then the depth is the way behind it, and the side is that of the start.
            if (const auto hit = find_contact<D>(distance, start, end, 0.01 * begin)) {
                gap = std::min(gap, -(1 - hit->at) * way);
                at = start + hit->free * (end - start);
            }
        }
        if (gap >= deepest.gap) continue;
        const Vec<D> n = b1.matrix * b.normal(at);
        deepest.gap = gap;
        deepest.point = x;
        deepest.a = static_cast<int>(flip ? into : from);
        deepest.b = static_cast<int>(flip ? from : into);
        deepest.normal = flip ? Vec<D>(-n) : n;
    }
}

template <int D>
std::vector<Touch<D>> touches(const std::vector<RigidBody<D>>& before, const std::vector<RigidBody<D>>& bodies,
                              const WallBox<D>& walls, const StopGaps& gaps) {
    std::vector<Touch<D>> found;
    const Ways<D> ways{before, bodies};
    const int count = static_cast<int>(bodies.size());
    for (int i = 0; i < count; ++i) {
        const auto& a = bodies[static_cast<std::size_t>(i)];
        for (int j = i + 1; j < count; ++j) {
            const auto& b = bodies[static_cast<std::size_t>(j)];
            if (!a.dynamic() && !b.dynamic()) continue;
            const auto m = static_cast<std::size_t>(i), n = static_cast<std::size_t>(j);
            const double moved = (a.position - before[m].position).norm() + (b.position - before[n].position).norm();
            if ((a.position - b.position).norm() > a.radius + b.radius + gaps.bodies + moved) continue;
            Touch<D> deepest;
            deepest.gap = gaps.bodies;
            look_into<D>(ways, m, n, false, deepest);
            look_into<D>(ways, n, m, true, deepest);
            if (deepest.a >= 0) found.push_back(deepest);
        }
        if (!a.dynamic()) continue;
        const Pose<D> pose = a.pose();
        for (int axis = 0; axis < D; ++axis)
            for (int side = 0; side < 2; ++side) {
                const auto ax = static_cast<std::size_t>(axis);
                if (!walls.closed[ax][static_cast<std::size_t>(side)]) continue;
                const double sign = side == 0 ? 1 : -1, at = side == 0 ? walls.box.low[axis] : walls.box.high[axis];
                if (sign * (a.position[axis] - at) > a.radius + gaps.walls) continue;
                Touch<D> deepest;
                deepest.gap = gaps.walls;
                for (const Vec<D>& sample : *a.samples) {
                    const Vec<D> x = pose.to_world(sample);
                    const double d = sign * (x[axis] - at);
                    if (d >= deepest.gap) continue;
                    deepest.gap = d;
                    deepest.point = x;
                    deepest.a = i;
                    deepest.wall_axis = axis;
                    deepest.wall_side = side;
                    deepest.normal = sign * Vec<D>::Unit(axis);
                }
                if (deepest.a >= 0) found.push_back(deepest);
            }
    }
    return found;
}

/// Normal mobility of a body at r: n . (1/m + ...) n.
template <int D>
double mobility(const RigidBody<D>& body, const Vec<D>& r, const Vec<D>& n) {
    if (!body.dynamic()) return 0;
    const Spin<D> arm = moment<D>(r, n);
    return 1 / body.mass + arm.dot(body.world_inertia().ldlt().solve(arm));
}

template <int D>
void push(RigidBody<D>& body, const Vec<D>& r, const Vec<D>& impulse) {
    if (!body.dynamic()) return;
    body.velocity += impulse / body.mass;
    body.angular_momentum += moment<D>(r, impulse);
}

/// Takes away the approach of a pair at its deepest point.
template <int D>
void stop(std::vector<RigidBody<D>>& bodies, const Touch<D>& touch) {
    auto& a = bodies[static_cast<std::size_t>(touch.a)];
    RigidBody<D>* b = touch.b >= 0 ? &bodies[static_cast<std::size_t>(touch.b)] : nullptr;
    const Vec<D> ra = touch.point - a.position;
    const Vec<D> rb = b != nullptr ? Vec<D>(touch.point - b->position) : Vec<D>(Vec<D>::Zero());
    Vec<D> relative = velocity_at<D>(a.twist(), ra);
    double mobile = mobility<D>(a, ra, touch.normal);
    if (b != nullptr) {
        relative -= velocity_at<D>(b->twist(), rb);
        mobile += mobility<D>(*b, rb, touch.normal);
    }
    const double approach = relative.dot(touch.normal);
    if (approach >= 0 || mobile <= 0) return;
    const Vec<D> impulse = -approach / mobile * touch.normal;
    push<D>(a, ra, impulse);
    if (b != nullptr) push<D>(*b, rb, -impulse);
}

template <int D>
std::string describe(const std::vector<RigidBody<D>>& bodies, const Touch<D>& touch) {
    const auto& a = bodies[static_cast<std::size_t>(touch.a)].name;
    if (touch.b >= 0) return fmt::format("'{}' and '{}'", a, bodies[static_cast<std::size_t>(touch.b)].name);
    return fmt::format("'{}' and the wall {}{}", a, "xyz"[touch.wall_axis], "-+"[touch.wall_side]);
}

}  // namespace

template <int D>
StopReport move_apart(std::vector<RigidBody<D>>& bodies, const WallBox<D>& walls, const StopGaps& gaps, double time,
                      double dt) {
    const std::vector<RigidBody<D>> before = bodies;
    const auto move_from_start = [&] {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            bodies[i].position = before[i].position;
            bodies[i].rotation = before[i].rotation;
            move<D>(bodies[i], time, dt);
        }
    };
    const auto put_back = [&](int index) {
        if (index < 0 || !bodies[static_cast<std::size_t>(index)].dynamic()) return;
        const auto i = static_cast<std::size_t>(index);
        bodies[i].position = before[i].position;
        bodies[i].rotation = before[i].rotation;
        bodies[i].velocity.setZero();
        bodies[i].angular_momentum.setZero();
    };

    StopReport report;
    move_from_start();
    auto found = touches<D>(before, bodies, walls, gaps);
    if (found.empty()) return report;
    report.contacts = static_cast<int>(found.size());
    report.first = describe<D>(bodies, found.front());
    for (int round = 0; round < rounds && !found.empty(); ++round) {
        for (const auto& touch : found) stop<D>(bodies, touch);
        move_from_start();
        found = touches<D>(before, bodies, walls, gaps);
    }
    // Whoever still overlaps stays; that can make others overlap who had counted on it moving away.
    found = touches<D>(before, bodies, walls, {0, 0});
    for (std::size_t round = 0; round <= bodies.size() && !found.empty(); ++round) {
        for (const auto& touch : found) {
            put_back(touch.a);
            put_back(touch.b);
        }
        found = touches<D>(before, bodies, walls, {0, 0});
    }
    for (const auto& touch : found) report.max_penetration = std::max(report.max_penetration, -touch.gap);
    return report;
}

template StopReport move_apart(std::vector<RigidBody<2>>&, const WallBox<2>&, const StopGaps&, double, double);
template StopReport move_apart(std::vector<RigidBody<3>>&, const WallBox<3>&, const StopGaps&, double, double);

}  // namespace tidelock
