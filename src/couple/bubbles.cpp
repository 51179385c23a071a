#include "couple/bubbles.h"

#include <algorithm>
#include <cmath>

#include "couple/bubble_heirs.h"
#include "couple/bubble_surface.h"

namespace tidelock {

namespace {

constexpr double control_steps = 4;  ///< in which drift is taken back
constexpr double most_cells = 0.1;   ///< that the surface may move for it in a step
template <int D>
constexpr std::size_t least_cells = D == 2 ? 9 : 27;  ///< of a bubble that has a pressure of its own

/// The volume that a bubble may gain or lose in a step for its drift: about the surface of a ball of its volume, moved
/// by most_cells.
template <int D>
double most_per_step(double volume, double dx) {
    return most_cells * ball_surface<D>(volume) * dx;
}

/// Names the cells of regions, and lists those that are bubbles.
template <int D>
std::vector<Bubble> list_bubbles(std::vector<AirRegion> regions, Field<D, std::int32_t>& label,
                                 CellContents<D>& contents) {
    std::vector<Bubble> out;
    for (AirRegion& region : regions) {
        const bool foam = region.cells.size() < least_cells<D>;
        region.open = region.open || (foam && !region.wet);  // between solids there is no flow to go with
        const auto name =
            region.open ? air_label::atmosphere : air_label::first_bubble + static_cast<std::int32_t>(out.size());
        const auto trapped = foam ? CellContent::liquid : CellContent::trapped;
        for (const CellPlace& at : region.cells) {
            label.brick(at.slot)[at.local] = name;
            if (!region.open) contents.set(at.slot, at.local, trapped);
        }
        if (!region.open) out.push_back({.foam = foam, .cells = std::move(region.cells), .shell = {}});
    }
    return out;
}

/// What sources have poured into bubbles.
template <int D>
void note_poured(const std::vector<PouredCell<D>>& poured, const Field<D, std::int32_t>& label,
                 std::vector<Bubble>& bubbles) {
    for (const auto& [cell, volume] : poured)
        if (const auto near = nearest_label<D>(label, cell, air_label::atmosphere); near >= air_label::first_bubble)
            bubbles[static_cast<std::size_t>(near - air_label::first_bubble)].poured += volume;
}

template <int D>
void remember(const BubbleSearch<D>& search, Field<D, std::int32_t> label, std::vector<Bubble>& bubbles,
              BubbleState<D>& state) {
    const double dx = search.air.grid.dx;
    state.label = std::move(label);
    state.target.clear(), state.missing.clear();
    for (Bubble& bubble : bubbles) {
        // A bubble that cannot have what it lacks, between solids, say, does not go on asking for ever more.
        const double most = most_per_step<D>(bubble.volume, dx) * 4 * control_time(control_steps, dx, search.dt);
        bubble.missing = std::clamp(bubble.missing, -most, most);
        state.target.push_back(bubble.target);
        state.missing.push_back(bubble.missing);
    }
}

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
Bubbles<D> find_bubbles(const BubbleSearch<D>& search, const LiquidAround<D>& liquid, BubbleState<D>& state) {
    const Grid<D>& grid = search.air.grid;
    Field<D, double>& phi = liquid.phi;
    Field<D, std::int32_t> label(phi.set_ptr(), air_label::none);
    Bubbles<D> out{.list = {}, .from_particles = liquid.markers == nullptr};
    out.list = list_bubbles<D>(find_air<D>(search.air, liquid.contents), label, liquid.contents);
    find_shells<D>(search.air.interface, label, liquid.contents, out.list);
    for (Bubble& bubble : out.list) bubble.volume = air_volume<D>(grid, phi, search.open, bubble);
    if (state.label.set_ptr() == phi.set_ptr()) {
        inherit_volumes<D>(state, label, out.list);
        note_poured<D>(search.poured, label, out.list);
        Field<D, double> rise(phi.set_ptr(), 0.0);
        restore_volumes<D>(grid, search.open, {phi, rise, label, liquid.contents}, out.list);
        if (liquid.markers != nullptr) move_markers<D>(grid, phi, rise, *liquid.markers);
        for (Bubble& bubble : out.list) bubble.missing += search.dt * bubble.lacks();
    } else {
        for (Bubble& bubble : out.list) bubble.target = bubble.volume;
    }
    remember<D>(search, std::move(label), out.list, state);
    return out;
}

#define TIDELOCK_INSTANTIATE(D) \
    template struct Bubbles<D>; \
    template Bubbles<D> find_bubbles(const BubbleSearch<D>&, const LiquidAround<D>&, BubbleState<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
