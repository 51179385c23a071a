#include "solid/contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/parallel.h"
#include "geometry/trace.h"
#include "solid/manifold.h"
#include "solid/near_pairs.h"

namespace tidelock {

namespace {

constexpr double spare = 0.5;          ///< of the contact distance: how much beyond what may move is looked at
constexpr double tie_share = 1e-3;     ///< of the contact distance: what counts as equally near
constexpr double merge_share = 0.1;    ///< of a body's radius: how far apart one contact may be seen from both sides
constexpr double allowed_share = 0.1;  ///< of the contact distance: how much nearer than that bodies may come in a move

/// A solid that points are looked up in: a body or a wall, in its own frame.
template <int D>
struct BodyTarget {
    const RigidBody<D>& body;
    [[nodiscard]] double distance(const Vec<D>& y) const { return body.distance(y); }
    [[nodiscard]] Vec<D> normal(const Vec<D>& y) const { return body.normal(y); }
};
template <int D>
struct WallTarget {
    int axis;
    double sign, at;
    [[nodiscard]] double distance(const Vec<D>& y) const { return sign * (y[axis] - at); }
    [[nodiscard]] Vec<D> normal(const Vec<D>&) const { return sign * Vec<D>::Unit(axis); }
};

/// From the frame of the sampled body to that of the target.
template <int D>
struct Transfer {
    Mat<D> turn;
    Vec<D> shift;
    Transfer(const Pose<D>& from, const Pose<D>& to)
        : turn(to.matrix.transpose() * from.matrix), shift(to.matrix.transpose() * (from.position - to.position)) {}
    [[nodiscard]] Vec<D> operator()(const Vec<D>& x) const { return turn * x + shift; }
};

/// Slides a point of a surface down the distance of the target, by projected gradient steps with Barzilai-Borwein
/// lengths: one or two of them end at the bottom of a sphere.
template <int D, class Target>
Vec<D> slide_down(const RigidBody<D>& body, const Target& target, const Transfer<D>& transfer, const Vec<D>& start,
                  double spacing) {
    constexpr int steps = 12, halvings = 4;
    const auto& shape = *body.shape;
    const auto onto_surface = [&](const Vec<D>& x) {
        const Vec<D> y = x + body.shape_offset;
        return Vec<D>(x - shape.distance(y) * shape.gradient(y));
    };
    const auto downhill = [&](const Vec<D>& x) {
        const Vec<D> n = shape.gradient(x + body.shape_offset);
        const Vec<D> g = transfer.turn.transpose() * target.normal(transfer(x));
        return Vec<D>(-(g - g.dot(n) * n));
    };
    Vec<D> x = start, t = downhill(x);
    double value = target.distance(transfer(x)), length = spacing;
    for (int i = 0; i < steps && t.norm() > 1e-10; ++i) {
        double step = std::min(length, spacing / t.norm());
        std::optional<Vec<D>> next;
        for (int k = 0; k < halvings && !next; ++k, step *= 0.25) {
            const Vec<D> y = onto_surface(x + step * t);
            const double there = target.distance(transfer(y));
            if (there < value) next = y, value = there;
        }
        if (!next || (*next - start).norm() > 2 * spacing) break;
        const Vec<D> moved = *next - x, before = t;
        x = *next;
        t = downhill(x);
        const double bend = moved.dot(before - t);
        length = bend > 0 ? moved.squaredNorm() / bend : 4 * length;
    }
    return x;
}

/// The points of a body's surface that are nearer to the target than `within`.
template <int D, class Target>
void look_up(const RigidBody<D>& body, const Target& target, const Pose<D>& frame, double within, bool of_b,
             std::vector<ContactCandidate<D>>& out) {
    const Pose<D> pose = body.pose();
    const Transfer<D> transfer(pose, frame);
    const double half_skin = 0.5 * body.shell_thickness;
    const auto& samples = *body.samples;
    const auto& points = samples.points();
    // Each sample is asked for by all its neighbours.
    std::vector<double> known(points.size(), std::numeric_limits<double>::quiet_NaN());
    const auto distance = [&](int i) {
        const auto k = static_cast<std::size_t>(i);
        if (std::isnan(known[k])) known[k] = target.distance(transfer(points[k]));
        return known[k];
    };
    // The bottom of a curved or edged surface lies between samples, up to a spacing lower than the lowest of them.
    const auto least = [&](const Vec<D>& centre, double radius, double spacing) {
        return target.distance(transfer(centre)) - steepest_distance * radius - within - half_skin - spacing;
    };
    samples.search(least, [&](int i) {
        const double d = distance(i);
        const bool near = d - half_skin < within;
        if (d - half_skin >= within + samples.spacing(i)) return;
        const double rounding = 1e-12 * body.radius;
        const auto around = samples.neighbours(i);
        ContactCandidate<D> c;
        c.lowest = std::all_of(around.begin(), around.end(), [&](int j) { return d <= distance(j) + rounding; });
        if (!near && !c.lowest) return;
        Vec<D> x = points[static_cast<std::size_t>(i)];
        if (c.lowest) x = slide_down<D>(body, target, transfer, x, samples.spacing(i));
        const Vec<D> y = transfer(x), n = frame.matrix * target.normal(y);
        c.distance = target.distance(y) - half_skin;
        if (c.distance >= within) return;
        c.point = pose.to_world(x) - (0.5 * c.distance + half_skin) * n;
        c.normal = of_b ? Vec<D>(-n) : n;
        c.sample = i;
        c.spacing = samples.spacing(i);
        c.of_b = of_b;
        out.push_back(c);
    });
}

template <int D>
ContactPoint<D> contact_of(const ContactCandidate<D>& c, int a, int b, double touching) {
    ContactPoint<D> contact;
    contact.a = a;
    contact.b = b;
    contact.id = 2 * static_cast<std::uint32_t>(c.sample) + (c.of_b ? 1U : 0U);
    contact.normal = c.normal;
    contact.distance = c.distance;
    contact.gap = c.distance - touching;
    contact.point = c.point;
    return contact;
}

/// One task of a search: a pair of bodies, or a body and a wall.
struct Meeting {
    int a, b;
};

template <int D>
std::vector<Meeting> meetings(const std::vector<RigidBody<D>>& bodies, const WallBox<D>& walls,
                              const std::vector<double>& reach, const std::vector<std::pair<int, int>>& joined) {
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
WallTarget<D> wall_target(const WallBox<D>& walls, int code) {
    const int axis = (-1 - code) / 2, side = (-1 - code) % 2;
    return {axis, side == 0 ? 1.0 : -1.0, side == 0 ? walls.box.low[axis] : walls.box.high[axis]};
}

/// Runs find(meeting) for all meetings on all threads and strings the results together in their order.
template <class Result, class Find>
std::vector<Result> gather(const char* label, const std::vector<Meeting>& all, const Find& find) {
    std::vector<std::vector<Result>> parts(all.size());
    parallel_for(label, static_cast<std::ptrdiff_t>(all.size()), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        parts[i] = find(all[i]);
    });
    std::vector<Result> out;
    for (auto& part : parts) out.insert(out.end(), part.begin(), part.end());
    return out;
}

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
        double within = (1 + spare) * touching + reach[static_cast<std::size_t>(m.a)], size = a.radius;
        std::vector<ContactCandidate<D>> candidates;
        if (m.b >= 0) {
            const auto& b = bodies[static_cast<std::size_t>(m.b)];
            within += reach[static_cast<std::size_t>(m.b)];
            size = std::min(size, b.radius);
            look_up<D>(a, BodyTarget<D>{b}, b.pose(), within, false, candidates);
            look_up<D>(b, BodyTarget<D>{a}, a.pose(), within, true, candidates);
        } else {
            look_up<D>(a, wall_target<D>(walls, m.b), Pose<D>(), within, false, candidates);
        }
        const ManifoldScale scale{std::min(touching, merge_share * size), tie_share * touching};
        std::vector<ContactPoint<D>> contacts;
        for (const auto& c : reduce_manifold<D>(std::move(candidates), scale)) {
            contacts.push_back(contact_of<D>(c, m.a, m.b, touching));
            complete<D>(contacts.back(), bodies);
        }
        return contacts;
    });
}

