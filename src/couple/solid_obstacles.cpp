#include "couple/solid_obstacles.h"

#include <limits>

#include "base/parallel.h"
#include "geometry/trace.h"

namespace tidelock {

namespace {

constexpr double touch_cells = 1e-3;  ///< METHODS 3.6: 1e-3 to 1e-2 of a cell
constexpr int clip_rounds = 4;        ///< a way clipped at one body can meet another
constexpr int carry_rounds = 8;       ///< the same for a particle's way; it slides along solids in the first half

}  // namespace

template <int D>
SolidObstacles<D>::SolidObstacles(const Grid<D>& grid, const BrickSet<D>& set, const std::vector<RigidBody<D>>& bodies,
                                  std::vector<Pose<D>> before, std::vector<Twist<D>> twists, double reach)
    : grid_(grid),
      set_(set),
      bodies_(bodies),
      before_(std::move(before)),
      twists_(std::move(twists)),
      touch_(touch_cells * grid.dx),
      beyond_(reach + 3 * grid.dx),
      near_(static_cast<std::size_t>(set.count()) + 1) {
    after_.reserve(bodies.size());
    for (const auto& body : bodies) after_.push_back(body.pose());
    for (std::size_t i = 0; i < bodies.size(); ++i) near_.back().push_back(static_cast<int>(i));
    parallel_for("bricks near solids", set.count(), [&](std::ptrdiff_t b) {
        const Vec<D> centre = grid.brick_centre(set.brick(b));
        for (std::size_t i = 0; i < bodies.size(); ++i)
            if (clearance_of(i, centre) <= grid.brick_half_diagonal() + beyond_)
                near_[static_cast<std::size_t>(b)].push_back(static_cast<int>(i));
    });
}

template <int D>
const std::vector<int>& SolidObstacles<D>::near(const Vec<D>& x) const {
    Coord<D> cell;
    const Vec<D> at = grid_.to_cells(x);
    for (int a = 0; a < D; ++a) {
        // Not a number counts as the lower end, as in interpolation.
        const double inside = at[a] > 0 ? std::min(at[a], grid_.cells[a] - 0.5) : 0.0;
        cell[a] = static_cast<int>(inside);
    }
    return near_[static_cast<std::size_t>(set_.find(brick_of<D>(cell)))];
}

template <int D>
double SolidObstacles<D>::bound(std::size_t body, const Pose<D>& pose, const Vec<D>& x) const {
    const double around = (x - pose.position).norm() - bodies_[body].radius;
    // Far away the sphere around the body will do.
    return around > bodies_[body].radius ? around : bodies_[body].distance(pose.to_body(x));
}

template <int D>
double SolidObstacles<D>::clearance_of(std::size_t body, const Vec<D>& x) const {
    // In between, the solid can have been nearer by as far as it moves here.
    const double sway = (before_[body].to_world(after_[body].to_body(x)) - x).norm();
    return std::min(bound(body, before_[body], x), bound(body, after_[body], x)) - sway;
}

template <int D>
double SolidObstacles<D>::clearance(const Vec<D>& x) const {
    double least = beyond_;
    for (const int i : near(x)) least = std::min(least, clearance_of(static_cast<std::size_t>(i), x));
    return least;
}

template <int D>
bool SolidObstacles<D>::clip(const Vec<D>& arrival, Vec<D>& departure) const {
    for (int round = 0; round < clip_rounds; ++round) {
        bool clipped = false;
        for (const int index : near(arrival)) {
            const auto i = static_cast<std::size_t>(index);
            // The way as the solid sees it: its own motion counts.
            const Vec<D> to = after_[i].to_body(arrival), from = before_[i].to_body(departure);
            if (bound(i, after_[i], arrival) > (to - from).norm() + touch_) continue;
            const auto distance = [&](const Vec<D>& y) { return bodies_[i].distance(y); };
            if (distance(to) <= 0) return false;
            const auto hit = find_contact<D>(distance, to, from, touch_);
            if (!hit) continue;
            // Farther from the solid than `touch`: the next round does not meet it again, and it does not hide the
            // samples around.
            departure = before_[i].to_world(to + hit->free * (from - to));
            clipped = true;
        }
        if (!clipped) return true;
    }
    return false;
}

template <int D>
bool SolidObstacles<D>::hold_off(std::size_t body, const Vec<D>& from, Vec<D>& to, double gap, bool slide) const {
    const auto distance = [&](const Vec<D>& y) { return bodies_[body].distance(y); };
    const auto pushed = [&](const Vec<D>& y) {
        const double d = distance(y);
        return d < gap ? Vec<D>(y + (gap - d) * bodies_[body].normal(y)) : y;
    };
    const double room = distance(from);
    if (room <= 0) {  // only by rounding: a particle is outside when a step begins
        to = pushed(from);
        return true;
    }
    // Less than what it has now, so that what lies near a solid is not stuck there.
    const double touch = 0.5 * std::min(gap, room);
    const auto hit = find_contact<D>(distance, from, to, touch);
    if (!hit) {
        if (!slide || distance(to) >= (1 - 1e-6) * gap) return false;
        to = pushed(to);
        return true;
    }
    Vec<D> stop = from + hit->free * (to - from);
    if (slide) {
        const Vec<D> normal = bodies_[body].normal(stop);
        Vec<D> rest = to - stop;
        rest -= std::min(0.0, normal.dot(rest)) * normal;
        const auto next = find_contact<D>(distance, stop, Vec<D>(stop + rest), touch);
        stop = pushed(stop + (next ? next->free : 1.0) * rest);
    }
    to = stop;
    return true;
}

template <int D>
bool SolidObstacles<D>::carry(const Vec<D>& departure, Vec<D>& arrival, double gap) const {
    for (int round = 0; round < carry_rounds; ++round) {
        bool moved = false;
        for (const int index : near(departure)) {
            const auto i = static_cast<std::size_t>(index);
            const Vec<D> from = before_[i].to_body(departure);
            Vec<D> to = after_[i].to_body(arrival);
            if (bound(i, after_[i], arrival) > (to - from).norm() + gap) continue;
            if (!hold_off(i, from, to, gap, 2 * round < carry_rounds)) continue;
            arrival = after_[i].to_world(to);
            moved = true;
        }
        if (!moved) return true;
    }
    return false;
}

template <int D>
double SolidObstacles<D>::distance_after(const Vec<D>& x) const {
    double least = beyond_;
    for (const int index : near(x)) {
        const auto i = static_cast<std::size_t>(index);
        least = std::min(least, bound(i, after_[i], x));
    }
    return least;
}

template <int D>
bool SolidObstacles<D>::hides(const Vec<D>& x, const Vec<D>& y, Vec<D>& velocity) const {
    double first = std::numeric_limits<double>::infinity();
    for (const int index : near(x)) {
        const auto i = static_cast<std::size_t>(index);
        if (bound(i, before_[i], x) > (y - x).norm()) continue;
        const auto hit = first_contact<D>([&](const Vec<D>& z) { return bodies_[i].distance(z); },
                                          before_[i].to_body(x), before_[i].to_body(y), 0.5 * touch_);
        if (!hit || *hit >= first) continue;
        first = *hit;
        velocity = velocity_at<D>(twists_[i], x + first * (y - x) - before_[i].position);
    }
    return first <= 1;
}

template <int D>
bool SolidObstacles<D>::hides_after(const Vec<D>& x, const Vec<D>& y) const {
    for (const int index : near(x)) {
        const auto i = static_cast<std::size_t>(index);
        if (bound(i, after_[i], x) > (y - x).norm()) continue;
        if (first_contact<D>([&](const Vec<D>& z) { return bodies_[i].distance(z); }, after_[i].to_body(x),
                             after_[i].to_body(y), 0.5 * touch_))
            return true;
    }
    return false;
}

template <int D>
Vec<D> SolidObstacles<D>::solid_velocity(const Vec<D>& x) const {
    std::size_t nearest = bodies_.size();
    double least = std::numeric_limits<double>::infinity();
    for (const int index : near(x)) {
        const auto i = static_cast<std::size_t>(index);
        const double d = bound(i, after_[i], x);
        if (d < least) least = d, nearest = i;
    }
    if (nearest == bodies_.size()) return Vec<D>::Zero();
    return velocity_at<D>(twists_[nearest], x - after_[nearest].position);
}

template <int D>
SolidObstacles<D> standing_obstacles(const Grid<D>& grid, const BrickSet<D>& set,
                                     const std::vector<RigidBody<D>>& bodies) {
    std::vector<Pose<D>> poses;
    std::vector<Twist<D>> twists;
    for (const auto& body : bodies) poses.push_back(body.pose()), twists.push_back(body.twist());
    return {grid, set, bodies, std::move(poses), std::move(twists), 2 * grid.dx};
}

#define TIDELOCK_INSTANTIATE(D)                                                          \
    template class SolidObstacles<D>;                                                    \
    template SolidObstacles<D> standing_obstacles<D>(const Grid<D>&, const BrickSet<D>&, \
                                                     const std::vector<RigidBody<D>>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
