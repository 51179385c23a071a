#include "stage/liquid_transport.h"

#include "couple/level_in_solids.h"
#include "couple/open_ways.h"
#include "couple/solid_obstacles.h"
#include "fluid/outflow.h"
#include "fluid/particle_motion.h"
#include "fluid/visible_surface.h"
#include "stage/measures.h"

namespace tidelock {

namespace {

constexpr double drowned = 0.1;    ///< [cells] below the surface: no flow keeps air there but that of bubbles
constexpr int marker_rounds = 10;  ///< steps between renewals of the level set (numerics/surface 2)
constexpr double stray_cells = 2;  ///< a particle farther than this from the level set's liquid is dropped

/// Particles that left the level set's liquid carry nothing any more.
template <int D>
void drop_strays(const Grid<D>& grid, const Field<D, double>& phi, Particles<D>& particles) {
    const double far = stray_cells * grid.dx;
    std::vector<char> gone(static_cast<std::size_t>(particles.size()));
    for (std::size_t p = 0; p < gone.size(); ++p)
        gone[p] = phi.at(particle_cell<D>(grid, particles.position[p])) > far ? 1 : 0;
    remove_particles<D>(particles, gone);
}

/// The level set, corrected by its markers, if it has some.
template <int D>
void carry_surface(const LiquidParameters<D>& p, const Wind<D>& wind, Step<D>& step) {
    Liquid<D>& liquid = step.world.liquid();
    const Domain<D>& domain = step.world.domain;
    const bool solids = wind.obstacles != nullptr;
    const bool marked = p.surface == LiquidSurface::particle_level_set;
    std::optional<Mask<D>> ways;
    if (solids && marked) ways = open_ways<D>(step.interface);
    const MarkerSpace<D> space{solids ? &step.interface.solid : nullptr, ways ? &*ways : nullptr, wind.obstacles};
    MarkerOptions options;
    options.seed = p.seed;
    options.drowned = drowned;
    // Markers that escape are what corrects the level set, those that are lost went out with their liquid.
    (void)advance_level_set<D>(wind, options, space, liquid.phi, liquid.markers);
    if (solids) settle_in_solids<D>(domain.grid, step.interface, *step.surfaces, domain.gravity, liquid.phi);
    if (!marked || step.number() % marker_rounds != 0) return;
    (void)restore_distance<D>(wind.grid, options, space, liquid.phi, liquid.markers);
    reseed_markers<D>(wind.grid, options, liquid.phi, static_cast<std::uint64_t>(step.number()), liquid.markers, space);
    if (wind.obstacles != nullptr) drop_buried<D>(wind.grid, liquid.phi, *wind.obstacles, liquid.markers);
}

/// Moves the particles; what left through open sides [m^D].
template <int D>
double carry_particles(const Wind<D>& wind, Step<D>& step) {
    Particles<D>& particles = step.world.liquid().particles;
    const MotionReport moved = move_particles<D>(wind, {}, particles);
    if (moved.squeezed > 0)
        step.note("squeezed", fmt::format("{} particles between solids had no room and were removed", moved.squeezed));
    return static_cast<double>(moved.gone) * particle_volume<D>(wind.grid);
}

}  // namespace

template <int D>
void carry_liquid(const LiquidParameters<D>& p, Step<D>& step) {
    Liquid<D>& liquid = step.world.liquid();
    const Domain<D>& domain = step.world.domain;
    const Grid<D>& grid = domain.grid;
    const auto& bodies = step.world.solids.bodies;
    const double reach = largest_speed<D>(liquid.velocity, bodies) * step.dt + 2 * grid.dx;
    const SolidObstacles<D> obstacles(grid, *liquid.set(), step.surfaces, reach);
    const Wind<D> wind{grid, domain.sides, liquid.velocity, step.dt, step.world.solids.empty() ? nullptr : &obstacles};
    if (p.transport == LiquidTransport::narrow_band_flip || p.transport == LiquidTransport::semi_lagrangian) {
        step.velocity = FaceField<D, double>(liquid.set(), 0.0);
        advect_velocity<D>(wind, Transport::semi_lagrangian, step.velocity);
    }
    // Where particles are the liquid they are counted, else the level set is measured.
    const bool counted = p.surface == LiquidSurface::particles && p.transport != LiquidTransport::narrow_band_flip;
    const double flowed = counted ? 0 : outflow<D>(wind, liquid.phi);
    const double particles_gone = p.has_particles() ? carry_particles<D>(wind, step) : 0;
    liquid.ledger.drain(counted ? particles_gone : flowed);
    carry_surface<D>(p, wind, step);
    if (p.surface == LiquidSurface::particle_level_set && p.has_particles())
        drop_strays<D>(grid, liquid.phi, liquid.particles);
}

template <int D>
void drop_buried(const Grid<D>& grid, const Field<D, double>& phi, const Obstacles<D>& solids, Markers<D>& markers) {
    constexpr std::size_t block = 4096;
    std::vector<char> gone(markers.position.size());
    parallel_for("buried markers", static_cast<std::ptrdiff_t>((gone.size() + block - 1) / block),
                 [&](std::ptrdiff_t n) {
                     Sampler<D, double> linear(phi, Centring<D>::cell(), grid);
                     VisibleSurface<D> visible(grid, phi, &solids);
                     const auto first = static_cast<std::size_t>(n) * block;
                     for (std::size_t p = first; p < std::min(first + block, gone.size()); ++p) {
                         const Vec<D>& x = markers.position[p];
                         const double sign = markers.sign[p];
                         // An escaped marker is on the wrong side either way, and stays.
                         gone[p] = !(solids.distance_after(x) > 0) ||
                                   (sign * linear.linear(grid.to_cells(x)) > 0 && sign * visible.read(x) < 0);
                     }
                 });
    remove_markers<D>(markers, gone);
}

#define TIDELOCK_INSTANTIATE(D)                                       \
    template void carry_liquid(const LiquidParameters<D>&, Step<D>&); \
    template void drop_buried(const Grid<D>&, const Field<D, double>&, const Obstacles<D>&, Markers<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
