#include "fluid/particle_transfer.h"

#include "fluid/particle_testing.h"
#include "geometry/pose.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

template <class T>
class ParticleTransferTest : public testing::Test {};
TYPED_TEST_SUITE(ParticleTransferTest, Dimensions);

template <int D>
Vec<D> middle() {
    return Vec<D>::Constant(0.5);
}

/// A ball of particles away from the walls, sorted, and the fields around it.
template <int D>
struct Blob {
    Grid<D> grid;
    Particles<D> particles;
    ParticleCells<D> cells;
    FaceField<D, double> u;
    FaceMask<D> known;

    Blob(const Grid<D>& where, const DistanceFunction<D>& shape, bool with_affine)
        : grid(where), particles(seed_particles<D>(where, shape, 7, with_affine)) {
        sort();
    }
    void sort() {
        cells = sort_particles<D>(grid, bricks_of_particles<D>(grid, particles.position, 3), particles);
        u = FaceField<D, double>(cells.set_ptr(), 0.0);
        known = FaceMask<D>(cells.set_ptr());
    }
    void to_grid() { particles_to_grid<D>(grid, particles, cells, nullptr, u, known); }
    /// Calls f(axis, slot, place, face) for the faces that particles reach.
    template <class F>
    void for_each_known(F&& f) const {
        for (int a = 0; a < D; ++a)
            for (std::ptrdiff_t b = 0; b < cells.set().count(); ++b)
                for (int i = 0; i < Brick<D>::cells; ++i)
                    if (known[a].brick(b)[i] != 0)
                        f(a, b, i, Coord<D>(first_cell<D>(cells.set().brick(b)) + local_coord<D>(i)));
    }
};

constexpr ParticleTransfer all_schemes[] = {ParticleTransfer::apic, ParticleTransfer::flip, ParticleTransfer::pic};

// numerics/particles 1. Also at the walls, which the blob touches.
TYPED_TEST(ParticleTransferTest, UniformFlowPassesExactly) {
    constexpr int D = TypeParam::value;
    const Vec<D> speed = Vec<D>::LinSpaced(1.5, -0.25);
    for (const auto scheme : all_schemes) {
        Blob<D> blob(unit_grid<D>(40), ball<D>(Vec<D>::Zero(), 0.4), scheme == ParticleTransfer::apic);
        set_velocity(blob.particles, [&](const Vec<D>&) { return speed; });
        blob.to_grid();
        blob.for_each_known([&](int a, std::ptrdiff_t b, int i, const Coord<D>&) {
            ASSERT_NEAR(blob.u[a].brick(b)[i], speed[a], 1e-14);  // a few roundings of a weighted mean
        });
        const auto before = blob.u.remapped(blob.u.set_ptr());
        grid_to_particles<D>(blob.grid, {.scheme = scheme}, blob.u, &before, nullptr, blob.particles);
        for (const Vec<D>& v : blob.particles.velocity) ASSERT_LT((v - speed).norm(), 1e-13);
    }
}

TYPED_TEST(ParticleTransferTest, LinearFlowPassesExactlyWithAffineRows) {
    constexpr int D = TypeParam::value;
    const Random random(2);
    Mat<D> slope;
    for (int i = 0; i < D * D; ++i) slope(i / D, i % D) = random.uniform(static_cast<std::uint64_t>(i)) - 0.5;
    const auto flow = [&](const Vec<D>& x) { return Vec<D>(slope * x + Vec<D>::Ones()); };
    Blob<D> blob(unit_grid<D>(40), ball<D>(middle<D>(), 0.2), true);
    set_velocity(blob.particles, flow, slope);
    blob.to_grid();
    blob.for_each_known([&](int a, std::ptrdiff_t b, int i, const Coord<D>& face) {
        ASSERT_NEAR(blob.u[a].brick(b)[i], flow(blob.grid.position(face, Centring<D>::face(a)))[a], 1e-13);
    });
    grid_to_particles<D>(blob.grid, {}, blob.u, nullptr, nullptr, blob.particles);
    for (std::size_t p = 0; p < blob.particles.position.size(); ++p) {
        ASSERT_LT((blob.particles.velocity[p] - flow(blob.particles.position[p])).norm(), 1e-13);
        ASSERT_LT((blob.particles.affine[p] - slope).norm(), 1e-11);  // differences over a cell of 1/40
    }
}

