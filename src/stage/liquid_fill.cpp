#include "stage/liquid_fill.h"

#include <algorithm>

#include "couple/first_level.h"
#include "couple/flow_system.h"
#include "couple/open_cells.h"
#include "couple/solid_obstacles.h"
#include "fluid/liquid_bricks.h"
#include "fluid/particle_motion.h"
#include "fluid/particle_seeding.h"
#include "stage/liquid_extent.h"
#include "stage/liquid_transport.h"
#include "stage/liquid_volume.h"
#include "stage/seen_surfaces.h"

namespace tidelock {

template <int D>
std::ptrdiff_t fill_liquid(const LiquidParameters<D>& parameters, const DistanceFunction<D>& shape, World<D>& world) {
    const Grid<D>& grid = world.domain.grid;
    const Solids<D>& solids = world.solids;
    Liquid<D>& liquid = world.fluid.template emplace<Liquid<D>>();
    liquid.progress.resize(parameters.sources.size());
    constexpr int first_reach = 3;
    const double far = level_band * grid.dx;
    auto set = activate_shape<D>(grid, shape, (first_reach + liquid_rim) * grid.dx);
    if (const auto near = standing_bricks<D>(world, parameters.sources, (first_reach + 2) * grid.dx))
        set = unite<D>(*set, *near);
    if (parameters.bubbles) set = make_dense<D>(lattice_for_faces<D>(grid.cells));
    liquid.phi = Field<D, double>(set, far);
    liquid.pressure = Field<D, double>(set, 0.0);
    liquid.velocity = FaceField<D, double>(set, 0.0);
    parallel_for("fill liquid", set->count(), [&](std::ptrdiff_t b) {
        const Coord<D> corner = first_cell<D>(set->brick(b));
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = corner + local_coord<D>(i);
            if (grid.contains(cell)) liquid.phi.brick(b)[i] = std::clamp(shape(grid.cell_centre(cell)), -far, far);
        }
    });
    const auto surfaces = seen_surfaces<D>(world);
    const DistanceFunction<D> solid = distance_to_solids<D>(*surfaces);
    std::ptrdiff_t carved = 0;
    if (!solids.empty()) {
        const auto open = open_cells<D>(grid, set, *surfaces);
        for (std::ptrdiff_t b = 0; b < set->count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i)
                carved += liquid.phi.brick(b)[i] < 0 && open->brick(b)[i] < 0.5 ? 1 : 0;
        see_first_level<D>(grid, shape, surfaces, world.domain.gravity, liquid.phi);
    }
    if (parameters.has_particles()) {
        liquid.particles = seed_particles<D>(grid, shape, parameters.seed, parameters.has_affine());
        if (!solids.empty()) (void)carve_particles<D>(liquid.particles, solid, MotionOptions{}.clearance * grid.dx);
        (void)sort_particles<D>(grid, set, liquid.particles);
    }
    if (parameters.surface == LiquidSurface::particle_level_set) {
        MarkerOptions options;
        options.seed = parameters.seed;
        reseed_markers<D>(grid, options, liquid.phi, 0, liquid.markers);
        if (!solids.empty())
            drop_buried<D>(grid, liquid.phi, standing_obstacles<D>(grid, *set, surfaces), liquid.markers);
    }
    StandingObstacles<D> standing;
    VolumeMeter<D> meter = liquid_meter<D>(world, standing);
    liquid.ledger.start(present_volume<D>(parameters, world, meter));
    return carved;
}

template <int D>
void set_velocity(const PointTest<D>& inside, const Vec<D>& velocity, World<D>& world) {
    const Grid<D>& grid = world.domain.grid;
    Liquid<D>& liquid = world.liquid();
    const auto& set = *liquid.set();
    parallel_for("initial velocity", set.count(), [&](std::ptrdiff_t b) {
        const Coord<D> corner = first_cell<D>(set.brick(b));
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i)
                if (inside(grid.position(Coord<D>(corner + local_coord<D>(i)), Centring<D>::face(a))))
                    liquid.velocity[a].brick(b)[i] = velocity[a];
    });
    for (std::size_t p = 0; p < liquid.particles.position.size(); ++p)
        if (inside(liquid.particles.position[p])) liquid.particles.velocity[p] = velocity;
    close_sides<D>(grid, world.domain.sides, liquid.velocity);
}

#define TIDELOCK_INSTANTIATE(D)                                                                             \
    template std::ptrdiff_t fill_liquid(const LiquidParameters<D>&, const DistanceFunction<D>&, World<D>&); \
    template void set_velocity(const PointTest<D>&, const Vec<D>&, World<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
