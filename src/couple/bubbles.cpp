#include "couple/bubbles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "couple/bubble_surface.h"
#include "couple/cell_lookup.h"

namespace tidelock {

namespace {

constexpr double control_steps = 4;  ///< in which drift is taken back
constexpr double most_cells = 0.1;   ///< that the surface may move for it in a step
constexpr std::int32_t no_label = 0, atmosphere = 1, first_bubble = 2;
template <int D>
constexpr std::size_t least_cells = D == 2 ? 9 : 27;  ///< of a bubble that has a pressure of its own

/// A connected region of air.
struct Region {
    std::vector<CellPlace> cells;
    bool open = false;  ///< reaches an open side
};

/// Regions of air cells, connected through faces with an open share, in the order of their first cells.
template <int D>
class RegionFinder {
  public:
    RegionFinder(const Grid<D>& grid, const Sides<D>& sides, const Interface<D>& interface,
                 const CellContents<D>& contents)
        : grid_(grid), sides_(sides), interface_(interface), contents_(contents), seen_(contents.mask.set_ptr(), 0) {}

    std::vector<Region> find() {
        const auto& set = contents_.mask.set();
        std::vector<Region> regions;
        for (std::ptrdiff_t b = 0; b < set.count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i)
                if (contents_.at(b, i) == CellContent::air && seen_.brick(b)[i] == 0)
                    regions.push_back(fill({static_cast<std::int32_t>(b), i}));
        return regions;
    }

  private:
    Region fill(const CellPlace& start) {
        const auto& set = contents_.mask.set();
        Region region;
        region.cells.push_back(start);
        seen_.brick(start.slot)[start.local] = 1;
        for (std::size_t next = 0; next < region.cells.size(); ++next) {
            const CellPlace at = region.cells[next];
            const Coord<D> cell = first_cell<D>(set.brick(at.slot)) + local_coord<D>(at.local);
            for (int a = 0; a < D; ++a)
                for (const int step : {-1, 1}) {
                    if (cell[a] == (step < 0 ? 0 : grid_.cells[a] - 1)) {
                        region.open = region.open || sides_.is_open(a, step < 0 ? 0 : 1);
                        continue;
                    }
                    const auto [slot, local] = neighbour_cell<D>(set, at.slot, at.local, a, step);
                    if (contents_.at(slot, local) != CellContent::air || seen_.brick(slot)[local] != 0) continue;
                    const double open = step < 0 ? open_share<D>(interface_, at.slot, at.local, a)
                                                 : open_share<D>(interface_, slot, local, a);
                    if (open <= 0) continue;
                    seen_.brick(slot)[local] = 1;
                    region.cells.push_back({slot, local});
                }
        }
        std::sort(region.cells.begin(), region.cells.end());
        return region;
    }

