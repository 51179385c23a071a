#include "fluid/crowding.h"

#include <numeric>

#include "fluid/particle_testing.h"

namespace tidelock {
namespace {

template <class T>
class CrowdingTest : public testing::Test {};
TYPED_TEST_SUITE(CrowdingTest, Dimensions);

/// One particle in the middle of each 2^D-th of a cell below a level, `squeezed` along y towards the floor.
template <int D>
Particles<D> even_particles(const Grid<D>& grid, double level, double squeezed) {
    Particles<D> out;
    const Coord<D> n = 2 * grid.cells;
    for (int k = 0; k < n.prod(); ++k) {
        Vec<D> x;
        for (int a = 0, rest = k; a < D; rest /= n[a], ++a) x[a] = 0.5 * grid.dx * (rest % n[a] + 0.5);
        if (x[1] > level) continue;
        x[1] *= squeezed;
        out.add(x);
    }
    return out;
}

template <int D>
struct Tank {
    Grid<D> grid = unit_grid<D>(16);
    BrickSetPtr<D> set = make_dense<D>(lattice_for_faces<D>(grid.cells));
    double level = 0.5;

    [[nodiscard]] Field<D, double> crowding_of(Particles<D> particles) const {
        Field<D, double> phi(set, 1.0);
        fill_cells<D>(grid, phi, [&](const Vec<D>& x) { return x[1] - level; });
        const auto cells = sort_particles<D>(grid, set, particles);
        return crowding<D>(grid, particles, cells, 1, wet_share<D>(grid, phi));
    }
};

// Particles that fill what is wet evenly crowd no cell: the linear weight of a row of them is what of full halves of cells.
TYPED_TEST(CrowdingTest, EvenParticlesCrowdNothing) {
    constexpr int D = TypeParam::value;
    const Tank<D> tank;
    const auto found = tank.crowding_of(even_particles<D>(tank.grid, tank.level, 1));
    for (const double excess : found.values()) EXPECT_NEAR(excess, 0, 1e-12);
}

// Squeezed to nine tenths of their height they crowd the cells below by a ninth, and leave the surface's empty; what they
// bring in all is what is wet, as before. Sixteen rows of cells: nothing counts beyond the sides that did not before.
TYPED_TEST(CrowdingTest, SqueezedParticlesCrowdByWhatTheyAreTooMany) {
    constexpr int D = TypeParam::value;
    const Tank<D> tank;
    const auto found = tank.crowding_of(even_particles<D>(tank.grid, tank.level, 0.9));
    double inside = 0;
    Coord<D> cell = Coord<D>::Constant(8);
    for (int y = 2; y < 6; ++y) cell[1] = y, inside += found.at(cell) / 4;
    EXPECT_NEAR(inside, 1 / 0.9 - 1, 0.02);  // rows of particles fall into four cells unevenly
    cell[1] = 7;
    EXPECT_LT(found.at(cell), -0.2);
    const auto values = found.values();
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    const double cells = power(16, D - 1);
    EXPECT_NEAR(sum / cells, 0, 0.05)
        << "of a row of cells";  // but for the row at the floor, whose half counts outside
}

}  // namespace
}  // namespace tidelock
