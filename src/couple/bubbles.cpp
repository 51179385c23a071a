#include "couple/bubbles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "couple/cell_lookup.h"
#include "fluid/volume.h"

namespace tidelock {

namespace {

constexpr double gain = 0.5;        ///< share of the drift that a step takes back
constexpr double most_cells = 0.1;  ///< that the surface may move for it in a step
constexpr std::int32_t no_label = 0, atmosphere = 1, first_bubble = 2;

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
                 const FreeSurface<D>& surface)
        : grid_(grid), sides_(sides), interface_(interface), surface_(surface), seen_(surface.content.set_ptr(), 0) {}

    std::vector<Region> find() {
        const auto& set = surface_.content.set();
        std::vector<Region> regions;
        for (std::ptrdiff_t b = 0; b < set.count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i)
                if (surface_.at(b, i) == CellContent::air && seen_.brick(b)[i] == 0)
                    regions.push_back(fill({static_cast<std::int32_t>(b), i}));
        return regions;
    }

  private:
    Region fill(const CellPlace& start) {
        const auto& set = surface_.content.set();
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
                    if (surface_.at(slot, local) != CellContent::air || seen_.brick(slot)[local] != 0) continue;
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
    const FreeSurface<D>& surface_;
    Mask<D> seen_;
};

/// Air of the bubbles: that of their cells, and that of the liquid cells beside them. A liquid cell between two bubbles
/// counts to the first.
template <int D>
void measure(const Grid<D>& grid, const Field<D, double>& phi, const Field<D, double>* open,
             const Field<D, std::int32_t>& label, std::vector<Bubble>& bubbles) {
    const auto& set = phi.set();
    const Field<D, double> liquid = liquid_shares<D>(grid, phi);
    const double cell_volume = std::pow(grid.dx, D);
    Mask<D> counted(phi.set_ptr(), 0);
    const auto air = [&](std::ptrdiff_t slot, int local) {
        const double room = open != nullptr ? open->brick(slot)[local] : 1.0;
        return room * (1 - liquid.brick(slot)[local]);
    };
    for (Bubble& bubble : bubbles) {
        double sum = 0;
        for (const CellPlace& at : bubble.cells) {
            sum += air(at.slot, at.local);
            for (int a = 0; a < D; ++a)
                for (const int step : {-1, 1}) {
                    const auto [slot, local] = neighbour_cell<D>(set, at.slot, at.local, a, step);
                    if (slot == set.void_slot() || label.brick(slot)[local] != no_label ||
                        counted.brick(slot)[local] != 0)
                        continue;
                    counted.brick(slot)[local] = 1;
                    sum += air(slot, local);
                }
        }
        bubble.volume = cell_volume * sum;
    }
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

/// Bubbles without a cell left give their volume to one nearby: they have joined it, or are too small to be seen. Those
/// that have joined the atmosphere are gone.
template <int D>
void hand_over(const BubbleState<D>& state, const std::vector<double>& handed, const Field<D, std::int32_t>& label,
               std::vector<Bubble>& bubbles) {
    if (std::none_of(handed.begin(), handed.end(), [](double cells) { return cells == 0; })) return;
    std::vector<std::int32_t> heir(handed.size(), no_label);
    const auto& set = state.label.set();
    for (std::ptrdiff_t b = 0; b < set.count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const std::int32_t old = state.label.brick(b)[i];
            if (old < first_bubble) continue;
            const auto o = static_cast<std::size_t>(old - first_bubble);
            if (handed[o] > 0 || heir[o] == atmosphere) continue;
            const std::int32_t here = label.brick(b)[i];
            if (here == atmosphere)
                heir[o] = atmosphere;
            else if (heir[o] == no_label)
                heir[o] = nearest_label<D>(label, first_cell<D>(set.brick(b)) + local_coord<D>(i), atmosphere);
        }
    for (std::size_t o = 0; o < heir.size(); ++o)
        if (heir[o] >= first_bubble)
            bubbles[static_cast<std::size_t>(heir[o] - first_bubble)].target += state.target[o];
}

/// What old bubbles hand to the new ones.
template <int D>
void carry_targets(const BubbleState<D>& state, const Field<D, std::int32_t>& label, std::vector<Bubble>& bubbles) {
    const auto& set = state.label.set();
    std::vector<std::map<std::int32_t, double>> overlap(bubbles.size());  // per new bubble: cells by old label
    std::vector<double> handed(state.target.size(), 0);                   // per old bubble: cells in all
    for (std::size_t n = 0; n < bubbles.size(); ++n) {
        for (const CellPlace& at : bubbles[n].cells)
            if (const std::int32_t old = state.label.brick(at.slot)[at.local]; old != no_label) overlap[n][old] += 1;
        // A drop of air that has moved by more than its size belongs to what is near.
        if (overlap[n].empty()) {
            const CellPlace& at = bubbles[n].cells[bubbles[n].cells.size() / 2];
            const Coord<D> cell = first_cell<D>(set.brick(at.slot)) + local_coord<D>(at.local);
            const std::int32_t old = nearest_label<D>(state.label, cell, atmosphere);
            if (old != no_label) overlap[n][old] = static_cast<double>(bubbles[n].cells.size());
        }
        for (const auto& [old, cells] : overlap[n])
            if (old >= first_bubble) handed[static_cast<std::size_t>(old - first_bubble)] += cells;
    }
    for (std::size_t n = 0; n < bubbles.size(); ++n) {
        if (overlap[n].contains(atmosphere)) {  // just cut off
            bubbles[n].target = bubbles[n].volume;
            continue;
        }
        for (const auto& [old, cells] : overlap[n]) {
            const auto o = static_cast<std::size_t>(old - first_bubble);
            bubbles[n].target += state.target[o] * cells / handed[o];
        }
    }
    hand_over<D>(state, handed, label, bubbles);
}

}  // namespace

template <int D>
double Bubbles<D>::source(std::size_t bubble, double dx, double dt) const {
    const Bubble& b = list[bubble];
    // About the surface of a ball of this volume.
    const double surface =
        D == 2 ? 2 * std::sqrt(std::numbers::pi * b.volume) : std::cbrt(36 * std::numbers::pi * b.volume * b.volume);
    const double most = most_cells * surface * dx / dt;
    return std::clamp(gain * (b.target - b.volume) / dt, -most, most);
}

template <int D>
MergedCells<D> Bubbles<D>::merged() const {
    std::vector<std::vector<CellPlace>> groups;
    for (const Bubble& b : list) groups.push_back(b.cells);
    return MergedCells<D>(std::move(groups));
}

template <int D>
Bubbles<D> find_bubbles(const Grid<D>& grid, const Sides<D>& sides, const Interface<D>& interface,
                        const Field<D, double>& phi, const Field<D, double>* open, BubbleState<D>& state,
                        FreeSurface<D>& surface) {
    std::vector<Region> regions = RegionFinder<D>(grid, sides, interface, surface).find();
    if (!regions.empty() && std::none_of(regions.begin(), regions.end(), [](const Region& r) { return r.open; }))
        std::max_element(regions.begin(), regions.end(), [](const Region& a, const Region& b) {
            return a.cells.size() < b.cells.size();
        })->open = true;
    Bubbles<D> out;
    Field<D, std::int32_t> label(phi.set_ptr(), no_label);
    for (Region& region : regions) {
        const auto name = region.open ? atmosphere : first_bubble + static_cast<std::int32_t>(out.list.size());
        for (const CellPlace& at : region.cells) {
            label.brick(at.slot)[at.local] = name;
            if (!region.open) surface.content.brick(at.slot)[at.local] = static_cast<MaskValue>(CellContent::trapped);
        }
        if (!region.open) out.list.push_back({0, 0, 0, std::move(region.cells)});
    }
    measure<D>(grid, phi, open, label, out.list);
    if (state.label.set_ptr() == phi.set_ptr())
        carry_targets<D>(state, label, out.list);
    else
        for (Bubble& bubble : out.list) bubble.target = bubble.volume;
    state.label = std::move(label);
    state.target.clear();
    for (const Bubble& bubble : out.list) state.target.push_back(bubble.target);
    if (!out.list.empty()) find_links<D>(grid, sides, interface, phi, surface);
    return out;
}

#define TIDELOCK_INSTANTIATE(D)                                                                                     \
    template struct Bubbles<D>;                                                                                     \
    template Bubbles<D> find_bubbles(const Grid<D>&, const Sides<D>&, const Interface<D>&, const Field<D, double>&, \
                                     const Field<D, double>*, BubbleState<D>&, FreeSurface<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
