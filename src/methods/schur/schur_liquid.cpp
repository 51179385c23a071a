#include "methods/schur/schur_liquid.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/math.h"
#include "couple/cell_lookup.h"
#include "couple/level_in_solids.h"
#include "couple/open_cells.h"
#include "couple/solid_obstacles.h"
#include "fluid/held_surface.h"
#include "fluid/liquid_bricks.h"
#include "fluid/narrow_band.h"
#include "fluid/particle_seeding.h"
#include "fluid/particle_surface.h"
#include "fluid/visible_surface.h"
#include "methods/schur/body_step.h"
#include "methods/schur/pouring.h"

namespace tidelock {

namespace {

constexpr double drowned = 0.1;            ///< [cells] below the surface: no flow keeps air there but that of bubbles
constexpr int marker_rounds = 10;          ///< steps between renewals of the level set (numerics/surface 2)
constexpr double tolerable_drift = 0.1;    ///< of all the liquid that there has been
constexpr double few_cells = 300;          ///< less liquid than this is not worth a word
constexpr double stray_cells = 2;          ///< a particle farther than this from the level set's liquid is dropped
constexpr double level_band = liquid_rim;  ///< [cells] the level set is a distance up to here

/// Bricks that rigid bodies fill or come near to within `margin` [m]: all of a body counts in its lift. Fixed and
/// prescribed ones matter only beside the liquid.
template <int D>
BrickSetPtr<D> bricks_of_bodies(const Grid<D>& grid, const std::vector<RigidBody<D>>& bodies, double margin) {
    BrickSetPtr<D> out;
    for (const auto& body : bodies) {
        if (!body.dynamic()) continue;
        const Pose<D> pose = body.pose();
        const auto near = activate_shape<D>(
            grid, [&](const Vec<D>& x) { return body.distance(pose.to_body(x)); }, margin);
        out = out ? unite<D>(*out, *near) : near;
    }
    return out;
}

/// Bricks that are there whether the liquid is near or not: those of rigid bodies and of sources.
template <int D>
BrickSetPtr<D> standing_bricks(const Grid<D>& grid, const std::vector<RigidBody<D>>& bodies,
                               const std::vector<PlacedSource<D>>& sources, double margin) {
    BrickSetPtr<D> out = bricks_of_bodies<D>(grid, bodies, margin);
    for (const auto& placed : sources) {
        const Shape<D>& shape = *placed.source.shape;
        const Pose<D>& pose = placed.pose;
        const auto near = activate_shape<D>(
            grid, [&](const Vec<D>& x) { return shape.distance(pose.to_body(x)); }, margin);
        out = out ? unite<D>(*out, *near) : near;
    }
    return out;
}

/// Faces whose velocity the solve has determined: those of liquid cells, and those of solids.
template <int D>
FaceMask<D> known_faces(const Interface<D>& interface, const CellContents<D>& contents) {
    const auto& set = contents.mask.set();
    FaceMask<D> known(contents.mask.set_ptr(), 0);
    parallel_for("known faces", set.count(), [&](std::ptrdiff_t b) {
        for (int a = 0; a < D; ++a) {
            const int stride = local_stride<D>(a);
            MaskValue* out = known[a].brick(b);
            const MaskValue *kind = interface.kind[a].brick(b), *content = contents.mask.brick(b);
            constexpr auto liquid = static_cast<MaskValue>(CellContent::liquid);
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const bool edge = (i / stride & (Brick<D>::size[a] - 1)) == 0;
                bool wet = content[i] == liquid;
                if (!wet && !edge) wet = content[i - stride] == liquid;
                if (!wet && edge) {
                    const auto [slot, local] = neighbour_cell<D>(set, b, i, a, -1);
                    wet = contents.mask.brick(slot)[local] == liquid;
                }
                const auto k = static_cast<FaceKind>(kind[i]);
                out[i] = wet || k == FaceKind::bound || k == FaceKind::buried ? 1 : 0;
            }
        }
    });
    return known;
}

/// Air that nothing reaches is at rest.
template <int D>
void clear_unknown(const FaceMask<D>& known, FaceField<D, double>& velocity) {
    parallel_for("air at rest", velocity.set().count(), [&](std::ptrdiff_t b) {
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i)
                if (known[a].brick(b)[i] == 0) velocity[a].brick(b)[i] = 0;
    });
}