/// Momentum and angular momentum of particles of unit mass. An affine particle has a spin of its own: sum over its
/// faces of N (x_f - x_p) x (u_f - u_p), which for linear weights comes from s_b (1 - s_b), the spread of N along b.
template <int D>
std::pair<Vec<D>, Spin<D>> momenta_on_faces(const Blob<D>& blob) {
    // The same sums on the grid: faces weigh what particles give them.
    Vec<D> linear = Vec<D>::Zero();
    Spin<D> angular = Spin<D>::Zero();
    for (std::size_t p = 0; p < blob.particles.position.size(); ++p) {
        const Vec<D> x = blob.grid.to_cells(blob.particles.position[p]);
        for (int a = 0; a < D; ++a) {
            const Vec<D> s = x - Centring<D>::face(a).offset;
            const Coord<D> low = s.array().floor().template cast<int>();
            for (int n = 0; n < (1 << D); ++n) {
                Coord<D> face = low;
                double w = 1;
                for (int b = 0; b < D; ++b) {
                    const double f = s[b] - low[b];
                    face[b] += n >> b & 1;
                    w *= (n >> b & 1) != 0 ? f : 1 - f;
                }
                const Vec<D> u = w * blob.u[a].at(face) * Vec<D>::Unit(a);
                linear += u;
                angular += moment<D>(blob.grid.position(face, Centring<D>::face(a)), u);
            }
        }
    }
    return {linear, angular};
}
template <int D>
std::pair<Vec<D>, Spin<D>> momenta_of_particles(const Blob<D>& blob) {
    Vec<D> linear = Vec<D>::Zero();
    Spin<D> angular = Spin<D>::Zero();
    for (std::size_t p = 0; p < blob.particles.position.size(); ++p) {
        const Vec<D> x = blob.grid.to_cells(blob.particles.position[p]);
        linear += blob.particles.velocity[p];
        angular += moment<D>(blob.particles.position[p], blob.particles.velocity[p]);
        for (int a = 0; a < D; ++a) {
            Vec<D> spread = x - Centring<D>::face(a).offset;
            for (int b = 0; b < D; ++b) {
                const double f = spread[b] - std::floor(spread[b]);
                spread[b] = f * (1 - f) * blob.grid.dx * blob.grid.dx;
            }
            for (int b = 0; b < D; ++b)
                angular += moment<D>(Vec<D>(spread[b] * Vec<D>::Unit(b)),
                                     Vec<D>(blob.particles.affine[p](a, b) * Vec<D>::Unit(a)));
        }
    }
    return {linear, angular};
}

// numerics/particles 1: the transfers of [JSSTS15] keep momentum and angular momentum, of any flow and through both
// ways.
TYPED_TEST(ParticleTransferTest, ApicKeepsMomentumAndAngularMomentum) {
    constexpr int D = TypeParam::value;
    const Random random(4);
    for (const bool rigid : {true, false}) {
        Blob<D> blob(unit_grid<D>(32), ball<D>(middle<D>(), 0.2), true);
        Mat<D> turn = Mat<D>::Zero();
        turn(0, 1) = -2, turn(1, 0) = 2;
        set_velocity(
            blob.particles, [&](const Vec<D>& x) { return Vec<D>(turn * (x - middle<D>())); }, turn);
        if (!rigid)
            for (std::size_t p = 0; p < blob.particles.position.size(); ++p) {
                blob.particles.velocity[p] += random.point<D>(p);
                for (int i = 0; i < D * D; ++i)
                    blob.particles.affine[p](i / D, i % D) += random.uniform(p, static_cast<std::uint32_t>(8 + i));
            }
        const auto start = momenta_of_particles(blob);
        blob.to_grid();
        const auto there = momenta_on_faces(blob);
        grid_to_particles<D>(blob.grid, {}, blob.u, nullptr, nullptr, blob.particles);
        const auto back = momenta_of_particles(blob);
        const auto scale = static_cast<double>(blob.particles.size());
        EXPECT_LT((there.first - start.first).norm(), 1e-12 * scale);
        EXPECT_LT((there.second - start.second).norm(), 1e-12 * scale);
        EXPECT_LT((back.first - start.first).norm(), 1e-12 * scale);
        EXPECT_LT((back.second - start.second).norm(), 1e-12 * scale);
        EXPECT_GT(std::abs(start.second.sum()), 1e-2 * scale) << "there must be something to keep";
    }
}

/// A flow of whirls about five cells wide.
template <int D>
Vec<D> whirls(const Vec<D>& x) {
    Vec<D> u = Vec<D>::Zero();
    u[0] = std::sin(20 * x[0]) * std::cos(20 * x[1]);
    u[1] = -std::cos(20 * x[0]) * std::sin(20 * x[1]);
    return u;
}

/// Gradient of the whirls.
template <int D>
Mat<D> whirl_rows(const Vec<D>& x) {
    const double c = std::cos(20 * x[0]) * std::cos(20 * x[1]), s = std::sin(20 * x[0]) * std::sin(20 * x[1]);
    Mat<D> rows = Mat<D>::Zero();
    rows(0, 0) = 20 * c, rows(0, 1) = -20 * s;
    rows(1, 0) = 20 * s, rows(1, 1) = -20 * c;
    return rows;
}

