#include "couple/solid_obstacles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/math.h"
#include "base/parallel.h"

namespace tidelock {

namespace {

constexpr double touch_cells = 1e-3;  ///< 1e-3 to 1e-2 of a cell is usual (numerics/transport 2)
constexpr double rounding = 1e-6;     ///< more than that of float
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
      near_(std::make_shared<std::vector<NearParts>>(static_cast<std::size_t>(set.count()))),
      all_(surfaces_->parts()) {
    std::iota(all_.begin(), all_.end(), 0);
    parallel_for("bricks near solids", set.count(), [&](std::ptrdiff_t b) { list_near(b); });
}

template <int D>
SolidObstacles<D>::SolidObstacles(const SolidObstacles& same, std::shared_ptr<const SolidSurfaces<D>> surfaces)
    : SolidObstacles(same) {
    surfaces_ = std::move(surfaces);
}

template <int D>
void SolidObstacles<D>::list_near(std::ptrdiff_t slot) {
    const Vec<D> centre = grid_.brick_centre(set_.brick(slot));
    std::vector<int> around;
    for (const int i : all_)
        if (surfaces_->clearance(static_cast<std::size_t>(i), centre).least <= grid_.brick_half_diagonal() + beyond_)
            around.push_back(i);
    if (around.empty()) return;
    NearParts& out = at(slot);
    out.rooms = std::make_unique_for_overwrite<Rooms>();
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
const typename SolidObstacles<D>::Rooms& SolidObstacles<D>::measured(std::ptrdiff_t slot, int block) const {
    Rooms& rooms = *at(slot).rooms;
    auto& known = rooms.known[static_cast<std::size_t>(block)];
    if (known.load(std::memory_order_acquire)) return rooms;
    const std::lock_guard lock(rooms.measuring);
    if (known.load(std::memory_order_relaxed)) return rooms;
    measure(slot, block, rooms);
    known.store(true, std::memory_order_release);
    return rooms;
}

template <int D>
void SolidObstacles<D>::measure(std::ptrdiff_t slot, int block, Rooms& rooms) const {
    const Vec<D> middle = block_middle(slot, block);
    const double half_diagonal = std::sqrt(double{D}) * grid_.dx;
    double steepness = steepest_distance, least = beyond_;
    auto& close = rooms.close[static_cast<std::size_t>(block)];
    for (const int index : near(at(slot), block)) {
        const auto part = static_cast<std::size_t>(index);
        const double steep = surfaces_->steepness(part), room = surfaces_->clearance(part, middle).least;
        least = std::min(least, room);
        steepness = std::max(steepness, steep);
        if (room <= close_by() + steep * half_diagonal) close.push_back(index);
    }
    rooms.steepness[static_cast<std::size_t>(block)] = static_cast<float>(steepness + rounding);
    // Of all its places: they are at most a cell from the middle along one axis, half a cell along the others.
    least -= steepness * std::sqrt(1 + 0.25 * (D - 1)) * grid_.dx;
    const Coord<D> low = grid_.to_cells(middle).array().round().template cast<int>() - 1;
    for (int n = 0; n < (1 << D); ++n) {
        Coord<D> cell = low;
        for (int a = 0; a < D; ++a) cell[a] += n >> a & 1;
        measure_samples(cell, block, least, rooms);
    }
}

template <int D>
void SolidObstacles<D>::measure_samples(const Coord<D>& cell, int block, double least, Rooms& rooms) const {
    const std::span<const int> parts = rooms.close[static_cast<std::size_t>(block)];
    const auto holds = [&](Moment moment, const Vec<D>& x, double below) {
        return std::ranges::any_of(
            parts, [&](int part) { return surfaces_->distance(static_cast<std::size_t>(part), moment, x) < below; });
    };
    const auto local = static_cast<std::size_t>(local_index<D>(cell));
    for (int axis = 0; axis <= D; ++axis) {
        // From half of this on nothing between a face and a point of its cells is hidden: no need to know it better.
        const double far = axis == GridSample<D>::cell ? close_by() : 0.5 * close_by();
        const Vec<D> x = position({axis, cell});
        Clearance found{least, {least, least}};
        if (least <= far) found = clearance(parts, x, close_by());
        // Less than it is by more than what rounding to float can add; and ways end at a place but for rounding.
        const double off = rounding * beyond_;
        for (const Moment moment : {Moment::beginning, Moment::end}) {
            float& out = rooms.at[static_cast<std::size_t>(moment)][static_cast<std::size_t>(axis)][local];
            out = static_cast<float>(found[moment] - off);
            if (found[moment] < sight_touch() && holds(moment, x, sight_touch() - off))
                out = -std::numeric_limits<float>::infinity();
        }
        if (axis == GridSample<D>::cell) rooms.least[local] = static_cast<float>(found.least - off);
    }
}

template <int D>
unsigned SolidObstacles<D>::hidden(const Vec<D>& x, double clearance, Moment moment, const GridSample<D>& low) const {
    // Of the ways to the samples along each axis, in squares.
    const Vec<D> way = grid_.to_cells(x) - offset(low.axis) - low.at.template cast<double>();
    double square[D][2];
    for (int a = 0; a < D; ++a)
        for (int up = 0; up < 2; ++up) square[a][up] = power((way[a] - up) * grid_.dx, 2);
    const double clear = std::max(0.0, clearance - sight_touch()) / steepest_distance;
    unsigned out = 0;
    for (int n = 0; n < (1 << D); ++n) {
        double length = 0;
        for (int a = 0; a < D; ++a) length += square[a][n >> a & 1];
        if (length < clear * clear) continue;
        const GridSample<D> sample = low.upper(n);
        if (!sees({x, position(sample), clearance, 0}, std::sqrt(length), moment, sample)) out |= 1u << n;
    }
    return out;
}

template <int D>
bool SolidObstacles<D>::sees(SightLine<D> line, double length, Moment moment, const GridSample<D>& sample) const {
    const double touch = sight_touch();
    if (const auto slot = set_.find(brick_of<D>(sample.at)); slot != set_.void_slot()) {
        line.room_to = beyond_;
        if (!at(slot).parts.empty()) {
            const int local = local_index<D>(sample.at);
            const Rooms& rooms = measured(slot, block_of(local));
            const auto& at = rooms.at[static_cast<std::size_t>(moment)][static_cast<std::size_t>(sample.axis)];
            line.room_to = static_cast<double>(at[static_cast<std::size_t>(local)]);
            if (line.room_to == -std::numeric_limits<double>::infinity()) return false;
        }
        if (line.room_from > touch && line.room_from + line.room_to > steepest_distance * (length + 2 * touch))
            return true;
    }
    const Place place = place_of(line.from);
    const auto parts = near(place);
    // Of those of its block that come near a point of it.
    const bool inside =
        (line.from - grid_.cell_centre(place.cell)).cwiseAbs().maxCoeff() <= (0.5 + rounding) * grid_.dx;
    if (!inside || parts.size() < 2 || place.slot == set_.void_slot()) return !hides(parts, moment, line);
    const int block = block_of(place.local);
    return !hides(measured(place.slot, block).close[static_cast<std::size_t>(block)], moment, line);
}

template <int D>
bool SolidObstacles<D>::hides(std::span<const int> parts, Moment moment, SightLine<D> line) const {
    const double touch = sight_touch(), room_to = line.room_to;
    const double far = steepest_distance * ((line.to - line.from).norm() + 2 * touch);
    return std::ranges::any_of(parts, [&](int index) {
        const auto part = static_cast<std::size_t>(index);
        if (parts.size() > 1) {
            line.room_from = surfaces_->bound(part, moment, line.from);
            if (line.room_from > touch && line.room_from + room_to > far) return false;
        }
        return surfaces_->hides(part, moment, line, touch);
    });
}

template <int D>
typename SolidObstacles<D>::Place SolidObstacles<D>::place_of(const Vec<D>& x) const {
    Place out;
    const Vec<D> at = grid_.to_cells(x);
    for (int a = 0; a < D; ++a) {
        // Not a number counts as the lower end, as in interpolation.
        const double inside = at[a] > 0 ? std::min(at[a], grid_.cells[a] - 0.5) : 0.0;
        out.cell[a] = static_cast<int>(inside);
    }
    out.slot = set_.find(brick_of<D>(out.cell));
    out.local = local_index<D>(out.cell);
    return out;
}

template <int D>
std::span<const int> SolidObstacles<D>::near(const Place& place) const {
    if (place.slot == set_.void_slot()) return all_;
    const NearParts& here = at(place.slot);
    if (here.parts.empty()) return {};
    return near(here, block_of(place.local));
}

template <int D>
Clearance SolidObstacles<D>::clearance(std::span<const int> parts, const Vec<D>& x, double beyond) const {
    Clearance out{beyond, {beyond, beyond}};
    for (const int i : parts) {
        const Clearance one = surfaces_->clearance(static_cast<std::size_t>(i), x);
        out.least = std::min(out.least, one.least);
        for (std::size_t m = 0; m < 2; ++m) out.at[m] = std::min(out.at[m], one.at[m]);
    }
    return out;
}

template <int D>
Clearance SolidObstacles<D>::clearance(const Vec<D>& x, double enough) const {
    const Place place = place_of(x);
    const auto parts = near(place);
    if (parts.empty() || place.slot == set_.void_slot()) return clearance(parts, x, beyond_);
    const int block = block_of(place.local);
    const Rooms& rooms = measured(place.slot, block);
    const double way = (x - grid_.cell_centre(place.cell)).norm();
    const double least = static_cast<double>(rooms.least[static_cast<std::size_t>(place.local)]) -
                         static_cast<double>(rooms.steepness[static_cast<std::size_t>(block)]) * way;
    if (least >= enough) return {least, {least, least}};
    // The other parts are as far as close_by() from points of the block.
    const bool inside = 2 * way <= (1 + rounding) * std::sqrt(double{D}) * grid_.dx;
    if (!inside || enough > close_by()) return clearance(parts, x, beyond_);
    if (way <= rounding * grid_.dx) return {least, {least, least}};
    return clearance(rooms.close[static_cast<std::size_t>(block)], x, std::min(close_by(), beyond_));
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
        const auto hit = surfaces_->hit_in_sight(part, Moment::beginning, x, y, sight_touch());
        if (!hit || *hit >= first) continue;
        first = *hit;
        velocity = surfaces_->velocity(part, Moment::beginning, x + first * (y - x));
    }
    return first <= 1;
}

template <int D>
bool SolidObstacles<D>::hides_after(const Vec<D>& x, const Vec<D>& y) const {
    return std::ranges::any_of(near(x), [&](int part) {
        return surfaces_->hit_in_sight(static_cast<std::size_t>(part), Moment::end, x, y, sight_touch()).has_value();
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

template <int D>
SolidObstacles<D> StandingObstacles<D>::on(const Grid<D>& grid, const BrickSetPtr<D>& set,
                                           std::shared_ptr<const SolidSurfaces<D>> surfaces) {
    if (last_ && set_ == set && last_->surfaces().stands_as(*surfaces)) return {*last_, std::move(surfaces)};
    set_ = set;
    last_.emplace(standing_obstacles<D>(grid, *set, std::move(surfaces)));
    return *last_;
}

template class StandingObstacles<2>;
template class StandingObstacles<3>;
template class SolidObstacles<2>;
template class SolidObstacles<3>;
template SolidObstacles<2> standing_obstacles(const Grid<2>&, const BrickSet<2>&,
                                              std::shared_ptr<const SolidSurfaces<2>>);
template SolidObstacles<3> standing_obstacles(const Grid<3>&, const BrickSet<3>&,
                                              std::shared_ptr<const SolidSurfaces<3>>);

}  // namespace tidelock