/// Adds dt g to every face: f of [A18] eq. (12).
template <int D>
void add_gravity(const Vec<D>& gravity, double dt, FaceField<D, double>& velocity) {
    parallel_for("gravity", velocity.set().count(), [&](std::ptrdiff_t b) {
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i) velocity[a].brick(b)[i] += dt * gravity[a];
    });
}

/// Volume that passes the domain's open sides in a step [m^D].
template <int D>
double outflow(const FlowFaces<D>& flow, const FaceField<D, double>& velocity, double dt) {
    const auto& set = velocity.set();
    double sum = 0;
    for (const SurfaceLink& link : flow.links) {
        if (link.end != LinkEnd::side) continue;
        const auto [slot, local] = link.step < 0 ? std::pair(link.slot, int{link.local})
                                                 : neighbour_cell<D>(set, link.slot, link.local, link.axis, 1);
        if (slot != set.void_slot()) sum += link.step * velocity[link.axis].brick(slot)[local];
    }
    return sum * dt * power(flow.medium.grid.dx, D - 1);
}

/// The level set goes on into solids and shows behind thin ones; markers were seeded by it, and must not.
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

/// A user should not have to find it in the log that half of the water is gone. A few cells of it do not matter.
template <int D>
void note_drift(const LiquidParameters<D>& p, const Grid<D>& grid, const VolumeLedger& ledger,
                std::vector<StepNote>& notes) {
    const double off = ledger.present - ledger.expected, all = ledger.expected + ledger.drained;
    if (std::abs(off) <= tolerable_drift * all || all < few_cells * power(grid.dx, D)) return;
    std::vector<const char*> remedies;
    if (p.correction == DriftCorrection::none) remedies.push_back(R"("fluid.volume_correction": "divergence")");
    if (p.surface == LiquidSurface::particle_level_set) remedies.push_back("a smaller \"time.cfl\"");
    if (remedies.empty()) remedies.push_back("smaller cells");
    notes.push_back(
        {"drift", fmt::format("the liquid has {} {:.0f} % of its volume; {} would keep more of it right",
                              off < 0 ? "lost" : "gained", 100 * std::abs(off) / all, fmt::join(remedies, " or "))});
}

/// Particles that left the level set's liquid carry nothing any more.
template <int D>
void drop_strays(const Grid<D>& grid, const Field<D, double>& phi, Particles<D>& particles) {
    const double far = stray_cells * grid.dx;
    std::vector<char> gone(static_cast<std::size_t>(particles.size()));
    for (std::size_t p = 0; p < gone.size(); ++p)
        gone[p] = phi.at(particle_cell<D>(grid, particles.position[p])) > far ? 1 : 0;
    remove_particles<D>(particles, gone);
}

}  // namespace

/// What the stages of one step hand on.
template <int D>
struct SchurLiquid<D>::Step {
    double dt;
    BodyStep<D> bodies;
    Interface<D> interface {};
    ParticleCells<D> cells{};
    FaceField<D, double> velocity{};  ///< u*, then the new one
    FaceField<D, double> carried{};   ///< what particles gave, for flip
    Pouring<D> pouring{};
};

template <int D>
double SchurLiquid<D>::largest_step(const World<D>& world) const {
    const double dx = world.domain.grid.dx;
    const double fall = std::sqrt(2 * world.domain.gravity.norm() * dx);  // a body of no weight starts with 2 g
    double speed = largest_speed<D>(world.velocity(), world.solids.bodies) + fall;
    for (const auto& placed : parameters_.liquid.sources)  // which may be faster than anything that has been poured yet
        if (placed.source.active(world.clock.time)) speed = std::max(speed, placed.source.velocity.norm());
    return speed > 0 ? parameters_.cfl * dx / speed : std::numeric_limits<double>::infinity();
}

