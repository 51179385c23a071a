#include "render/smoke_volume.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"

namespace tidelock {
namespace {

using Vec3f = Eigen::Vector3f;

std::vector<float> linear_values(const Coord3& cells) {
    std::vector<float> values;
    for (int k = 0; k < cells[2]; ++k)
        for (int j = 0; j < cells[1]; ++j)
            for (int i = 0; i < cells[0]; ++i) values.push_back(static_cast<float>(1 + 2 * i + 3 * j + 5 * k));
    return values;
}

TEST(SmokeVolume, IsLinearBetweenSamplesAndConstantBeyond) {
    const Coord3 cells(19, 9, 8);
    const SmokeVolume volume(cells, Vec3::Zero(), 0.5, linear_values(cells));
    const Random random(3);
    for (std::uint64_t n = 0; n < 500; ++n) {
        Vec3f s;
        for (int a = 0; a < 3; ++a)
            s[a] = static_cast<float>(random.uniform(n, static_cast<std::uint32_t>(a), -0.5, cells[a] - 0.5));
        const Vec3f inside = s.cwiseMax(0).cwiseMin((cells.array() - 1).matrix().cast<float>());
        // Values reach 100: a few float roundings.
        EXPECT_NEAR(volume.sample(s), 1 + 2 * inside[0] + 3 * inside[1] + 5 * inside[2], 1e-4f);
    }
}

TEST(SmokeVolume, RefiningKeepsLinearFieldsAndMass) {
    const Coord3 cells(10, 12, 9);
    const SmokeVolume volume(cells, Vec3(1, 2, 3), 0.5, linear_values(cells));
    const SmokeVolume fine = volume.refined();
    EXPECT_EQ(fine.cells(), 2 * cells);
    EXPECT_EQ(fine.voxel(), 0.25);
    EXPECT_EQ(fine.origin(), volume.origin());
    double coarse_sum = 0, fine_sum = 0;
    for (int k = 0; k < 18; ++k)
        for (int j = 0; j < 24; ++j)
            for (int i = 0; i < 20; ++i) {
                const Vec3f here(static_cast<float>(i), static_cast<float>(j), static_cast<float>(k));
                fine_sum += double(fine.sample(here)) / 8;
                EXPECT_NEAR(fine.sample(here), volume.sample(here / 2 - Vec3f::Constant(0.25f)), 1e-4f);
                if (i % 2 + j % 2 + k % 2 == 0) coarse_sum += double(volume.sample(here / 2));
            }
    EXPECT_NEAR(fine_sum / coarse_sum, 1,
                1e-6);  // a field that is symmetric about its middle loses nothing at the rims
}

TEST(SmokeVolume, FadesTowardsTheNamedSidesOnly) {
    const Coord3 cells(20, 10, 9);
    SmokeVolume volume(cells, Vec3(1, 2, 3), 0.5, std::vector<float>(20 * 10 * 9, 2.0f));
    volume.fade({true, false, false, true, false, false}, 2.0);
    const auto ramp = [](double distance) {
        const double s = std::min(1.0, distance / 2.0);
        return s * s * (3 - 2 * s);
    };
    for (int k = 0; k < 9; ++k)
        for (int j = 0; j < 10; ++j)
            for (int i = 0; i < 20; ++i)
                // A few float roundings of a value up to 2.
                EXPECT_NEAR(volume.sample(Coord3(i, j, k).cast<float>()),
                            2 * ramp(0.5 * (i + 0.5)) * ramp(0.5 * (9.5 - j)), 1e-6);
    EXPECT_THROW(volume.fade({}, 0), InputError);
}

TEST(SmokeVolume, StoresOnlyBricksWithSmoke) {
    const Coord3 cells(64, 64, 64);
    std::vector<float> values(64 * 64 * 64, 0.0f);
    const SmokeVolume empty(cells, Vec3::Zero(), 1, values);
    EXPECT_TRUE(empty.empty());
    EXPECT_EQ(empty.occupied().first, empty.occupied().second);
    values[static_cast<std::size_t>((20 * 64 + 36) * 64 + 43)] = 2.0f;
    values[0] = -1.0f;  // an overshoot
    const SmokeVolume one(cells, Vec3::Zero(), 1, values);
    EXPECT_LE(one.bytes(), 2 * 729 * sizeof(float) + 512 * sizeof(int));
    EXPECT_EQ(one.occupied().first, Coord3(40, 32, 16));
    EXPECT_EQ(one.occupied().second, Coord3(48, 40, 24));
    EXPECT_EQ(one.sample(Vec3f(43, 36, 20)), 2.0f);
    EXPECT_EQ(one.sample(Vec3f(43.5f, 36, 20)), 1.0f);
    EXPECT_EQ(one.sample(Vec3f(0, 0, 0)), 0.0f);
}

TEST(SmokeVolume, ReadsFieldsAsArrays) {
    const Grid<3> grid{{21, 13, 10}, 0.25, Vec3(1, 1, 1)};
    const auto values = linear_values(grid.cells);
    Field<3, double> field(make_dense<3>(lattice_for<3>(grid.cells)));
    for (int k = 0; k < 10; ++k)
        for (int j = 0; j < 13; ++j)
            for (int i = 0; i < 21; ++i)
                field.ref({i, j, k}) = double(values[static_cast<std::size_t>((k * 13 + j) * 21 + i)]);
    const SmokeVolume a = SmokeVolume::from_field(field, grid), b(grid.cells, grid.origin, grid.dx, values);
    const Random random(4);
    for (std::uint64_t n = 0; n < 200; ++n) {
        const Vec3 x = random.point<3>(n).cwiseProduct(grid.cells.cast<double>());
        EXPECT_EQ(a.sample(x.cast<float>()), b.sample(x.cast<float>()));
    }
    EXPECT_EQ(a.box().high, grid.upper());
}

TEST(SmokeVolume, RefusesWrongInput) {
    std::vector<float> values(8, 1.0f);
    EXPECT_THROW(SmokeVolume(Coord3(2, 2, 3), Vec3::Zero(), 1, values), InputError);
    EXPECT_THROW(SmokeVolume(Coord3(2, 2, 2), Vec3::Zero(), 0, values), InputError);
    EXPECT_THROW(SmokeVolume(Coord3(0, 2, 2), Vec3::Zero(), 1, values), InputError);
    values[3] = std::nanf("");
    EXPECT_THROW(SmokeVolume(Coord3(2, 2, 2), Vec3::Zero(), 1, values), InputError);
}

}  // namespace
}  // namespace tidelock
