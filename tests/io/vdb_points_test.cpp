#include "io/vdb_points.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "base/files_testing.h"
#include "base/parallel.h"
#include "base/random.h"
#include "io/vdb.h"

namespace tidelock {
namespace {

Grid<3> sample_grid() { return {Coord3(20, 12, 10), 0.25, Vec3(1, -2, 0.5)}; }

struct Particles {
    std::vector<Vec3> position, velocity;
};

/// Several a voxel, anywhere in the domain and a little outside; the first number of the velocity tells them apart.
Particles sample_particles(std::size_t count) {
    const Grid<3> grid = sample_grid();
    const Random random(11);
    Particles out;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3 x = 1.1 * random.point<3>(i).array() - 0.05;
        out.position.push_back(grid.to_world(x.cwiseProduct(grid.cells.cast<double>())));
        out.velocity.emplace_back(static_cast<double>(i), std::sin(static_cast<double>(i)), 0.5);
    }
    return out;
}

VdbPoints round_trip(const Folder& folder, const Particles& particles, VdbPointPrecision precision) {
    VdbWriter writer;
    writer.add_points<3>("particles", sample_grid(), particles.position, particles.velocity, precision);
    writer.write(folder / "000003.vdb", 3, 0.125);
    const auto grids = read_vdb_points(folder / "000003.vdb");
    EXPECT_EQ(grids.size(), 1u);
    return grids.at(0);
}

/// Largest error of position [voxels] and of the second velocity; every particle must be there once.
std::pair<double, double> errors(const Particles& wanted, const VdbPoints& found) {
    EXPECT_EQ(found.position.size(), wanted.position.size());
    EXPECT_EQ(found.velocity.size(), wanted.velocity.size());
    std::vector<int> seen(wanted.position.size(), 0);
    double place = 0, speed = 0;
    for (std::size_t k = 0; k < found.position.size(); ++k) {
        const auto i = static_cast<std::size_t>(std::lround(found.velocity[k][0]));
        ++seen.at(i);
        place = std::max(place, (found.position[k] - wanted.position[i]).cwiseAbs().maxCoeff() / found.voxel_size);
        speed = std::max(speed, std::abs(found.velocity[k][1] - wanted.velocity[i][1]));
    }
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
    return {place, speed};
}

TEST(VdbPoints, FullPrecisionComesBackAsFloat) {
    const Folder folder;
    const Particles particles = sample_particles(2000);
    const VdbPoints found = round_trip(folder, particles, VdbPointPrecision::full);
    EXPECT_EQ(found.name, "particles");
    EXPECT_DOUBLE_EQ(found.voxel_size, 0.25);
    const auto [place, speed] = errors(particles, found);
    EXPECT_LT(place, 1e-7);    // a float up to 1/2 has steps of 3e-8
    EXPECT_LT(speed, 6.1e-8);  // a float up to 1 rounds to 3e-8
}

TEST(VdbPoints, CompactPrecisionIsWhatItSays) {
    const Folder folder;
    const Particles particles = sample_particles(2000);  // 16-bit floats count exactly up to 2048
    const auto [place, speed] = errors(particles, round_trip(folder, particles, VdbPointPrecision::compact));
    EXPECT_LT(place, 1.6e-5);  // a step of 1/65535: OpenVDB rounds down
    EXPECT_GT(place, 1e-6);
    EXPECT_LT(speed, 5e-4);  // half a step of 2^-10 at 1
}

TEST(VdbPoints, NoParticlesAndNoVelocities) {
    const Folder folder;
    const VdbPoints none = round_trip(folder, {}, VdbPointPrecision::full);
    EXPECT_TRUE(none.position.empty() && none.velocity.empty());
    Particles still = sample_particles(10);
    still.velocity.clear();
    const VdbPoints found = round_trip(folder, still, VdbPointPrecision::full);
    EXPECT_EQ(found.position.size(), 10u);
    EXPECT_TRUE(found.velocity.empty());
}

TEST(VdbPoints, PlaneLiesInTheSlab) {
    const Folder folder;
    const Grid<2> grid{Coord2(8, 8), 0.5, Vec2(-1, 2)};
    const std::vector<Vec2> x{Vec2(0.3, 2.7)}, v{Vec2(4, 5)};
    VdbWriter writer;
    writer.add_points<2>("particles", grid, x, v);
    writer.write(folder / "a.vdb", 0, 0);
    const VdbPoints found = read_vdb_points(folder / "a.vdb").at(0);
    EXPECT_LT((found.position.at(0) - Vec3(0.3, 2.7, 0)).norm(), 1e-7);
    EXPECT_EQ(found.velocity.at(0), Vec3(4, 5, 0));
}

TEST(VdbPoints, FieldsAndParticlesShareAFile) {
    const Folder folder;
    const Grid<3> grid = sample_grid();
    const Field<3, double> density(make_dense<3>(lattice_for<3>(grid.cells)), 2.0);
    const Particles particles = sample_particles(100);
    VdbWriter writer;
    writer.add("density", grid, density);
    writer.add_points<3>("particles", grid, particles.position, particles.velocity);
    EXPECT_THROW(writer.add_points<3>("density", grid, particles.position, particles.velocity), InputError);
    writer.write(folder / "a.vdb", 7, 0.5);
    const VdbFile fields = read_vdb(folder / "a.vdb");
    EXPECT_EQ(fields.grids.size(), 1u);
    EXPECT_EQ(fields.frame, 7);
    EXPECT_EQ(fields.find("density")->at(Coord3(3, 3, 3)), 2.0f);
    EXPECT_EQ(read_vdb_points(folder / "a.vdb").size(), 1u);
}

TEST(VdbPoints, SameOrderOnAnyThreads) {
    const Folder folder;
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return round_trip(folder, sample_particles(20000), VdbPointPrecision::full);
    };
    const VdbPoints one = run(1), two = run(2);
    EXPECT_EQ(one.position, two.position);
    EXPECT_EQ(one.velocity, two.velocity);
}

TEST(VdbPoints, RefusesWhatCannotBeStored) {
    VdbWriter writer;
    const std::vector<Vec3> x{Vec3(0, 0, 0), Vec3(0, std::nan(""), 0)}, v{Vec3::Zero()};
    expect_contains(error_of([&] { writer.add_points<3>("p", sample_grid(), x, {}); }), "position of particle 1");
    expect_contains(error_of([&] { writer.add_points<3>("p", sample_grid(), x, v); }), "1 velocities for 2");
    const std::vector<Vec3> fast{Vec3(1e5, 0, 0)}, at{Vec3::Zero()};
    expect_contains(error_of([&] { writer.add_points<3>("p", sample_grid(), at, fast, VdbPointPrecision::compact); }),
                    "velocity of particle 0");
}

TEST(VdbPoints, DamagedFilesAreNamed) {
    const Folder folder;
    expect_contains(error_of<FileError>([&] { static_cast<void>(read_vdb_points(folder / "none.vdb")); }), "none.vdb");
    std::ofstream(folder / "text.vdb") << "not a volume";
    expect_contains(error_of<FileError>([&] { static_cast<void>(read_vdb_points(folder / "text.vdb")); }),
                    "not a readable VDB");
}

}  // namespace
}  // namespace tidelock