namespace {

/// The sample that ended deepest of those that came nearer than allowed, or went through.
template <int D>
struct Deepest {
    std::optional<ContactCandidate<D>> candidate;  ///< in the target's frame, at the beginning of the way
    double depth = 0;
    bool through = false;
};

/// Follows the ways of a body's samples in the frame of a target that may move as well.
template <int D, class Target>
Deepest<D> follow(const RigidBody<D>& body, const Target& target, const Transfer<D>& at_start,
                  const Transfer<D>& at_end, double touching) {
    const double half_skin = 0.5 * body.shell_thickness, allowed = (1 - allowed_share) * touching;
    const double twist = (at_end.turn - at_start.turn).norm();
    const auto least = [&](const Vec<D>& centre, double radius, double) {
        const Vec<D> start = at_start(centre), end = at_end(centre);
        const double way = (end - start).norm() + twist * radius;
        return target.distance(start) - steepest_distance * (radius + way) - allowed - half_skin;
    };
    const auto distance = [&](const Vec<D>& y) { return target.distance(y) - half_skin; };
    Deepest<D> deepest;
    body.samples->search(least, [&](int i) {
        const Vec<D>& sample = body.samples->points()[static_cast<std::size_t>(i)];
        const Vec<D> start = at_start(sample), end = at_end(sample);
        const double way = (end - start).norm(), begin = distance(start), finish = distance(end);
        Vec<D> foot = end;
        double left = finish;
        bool passed = finish < std::min(begin, 0.0) - tie_share * touching;
        if (begin > 0 && begin < steepest_distance * way) {
            if (const auto hit = find_contact<D>(distance, start, end, 0.01 * begin, steepest_distance)) {
                foot = start + hit->free * (end - start);
                left = std::min(left, -(1 - hit->at) * way);
                passed = true;
            }
        }
        // What was as near before has not come nearer.
        if (left >= std::min(allowed, begin - allowed_share * touching) && !passed) return;
        if (deepest.candidate && left >= deepest.depth) return;
        const Vec<D> n = target.normal(foot);
        deepest = {ContactCandidate<D>(), left, passed};
        deepest.candidate->sample = i;
        deepest.candidate->normal = n;
        deepest.candidate->point = start;
        deepest.candidate->distance = n.dot(start - foot) + distance(foot);
    });
    return deepest;
}

/// Where a body was and is.
template <int D>
struct Way {
    Pose<D> start, end;
};

}  // namespace