    const Grid<D>& grid_;
    const Sides<D>& sides_;
    const Interface<D>& interface_;
    const CellContents<D>& contents_;
    Mask<D> seen_;
};

/// The volume that a bubble may gain or lose in a step for its drift: about the surface of a ball of its volume, moved
/// by most_cells.
template <int D>
double most_per_step(double volume, double dx) {
    return most_cells * ball_surface<D>(volume) * dx;
}

/// The nearest label of at least `least` within three cells of a cell, or none.
template <int D>
std::int32_t nearest_label(const Field<D, std::int32_t>& label, const Coord<D>& cell, std::int32_t least) {
    constexpr int reach = 3, width = 2 * reach + 1;
    std::int32_t found = no_label;
    int nearest = std::numeric_limits<int>::max();
    for (int n = 0; n < (D == 3 ? width * width * width : width * width); ++n) {
        Coord<D> offset;
        offset[0] = n % width - reach;
        offset[1] = n / width % width - reach;
        if constexpr (D == 3) offset[2] = n / (width * width) - reach;
        const std::int32_t there = label.at(cell + offset);
        if (there < least || offset.squaredNorm() >= nearest) continue;
        nearest = offset.squaredNorm();
        found = there;
    }
    return found;
}

/// Who gets the volume that somebody else cannot have.
template <int D>
class Heirs {
  public:
    Heirs(const BrickSet<D>& set, std::vector<Bubble>& bubbles) {
        for (Bubble& bubble : bubbles) {
            if (bubble.foam) continue;
            Candidate next{&bubble, Coord<D>::Constant(std::numeric_limits<int>::max()), Coord<D>::Constant(-1)};
            for (const CellPlace& at : bubble.cells) {
                const Coord<D> cell = first_cell<D>(set.brick(at.slot)) + local_coord<D>(at.local);
                next.low = next.low.cwiseMin(cell);
                next.high = next.high.cwiseMax(cell);
            }
            candidates_.push_back(next);
        }
    }
    /// The nearest bubble, by the box around it, that has ten times as much as it gains or loses; else the largest one.
    /// Null if there is none.
    [[nodiscard]] Bubble* find(const Coord<D>& cell, double change) const {
        Bubble *nearest = nullptr, *largest = nullptr;
        int least = std::numeric_limits<int>::max();
        for (const Candidate& c : candidates_) {
            if (largest == nullptr || c.bubble->target > largest->target) largest = c.bubble;
            if (c.bubble->target < 10 * std::abs(change)) continue;
            const Coord<D> way = (c.low - cell).cwiseMax(cell - c.high).cwiseMax(Coord<D>::Zero());
            if (way.squaredNorm() < least) least = way.squaredNorm(), nearest = c.bubble;
        }
        return nearest != nullptr ? nearest : largest;
    }

  private:
    struct Candidate {
        Bubble* bubble;
        Coord<D> low, high;
    };
    std::vector<Candidate> candidates_;
};

/// Foam has the volume that it has; what it should have beyond that goes to a bubble.
template <int D>
void settle_foam(const BrickSet<D>& set, std::vector<Bubble>& bubbles) {
    const Heirs<D> heirs(set, bubbles);
    for (Bubble& foam : bubbles) {
        if (!foam.foam || foam.target == foam.volume) continue;
        const CellPlace& at = foam.cells.front();
        const double change = foam.target - foam.volume;
        Bubble* heir = heirs.find(first_cell<D>(set.brick(at.slot)) + local_coord<D>(at.local), change);
        if (heir == nullptr) continue;
        heir->target += change;
        foam.target = foam.volume;
        foam.missing = 0;
    }
}

/// What became of an old bubble.
template <int D>
struct Fate {
    bool burst = false;                ///< some of its cells are the atmosphere's now
    double handed = 0;                 ///< cells of new bubbles that come from it
    Coord<D> last = Coord<D>::Zero();  ///< one of its cells
};

/// New bubbles take from the old ones by the shares of the cells that they have of them. What has burst gives nothing:
/// air that is cut off from the atmosphere, or was left by a bubble that joined it, begins with what is measured.
template <int D>
class Inheritance {
  public:
    Inheritance(const BubbleState<D>& state, const Field<D, std::int32_t>& label, std::vector<Bubble>& bubbles)
        : state_(state), label_(label), set_(label.set()), bubbles_(bubbles), fates_(state.target.size()) {}

    void settle() {
        look_back();
        look_forward();
        for (std::size_t n = 0; n < bubbles_.size(); ++n) inherit(n);
        const Heirs<D> heirs(set_, bubbles_);
        for (std::size_t o = 0; o < fates_.size(); ++o)
            if (fates_[o].handed == 0 && !fates_[o].burst) hand_over(o, heirs);
    }

  private:
    static std::size_t index(std::int32_t label) { return static_cast<std::size_t>(label - first_bubble); }
    [[nodiscard]] Coord<D> cell_of(const CellPlace& at) const {
        return first_cell<D>(set_.brick(at.slot)) + local_coord<D>(at.local);
    }