/// The energy that `rounds` transfers to and fro leave of the whirls among many particles. Spreading a wave of number k
/// along an axis with the weights N multiplies it by their transform n = sinc^2(s), s = k h / 2, and so does reading
/// it. Affine rows i k u add i n' times them, with k n' = 2 sinc(s) (cos(s) - sinc(s)). The whirls vary along two axes.
double energy_left(ParticleTransfer scheme, double h, int rounds) {
    const double s = 20 * h / 2, sinc = std::sin(s) / s;
    const double both = std::pow(sinc, 4), slope = 2 * sinc * (std::cos(s) - sinc) * sinc * sinc;
    const double spread = scheme == ParticleTransfer::apic ? both - 2 * slope : both;
    return std::pow(spread * both, 2 * rounds);
}

// Nothing acts between the transfers: flip with share 1 leaves the particles alone to the last bits; pic smooths them
// with the second power of the cell size, apic with the fourth.
TYPED_TEST(ParticleTransferTest, TransfersLoseTheEnergyThatTheirWeightsDo) {
    constexpr int D = TypeParam::value;
    constexpr int rounds = 5;
    for (const auto scheme : all_schemes) {
        Blob<D> blob(unit_grid<D>(D == 2 ? 64 : 40), ball<D>(middle<D>(), 0.3), scheme == ParticleTransfer::apic);
        set_velocity(blob.particles, whirls<D>);
        for (std::size_t p = 0; p < blob.particles.affine.size(); ++p)
            blob.particles.affine[p] = whirl_rows<D>(blob.particles.position[p]);
        // What goes on beside the surface, where particles are on one side only, is not what this is about.
        const auto inner_energy = [&] {
            double sum = 0;
            for (std::size_t p = 0; p < blob.particles.position.size(); ++p)
                if ((blob.particles.position[p] - middle<D>()).norm() < 0.15)
                    sum += blob.particles.velocity[p].squaredNorm();
            return sum;
        };
        const double start = inner_energy();
        for (int round = 0; round < rounds; ++round) {
            blob.to_grid();
            const auto before = blob.u.remapped(blob.u.set_ptr());
            grid_to_particles<D>(blob.grid, {.scheme = scheme, .flip_share = 1.0}, blob.u, &before, nullptr,
                                 blob.particles);
        }
        const double left = inner_energy() / start;
        const bool flip = scheme == ParticleTransfer::flip;
        // 0.02: jittered particles are not infinitely many.
        EXPECT_NEAR(left, flip ? 1 : energy_left(scheme, blob.grid.dx, rounds), flip ? 1e-12 : 0.02);
    }
}

// numerics/particles 3: resampling a flow keeps its kinetic energy within 1 %.
TYPED_TEST(ParticleTransferTest, ResamplingKeepsKineticEnergy) {
    constexpr int D = TypeParam::value;
    const auto shape = ball<D>(middle<D>(), 0.3);
    Blob<D> blob(unit_grid<D>(D == 2 ? 64 : 48), shape, false);
    const Random random(6);
    // Uneven: a quarter of the particles gone, others doubled beside themselves.
    std::vector<char> gone(blob.particles.position.size());
    for (std::size_t p = 0; p < gone.size(); ++p) gone[p] = blob.particles.position[p][0] < 0.45;
    for (std::size_t p = 0; p < gone.size(); ++p)
        if (gone[p] != 0 && random.uniform(p) < 0.2) gone[p] = 0;
    Particles<D> twins = blob.particles;
    for (std::size_t p = 0; p < gone.size(); ++p)
        twins.position[p] += 0.2 * blob.grid.dx * (random.point<D>(p) - middle<D>());
    remove_particles(blob.particles, gone);
    blob.particles.append(twins);
    blob.particles.append(blob.particles);
    blob.sort();
    set_velocity(blob.particles, whirls<D>);
    const auto grid_energy = [&] {
        blob.to_grid();
        double sum = 0;
        blob.for_each_known([&](int a, std::ptrdiff_t b, int i, const Coord<D>& face) {
            if (shape(blob.grid.position(face, Centring<D>::face(a))) < 0)
                sum += 0.5 * blob.u[a].brick(b)[i] * blob.u[a].brick(b)[i];
        });
        return sum;
    };
    const double before = grid_energy();
    Field<D, double> phi(blob.cells.set_ptr(), 1.0);
    fill_cells<D>(blob.grid, phi, shape);
    const auto report = resample_particles<D>({blob.grid, phi, blob.u}, blob.cells, {}, blob.particles);
    EXPECT_GT(report.removed, blob.particles.size() / 20);
    blob.sort();
    EXPECT_NEAR(grid_energy() / before, 1, 0.01);
}

TYPED_TEST(ParticleTransferTest, SameBitsOnAnyNumberOfThreads) {
    constexpr int D = TypeParam::value;
    const auto run = [&] {
        Blob<D> blob(unit_grid<D>(D == 2 ? 96 : 32), ball<D>(middle<D>(), 0.4), true);
        set_velocity(blob.particles, whirls<D>);
        blob.to_grid();
        grid_to_particles<D>(blob.grid, {}, blob.u, nullptr, nullptr, blob.particles);
        blob.to_grid();
        return std::move(blob.u);
    };
    EXPECT_TRUE(same_on_any_threads(run));
}

}  // namespace
}  // namespace tidelock