/// Surface and particles go with the flow, past the moving solids.
template <int D>
void SchurLiquid<D>::carry(World<D>& world, Step& step, StepReport<D>& report) const {
    Liquid<D>& liquid = world.liquid();
    const Grid<D>& grid = world.domain.grid;
    const auto& bodies = world.solids.bodies;
    const auto& p = parameters_.liquid;
    const double reach = largest_speed<D>(liquid.velocity, bodies) * step.dt + 2 * grid.dx;
    const SolidObstacles<D> obstacles(grid, *liquid.set(), step.bodies.surfaces(), reach);
    const Wind<D> wind{grid, world.domain.sides, liquid.velocity, step.dt, bodies.empty() ? nullptr : &obstacles};
    const bool narrow = p.transport == LiquidTransport::narrow_band_flip;
    if (narrow || p.transport == LiquidTransport::semi_lagrangian) {
        step.velocity = FaceField<D, double>(liquid.set(), 0.0);
        advect_velocity<D>(wind, Transport::semi_lagrangian, step.velocity);
    }
    if (p.has_particles()) {
        const MotionReport moved = move_particles<D>(wind, {}, liquid.particles);
        if (moved.squeezed > 0)
            report.notes.push_back(
                {"squeezed", fmt::format("{} particles between solids had no room and were removed", moved.squeezed)});
    }
    const Mask<D>* solid = bodies.empty() ? nullptr : &step.interface.solid;
    MarkerOptions options;
    options.seed = p.seed;
    options.drowned = drowned;
    (void)advance_level_set<D>(wind, options, solid, liquid.phi, liquid.markers);
    if (p.surface == LiquidSurface::particle_level_set) {  // with particles there are no markers
        if ((world.clock.step + 1) % marker_rounds == 0) {
            (void)restore_distance<D>(grid, options, solid, liquid.phi, liquid.markers);
            reseed_markers<D>(grid, options, liquid.phi, static_cast<std::uint64_t>(world.clock.step + 1),
                              liquid.markers);
            if (!bodies.empty()) drop_buried<D>(grid, liquid.phi, obstacles, liquid.markers);
        }
        if (p.has_particles()) drop_strays<D>(grid, liquid.phi, liquid.particles);
    }
}

/// From particles to faces, and the surface that they make.
template <int D>
void SchurLiquid<D>::gather_velocity(World<D>& world, Step& step) const {
    Liquid<D>& liquid = world.liquid();
    const Grid<D>& grid = world.domain.grid;
    const auto& bodies = world.solids.bodies;
    const auto& p = parameters_.liquid;
    if (!p.has_particles()) return;
    const bool narrow = p.transport == LiquidTransport::narrow_band_flip;
    step.cells = sort_particles<D>(grid, liquid.set(), liquid.particles);
    if (p.surface == LiquidSurface::particles) {
        HoldOptions options;
        options.distance.band = level_band;
        Field<D, double> made =
            surface_of_particles<D>(grid, liquid.particles, step.cells, ParticleSurface::smooth, options.distance);
        if (narrow) {
            Field<D, double> both = liquid.phi.remapped(liquid.set());
            combine_surface<D>(grid, made, options.distance, both);
            made = std::move(both);
        }
        hold_surface<D>(grid, made, bodies.empty() ? nullptr : &step.interface.solid, options, liquid.phi);
    }
    const SolidObstacles<D> obstacles = standing_obstacles<D>(grid, *liquid.set(), standing_surfaces<D>(bodies));
    FaceField<D, double> velocity(liquid.set(), 0.0);
    FaceMask<D> known(liquid.set(), 0);
    particles_to_grid<D>(grid, liquid.particles, step.cells, bodies.empty() ? nullptr : &obstacles, velocity, known);
    if (narrow)
        combine_velocity<D>(grid, NarrowBandOptions{}, liquid.phi, velocity, step.velocity, known);
    else
        step.velocity = std::move(velocity);
    extrapolate_layers<D, double>(step.velocity, known, liquid_rim);
    if (p.transport != LiquidTransport::apic) step.carried = step.velocity.remapped(liquid.set());
}