    /// The old bubbles' cells: whose are they now?
    void look_back() {
        for (std::ptrdiff_t b = 0; b < set_.count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const std::int32_t old = state_.label.brick(b)[i];
                if (old < first_bubble) continue;
                Fate<D>& fate = fates_[index(old)];
                fate.last = cell_of({static_cast<std::int32_t>(b), i});
                fate.burst = fate.burst || label_.brick(b)[i] == atmosphere;
            }
    }
    /// The new bubbles' cells: whose were they?
    void look_forward() {
        for (const Bubble& bubble : bubbles_) {
            std::map<std::int32_t, double> cells;  // by old label
            for (const CellPlace& at : bubble.cells)
                if (const std::int32_t old = state_.label.brick(at.slot)[at.local]; old != no_label) cells[old] += 1;
            // A drop of air that has moved by more than its size belongs to what is near.
            if (cells.empty()) {
                const Coord<D> middle = cell_of(bubble.cells[bubble.cells.size() / 2]);
                const std::int32_t old = nearest_label<D>(state_.label, middle, atmosphere);
                if (old != no_label) cells[old] = static_cast<double>(bubble.cells.size());
            }
            for (const auto& [old, count] : cells)
                if (old >= first_bubble) fates_[index(old)].handed += count;
            overlap_.push_back(std::move(cells));
        }
    }
    void inherit(std::size_t n) {
        Bubble& bubble = bubbles_[n];
        const bool cut_off = std::any_of(overlap_[n].begin(), overlap_[n].end(), [&](const auto& part) {
            return part.first == atmosphere || fates_[index(part.first)].burst;
        });
        if (cut_off) {
            bubble.target = bubble.volume;
            return;
        }
        for (const auto& [old, cells] : overlap_[n]) {
            const double share = cells / fates_[index(old)].handed;
            bubble.target += state_.target[index(old)] * share;
            bubble.missing += state_.missing[index(old)] * share;
        }
    }
    /// A bubble without a cell left gives its volume to the one that is beside: it has joined it; or to an heir: it is
    /// too small to be seen. What is nearer to the atmosphere has joined that.
    void hand_over(std::size_t o, const Heirs<D>& heirs) {
        const std::int32_t near = nearest_label<D>(label_, fates_[o].last, atmosphere);
        if (near == atmosphere) return;
        Bubble* heir = near == no_label ? heirs.find(fates_[o].last, state_.target[o]) : &bubbles_[index(near)];
        if (heir != nullptr) heir->target += state_.target[o];
    }

