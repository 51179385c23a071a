#include "stage/pouring.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "couple/open_cells.h"
#include "couple/way_out.h"
#include "fluid/liquid_bricks.h"
#include "fluid/particle_motion.h"
#include "stage/seen_surfaces.h"

namespace tidelock {

namespace {

/// Calls f(slot, local, cell) for the cells of bricks near a shape.
template <int D, class F>
void for_each_cell_near(const BrickSet<D>& set, const Grid<D>& grid, const Shape<D>& shape, const Pose<D>& pose,
                        F&& f) {
    const double reach = grid.brick_half_diagonal() + liquid_rim * grid.dx;
    parallel_for("sources", set.count(), [&](std::ptrdiff_t b) {
        if (shape.distance(pose.to_body(grid.brick_centre(set.brick(b)))) > reach) return;
        for (int i = 0; i < Brick<D>::cells; ++i) f(b, i, Coord<D>(first_cell<D>(set.brick(b)) + local_coord<D>(i)));
    });
}

/// Cells whose centres are in a shape.
template <int D>
void append_cells_inside(const BrickSet<D>& set, const Grid<D>& grid, const Shape<D>& shape, const Pose<D>& pose,
                         std::vector<CellPlace>& out) {
    const auto distance = [&](const Vec<D>& x) { return shape.distance(pose.to_body(x)); };
    for (std::ptrdiff_t b = 0; b < set.count(); ++b) {
        if (distance(grid.brick_centre(set.brick(b))) > grid.brick_half_diagonal()) continue;
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (distance(grid.cell_centre(Coord<D>(first_cell<D>(set.brick(b)) + local_coord<D>(i)))) < 0)
                out.push_back({static_cast<std::int32_t>(b), i});
    }
}

/// The cells that filling a shape puts liquid into, with their shares of it: by a plane surface in each.
template <int D>
std::vector<PouredCell<D>> poured_cells(const Grid<D>& grid, const Field<D, double>& phi, const Shape<D>& shape,
                                        const Pose<D>& pose) {
    const auto& set = phi.set();
    const auto share = [&](double distance) { return std::clamp(0.5 - distance / grid.dx, 0.0, 1.0); };
    std::vector<PouredCell<D>> out;
    double sum = 0;
    for (std::ptrdiff_t b = 0; b < set.count(); ++b) {
        if (shape.distance(pose.to_body(grid.brick_centre(set.brick(b)))) > grid.brick_half_diagonal() + grid.dx)
            continue;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(set.brick(b)) + local_coord<D>(i);
            if (!grid.contains(cell)) continue;
            const double gain = share(shape.distance(pose.to_body(grid.cell_centre(cell)))) - share(phi.brick(b)[i]);
            if (gain > 0) out.push_back({cell, gain}), sum += gain;
        }
    }
    for (auto& cell : out) cell.volume /= sum;
    return out;
}

/// Removes the markers of a sign in a shape.
template <int D>
void drop_inside(const Shape<D>& shape, const Pose<D>& pose, std::int8_t sign, Markers<D>& markers) {
    constexpr std::size_t block = 4096;
    const Bounds<D> box = shape.bounding_box();
    std::vector<char> gone(markers.position.size());
    parallel_for("markers in a shape", static_cast<std::ptrdiff_t>((gone.size() + block - 1) / block),
                 [&](std::ptrdiff_t n) {
                     const auto first = static_cast<std::size_t>(n) * block;
                     for (std::size_t p = first; p < std::min(first + block, gone.size()); ++p) {
                         if (markers.sign[p] != sign) continue;
                         const Vec<D> x = pose.to_body(markers.position[p]);
                         gone[p] = box.contains(x) && shape.distance(x) < 0 ? 1 : 0;
                     }
                 });
    if (std::find(gone.begin(), gone.end(), 1) != gone.end()) remove_markers<D>(markers, gone);
}

}  // namespace