template <int D>
void SchurLiquid<D>::solve(World<D>& world, Step& step, StepReport<D>& report) const {
    Liquid<D>& liquid = world.liquid();
    const Domain<D>& domain = world.domain;
    const Grid<D>& grid = domain.grid;
    const auto& bodies = world.solids.bodies;
    const auto& p = parameters_.liquid;
    if (!bodies.empty()) settle_in_solids<D>(grid, step.interface, domain.gravity, liquid.phi);
    CellContents<D> contents = liquid_contents<D>(grid, step.interface, liquid.phi);
    Bubbles<D> bubbles;
    if (p.bubbles) {
        const auto open = open_cells<D>(grid, liquid.set(), RigidSurfaces<D>(bodies));
        bubbles = find_bubbles<D>(
            {{grid, domain.sides, step.interface, step.pouring.vents()},
             step.dt,
             open ? &*open : nullptr,
             step.pouring.poured()},
            {liquid.phi, p.surface == LiquidSurface::particle_level_set ? &liquid.markers : nullptr, contents},
            liquid.bubbles);
    }
    const bool corrected = p.correction == DriftCorrection::divergence;
    const FlowFaces<D> flow =
        liquid_faces<D>({grid, domain.sides, p.density, domain.gravity}, step.interface, RigidSurfaces<D>(bodies),
                        {liquid.phi, std::move(contents), bubbles.merged(), bubbles.sources(grid.dx, step.dt),
                         corrected ? liquid.ledger.divergence(grid.dx, step.dt) : 0});
    const CoupledSystem<D> system(flow, step.interface, bodies, step.bodies.joint_rows(), parameters_.reference_solver);
    step.bodies.solve(system, parameters_.solver, parameters_.observe, step.velocity, liquid.pressure, report);
    for (const Bubble& bubble : bubbles.list)
        report.bubbles.push_back(
            {bubble.volume, bubble.target, liquid.pressure.brick(bubble.cells[0].slot)[bubble.cells[0].local]});
    liquid.ledger.drain(outflow<D>(flow, step.velocity, step.dt));

    // The bricks of the next step, and the velocity around the liquid as far as it will reach.
    const double dx = grid.dx;
    const double fastest = std::max(report.flow.max_speed, largest_speed<D>(step.velocity, bodies));
    const int reach = std::max(static_cast<int>(std::ceil(parameters_.cfl)),
                               static_cast<int>(std::ceil(1.5 * fastest * step.dt / dx)));
    FaceMask<D> known = known_faces<D>(step.interface, flow.contents);
    const BrickSetPtr<D> next =
        p.bubbles
            ? liquid.set()
            : liquid_bricks<D>(grid, liquid, reach, standing_bricks<D>(grid, bodies, p.sources, (reach + 2) * dx));
    move_to_bricks<D>(next, liquid);
    liquid.velocity = step.velocity.set_ptr() == next ? std::move(step.velocity) : step.velocity.remapped(next);
    if (known.set_ptr() != next) known = known.remapped(next);
    extrapolate_layers<D, double>(liquid.velocity, known, reach + liquid_rim);
    clear_unknown<D>(known, liquid.velocity);
    close_sides<D>(grid, domain.sides, liquid.velocity);
}

/// From faces to particles; their number in bounds.
template <int D>
void SchurLiquid<D>::give_back(World<D>& world, Step& step) const {
    Liquid<D>& liquid = world.liquid();
    const Grid<D>& grid = world.domain.grid;
    const auto& bodies = world.solids.bodies;
    const auto& p = parameters_.liquid;
    if (!p.has_particles()) return;
    const SolidObstacles<D> obstacles = standing_obstacles<D>(grid, *liquid.set(), standing_surfaces<D>(bodies));
    TransferOptions options;
    options.scheme = p.transport == LiquidTransport::apic ? ParticleTransfer::apic : ParticleTransfer::flip;
    options.flip_share = p.flip_share;
    if (options.scheme == ParticleTransfer::flip && step.carried.set_ptr() != liquid.set())
        step.carried = step.carried.remapped(liquid.set());
    grid_to_particles<D>(grid, options, liquid.velocity,
                         options.scheme == ParticleTransfer::flip ? &step.carried : nullptr,
                         bodies.empty() ? nullptr : &obstacles, liquid.particles);
    if (step.cells.set_ptr() != liquid.set()) step.cells = sort_particles<D>(grid, liquid.set(), liquid.particles);
    ResampleOptions<D> resample;
    const auto round = static_cast<std::uint64_t>(world.clock.step + 1);
    if (p.transport == LiquidTransport::narrow_band_flip) resample = band_resampling<D>({}, p.seed, round);
    resample.seed = p.seed;
    resample.round = round;
    resample.keep_count = p.surface == LiquidSurface::particles && p.transport != LiquidTransport::narrow_band_flip;
    const ResampleReport changed =
        resample_particles<D>({grid, liquid.phi, liquid.velocity, bodies.empty() ? nullptr : &obstacles}, step.cells,
                              resample, liquid.particles);
    if (changed.added + changed.removed > 0) step.cells = sort_particles<D>(grid, liquid.set(), liquid.particles);
}

