#include "fluid/liquid_source.h"

#include <numbers>

#include "fluid/particle_surface.h"
#include "fluid/particle_testing.h"

namespace tidelock {
namespace {

template <class T>
class LiquidSourceTest : public testing::Test {};
TYPED_TEST_SUITE(LiquidSourceTest, Dimensions);

constexpr double radius = 0.12;

template <int D>
double cross_section() {
    return D == 2 ? 2 * radius : std::numbers::pi * radius * radius;
}
template <int D>
double ball_volume() {
    return D == 2 ? std::numbers::pi * radius * radius : 4. / 3 * std::numbers::pi * radius * radius * radius;
}

/// A jet in empty space: what a source emits moves on at the inflow's velocity. The source itself moves at `drift`.
template <int D>
struct Jet {
    Grid<D> grid = unit_grid<D>(D == 2 ? 64 : 40);
    LiquidSource<D> source;
    SourceProgress<D> progress;
    Particles<D> particles;
    VolumeLedger ledger;
    Vec<D> place = Vec<D>::Constant(0.25), drift = Vec<D>::Zero();
    double time = 0;

    Jet() {
        source.shape = std::make_shared<Sphere<D>>(radius);
        source.velocity = Vec<D>::LinSpaced(1, 0.4);
    }
    EmissionReport<D> step(double dt, const DistanceFunction<D>& solid = {}) {
        for (std::size_t p = 0; p < particles.position.size(); ++p) particles.position[p] += dt * particles.velocity[p];
        const ShapeMotion<D> motion{{place, {}}, {place + dt * drift, {}}, time, dt};
        place += dt * drift, time += dt;
        const auto report = emit_liquid<D>(grid, motion, {solid, 0.0, {}}, source, progress, particles);
        ledger.pour(report.volume);
        return report;
    }
    [[nodiscard]] double volume() const { return static_cast<double>(particles.size()) * particle_volume<D>(grid); }
};

// The volume is that of the shape and what the speed, relative to the shape, carries through its cross-section; the
// ledger knows it. Chance rules parts at the edges only: five standard deviations.
TYPED_TEST(LiquidSourceTest, RateIsTheInflowsSpeed) {
    constexpr int D = TypeParam::value;
    for (const double drift : {0.0, 0.5, 1.0}) {
        Jet<D> jet;
        jet.drift = drift * jet.source.velocity;
        for (int s = 0; s < 40; ++s) (void)jet.step(0.01);
        const double way = 0.4 * (1 - drift) * jet.source.velocity.norm();
        const double expected = ball_volume<D>() + cross_section<D>() * way;
        const double half = 0.5 * jet.grid.dx;
        const double edge = (D == 2 ? 2 * (way + 3 * radius) : 2 * std::numbers::pi * radius * (way + 2 * radius)) /
                            std::pow(half, D - 1);
        EXPECT_NEAR(jet.volume(), expected, 5 * std::sqrt(edge) * 0.5 * std::pow(half, D)) << drift;
        EXPECT_NEAR(jet.ledger.poured, jet.volume(), 1e-12);
        EXPECT_EQ(jet.ledger.expected, jet.ledger.poured);
        for (const Vec<D>& v : jet.particles.velocity) EXPECT_EQ(v, jet.source.velocity);
    }
}

// The emitted particles are those of a seeded liquid on the move: wherever its parts of cells lie, a cell holds one of
// them whole and meets 3^D, so that its particles are in these bounds; 2^D in the mean; and none of the cells within
// the jet is air. They are the same whether the liquid moves a tenth of a cell in a step or three cells.
TYPED_TEST(LiquidSourceTest, NoGapsAndNoClumpsInStepsOfAnyLength) {
    constexpr int D = TypeParam::value;
    const auto run = [](int steps) {
        Jet<D> jet;
        (void)jet.step(0);
        for (int s = 0; s < steps; ++s) (void)jet.step(0.32 / steps);
        return jet;
    };
    const auto sorted = [](const Jet<D>& jet) {
        auto list = jet.particles.position;
        std::sort(list.begin(), list.end(), [](const Vec<D>& a, const Vec<D>& b) {
            return std::lexicographical_compare(a.data(), a.data() + D, b.data(), b.data() + D);
        });
        return list;
    };
    auto fine = run(256), coarse = run(8);
    const auto a = sorted(fine), b = sorted(coarse);
    std::size_t twins = 0;
    for (std::size_t p = 0, q = 0; p < a.size() && q < b.size();) {
        if ((a[p] - b[q]).norm() < 1e-12) {
            ++twins, ++p, ++q;
        } else {
            (a[p][0] < b[q][0] ? p : q)++;
        }
    }
    // A chord of a quarter of a cell: nearly none.
    EXPECT_GT(static_cast<double>(twins), 0.998 * static_cast<double>(std::max(a.size(), b.size())));

    const Grid<D>& grid = fine.grid;
    const auto cells =
        sort_particles<D>(grid, bricks_of_particles<D>(grid, fine.particles.position, 0), fine.particles);
    const Vec<D> along = fine.source.velocity.normalized();
    const double length = 0.32 * fine.source.velocity.norm(), reach = 0.5 * std::sqrt(double{D}) * grid.dx;
    const auto phi = surface_of_particles<D>(grid, fine.particles, cells, ParticleSurface::spheres);
    double tested = 0, counted = 0;
    for (std::ptrdiff_t s = 0; s < cells.set().count(); ++s)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Vec<D> x = grid.cell_centre(first_cell<D>(cells.set().brick(s)) + local_coord<D>(i)) - fine.place;
            const double t = std::clamp(x.dot(along), 0.0, length);
            EXPECT_LE(cells.count(s, i), D == 2 ? 9 : 27);
            if ((x - t * along).norm() > radius - reach) continue;
            EXPECT_GE(cells.count(s, i), 1);
            EXPECT_LT(phi.brick(s)[i], 0);
            counted += static_cast<double>(cells.count(s, i)), ++tested;
        }
    EXPECT_GT(tested, 100);
    EXPECT_NEAR(counted / tested / particles_per_cell<D>, 1, 0.02);
}

// Liquid that is held back does not pile up without end; solids stay empty; before and after its time nothing comes.
TYPED_TEST(LiquidSourceTest, KnowsItsLimits) {
    constexpr int D = TypeParam::value;
    Jet<D> held;
    std::ptrdiff_t crowded_out = 0;
    for (int s = 0; s < 60; ++s) {
        for (Vec<D>& v : held.particles.velocity) v.setZero();
        crowded_out += held.step(0.02).crowded_out;
    }
    EXPECT_GT(crowded_out, 0);
    const auto cells =
        sort_particles<D>(held.grid, bricks_of_particles<D>(held.grid, held.particles.position, 0), held.particles);
    for (std::ptrdiff_t s = 0; s < cells.set().count(); ++s)
        for (int i = 0; i < Brick<D>::cells; ++i) EXPECT_LE(cells.count(s, i), 2 * particles_per_cell<D>);

    Jet<D> blocked;
    const auto solid = ball<D>(Vec<D>::Constant(0.3), 0.05);
    (void)blocked.step(0, solid);
    EXPECT_GT(blocked.particles.size(), 0);
    for (const Vec<D>& x : blocked.particles.position) EXPECT_GE(solid(x), 0);

    Jet<D> timed;
    timed.source.start = 0.055, timed.source.end = 0.105;
    for (int s = 0; s < 20; ++s) {
        const auto before = timed.particles.size();
        (void)timed.step(0.01);
        EXPECT_EQ(timed.particles.size() > before, s >= 6 && s <= 10) << s;
    }
}

// A drain takes what is in it, wherever it is, and says how much.
TYPED_TEST(LiquidSourceTest, DrainsTakeWhatIsInThem) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(32);
    auto particles = seed_particles<D>(
        grid, [](const Vec<D>& x) { return x[1] - 0.5; }, 1, true);
    LiquidDrain<D> drain;
    drain.shape = std::make_shared<Box<D>>(Vec<D>::Constant(0.2));
    drain.start = 1;
    const auto before = particles.size();
    const Pose<D> here(Vec<D>::Constant(0.3), {}), there(Vec<D>::Constant(0.4), {});
    EXPECT_EQ(drain_liquid<D>(grid, {here, there, 0.5, 0.1}, drain, particles), 0);
    const double drained = drain_liquid<D>(grid, {here, there, 1.5, 0.1}, drain, particles);
    EXPECT_GT(drained, 0);
    EXPECT_NEAR(drained, static_cast<double>(before - particles.size()) * particle_volume<D>(grid), 1e-15);
    EXPECT_EQ(particles.affine.size(), particles.position.size());
    for (const Vec<D>& x : particles.position) EXPECT_GE(drain.shape->distance(there.to_body(x)), 0);
    // All of it: the box from 0.3 to 0.5, with chance at its sides.
    EXPECT_NEAR(drained, std::pow(0.2, D), 0.1 * std::pow(0.2, D));
}

