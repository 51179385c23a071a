#include "stage/liquid_spread.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "couple/flow_operator.h"
#include "couple/flow_system.h"
#include "couple/level_in_solids.h"
#include "couple/open_ways.h"
#include "couple/solid_obstacles.h"
#include "fluid/crowding.h"
#include "fluid/drops.h"
#include "fluid/particle_motion.h"
#include "solve/pressure_solver.h"
#include "stage/liquid_extent.h"
#include "stage/liquid_transport.h"
#include "stage/liquid_volume.h"
#include "stage/rings.h"
#include "stage/seen_surfaces.h"

namespace tidelock {

namespace {

/// What a step may make of a cell, as a share of it, and how far the liquid may move for it [cells]. What is left is
/// there in the next step, too.
constexpr double most_apart = 1, most_together = 0.5, farthest_way = 2;
/// The way is that of a displacement of first order: so short [cells] its turns are less than particles keep to solids.
constexpr double straight_way = 0.1;
constexpr double most_missed = 0.1;    ///< of a cell that is given to each for what the ledger misses
constexpr double least_missed = 1e-6;  ///< of all the liquid
constexpr double solve_tolerance = 0.01;
constexpr int rounds_of_handing = 2;

template <int D>
class SpreadFinder {
  public:
    SpreadFinder(const LiquidParameters<D>& p, const ParticleCells<D>& cells, const Field<D, double>& lively,
                 const FlowFaces<D>& faces, Step<D>& step)
        : p_(p),
          cells_(cells),
          lively_(lively),
          faces_(faces),
          step_(step),
          grid_(faces.medium.grid),
          set_(step.velocity.set_ptr()),
          meter_(liquid_meter<D>(step.world, step.standing)) {}

    LiquidSpread<D> find() {
        const auto all = lively_.values();
        if (std::all_of(all.begin(), all.end(), [](double v) { return v == 0; })) return {};
        Field<D, double> excess(set_, 0.0);
        const bool crowded = p_.particles_are_all();
        if (crowded) find_crowds(excess);
        const bool missed = p_.correction == DriftCorrection::displacement && add_missing(excess);
        if (!crowded && !missed) return {};
        return solve(excess);
    }

  private:
    [[nodiscard]] bool is_liquid(std::ptrdiff_t slot, int local) const {
        return faces_.contents.at(slot, local) == CellContent::liquid;
    }
    [[nodiscard]] double cell_volume() const { return power(grid_.dx, D); }