template <int D>
StepReport<D> SchurLiquid<D>::advance(World<D>& world, double dt) {
    Liquid<D>& liquid = world.liquid();
    StepReport<D> report;
    report.dt = dt;
    Step step{dt, BodyStep<D>(world, dt)};
    stage(report, "bodies", [&] {
        step.bodies.move(report);
        // While the level set is that of the start, which knows of no bodies.
        step.bodies.expect_rest(parameters_.liquid.density, [&](const Vec<D>& x) {
            return liquid.phi.at(particle_cell<D>(world.domain.grid, x)) < 0;
        });
    });
    stage(report, "interface",
          [&] { step.interface = step.bodies.interface(liquid.set(), parameters_.interface, report); });
    stage(report, "carry", [&] {
        step.pouring.note_inflow(world, parameters_.liquid, step.interface, dt);
        carry(world, step, report);
    });
    if (!parameters_.liquid.sources.empty() || !parameters_.liquid.drains.empty())
        stage(report, "sources", [&] { step.pouring.act(world, parameters_.liquid, dt, step.velocity); });
    stage(report, "gather", [&] { gather_velocity(world, step); });
    stage(report, "forces", [&] {
        add_gravity<D>(world.domain.gravity, dt, step.velocity);
        step.bodies.weigh();
    });
    stage(report, "contact", [&] { step.bodies.resist(report); });
    stage(report, "solve", [&] { solve(world, step, report); });
    stage(report, "give back", [&] { give_back(world, step); });
    stage(report, "volume", [&] {
        liquid.ledger.measure(
            measured_volume<D>(world.domain.grid, liquid.phi, standing_surfaces<D>(world.solids.bodies)), dt);
        note_drift<D>(parameters_.liquid, world.domain.grid, liquid.ledger, report.notes);
    });
    report.flow.volume = liquid.ledger.present;

    world.clock.advance(dt);
    return report;
}

template <int D>
std::ptrdiff_t fill_liquid(const LiquidParameters<D>& parameters, const DistanceFunction<D>& shape, World<D>& world) {
    const Grid<D>& grid = world.domain.grid;
    const auto& bodies = world.solids.bodies;
    Liquid<D>& liquid = world.fluid.template emplace<Liquid<D>>();
    liquid.progress.resize(parameters.sources.size());
    constexpr int first_reach = 3;
    const double far = level_band * grid.dx;
    auto set = activate_shape<D>(grid, shape, (first_reach + liquid_rim) * grid.dx);
    if (const auto near = standing_bricks<D>(grid, bodies, parameters.sources, (first_reach + 2) * grid.dx))
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
    const auto surfaces = standing_surfaces<D>(bodies);
    const DistanceFunction<D> solid = distance_to_solids<D>(*surfaces);
    std::ptrdiff_t carved = 0;
    if (!bodies.empty()) {
        const auto open = open_cells<D>(grid, set, *surfaces);
        for (std::ptrdiff_t b = 0; b < set->count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i)
                carved += liquid.phi.brick(b)[i] < 0 && open->brick(b)[i] < 0.5 ? 1 : 0;
    }
    if (parameters.has_particles()) {
        liquid.particles = seed_particles<D>(grid, shape, parameters.seed, parameters.has_affine());
        if (!bodies.empty()) (void)carve_particles<D>(liquid.particles, solid, MotionOptions{}.clearance * grid.dx);
        (void)sort_particles<D>(grid, set, liquid.particles);
    }
    if (parameters.surface == LiquidSurface::particle_level_set) {
        MarkerOptions options;
        options.seed = parameters.seed;
        reseed_markers<D>(grid, options, liquid.phi, 0, liquid.markers);
        if (!bodies.empty())
            drop_buried<D>(grid, liquid.phi, standing_obstacles<D>(grid, *set, surfaces), liquid.markers);
    }
    liquid.ledger.start(measured_volume<D>(grid, liquid.phi, surfaces));
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
    template class SchurLiquid<D>;                                                                          \
    template std::ptrdiff_t fill_liquid(const LiquidParameters<D>&, const DistanceFunction<D>&, World<D>&); \
    template void set_velocity(const PointTest<D>&, const Vec<D>&, World<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
