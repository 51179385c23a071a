#include "stage/liquid_particles.h"

#include <algorithm>
#include <optional>

#include "couple/open_ways.h"
#include "couple/solid_obstacles.h"
#include "fluid/face_mass.h"
#include "fluid/held_surface.h"
#include "fluid/liquid_bricks.h"
#include "fluid/lone_particles.h"
#include "fluid/narrow_band.h"
#include "fluid/particle_seeding.h"
#include "fluid/particle_surface.h"
#include "grid/neighbour_cell.h"
#include "stage/liquid_transport.h"
#include "stage/liveliness.h"
#include "stage/seen_surfaces.h"

namespace tidelock {

namespace {

/// How far along a face's dual cell liquid reaches, from the liquid's centre on, whose particles weigh `mass` there: by the
/// linear weights of a level surface's, a particle's 1/8 at reach 0 and 7/8 at reach 1 [-].
double reach_of(double mass) {
    constexpr double least = 0.125, middle = 0.5, full = 0.875;
    if (mass <= least) return 0;
    if (mass >= full) return 1;
    // mass = 1/8 + (r + r^2) / 2 up to the face in the middle; symmetric beyond it.
    const auto lower_half = [](double m) { return -0.5 + std::sqrt(0.25 + 2 * (m - least)); };
    return mass <= middle ? lower_half(mass) : 1 - lower_half(1 - mass);
}

/// Particles lie as chance has it: what they say beyond the level set is not believed up to the first, wholly from the
/// second on [cells].
constexpr double chance = 0.25, certain = 0.5;

/// The share of a face's dual cell that is liquid, by the level set and by the particles there.
double heavier_of(double theta, double mass) {
    const double beyond = reach_of(mass) - theta;
    return theta + beyond * std::clamp((beyond - chance) / (certain - chance), 0.0, 1.0);
}

}  // namespace

template <int D>
void LiquidParticles<D>::hold_liquid_surface(const LiquidParameters<D>& p, Step<D>& step) const {
    Liquid<D>& liquid = step.world.liquid();
    const Grid<D>& grid = step.world.domain.grid;
    HoldOptions options;
    options.distance.band = level_band;
    std::optional<Mask<D>> ways;
    if (!step.world.solids.empty()) ways = open_ways<D>(step.interface);
    const Mask<D>* way = ways ? &*ways : nullptr;
    Field<D, double> bounds =
        surface_of_particles<D>(grid, liquid.particles, cells_, ParticleSurface::smooth, options.distance, way);
    if (p.transport == LiquidTransport::narrow_band_flip) {
        Field<D, double> both = liquid.phi.remapped(liquid.set());
        combine_surface<D>(grid, bounds, options.distance, both, way);
        bounds = std::move(both);
    }
    hold_surface<D>(grid, bounds, ways ? &step.interface.solid : nullptr, way, options, liquid.phi);
}

template <int D>
void LiquidParticles<D>::gather(const LiquidParameters<D>& p, Step<D>& step) {
    if (!p.has_particles()) return;
    Liquid<D>& liquid = step.world.liquid();
    const Grid<D>& grid = step.world.domain.grid;
    const Solids<D>& solids = step.world.solids;
    cells_ = sort_particles<D>(grid, liquid.set(), liquid.particles);
    if (p.surface == LiquidSurface::particles) hold_liquid_surface(p, step);
    const SolidObstacles<D> obstacles = step.standing.on(grid, liquid.set(), seen_surfaces<D>(step.world));
    FaceField<D, double> velocity(liquid.set(), 0.0);
    FaceMask<D> known(liquid.set(), 0);
    mass_ = weighed_particles_to_grid<D>(grid, liquid.particles, cells_, solids.empty() ? nullptr : &obstacles,
                                         velocity, known);
    if (p.transport == LiquidTransport::narrow_band_flip)
        combine_velocity<D>(grid, NarrowBandOptions{}, liquid.phi, velocity, step.velocity, known);
    else
        step.velocity = std::move(velocity);
    extrapolate_layers<D, double>(step.velocity, known, liquid_rim);
    if (p.transport != LiquidTransport::apic) gathered_ = step.velocity.remapped(liquid.set());
}

template <int D>
void LiquidParticles<D>::weigh_surface(const Step<D>& step, FlowFaces<D>& faces) const {
    if (cells_.set_ptr() == nullptr) return;  // no particles
    const FaceField<D, double>& u = step.world.velocity();
    const auto& set = cells_.set();
    const auto weigh = [&](SurfaceLink& link) {
        if (link.end == LinkEnd::side) return;
        double fastest = 0, mass = 0;  // of the cell's faces; at that of the link
        for (int a = 0; a < D; ++a)
            for (const int step_up : {0, 1}) {
                const auto [slot, local] = step_up == 0 ? std::pair<std::int32_t, int>(link.slot, link.local)
                                                        : neighbour_cell<D>(set, link.slot, link.local, a, 1);
                fastest = std::max(fastest, std::abs(u[a].brick(slot)[local]));
                if (a == link.axis && step_up == (link.step > 0 ? 1 : 0)) mass = mass_[a].brick(slot)[local];
            }
        const double heavier = heavier_of(link.theta, mass) - link.theta;
        if (heavier > 0) link.theta += heavier * liveliness(fastest * step.dt / faces.medium.grid.dx);
    };
    parallel_for("mass of the surface", static_cast<std::ptrdiff_t>(faces.links.size()),
                 [&](std::ptrdiff_t n) { weigh(faces.links[static_cast<std::size_t>(n)]); });
}

template <int D>
void LiquidParticles<D>::give_back(const LiquidParameters<D>& p, const LiquidSpread<D>& spread, Step<D>& step) {
    if (!p.has_particles()) return;
    Liquid<D>& liquid = step.world.liquid();
    const Grid<D>& grid = step.world.domain.grid;
    const SolidObstacles<D> obstacles = step.standing.on(grid, liquid.set(), seen_surfaces<D>(step.world));
    const SolidObstacles<D>* solids = step.world.solids.empty() ? nullptr : &obstacles;
    TransferOptions options;
    const bool flip = p.transport != LiquidTransport::apic;
    options.scheme = flip ? ParticleTransfer::flip : ParticleTransfer::apic;
    options.flip_share = p.flip_share;
    if (flip && gathered_.set_ptr() != liquid.set()) gathered_ = gathered_.remapped(liquid.set());
    grid_to_particles<D>(grid, options, liquid.velocity, flip ? &gathered_ : nullptr, solids, liquid.particles);
    forget_lone_gradients<D>(cells_, liquid.particles);
    if (!spread.empty()) spread_particles<D>(spread, step);
    if (!spread.empty() || cells_.set_ptr() != liquid.set())
        cells_ = sort_particles<D>(grid, liquid.set(), liquid.particles);
    resample(p, solids, step);
    step.report.flow.max_speed = std::max(step.report.flow.max_speed, fastest_particle<D>(liquid.particles));
    *this = {};
}

template <int D>
void LiquidParticles<D>::resample(const LiquidParameters<D>& p, const Obstacles<D>* solids, Step<D>& step) {
    Liquid<D>& liquid = step.world.liquid();
    const Grid<D>& grid = step.world.domain.grid;
    const auto round = static_cast<std::uint64_t>(step.number());
    const bool narrow = p.transport == LiquidTransport::narrow_band_flip;
    ResampleOptions<D> options;
    if (narrow) options = band_resampling<D>({}, p.seed, round);
    options.seed = p.seed;
    options.round = round;
    options.keep_count = p.surface == LiquidSurface::particles && !narrow;
    const ResampleReport changed =
        resample_particles<D>({grid, liquid.phi, liquid.velocity, solids}, cells_, options, liquid.particles);
    if (changed.added + changed.removed > 0) cells_ = sort_particles<D>(grid, liquid.set(), liquid.particles);
}

template class LiquidParticles<2>;
template class LiquidParticles<3>;

}  // namespace tidelock
