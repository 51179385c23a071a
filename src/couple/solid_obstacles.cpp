#include "couple/solid_obstacles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.h"

namespace tidelock {

namespace {

constexpr double touch_cells = 1e-3;  ///< 1e-3 to 1e-2 of a cell is usual (numerics/transport 2)
constexpr int clip_rounds = 4;        ///< a way clipped at one part can meet another
constexpr int carry_rounds = 8;       ///< the same for a particle's way; it slides along solids in the first half

}  // namespace

template <int D>
SolidObstacles<D>::SolidObstacles(const Grid<D>& grid, const BrickSet<D>& set,
                                  std::shared_ptr<const SolidSurfaces<D>> surfaces, double reach)
    : grid_(grid),
      set_(set),
      surfaces_(std::move(surfaces)),
      touch_(touch_cells * grid.dx),
      beyond_(reach + 3 * grid.dx),
      near_(static_cast<std::size_t>(set.count())),
      all_(surfaces_->parts()) {
    std::iota(all_.begin(), all_.end(), 0);
    parallel_for("bricks near solids", set.count(), [&](std::ptrdiff_t b) { list_near(b); });
}

template <int D>
void SolidObstacles<D>::list_near(std::ptrdiff_t slot) {
    const Vec<D> centre = grid_.brick_centre(set_.brick(slot));
    std::vector<int> around;
    for (const int i : all_)
        if (surfaces_->clearance(static_cast<std::size_t>(i), centre).least <= grid_.brick_half_diagonal() + beyond_)
            around.push_back(i);
    if (around.empty()) return;
    NearParts& out = near_[static_cast<std::size_t>(slot)];
    out.rooms = std::make_unique_for_overwrite<FaceRooms>();
    const double half_diagonal = std::sqrt(double{D}) * grid_.dx;
    for (int block = 0; block < blocks; ++block) {
        out.first.push_back(static_cast<std::int32_t>(out.parts.size()));
        const Vec<D> middle = block_middle(slot, block);
        for (const int i : around)
            if (surfaces_->clearance(static_cast<std::size_t>(i), middle).least <= half_diagonal + beyond_)
                out.parts.push_back(i);
    }
    out.first.push_back(static_cast<std::int32_t>(out.parts.size()));
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
    const NearParts& brick = near_[static_cast<std::size_t>(slot)];
    FaceRooms& rooms = *brick.rooms;
    const std::lock_guard lock(rooms.measuring);
    auto& known = rooms.known[static_cast<std::size_t>(block)];
    if (known.load(std::memory_order_relaxed)) return;
    const auto parts = near(brick, block);
    // From this far on nothing between a face and a point of its cells can be hidden: no need to know it better.
    const double far = steepest_distance * (std::sqrt(double{D}) * grid_.dx + touch_);
    const Vec<D> middle = block_middle(slot, block);
    // Of all its faces: their centres are at most a cell from the middle along one axis, half a cell along the others.
    const double least = clearance(parts, middle).least - steepest_distance * std::sqrt(1 + 0.25 * (D - 1)) * grid_.dx;
    const Coord<D> low = grid_.to_cells(middle).array().round().template cast<int>() - 1;
    for (int n = 0; n < (1 << D); ++n) {
        Coord<D> cell = low;
        for (int a = 0; a < D; ++a) cell[a] += n >> a & 1;
        for (int a = 0; a < D; ++a) {
            Clearance found{least, {least, least}};
            if (least <= far) found = clearance(parts, grid_.position(cell, Centring<D>::face(a)));
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
    const NearParts& brick = near_[static_cast<std::size_t>(slot)];
    double room = beyond_;
    if (!brick.parts.empty()) {
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
    const NearParts& here = near_[static_cast<std::size_t>(slot)];
    if (here.parts.empty()) return {};
    return near(here, block_of(local_index<D>(cell)));
}

template <int D>
Clearance SolidObstacles<D>::clearance(std::span<const int> parts, const Vec<D>& x) const {
    Clearance out{beyond_, {beyond_, beyond_}};
    for (const int i : parts) {
        const Clearance one = surfaces_->clearance(static_cast<std::size_t>(i), x);
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
        for (const int part : near(arrival)) {
            const Clip found = surfaces_->clip(static_cast<std::size_t>(part), arrival, departure, touch_);
            if (found == Clip::inside) return false;
            clipped = clipped || found == Clip::clipped;
        }
        if (!clipped) return true;
    }
    return false;
}

template <int D>
bool SolidObstacles<D>::carry(const Vec<D>& departure, Vec<D>& arrival, double gap) const {
    for (int round = 0; round < carry_rounds; ++round) {
        const HoldOff how{gap, 2 * round < carry_rounds};
        bool moved = false;
        for (const int part : near(departure))
            moved = surfaces_->hold_off(static_cast<std::size_t>(part), departure, arrival, how) || moved;
        if (!moved) return true;
    }
    return false;
}

template <int D>
double SolidObstacles<D>::distance_after(const Vec<D>& x) const {
    double least = beyond_;
    for (const int part : near(x))
        least = std::min(least, surfaces_->bound(static_cast<std::size_t>(part), Moment::end, x));
    return least;
}

template <int D>
bool SolidObstacles<D>::hides(const Vec<D>& x, const Vec<D>& y, Vec<D>& velocity) const {
    double first = std::numeric_limits<double>::infinity();
    for (const int index : near(x)) {
        const auto part = static_cast<std::size_t>(index);
        const auto hit = surfaces_->hit_in_sight(part, Moment::beginning, x, y, 0.5 * touch_);
        if (!hit || *hit >= first) continue;
        first = *hit;
        velocity = surfaces_->velocity(part, Moment::beginning, x + first * (y - x));
    }
    return first <= 1;
}

template <int D>
bool SolidObstacles<D>::hides_after(const Vec<D>& x, const Vec<D>& y) const {
    return std::ranges::any_of(near(x), [&](int part) {
        return surfaces_->hit_in_sight(static_cast<std::size_t>(part), Moment::end, x, y, 0.5 * touch_).has_value();
    });
}

template <int D>
std::optional<std::size_t> SolidObstacles<D>::nearest(std::span<const int> parts, const Vec<D>& x,
                                                      Moment moment) const {
    std::optional<std::size_t> found;
    double least = std::numeric_limits<double>::infinity();
    for (const int index : parts) {
        const auto part = static_cast<std::size_t>(index);
        const double d = parts.size() > 1 ? surfaces_->bound(part, moment, x) : 0;
        if (d < least) least = d, found = part;
    }
    return found;
}

template <int D>
Wall<D> SolidObstacles<D>::wall(const Vec<D>& x, const Vec<D>& y, Moment moment) const {
    const auto part = nearest(near(x), y, moment);
    if (!part) return {};
    return {surfaces_->normal(*part, moment, x), surfaces_->velocity(*part, moment, x)};
}

template <int D>
Vec<D> SolidObstacles<D>::solid_velocity(const Vec<D>& x) const {
    const auto part = nearest(near(x), x, Moment::end);
    return part ? surfaces_->velocity(*part, Moment::end, x) : Vec<D>(Vec<D>::Zero());
}

template <int D>
SolidObstacles<D> standing_obstacles(const Grid<D>& grid, const BrickSet<D>& set,
                                     std::shared_ptr<const SolidSurfaces<D>> surfaces) {
    return {grid, set, std::move(surfaces), 2 * grid.dx};
}

template class SolidObstacles<2>;
template class SolidObstacles<3>;
template SolidObstacles<2> standing_obstacles(const Grid<2>&, const BrickSet<2>&,
                                              std::shared_ptr<const SolidSurfaces<2>>);
template SolidObstacles<3> standing_obstacles(const Grid<3>&, const BrickSet<3>&,
                                              std::shared_ptr<const SolidSurfaces<3>>);

}  // namespace tidelock
