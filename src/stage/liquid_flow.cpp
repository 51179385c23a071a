#include "stage/liquid_flow.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "fluid/lone_particles.h"
#include "stage/liquid_extent.h"
#include "stage/liquid_spread.h"
#include "stage/liquid_surface.h"
#include "stage/liquid_transport.h"
#include "stage/liquid_volume.h"
#include "stage/liveliness.h"
#include "stage/measures.h"

namespace tidelock {

namespace {

constexpr double tolerable_drift = 0.1;  ///< of all the liquid that there has been
constexpr double few_cells = 300;        ///< less liquid than this is not worth a word

/// Adds dt g to every face: f of [A18] eq. (12).
template <int D>
void add_gravity(const Vec<D>& gravity, double dt, FaceField<D, double>& velocity) {
    parallel_for("gravity", velocity.set().count(), [&](std::ptrdiff_t b) {
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i) velocity[a].brick(b)[i] += dt * gravity[a];
    });
}

/// A user should not have to find it in the log that half of the water is gone. A few cells of it do not matter.
template <int D>
void note_drift(const LiquidParameters<D>& p, Step<D>& step) {
    const VolumeLedger& ledger = step.world.liquid().ledger;
    const double off = ledger.present - ledger.expected, all = ledger.expected + ledger.drained;
    if (std::abs(off) <= tolerable_drift * all || all < few_cells * power(step.world.domain.grid.dx, D)) return;
    std::vector<const char*> remedies;
    if (p.correction == DriftCorrection::none) remedies.push_back(R"("fluid.volume_correction": "displacement")");
    if (p.surface == LiquidSurface::particle_level_set) remedies.push_back("a smaller \"time.cfl\"");
    if (remedies.empty()) remedies.push_back("smaller cells");
    step.note("drift",
              fmt::format("the liquid has {} {:.0f} % of its volume; {} would keep more of it right",
                          off < 0 ? "lost" : "gained", 100 * std::abs(off) / all, fmt::join(remedies, " or ")));
}

/// How fast the liquid carries anything, per component [m/s]. Where particles are the liquid, faces without any carry
/// nothing; what flies alone falls as a stone does, whatever the grid, and may cross twice as many cells.
template <int D>
double carrying_speed(const LiquidParameters<D>& p, const World<D>& world) {
    constexpr double alone = 0.5;
    const Liquid<D>& liquid = world.liquid();
    if (!p.particles_are_all()) return largest_speed<D>(liquid.velocity, {});
    const auto speeds = carrying_speeds<D>(world.domain.grid, liquid.velocity, liquid.particles);
    return std::max(speeds.together, alone * speeds.alone);
}

/// A speed, and what 2 g, with which a body of no weight starts, adds to it while it crosses a cell: u = v + 2 g dx / u
/// [m/s].
double speed_across_cell(double speed, double gravity, double dx) {
    return 0.5 * (speed + std::sqrt(speed * speed + 8 * gravity * dx));
}

/// The longest step in which no wave on the surface grows, over sqrt(dx / g) (numerics/surface 9): 2 / sqrt(K dx), where
/// K p is the slope of a pressure p at the surface that alternates from cell to cell along it, if the surface lies at the
/// highest centres.
template <int D>
double wave_step() {
    constexpr double across = 4.0 * (D - 1);  // of the Laplacian along the surface, times dx^2
    const double decay = 1 + across / 2 - std::sqrt((1 + across / 2) * (1 + across / 2) - 1);  // from row to row
    return 2 / std::sqrt(1 - decay + across);
}

}  // namespace

template <int D>
double LiquidFlow<D>::largest_step(const World<D>& world) const {
    const double gravity = world.domain.gravity.norm();
    double speed = std::max(carrying_speed<D>(liquid_, world), largest_speed<D>(world.solids.bodies));
    for (const auto& placed : liquid_.sources)  // which may be faster than anything that has been poured yet
        if (placed.source.active(world.clock.time)) speed = std::max(speed, placed.source.velocity.norm());
    const double dx = world.domain.grid.dx;
    if (speed == 0 && gravity == 0) return std::numeric_limits<double>::infinity();
    const double waves =
        gravity > 0 ? wave_step<D>() * std::sqrt(dx / gravity) : std::numeric_limits<double>::infinity();
    return std::min(cfl_ * dx / speed_across_cell(speed, gravity, dx), waves);
}

template <int D>
bool LiquidFlow<D>::wet(const World<D>& world, const Vec<D>& x) const {
    return world.liquid().phi.at(particle_cell<D>(world.domain.grid, x)) < 0;
}

template <int D>
void LiquidFlow<D>::carry(Step<D>& step) {
    step.run("carry", [&] {
        pouring_ = {};
        pouring_.note_inflow(liquid_, step);
        carry_liquid<D>(liquid_, step);
    });
    if (!liquid_.sources.empty() || !liquid_.drains.empty()) step.run("sources", [&] { pouring_.pour(liquid_, step); });
    step.run("gather", [&] { particles_.gather(liquid_, step); });
}

template <int D>
void LiquidFlow<D>::add_forces(Step<D>& step) {
    add_gravity<D>(step.world.domain.gravity, step.dt, step.velocity);
}

template <int D>
FlowFaces<D> LiquidFlow<D>::faces(Step<D>& step) {
    auto found = find_surface<D>(liquid_, pouring_, step);
    if (liquid_.particles_are_all()) particles_.weigh_surface(step, found.faces);
    bubbles_ = std::move(found.bubbles);
    return std::move(found.faces);
}

template <int D>
void LiquidFlow<D>::finish(const FlowFaces<D>& faces, Step<D>& step) {
    Field<D, double> lively;
    const LiquidSpread<D> spread = step.run("spread", [&] {
        lively = lively_cells<D>(faces, step);
        auto found = find_spread<D>(liquid_, particles_.cells(), lively, faces, step);
        if (!found.empty()) spread_surface<D>(liquid_, found, step);
        return found;
    });
    step.run("extend", [&] {
        report_bubbles(step);
        extend_liquid<D>(liquid_, cfl_, spread.farthest, faces, step);
    });
    step.run("give back", [&] { particles_.give_back(liquid_, spread, step); });
    step.run("volume", [&] { measure_volume(faces, lively, step); });
}

template <int D>
void LiquidFlow<D>::report_bubbles(Step<D>& step) const {
    const auto& pressure = step.world.liquid().pressure;
    for (const Bubble& bubble : bubbles_) {
        const CellPlace& cell = bubble.cells[0];
        step.report.bubbles.push_back({bubble.volume, bubble.target, pressure.brick(cell.slot)[cell.local]});
    }
}

template <int D>
void LiquidFlow<D>::measure_volume(const FlowFaces<D>& faces, const Field<D, double>& lively, Step<D>& step) const {
    Liquid<D>& liquid = step.world.liquid();
    VolumeMeter<D> meter = liquid_meter<D>(step.world, step.standing);
    double present = present_volume<D>(liquid_, step.world, meter);
    if (liquid_.correction == DriftCorrection::displacement && !liquid_.bubbles) {
        Trim<D> trim{lively.remapped(liquid.set()), 0};
        for (const SurfaceLink& link : faces.links)
            trim.area += lively.brick(link.slot)[link.local] * power(step.world.domain.grid.dx, D - 1);
        present = trim_level<D>(liquid_, trim, present, step.world, meter);
    }
    liquid.ledger.measure(present, step.dt);
    step.report.flow.volume = liquid.ledger.present;
    note_drift<D>(liquid_, step);
}

template class LiquidFlow<2>;
template class LiquidFlow<3>;

}  // namespace tidelock