    /// The particles that each cell of the liquid has too many of, as a share of a cell.
    void find_crowds(Field<D, double>& excess) {
        const auto& liquid = step_.world.liquid();
        // The level set of drops and thin sheets says nothing of their volume (fluid/drops.h).
        Field<D, double> thick = liquid.phi.remapped(set_);
        (void)take_out_drops<D>(grid_, liquid.particles, thick);
        const Field<D, double> wet = meter_.wet_cells(thick);
        // A liquid's first shape has as many particles as chance gave it.
        const double counted = static_cast<double>(liquid.particles.size()) * particle_volume<D>(grid_);
        const double weight = counted > 0 ? std::clamp(liquid.ledger.expected / counted, 0.9, 1.1) : 1;
        excess = crowding<D>(grid_, liquid.particles, cells_, weight, wet);
        parallel_for("lively crowds", set_->count(), [&](std::ptrdiff_t b) {
            for (int i = 0; i < Brick<D>::cells; ++i)
                excess.brick(b)[i] *= thick.brick(b)[i] == liquid.phi.brick(b)[i] ? lively_.brick(b)[i] : 0;
        });
        hand_to_liquid(wet, excess);
    }
    /// Each cell hands what it has to the liquid around it, by how wet that is; twice, which evens out chance.
    void hand_to_liquid(const Field<D, double>& wet, Field<D, double>& excess) const {
        constexpr double nobody = 1e-6;
        Field<D, double> takes(set_, 0.0), heirs(set_, 0.0), each(set_, 0.0);
        parallel_for("heirs", set_->count(), [&](std::ptrdiff_t b) {
            for (int i = 0; i < Brick<D>::cells; ++i) takes.brick(b)[i] = is_liquid(b, i) ? wet.brick(b)[i] : 0;
        });
        const auto sum = [](double a, double b) { return a + b; };
        for_each_ring<D>("heirs around", takes, sum,
                         [&](std::ptrdiff_t b, int i, double all) { heirs.brick(b)[i] = all; });
        for (int round = 0; round < rounds_of_handing; ++round) {
            parallel_for("handed on", set_->count(), [&](std::ptrdiff_t b) {
                for (int i = 0; i < Brick<D>::cells; ++i)
                    each.brick(b)[i] = heirs.brick(b)[i] > nobody ? excess.brick(b)[i] / heirs.brick(b)[i] : 0;
            });
            for_each_ring<D>("handed to", each, sum, [&](std::ptrdiff_t b, int i, double all) {
                excess.brick(b)[i] = takes.brick(b)[i] * all;
            });
        }
    }
    /// What the ledger misses beyond that, in the cells that move, by how lively they are: calm liquid has lost nothing, and
    /// must not pay for what another does. False: nothing.
    bool add_missing(Field<D, double>& excess) {
        const double present = present_volume<D>(p_, step_.world, meter_);
        const double expected = step_.world.liquid().ledger.expected;
        if (std::abs(expected - present) <= least_missed * expected) return false;
        const auto sum_of_liquid = [&](const char* label, const Field<D, double>& field) {
            return ordered_sum<double>(label, set_->count(), 0.0, [&](std::ptrdiff_t b) {
                double sum = 0;
                for (int i = 0; i < Brick<D>::cells; ++i) sum += is_liquid(b, i) ? field.brick(b)[i] : 0;
                return sum;
            });
        };
        const double takers = sum_of_liquid("takers", lively_);
        if (!(takers > 0)) return false;
        const double missing = (expected - present) / cell_volume() - sum_of_liquid("given", excess);
        const double each = std::clamp(missing / takers, -most_missed, most_missed);
        parallel_for("missing", set_->count(), [&](std::ptrdiff_t b) {
            for (int i = 0; i < Brick<D>::cells; ++i)
                excess.brick(b)[i] += is_liquid(b, i) ? each * lively_.brick(b)[i] : 0;
        });
        return true;
    }
    /// -div grad q = excess in units of the pressure's system, d = -beta^-1 G q.
    [[nodiscard]] LiquidSpread<D> solve(const Field<D, double>& excess) const {
        PressureSolver<D> solver(flow_operator<D>(faces_, step_.interface), {}, {}, faces_.merged);
        BigArray<double> b(static_cast<std::size_t>(solver.op().size())), q(b.size());
        std::fill(b.data(), b.data() + b.size(), 0.0);
        std::fill(q.data(), q.data() + q.size(), 0.0);
        parallel_for("spread: right-hand side", set_->count(), [&](std::ptrdiff_t s) {
            for (int i = 0; i < Brick<D>::cells; ++i)
                if (is_liquid(s, i) && solver.op().unknown(s)[i] != 0)
                    b.data()[s * Brick<D>::cells + i] =
                        cell_volume() * std::clamp(excess.brick(s)[i], -most_together, most_apart);
        });
        SolveOptions options;
        options.tolerance = solve_tolerance;
        const SolveReport report = solver.solve(b.data(), q.data(), options);
        step_.report.solves.push_back({"spread", solver.name(), solver.body_treatment(), solver.op().unknowns(),
                                       solver.levels(), report, report.iterations * solver.bytes_per_iteration()});
        if (!report.converged()) return {};  // the step is as good as it was
        const SolidRows<D> rows(faces_, step_.interface, step_.world.solids.bodies);
        const FlowSystem<D> flow(faces_, step_.interface, rows, solver.op());
        LiquidSpread<D> out;
        out.way = FaceField<D, double>(set_, 0.0);
        flow.push(0, q.data(), out.way);
        extend(out);
        return out;
    }
    /// No farther than allowed, and beyond the liquid as far as anything is carried by it.
    void extend(LiquidSpread<D>& out) const {
        const double most = farthest_way * grid_.dx;
        for (int a = 0; a < D; ++a)
            for (double& d : out.way[a].values()) {
                d = std::clamp(d, -most, most);
                out.farthest = std::max(out.farthest, std::abs(d));
            }
        FaceMask<D> known = known_faces<D>(step_.interface, faces_.contents);
        settle_hidden_faces<D>(step_.interface, known, out.way);
        extrapolate_layers<D, double>(out.way, known, static_cast<int>(std::ceil(out.farthest / grid_.dx)) + 3);
        close_sides<D>(grid_, step_.world.domain.sides, out.way);
    }