template <int D>
void Pouring<D>::note_inflow(const LiquidParameters<D>& p, const Step<D>& step) {
    const World<D>& world = step.world;
    const Liquid<D>& liquid = world.liquid();
    if (p.drains.empty() || p.particles_are_all()) return;
    const auto& set = *liquid.set();
    const DistanceFunction<D> drains = [&](const Vec<D>& x) {
        double least = std::numeric_limits<double>::infinity();
        for (const auto& [drain, pose] : p.drains)
            if (drain.active(world.clock.time)) least = std::min(least, drain.shape->distance(pose.to_body(x)));
        return least;
    };
    const FacePassage<D> open = [&](const Coord<D>& cell, int axis) {
        return open_share<D>(step.interface, set.find(brick_of<D>(cell)), local_index<D>(cell), axis);
    };
    inflow_ = inflow<D>(world.domain.grid, drains, open, liquid.phi, liquid.velocity, step.dt);
}

template <int D>
void Pouring<D>::pour(const LiquidParameters<D>& p, Step<D>& step) {
    const World<D>& world = step.world;
    for (const auto& [drain, pose] : p.drains)
        if (drain.active(world.clock.time))
            append_cells_inside<D>(*world.liquid().set(), world.domain.grid, *drain.shape, pose, vents_);
    double poured = 0;  // in all, where a level set is what counts
    for (std::size_t i = 0; i < p.sources.size(); ++i)
        if (p.sources[i].source.active(world.clock.time) && has_room(p, i, step)) poured += fill(p, i, step);
    if (p.surface == LiquidSurface::particle_level_set) step.world.liquid().ledger.pour(poured);
    if (!p.drains.empty()) empty_drains(p, step);
}

template <int D>
bool Pouring<D>::has_room(const LiquidParameters<D>& p, std::size_t index, Step<D>& step) const {
    const World<D>& world = step.world;
    const Grid<D>& grid = world.domain.grid;
    const auto& [source, pose] = p.sources[index];
    std::vector<CellPlace> start;
    append_cells_inside<D>(*world.liquid().set(), grid, *source.shape, pose, start);
    if (start.empty()) return true;
    const JoinedCells<D> joined =
        find_way_out<D>({grid, world.domain.sides, step.interface, world.liquid().phi, !p.bubbles, vents_}, start);
    if (joined.way_out || joined.cells == 0) return true;
    const Vec<D> low = grid.to_world(joined.low.template cast<double>()),
                 high = grid.to_world((joined.high + Coord<D>::Ones()).template cast<double>());
    step.note(fmt::format("closed {}", index),
              fmt::format("source {} pours nothing: the region of {} cells around it, from ({:.4g}) to ({:.4g}) m, is "
                          "closed and {}; give it an open side or a drain",
                          index + 1, joined.cells, fmt::join(low, ", "), fmt::join(high, ", "),
                          p.bubbles ? "its air must keep its volume (\"fluid.bubbles\")" : "full"));
    return false;
}

template <int D>
double Pouring<D>::emit(const LiquidParameters<D>& p, std::size_t index, Step<D>& step) {
    World<D>& world = step.world;
    Liquid<D>& liquid = world.liquid();
    const Grid<D>& grid = world.domain.grid;
    const auto surfaces = seen_surfaces<D>(world);
    const auto& [source, pose] = p.sources[index];
    RoomForLiquid<D> room;
    if (surfaces->parts() > 0) room = {distance_to_solids<D>(*surfaces), MotionOptions{}.clearance * grid.dx, {}};
    Sampler<D, double> phi(liquid.phi, Centring<D>::cell(), grid);
    room.liquid = [&](const Vec<D>& x) { return phi.linear(grid.to_cells(x)); };
    Particles<D> unused;  // what a transport without particles would have made
    const auto emitted = emit_liquid<D>(grid, {pose, pose, world.clock.time, step.dt}, room, source,
                                        liquid.progress[index], p.has_particles() ? liquid.particles : unused);
    if (p.has_particles() && p.surface == LiquidSurface::particles) liquid.ledger.pour(emitted.volume);
    const double each = particle_volume<D>(grid);
    for (const Vec<D>& x : emitted.within_liquid) {
        const Coord<D> cell = particle_cell<D>(grid, x);
        const auto slot = static_cast<std::int32_t>(liquid.set()->find(brick_of<D>(cell)));
        room_.push_back({{{slot, local_index<D>(cell)}}, each / step.dt});
    }
    return each * static_cast<double>(emitted.within_liquid.size());
}