TYPED_TEST(LiquidSourceTest, SameBitsOnAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    EXPECT_TRUE(same_on_any_threads([&] {
        Jet<D> jet;
        for (int s = 0; s < 20; ++s) (void)jet.step(0.01);
        return jet.particles;
    }));
}

// A layer of liquid runs along x into the side of a box: its depth, the box's width, its speed. Faces with air behind
// them count nothing, faces that solids cover count their open part, and what runs past the box does not come in.
TYPED_TEST(LiquidSourceTest, InflowIsWhatRunsIntoTheDrain) {
    constexpr int D = TypeParam::value;
    const auto grid = unit_grid<D>(20);
    const auto set = make_dense<D>(lattice_for_faces<D>(grid.cells));
    constexpr double speed = 1.5, dt = 0.01;
    FaceField<D, double> velocity(set, 0.0);
    for (std::ptrdiff_t b = 0; b < set->count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) velocity[0].brick(b)[i] = speed;
    const Box<D> box(Vec<D>::Constant(0.4));  // from 0.4 to 0.8 along x, from 0.3 to 0.7 along the others
    const DistanceFunction<D> drain = [&](const Vec<D>& x) {
        return box.distance(Vec<D>(x - Vec<D>::Constant(0.5) - 0.1 * Vec<D>::Unit(0)));
    };
    const FacePassage<D> all = [](const Coord<D>&, int) { return 1.0; },
                         half = [](const Coord<D>&, int) { return 0.5; };
    for (const double depth : {0.53, 0.515, 0.2, 0.9}) {  // the box begins at 0.3
        Field<D, double> phi(set, 1.0);
        for (std::ptrdiff_t b = 0; b < set->count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Vec<D> x = grid.cell_centre(Coord<D>(first_cell<D>(set->brick(b)) + local_coord<D>(i)));
                phi.brick(b)[i] = std::max(x[1] - depth, x[0] - 0.4);
            }
        const double across = D == 2 ? 1 : 0.4;
        const double wanted = std::clamp(depth - 0.3, 0.0, 0.4) * across * speed * dt;
        const double found = inflow<D>(grid, drain, all, phi, velocity, dt);
        EXPECT_NEAR(found, wanted, 0.15 * grid.dx * across * speed * dt) << depth;  // 0.15 cells of depth
        EXPECT_NEAR(inflow<D>(grid, drain, half, phi, velocity, dt), 0.5 * found, 1e-12);
    }
}

}  // namespace
}  // namespace tidelock