    const BubbleState<D>& state_;
    const Field<D, std::int32_t>& label_;
    const BrickSet<D>& set_;
    std::vector<Bubble>& bubbles_;
    std::vector<Fate<D>> fates_;
    std::vector<std::map<std::int32_t, double>> overlap_;  ///< per new bubble: cells by old label
};

}  // namespace

template <int D>
double Bubbles<D>::source(std::size_t bubble, double dx, double dt) const {
    const Bubble& b = list[bubble];
    const double most = most_per_step<D>(b.volume, dx);
    const double time = control_time(control_steps, dx, dt), now = b.lacks() / time;
    const double before = from_particles ? 0 : b.missing / (4 * time * time);  // critically damped
    return std::clamp(now + before, -most / dt, most / dt) + b.poured / dt;
}

template <int D>
std::vector<FlowSource> Bubbles<D>::sources(double dx, double dt) const {
    std::vector<FlowSource> out;
    for (std::size_t n = 0; n < list.size(); ++n) out.push_back({list[n].cells, source(n, dx, dt)});
    return out;
}

template <int D>
MergedCells<D> Bubbles<D>::merged() const {
    std::vector<std::vector<CellPlace>> groups;
    for (const Bubble& b : list)
        if (!b.foam) groups.push_back(b.cells);
    return MergedCells<D>(std::move(groups));
}

template <int D>
Bubbles<D> find_bubbles(const Grid<D>& grid, double dt, const Sides<D>& sides, const Interface<D>& interface,
                        const Field<D, double>* open, const std::vector<CellPlace>& vents,
                        const std::vector<PouredCell<D>>& poured, Markers<D>* markers, Field<D, double>& phi,
                        BubbleState<D>& state, CellContents<D>& contents) {
    std::vector<Region> regions = RegionFinder<D>(grid, sides, interface, contents).find();
    if (!regions.empty() && std::none_of(regions.begin(), regions.end(), [](const Region& r) { return r.open; }))
        std::max_element(regions.begin(), regions.end(), [](const Region& a, const Region& b) {
            return a.cells.size() < b.cells.size();
        })->open = true;
    if (!vents.empty()) {
        Mask<D> vent(phi.set_ptr(), 0);
        for (const CellPlace& at : vents) vent.brick(at.slot)[at.local] = 1;
        for (Region& region : regions)
            region.open =
                region.open || std::any_of(region.cells.begin(), region.cells.end(),
                                           [&](const CellPlace& at) { return vent.brick(at.slot)[at.local] != 0; });
    }
    Bubbles<D> out{.list = {}, .from_particles = markers == nullptr};
    Field<D, std::int32_t> label(phi.set_ptr(), no_label);
    for (Region& region : regions) {
        const auto name = region.open ? atmosphere : first_bubble + static_cast<std::int32_t>(out.list.size());
        const bool foam = region.cells.size() < least_cells<D>;
        const auto trapped = foam ? CellContent::liquid : CellContent::trapped;
        for (const CellPlace& at : region.cells) {
            label.brick(at.slot)[at.local] = name;
            if (!region.open) contents.set(at.slot, at.local, trapped);
        }
        if (!region.open) out.list.push_back({.foam = foam, .cells = std::move(region.cells), .shell = {}});
    }
    find_shells<D>(interface, label, contents, out.list);
    for (Bubble& bubble : out.list) bubble.volume = air_volume<D>(grid, phi, open, bubble);
    if (state.label.set_ptr() == phi.set_ptr()) {
        Inheritance<D>(state, label, out.list).settle();
        settle_foam<D>(phi.set(), out.list);
        for (const auto& [cell, volume] : poured)
            if (const auto near = nearest_label<D>(label, cell, atmosphere); near >= first_bubble)
                out.list[static_cast<std::size_t>(near - first_bubble)].poured += volume;
        Field<D, double> rise(phi.set_ptr(), 0.0);
        restore_volumes<D>(grid, open, phi, rise, label, contents, out.list);
        if (markers != nullptr) move_markers<D>(grid, phi, rise, *markers);
        for (Bubble& bubble : out.list) bubble.missing += dt * bubble.lacks();
    } else {
        for (Bubble& bubble : out.list) bubble.target = bubble.volume;
    }
    state.label = std::move(label);
    state.target.clear(), state.missing.clear();
    for (Bubble& bubble : out.list) {
        // A bubble that cannot have what it lacks, between solids, say, does not go on asking for ever more.
        const double most = most_per_step<D>(bubble.volume, grid.dx) * 4 * control_time(control_steps, grid.dx, dt);
        bubble.missing = std::clamp(bubble.missing, -most, most);
        state.target.push_back(bubble.target);
        state.missing.push_back(bubble.missing);
    }
    return out;
}

#define TIDELOCK_INSTANTIATE(D)                                                                         \
    template struct Bubbles<D>;                                                                         \
    template Bubbles<D> find_bubbles(const Grid<D>&, double, const Sides<D>&, const Interface<D>&,      \
                                     const Field<D, double>*, const std::vector<CellPlace>&,            \
                                     const std::vector<PouredCell<D>>&, Markers<D>*, Field<D, double>&, \
                                     BubbleState<D>&, CellContents<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
