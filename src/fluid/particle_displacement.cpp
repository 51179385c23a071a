#include "fluid/particle_displacement.h"

#include "fluid/volume.h"

namespace tidelock {
namespace {

/// Mean of |rho - 1| over the cells of the liquid.
template <int D>
double mean_crowding(const Grid<D>& grid, const Field<D, double>& phi, const Field<D, double>& excess) {
    const Vec2 sums = ordered_sum<Vec2>("crowding: mean", phi.set().count(), Vec2::Zero(), [&](std::ptrdiff_t b) {
        Vec2 sum = Vec2::Zero();
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (phi.brick(b)[i] < 0 && grid.contains(first_cell<D>(phi.set().brick(b)) + local_coord<D>(i)))
                sum += Vec2(std::abs(excess.brick(b)[i]), 1);
        return sum;
    });
    return sums[1] > 0 ? sums[0] / sums[1] : 0;
}

}  // namespace

template <int D>
DisplacementReport spread_crowded_particles(const LiquidRegion<D>& region, const Field<D, double>* open_volume,
                                            const Obstacles<D>* obstacles, const ParticleCells<D>& cells,
                                            const DisplacementOptions& options, Particles<D>& particles) {
    const auto excess = crowding<D>(region.grid, particles, cells, region.phi, open_volume);
    DisplacementReport report;
    report.crowding = mean_crowding<D>(region.grid, region.phi, excess);
    auto flow = flow_with_divergence<D>(region, excess, options.solve);
    report.solve = flow.report;
    extrapolate_layers(flow.velocity, flow.known, 2);
    const double most = options.most / std::sqrt(double{D}) * region.grid.dx;
    for (int a = 0; a < D; ++a)
        parallel_for("displacement: bounds", region.phi.set().count(), [&](std::ptrdiff_t b) {
            for (int i = 0; i < Brick<D>::cells; ++i) {
                double& u = flow.velocity[a].brick(b)[i];
                u = std::clamp(u, -most, most);
            }
        });
    const Wind<D> wind{region.grid, region.sides, flow.velocity, 1.0, obstacles};
    report.motion = move_particles<D>(wind, options.motion, particles);
    return report;
}

#define TIDELOCK_INSTANTIATE(D)                                                                              \
    template DisplacementReport spread_crowded_particles<D>(const LiquidRegion<D>&, const Field<D, double>*, \
                                                            const Obstacles<D>*, const ParticleCells<D>&,    \
                                                            const DisplacementOptions&, Particles<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