template <int D>
double Pouring<D>::fill(const LiquidParameters<D>& p, std::size_t index, Step<D>& step) {
    World<D>& world = step.world;
    Liquid<D>& liquid = world.liquid();
    const Grid<D>& grid = world.domain.grid;
    const auto surfaces = seen_surfaces<D>(world);
    const LiquidSource<D>& source = p.sources[index].source;
    const Pose<D>& pose = p.sources[index].pose;
    const bool level_set = p.surface == LiquidSurface::particle_level_set;
    const double within = emit(p, index, step);
    const auto volume = [&] { return level_set || p.bubbles ? measured_volume<D>(grid, liquid.phi, surfaces) : 0.0; };
    const double before = volume();
    std::vector<PouredCell<D>> into;
    if (p.bubbles) into = poured_cells<D>(grid, liquid.phi, *source.shape, pose);
    for_each_cell_near<D>(*liquid.set(), grid, *source.shape, pose, [&](std::ptrdiff_t b, int i, const Coord<D>& cell) {
        double& phi = liquid.phi.brick(b)[i];
        if (grid.contains(cell)) phi = std::min(phi, source.shape->distance(pose.to_body(grid.cell_centre(cell))));
    });
    const double more = volume() - before;
    for (const auto& [cell, share] : into) poured_.push_back({cell, share * more});
    if (level_set) drop_inside<D>(*source.shape, pose, 1, liquid.markers);
    if (!p.has_particles())
        for (int a = 0; a < D; ++a)
            for_each_cell_near<D>(
                *liquid.set(), grid, *source.shape, pose, [&](std::ptrdiff_t b, int i, const Coord<D>& cell) {
                    if (source.shape->distance(pose.to_body(grid.position(cell, Centring<D>::face(a)))) < 0)
                        step.velocity[a].brick(b)[i] = source.velocity[a];
                });
    return more + within;
}

template <int D>
void Pouring<D>::empty_drains(const LiquidParameters<D>& p, Step<D>& step) {
    World<D>& world = step.world;
    Liquid<D>& liquid = world.liquid();
    const Grid<D>& grid = world.domain.grid;
    const bool counted = p.particles_are_all();
    const auto volume = [&] { return counted ? 0.0 : measured_volume<D>(grid, liquid.phi, seen_surfaces<D>(world)); };
    const double filled = volume();
    for (const auto& placed : p.drains) {
        const LiquidDrain<D>& drain = placed.drain;
        const Pose<D>& pose = placed.pose;
        if (!drain.active(world.clock.time)) continue;
        if (p.has_particles()) {
            const double drained =
                drain_liquid<D>(grid, {pose, pose, world.clock.time, step.dt}, drain, liquid.particles);
            if (counted) liquid.ledger.drain(drained);
        }
        for_each_cell_near<D>(*liquid.set(), grid, *drain.shape, pose,
                              [&](std::ptrdiff_t b, int i, const Coord<D>& cell) {
                                  double& phi = liquid.phi.brick(b)[i];
                                  phi = std::max(phi, -drain.shape->distance(pose.to_body(grid.cell_centre(cell))));
                              });
        if (p.surface == LiquidSurface::particle_level_set) drop_inside<D>(*drain.shape, pose, -1, liquid.markers);
    }
    if (counted) return;
    // At least what was found in drains, which in their first step is all; what flowed in, if that much is gone.
    const double left = volume(), found = filled - left, gone = liquid.ledger.present - left;
    liquid.ledger.drain(std::max(found, std::min(inflow_, gone)));
}

template class Pouring<2>;
template class Pouring<3>;

}  // namespace tidelock