template <int D>
std::vector<Passage<D>> find_passages(const std::vector<RigidBody<D>>& bodies, const std::vector<Placement<D>>& before,
                                      const WallBox<D>& walls, const ContactDistances& distances,
                                      const std::vector<std::pair<int, int>>& joined) {
    std::vector<double> reach(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        reach[i] = (bodies[i].position - before[i].position).norm() + std::max(distances.bodies, distances.walls);
    const auto way_of = [&](int i) {
        const auto& p = before[static_cast<std::size_t>(i)];
        return Way<D>{Pose<D>(p.position, p.rotation), bodies[static_cast<std::size_t>(i)].pose()};
    };
    return gather<Passage<D>>("follow bodies", meetings<D>(bodies, walls, reach, joined), [&](const Meeting& m) {
        const double touching = m.b >= 0 ? distances.bodies : distances.walls;
        std::vector<Passage<D>> out;
        const auto follow_one = [&](int body, const auto& target, const Way<D>& of_target) {
            const Way<D> own = way_of(body);
            auto [deepest, depth, through] =
                follow<D>(bodies[static_cast<std::size_t>(body)], target, {own.start, of_target.start},
                          {own.end, of_target.end}, touching);
            if (!deepest) return;
            deepest->of_b = body == m.b;
            deepest->normal = of_target.start.matrix * deepest->normal;
            deepest->point = of_target.start.to_world(deepest->point) - 0.5 * deepest->distance * deepest->normal;
            if (deepest->of_b) deepest->normal = -deepest->normal;
            out.push_back({contact_of<D>(*deepest, m.a, m.b, touching), through});
        };
        if (m.b < 0) {
            follow_one(m.a, wall_target<D>(walls, m.b), {});
        } else {
            follow_one(m.a, BodyTarget<D>{bodies[static_cast<std::size_t>(m.b)]}, way_of(m.b));
            follow_one(m.b, BodyTarget<D>{bodies[static_cast<std::size_t>(m.a)]}, way_of(m.a));
        }
        return out;
    });
}

template <int D>
std::string describe(const std::vector<RigidBody<D>>& bodies, const ContactPoint<D>& contact) {
    const auto& a = bodies[static_cast<std::size_t>(contact.a)].name;
    if (contact.b >= 0) return fmt::format("'{}' and '{}'", a, bodies[static_cast<std::size_t>(contact.b)].name);
    const int code = -1 - contact.b;
    return fmt::format("'{}' and the wall {}{}", a, "xyz"[code / 2], "-+"[code % 2]);
}

#define TIDELOCK_INSTANTIATE(D)                                                                                        \
    template void complete(ContactPoint<D>&, const std::vector<RigidBody<D>>&);                                        \
    template std::vector<ContactPoint<D>> find_contacts(const std::vector<RigidBody<D>>&, const WallBox<D>&,           \
                                                        const ContactDistances&, const std::vector<double>&,           \
                                                        const std::vector<std::pair<int, int>>&);                      \
    template std::vector<Passage<D>> find_passages(const std::vector<RigidBody<D>>&, const std::vector<Placement<D>>&, \
                                                   const WallBox<D>&, const ContactDistances&,                         \
                                                   const std::vector<std::pair<int, int>>&);                           \
    template std::string describe(const std::vector<RigidBody<D>>&, const ContactPoint<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