    const LiquidParameters<D>& p_;
    const ParticleCells<D>& cells_;
    const Field<D, double>& lively_;
    const FlowFaces<D>& faces_;
    Step<D>& step_;
    const Grid<D>& grid_;
    BrickSetPtr<D> set_;
    VolumeMeter<D> meter_;
};

/// The way as a wind that blows for one second, past solids that stand still.
template <int D>
class StillWind {
  public:
    StillWind(const LiquidSpread<D>& spread, Step<D>& step)
        : obstacles_(step.standing.on(step.world.domain.grid, spread.way.set_ptr(), seen_at_rest<D>(step.world))),
          wind_{step.world.domain.grid, step.world.domain.sides, spread.way, 1,
                step.world.solids.empty() ? nullptr : &obstacles_} {}
    [[nodiscard]] const Wind<D>& wind() const { return wind_; }

  private:
    SolidObstacles<D> obstacles_;
    Wind<D> wind_;
};

}  // namespace

template <int D>
LiquidSpread<D> find_spread(const LiquidParameters<D>& parameters, const ParticleCells<D>& cells,
                            const Field<D, double>& lively, const FlowFaces<D>& faces, Step<D>& step) {
    return SpreadFinder<D>(parameters, cells, lively, faces, step).find();
}

template <int D>
void spread_surface(const LiquidParameters<D>& p, const LiquidSpread<D>& spread, Step<D>& step) {
    Liquid<D>& liquid = step.world.liquid();
    const Domain<D>& domain = step.world.domain;
    const StillWind<D> still(spread, step);
    const bool solids = !step.world.solids.empty();
    MarkerOptions options;
    options.seed = p.seed;
    // Markers that escape are what corrects the level set, those that are lost went out with their liquid.
    std::optional<Mask<D>> ways;
    if (solids && p.surface == LiquidSurface::particle_level_set) ways = open_ways<D>(step.interface);
    const MarkerSpace<D> space{solids ? &step.interface.solid : nullptr, ways ? &*ways : nullptr,
                               still.wind().obstacles};
    (void)advance_level_set<D>(still.wind(), options, space, liquid.phi, liquid.markers);
    if (solids)
        settle_in_solids<D>(domain.grid, step.interface, *seen_surfaces<D>(step.world), domain.gravity, liquid.phi);
}

template <int D>
void spread_particles(const LiquidSpread<D>& spread, Step<D>& step) {
    Liquid<D>& liquid = step.world.liquid();
    MotionOptions options;
    options.straight = straight_way;
    const MotionReport moved = move_particles<D>(StillWind<D>(spread, step).wind(), options, liquid.particles);
    liquid.ledger.drain(static_cast<double>(moved.gone) * particle_volume<D>(step.world.domain.grid));
}

#define TIDELOCK_INSTANTIATE(D)                                                                                        \
    template LiquidSpread<D> find_spread(const LiquidParameters<D>&, const ParticleCells<D>&, const Field<D, double>&, \
                                         const FlowFaces<D>&, Step<D>&);                                               \
    template void spread_surface(const LiquidParameters<D>&, const LiquidSpread<D>&, Step<D>&);                        \
    template void spread_particles(const LiquidSpread<D>&, Step<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
