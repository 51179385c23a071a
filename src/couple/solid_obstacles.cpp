#include "couple/solid_obstacles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "geometry/trace.h"

namespace tidelock {

namespace {

constexpr double touch_cells = 1e-3;  ///< 1e-3 to 1e-2 of a cell is usual (numerics/transport 2)
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
      near_(static_cast<std::size_t>(set.count())),
      all_(bodies.size()) {
    after_.reserve(bodies.size());
    for (const auto& body : bodies) {
        const Pose<D> pose = body.pose(), &start = before_[after_.size()];
        rests_.push_back(pose.position == start.position && pose.matrix == start.matrix);
        after_.push_back(pose);
    }
    std::iota(all_.begin(), all_.end(), 0);
    parallel_for("bricks near solids", set.count(), [&](std::ptrdiff_t b) { list_near(b); });
}

template <int D>
void SolidObstacles<D>::list_near(std::ptrdiff_t slot) {
    const Vec<D> centre = grid_.brick_centre(set_.brick(slot));
    std::vector<int> around;
    for (const int i : all_)
        if (clearance_of(static_cast<std::size_t>(i), centre).least <= grid_.brick_half_diagonal() + beyond_)
            around.push_back(i);
    if (around.empty()) return;
    NearBodies& out = near_[static_cast<std::size_t>(slot)];
    out.rooms = std::make_unique_for_overwrite<FaceRooms>();
    const double half_diagonal = std::sqrt(double{D}) * grid_.dx;
    for (int block = 0; block < blocks; ++block) {
        out.first.push_back(static_cast<std::int32_t>(out.bodies.size()));
        const Vec<D> middle = block_middle(slot, block);
        for (const int i : around)
            if (clearance_of(static_cast<std::size_t>(i), middle).least <= half_diagonal + beyond_)
                out.bodies.push_back(i);
    }
    out.first.push_back(static_cast<std::int32_t>(out.bodies.size()));
}

template <int D>
Vec<D> SolidObstacles<D>::block_middle(std::ptrdiff_t slot, int block) const {
    Vec<D> at = first_cell<D>(set_.brick(slot)).template cast<double>();
    for (int a = 0, rest = block; a < D; rest /= Brick<D>::size[a] / 2, ++a)
        at[a] += 2 * (rest % (Brick<D>::size[a] / 2)) + 1;
    return grid_.to_world(at);
}

template <int D>
int SolidObstacles<D>::block_of(int local) {
    const Coord<D> cell = local_coord<D>(local);
    int block = 0;
    for (int a = D - 1; a >= 0; --a) block = block * (Brick<D>::size[a] / 2) + cell[a] / 2;
    return block;
}

template <int D>
void SolidObstacles<D>::measure_faces(std::ptrdiff_t slot, int block) const {
    const NearBodies& brick = near_[static_cast<std::size_t>(slot)];
    FaceRooms& rooms = *brick.rooms;
    const std::lock_guard lock(rooms.measuring);
    auto& known = rooms.known[static_cast<std::size_t>(block)];
    if (known.load(std::memory_order_relaxed)) return;
    const auto bodies = near(brick, block);
    // From this far on nothing between a face and a point of its cells can be hidden: no need to know it better.
    const double far = steepest_distance * (std::sqrt(double{D}) * grid_.dx + touch_);
    const Vec<D> middle = block_middle(slot, block);
    // Of all its faces: their centres are at most a cell from the middle along one axis, half a cell along the others.
    const double least = clearance(bodies, middle).least - steepest_distance * std::sqrt(1 + 0.25 * (D - 1)) * grid_.dx;
    const Coord<D> low = grid_.to_cells(middle).array().round().template cast<int>() - 1;
    for (int n = 0; n < (1 << D); ++n) {
        Coord<D> cell = low;
        for (int a = 0; a < D; ++a) cell[a] += n >> a & 1;
        for (int a = 0; a < D; ++a) {
            Clearance found{least, {least, least}};
            if (least <= far) found = clearance(bodies, grid_.position(cell, Centring<D>::face(a)));
            // Less than it is by more than what rounding to float can add.
            for (std::size_t m = 0; m < 2; ++m)
                rooms.at[m][static_cast<std::size_t>(a)][static_cast<std::size_t>(local_index<D>(cell))] =
                    static_cast<float>(found.at[m] - 1e-6 * beyond_);
        }
    }
    known.store(true, std::memory_order_release);
}

template <int D>
bool SolidObstacles<D>::shows_face(const Vec<D>& x, double clearance, Moment moment, int axis,
                                   const Coord<D>& face) const {
    const double touch = 0.5 * touch_;
    if (clearance <= touch) return false;
    const auto slot = set_.find(brick_of<D>(face));
    if (slot == set_.void_slot()) return false;
    const NearBodies& brick = near_[static_cast<std::size_t>(slot)];
    double room = beyond_;
    if (!brick.bodies.empty()) {
        const int local = local_index<D>(face), block = block_of(local);
        if (!brick.rooms->known[static_cast<std::size_t>(block)].load(std::memory_order_acquire))
            measure_faces(slot, block);
        room =
            brick.rooms
                ->at[static_cast<std::size_t>(moment)][static_cast<std::size_t>(axis)][static_cast<std::size_t>(local)];
    }
    const double length = (grid_.position(face, Centring<D>::face(axis)) - x).norm();
    return clearance + room > steepest_distance * (length + 2 * touch);
}

template <int D>
std::span<const int> SolidObstacles<D>::near(const Vec<D>& x) const {
    Coord<D> cell;
    const Vec<D> at = grid_.to_cells(x);
    for (int a = 0; a < D; ++a) {
        // Not a number counts as the lower end, as in interpolation.
        const double inside = at[a] > 0 ? std::min(at[a], grid_.cells[a] - 0.5) : 0.0;
        cell[a] = static_cast<int>(inside);
    }
    const auto slot = set_.find(brick_of<D>(cell));
    if (slot == set_.void_slot()) return all_;
    const NearBodies& here = near_[static_cast<std::size_t>(slot)];
    if (here.bodies.empty()) return {};
    return near(here, block_of(local_index<D>(cell)));
}

template <int D>
double SolidObstacles<D>::bound(std::size_t body, const Pose<D>& pose, const Vec<D>& x) const {
    const double around = (x - pose.position).norm() - bodies_[body].radius;
    // Far away the sphere around the body will do.
    return around > bodies_[body].radius ? around : bodies_[body].distance(pose.to_body(x));
}

template <int D>
Clearance SolidObstacles<D>::clearance_of(std::size_t body, const Vec<D>& x) const {
    const double end = bound(body, after_[body], x);
    if (rests_[body]) return {end, {end, end}};
    const double beginning = bound(body, before_[body], x);
    // In between, the solid can have been nearer by as far as it moves here.
    const double sway = (before_[body].to_world(after_[body].to_body(x)) - x).norm();
    return {std::min(beginning, end) - sway, {beginning, end}};
}

template <int D>
Clearance SolidObstacles<D>::clearance(std::span<const int> bodies, const Vec<D>& x) const {
    Clearance out{beyond_, {beyond_, beyond_}};
    for (const int i : bodies) {
        const Clearance one = clearance_of(static_cast<std::size_t>(i), x);
        out.least = std::min(out.least, one.least);
        for (std::size_t m = 0; m < 2; ++m) out.at[m] = std::min(out.at[m], one.at[m]);
    }
    return out;
}

template <int D>
Clearance SolidObstacles<D>::clearance(const Vec<D>& x) const {
    return clearance(near(x), x);
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
std::optional<double> SolidObstacles<D>::blocks_at(std::size_t body, const Pose<D>& pose, const Vec<D>& x,
                                                   const Vec<D>& y) const {
    const double length = (y - x).norm(), touch = 0.5 * touch_;
    const double room = bound(body, pose, x);
    if (room > length) return std::nullopt;
    const Vec<D> from = pose.to_body(x), to = pose.to_body(y);
    const auto distance = [&](const Vec<D>& z) { return bodies_[body].distance(z); };
    // Most ways are clear, and far enough from the solid at both ends to say so at once.
    if (room > touch && room + distance(to) > steepest_distance * (length + 2 * touch)) return std::nullopt;
    return first_contact<D>(distance, from, to, touch);
}

template <int D>
bool SolidObstacles<D>::hides(const Vec<D>& x, const Vec<D>& y, Vec<D>& velocity) const {
    double first = std::numeric_limits<double>::infinity();
    for (const int index : near(x)) {
        const auto i = static_cast<std::size_t>(index);
        const auto hit = blocks_at(i, before_[i], x, y);
        if (!hit || *hit >= first) continue;
        first = *hit;
        velocity = velocity_at<D>(twists_[i], x + first * (y - x) - before_[i].position);
    }
    return first <= 1;
}

template <int D>
bool SolidObstacles<D>::hides_after(const Vec<D>& x, const Vec<D>& y) const {
    return std::ranges::any_of(near(x), [&](int index) {
        const auto i = static_cast<std::size_t>(index);
        return blocks_at(i, after_[i], x, y).has_value();
    });
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

template class SolidObstacles<2>;
template class SolidObstacles<3>;
template SolidObstacles<2> standing_obstacles(const Grid<2>&, const BrickSet<2>&, const std::vector<RigidBody<2>>&);
template SolidObstacles<3> standing_obstacles(const Grid<3>&, const BrickSet<3>&, const std::vector<RigidBody<3>>&);

}  // namespace tidelock
