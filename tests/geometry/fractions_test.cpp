#include "geometry/fractions.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "geometry/shape.h"
#include "geometry/testing.h"

namespace tidelock {
namespace {

/// Part of the unit cube [0,1]^D below n.x = d, for n > 0: inclusion-exclusion over the corners,
/// sum over corners v of (-1)^|v| max(0, d - n.v)^D / (D! prod n).
template <int D>
double half_space_part(const Vec<D>& n, double d) {
    double sum = 0;
    for (int corner = 0; corner < 1 << D; ++corner) {
        double rest = d;
        int sign = 1;
        for (int a = 0; a < D; ++a) {
            if (corner >> a & 1) {
                rest -= n[a];
                sign = -sign;
            }
        }
        if (rest > 0) sum += sign * std::pow(rest, D);
    }
    return sum / ((D == 2 ? 2 : 6) * n.prod());
}

/// A random plane through the unit cell, components >= 0.15 so that the closed form itself is good to 1e-13:
/// its terms are up to 3^3 / (6 * 0.15^3) times the result.
template <int D>
struct Cut {
    Vec<D> n, flipped;  // flipped: n with random signs
    double d;           // flipped . x = d
    double part;
    Cut(const Random& random, std::uint64_t i) {
        d = 0;
        for (int a = 0; a < D; ++a) n[a] = random.uniform(i, static_cast<std::uint32_t>(a), 0.15, 1);
        n.normalize();
        const double positive_d = random.uniform(i, 7, 0, 1) * n.sum();
        part = half_space_part<D>(n, positive_d);
        // x -> 1 - x along the flipped axes keeps the part.
        d = positive_d;
        flipped = n;
        for (int a = 0; a < D; ++a) {
            if (random.uniform(i, 8 + static_cast<std::uint32_t>(a)) < 0.5) {
                flipped[a] = -n[a];
                d -= n[a];
            }
        }
    }
    double operator()(const Vec<D>& x) const { return flipped.dot(x) - d; }
};

}  // namespace

TEST(Fractions, Edge) {
    EXPECT_EQ(edge_fraction(-1, -2), 1);
    EXPECT_EQ(edge_fraction(1, 0), 0);
    EXPECT_EQ(edge_fraction(0, 0), 0);
    EXPECT_DOUBLE_EQ(edge_fraction(-1, 3), 0.25);
    EXPECT_DOUBLE_EQ(edge_fraction(3, -1), 0.25);
    EXPECT_EQ(edge_fraction(-1, 0), 1);
}

TEST(Fractions, CellsAreExactForHalfSpaces) {
    const Random random(22);
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const Cut<2> line(random, i);
        // 1e-12: the closed form's own cancellation.
        ASSERT_NEAR(cell_fraction<2>(line, Vec2::Zero(), 1), line.part, 1e-12);
        const Cut<3> plane(random, i);
        double corners[8];
        for (int c = 0; c < 8; ++c) corners[c] = plane(Vec3(c & 1, c >> 1 & 1, c >> 2));
        for (int start = 0; start < 8; ++start) ASSERT_NEAR(cube_fraction(corners, start), plane.part, 1e-12);
        ASSERT_NEAR(cell_fraction<3>(plane, Vec3::Zero(), 1), plane.part, 1e-12);
    }
}

TEST(Fractions, InsideAndOutsideAddUpToOne) {
    const Random random(23);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        double phi[27], minus[27];
        for (std::uint32_t k = 0; k < 27; ++k) minus[k] = -(phi[k] = random.uniform(i, k, -1, 1));
        // Opposite signs swap the roles exactly: only rounding of the sums is left.
        ASSERT_NEAR(cell_fraction(phi) + cell_fraction(minus), 1, 1e-14);
        ASSERT_NEAR(tetrahedron_fraction(phi[0], phi[1], phi[2], phi[3]) +
                        tetrahedron_fraction(minus[0], minus[1], minus[2], minus[3]),
                    1, 1e-14);
    }
}

TEST(Fractions, AreContinuousAndInRange) {
    const Random random(24);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        double phi[27], moved[27], plane[9], plane_moved[9];
        for (std::uint32_t k = 0; k < 27; ++k) phi[k] = random.uniform(i, k, -1, 1);
        phi[i % 27] = 0;  // a corner just on the surface: the case that changes
        for (std::uint32_t k = 0; k < 27; ++k) moved[k] = phi[k] + 1e-9 * random.uniform(i, 100 + k, -1, 1);
        std::copy(phi, phi + 9, plane);
        std::copy(moved, moved + 9, plane_moved);
        // Slopes are of the order 1 / |phi difference across an edge|; 1e-5 allows neighbours within 1e-4 of each
        // other.
        ASSERT_NEAR(cell_fraction(phi), cell_fraction(moved), 1e-5);
        ASSERT_NEAR(cell_fraction(plane), cell_fraction(plane_moved), 1e-5);
        for (const double part : {cell_fraction(phi), cell_fraction(plane)}) {
            ASSERT_GE(part, 0);
            ASSERT_LE(part, 1);
        }
    }
}

TEST(Fractions, CellsAreMirrorSymmetric) {
    const Random random(25);
    for (std::uint64_t i = 0; i < 500; ++i) {
        double phi[27], mirrored[27];
        for (std::uint32_t k = 0; k < 27; ++k) phi[k] = random.uniform(i, k, -1, 1);
        for (const int axis_stride : {1, 3, 9}) {
            for (int k = 0; k < 27; ++k) mirrored[k] = phi[k + (2 - 2 * (k / axis_stride % 3)) * axis_stride];
            ASSERT_NEAR(cell_fraction(phi), cell_fraction(mirrored), 1e-14);  // the order of the sum changes
        }
    }
}

TEST(Fractions, BallAndDiscVolumesConverge) {
    // Summed over a grid the piecewise linear cut misses the curvature: second order.
    const auto error = [](auto dimension, int n) {
        constexpr int D = decltype(dimension)::value;
        const Sphere<D> ball(0.4);
        const auto phi = [&](const Vec<D>& x) { return ball.distance(x); };
        const double h = 1.0 / n;
        double sum = 0;
        for (int i = 0; i < (D == 2 ? n * n : n * n * n); ++i) {
            Coord<D> cell;
            cell[0] = i % n;
            cell[1] = i / n % n;
            if constexpr (D == 3) cell[2] = i / (n * n);
            sum += cell_fraction<D>(phi, h * cell.template cast<double>() - Vec<D>::Constant(0.5), h) * std::pow(h, D);
        }
        return std::abs(sum - ball.mass_properties().volume);
    };
    const std::integral_constant<int, 2> two;
    const std::integral_constant<int, 3> three;
    // The position of the sphere on the grid adds noise to the order; two halvings smooth it.
    EXPECT_NEAR(0.5 * std::log2(error(three, 8) / error(three, 32)), 2, 0.2);
    EXPECT_NEAR(0.5 * std::log2(error(two, 16) / error(two, 64)), 2, 0.2);
}

}  // namespace tidelock
