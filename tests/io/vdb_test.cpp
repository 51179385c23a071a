#include "io/vdb.h"

#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>

#include "base/files_testing.h"

namespace tidelock {
namespace {

/// An oblong domain away from the origin whose cells end inside bricks, half of the bricks active.
Grid<3> volume_grid() { return {Coord3(20, 12, 10), 0.25, Vec3(1, -2, 0.5)}; }

BrickSetPtr<3> sample_bricks() {
    return make_where<3>(lattice_for_faces<3>(volume_grid().cells), [](const Coord3& b) { return (b.sum() & 1) == 0; });
}

double linear(const Vec3& x) { return 1 + x[0] + 10 * x[1] + 100 * x[2]; }

template <class T>
Field<3, T> linear_field() {
    Field<3, T> field(sample_bricks());
    for (std::ptrdiff_t slot = 0; slot < field.set().count(); ++slot) {
        for (int i = 0; i < Brick<3>::cells; ++i) {
            const Coord3 cell = first_cell<3>(field.set().brick(slot)) + local_coord<3>(i);
            field.brick(slot)[i] = static_cast<T>(linear(volume_grid().cell_centre(cell)));
        }
    }
    return field;
}

/// Component a is linear in the position of its face, times a + 1.
FaceField<3, double> linear_faces() {
    FaceField<3, double> field(sample_bricks());
    for (int a = 0; a < 3; ++a) {
        for (std::ptrdiff_t slot = 0; slot < field.set().count(); ++slot) {
            for (int i = 0; i < Brick<3>::cells; ++i) {
                const Coord3 cell = first_cell<3>(field.set().brick(slot)) + local_coord<3>(i);
                field[a].brick(slot)[i] = (a + 1) * linear(volume_grid().position(cell, Centring<3>::face(a)));
            }
        }
    }
    return field;
}

VdbFile round_trip(const Folder& folder, const VdbWriter& writer, VdbCompression compression = VdbCompression::blosc) {
    writer.write(folder / "000003.vdb", 3, 0.125, compression);
    return read_vdb(folder / "000003.vdb");
}

template <class F>
void for_each_cell(const Coord3& low, const Coord3& high, F&& f) {
    for (int z = low[2]; z < high[2]; ++z)
        for (int y = low[1]; y < high[1]; ++y)
            for (int x = low[0]; x < high[0]; ++x) f(Coord3(x, y, z));
}

TEST(Vdb, ScalarsComeBackAtTheirPlaces) {
    const Folder folder;
    const auto field = linear_field<double>();
    for (const auto compression : {VdbCompression::none, VdbCompression::zip, VdbCompression::blosc}) {
        VdbWriter writer;
        writer.add("density", volume_grid(), field, {.unit = "kg/m^3"});
        writer.add("temperature", volume_grid(), linear_field<float>(), {.background = 293, .unit = "K"});
        const VdbFile file = round_trip(folder, writer, compression);
        EXPECT_EQ(file.creator, "tidelock");
        EXPECT_EQ(file.frame, 3);
        EXPECT_EQ(file.time, 0.125);
        ASSERT_EQ(file.grids.size(), 2u);
        EXPECT_EQ(file.find("pressure"), nullptr);
        const VdbGrid& density = *file.find("density");
        EXPECT_EQ(density.grid_class, VdbClass::fog_volume);
        EXPECT_EQ(density.unit, "kg/m^3");
        EXPECT_EQ(density.components, 1);
        EXPECT_EQ(density.voxel_size, 0.25);
        EXPECT_EQ(density.origin, Vec3(1, -2, 0.5));
        EXPECT_EQ(file.find("temperature")->background, 293);
        for_each_cell(Coord3(-2, -2, -2), Coord3(26, 18, 18), [&](const Coord3& cell) {
            const bool active = volume_grid().contains(cell) && field.active(cell);
            EXPECT_EQ(density.is_active(cell), active) << cell.transpose();
            EXPECT_EQ(density.at(cell), active ? static_cast<float>(linear(density.centre(cell))) : 0.0f);
        });
    }
    EXPECT_EQ(folder.entries(), 1);
}

TEST(Vdb, StaggeredVelocityHoldsTheLowerFaces) {
    const Folder folder;
    const auto field = linear_faces();
    VdbWriter writer;
    writer.add("velocity", volume_grid(), field);
    const VdbFile file = round_trip(folder, writer);
    const VdbGrid& velocity = *file.find("velocity");
    EXPECT_EQ(velocity.grid_class, VdbClass::staggered);
    EXPECT_EQ(velocity.components, 3);
    const Coord3 cells = volume_grid().cells;
    for_each_cell(Coord3(0, 0, 0), cells + Coord3(2, 2, 2), [&](const Coord3& cell) {
        // The upper walls' faces are in voxels one beyond the last cell, along one axis, which are not active.
        const auto beyond = (cell.array() >= cells.array()).count();
        const bool wall = beyond == 1 && (cell.array() <= cells.array()).all();
        EXPECT_EQ(velocity.is_active(cell), beyond == 0 && field[0].active(cell));
        if ((beyond > 0 && !wall) || !field[0].active(cell)) return;
        for (int a = 0; a < 3; ++a) {
            Vec3 face = velocity.centre(cell);
            face[a] -= 0.5 * velocity.voxel_size;
            const bool there = beyond == 0 || cell[a] == cells[a];
            EXPECT_EQ(velocity.at(cell, a), there ? static_cast<float>((a + 1) * linear(face)) : 0.0f);
        }
    });
}

// Whatever bricks a fluid has beyond its domain: at closed sides the active box of its velocity is the domain's.
TEST(Vdb, VelocityEndsWithTheDomain) {
    const Folder folder;
    const Grid<3> grid{Coord3(32, 16, 8), 0.25,
                       Vec3::Zero()};  // whole bricks: the walls' faces have bricks of their own
    FaceField<3, double> field(make_dense<3>(lattice_for_faces<3>(grid.cells)));
    for_each_cell(Coord3::Zero(), grid.cells, [&](const Coord3& cell) {
        for (int a = 0; a < 3; ++a) field[a].ref(cell) = cell[a] > 0 ? 1 : 0;
    });
    VdbWriter closed;
    closed.add("velocity", grid, field);
    EXPECT_EQ(round_trip(folder, closed).find("velocity")->low, Coord3(0, 0, 0));
    EXPECT_EQ(round_trip(folder, closed).find("velocity")->size, grid.cells);
    field[1].ref(Coord3(3, 16, 4)) = 2;  // an open ceiling
    VdbWriter open;
    open.add("velocity", grid, field);
    EXPECT_EQ(round_trip(folder, open).find("velocity")->size, Coord3(32, 17, 8));  // kept, though not active
    EXPECT_EQ(round_trip(folder, open).find("velocity")->at(Coord3(3, 16, 4), 1), 2);
}

TEST(Vdb, PlaneFieldsAreSlabsOneVoxelThick) {
    const Folder folder;
    const Grid<2> grid{Coord2(40, 36), 0.5, Vec2(-3, 7)};
    Field<2, double> field(make_dense<2>(lattice_for_faces<2>(grid.cells)));
    FaceField<2, double> faces(field.set_ptr());
    for (int y = 0; y < 36; ++y) {
        for (int x = 0; x < 40; ++x) {
            field.ref(Coord2(x, y)) = 1 + x + 100 * y;
            faces[0].ref(Coord2(x, y)) = 2 + x;
            faces[1].ref(Coord2(x, y)) = 3 + y;
        }
    }
    VdbWriter writer;
    writer.add("density", grid, field);
    writer.add("velocity", grid, faces);
    const VdbFile file = round_trip(folder, writer);
    const VdbGrid& density = *file.find("density");
    EXPECT_EQ(density.low, Coord3(0, 0, 0));
    EXPECT_EQ(density.size, Coord3(40, 36, 1));
    EXPECT_EQ(density.centre(Coord3(0, 0, 0)), Vec3(-2.75, 7.25, 0));
    EXPECT_EQ(density.at(Coord3(39, 35, 0)), 1 + 39 + 3500);
    const VdbGrid& velocity = *file.find("velocity");
    EXPECT_EQ(velocity.size, Coord3(40, 36, 1));  // nothing flows through the upper walls
    EXPECT_EQ(velocity.at(Coord3(5, 6, 0), 0), 7);
    EXPECT_EQ(velocity.at(Coord3(5, 6, 0), 1), 9);
    EXPECT_EQ(velocity.at(Coord3(5, 6, 0), 2), 0);
}

TEST(Vdb, LevelSetKeepsABandAndTheSignDeepInside) {
    const Folder folder;
    const Grid<3> grid{Coord3(64, 64, 64), 1.0 / 64, Vec3::Zero()};
    const auto distance = [&](const Coord3& cell) {
        return (grid.cell_centre(cell) - Vec3(0.5, 0.5, 0.5)).norm() - 0.4;
    };
    // Bricks near the surface only, as a simulation would hold them.
    const auto set = make_where<3>(lattice_for<3>(grid.cells), [&](const Coord3& brick) {
        const double d = (grid.brick_centre(brick) - Vec3(0.5, 0.5, 0.5)).norm() - 0.4;
        return std::abs(d) < grid.brick_half_diagonal() + 4 * grid.dx;
    });
    Field<3, double> field(set);
    for (std::ptrdiff_t slot = 0; slot < set->count(); ++slot) {
        for (int i = 0; i < Brick<3>::cells; ++i) {
            field.brick(slot)[i] = distance(first_cell<3>(set->brick(slot)) + local_coord<3>(i));
        }
    }
    ASSERT_FALSE(field.active(Coord3(32, 32, 32)));
    VdbWriter writer;
    const double band = 3 * grid.dx;
    writer.add("solid", grid, field, {.grid_class = VdbClass::level_set, .background = band, .unit = "m"});
    const VdbFile file = round_trip(folder, writer);
    const VdbGrid& solid = *file.find("solid");
    EXPECT_EQ(solid.grid_class, VdbClass::level_set);
    for_each_cell(Coord3(0, 0, 0), grid.cells, [&](const Coord3& cell) {
        const double exact = distance(cell);
        EXPECT_EQ(solid.is_active(cell), std::abs(exact) < band);
        EXPECT_NEAR(solid.at(cell), std::clamp(exact, -band, band), 1e-7);  // float, values below 0.05
    });
}

// Liquid in a cup: beyond the wall there is air, without a surface between them. A flood of signs filled it with water.
TEST(Vdb, LevelSetThatEndsAtAWallStaysOnItsSide) {
    const Folder folder;
    const Grid<3> grid{Coord3(32, 32, 16), 1.0 / 32, Vec3::Zero()};
    const double band = 3 * grid.dx;
    const auto level = [&](const Coord3& cell) {
        return cell[0] < 13 ? std::clamp((cell[1] - 20.3) * grid.dx, -band, band) : band;
    };
    Field<3, double> field(make_dense<3>(lattice_for<3>(grid.cells)));
    for (std::ptrdiff_t slot = 0; slot < field.set().count(); ++slot)
        for (int i = 0; i < Brick<3>::cells; ++i)
            field.brick(slot)[i] = level(first_cell<3>(field.set().brick(slot)) + local_coord<3>(i));
    VdbWriter writer;
    writer.add("surface", grid, field,
               {.grid_class = VdbClass::level_set, .background = band, .closed = false, .unit = "m"});
    const VdbFile file = round_trip(folder, writer);
    const VdbGrid& surface = *file.find("surface");
    for_each_cell(Coord3(0, 0, 0), grid.cells, [&](const Coord3& cell) {
        EXPECT_EQ(surface.is_active(cell), std::abs(level(cell)) < band);
        EXPECT_NEAR(surface.at(cell), level(cell), 1e-7);  // float, values below 0.1
    });
}

TEST(Vdb, SmallValuesAreInactiveAndHalfHasThreeDigits) {
    const Folder folder;
    Field<3, double> field(sample_bricks());
    field.ref(Coord3(1, 2, 3)) = 1.2345678;
    field.ref(Coord3(2, 2, 3)) = 1e-5;
    VdbWriter writer;
    writer.add("density", volume_grid(), field, {.threshold = 1e-4, .half = true});
    const VdbFile file = round_trip(folder, writer);
    const VdbGrid& density = file.grids[0];
    EXPECT_EQ(density.size, Coord3(1, 1, 1));
    EXPECT_EQ(density.low, Coord3(1, 2, 3));
    EXPECT_NEAR(density.at(Coord3(1, 2, 3)), 1.2345678, 1.2345678 / 2048);  // 11 significant bits
    EXPECT_NE(density.at(Coord3(1, 2, 3)), 1.2345678f);
    EXPECT_EQ(density.at(Coord3(2, 2, 3)), 0);
}

TEST(Vdb, UniformFieldsAndEmptyFieldsAreSmallAndCorrect) {
    const Folder folder;
    Field<3, double> none(std::make_shared<BrickSet<3>>(lattice_for<3>(Coord3(64, 64, 64)), std::vector<Coord3>{}));
    Field<3, double> same(make_dense<3>(lattice_for<3>(Coord3(64, 64, 64))), 7.0);
    VdbWriter writer;
    const Grid<3> grid{Coord3(64, 64, 64), 1, Vec3::Zero()};
    writer.add("none", grid, none);
    writer.add("same", grid, same);
    const VdbFile file = round_trip(folder, writer);
    EXPECT_EQ(file.find("none")->size, Coord3(0, 0, 0));
    EXPECT_EQ(file.find("none")->at(Coord3(1, 1, 1)), 0);
    EXPECT_EQ(file.find("same")->size, Coord3(64, 64, 64));
    EXPECT_EQ(file.find("same")->at(Coord3(63, 0, 31)), 7);
    EXPECT_LT(std::filesystem::file_size(folder / "000003.vdb"), 20000u);  // 262144 equal values
}

TEST(Vdb, WrongInputIsNamed) {
    const auto good = linear_field<double>();
    auto bad = linear_field<double>();
    VdbWriter writer;
    writer.add("density", volume_grid(), good);
    expect_contains(error_of([&] { writer.add("density", volume_grid(), good); }), "two grids");
    expect_contains(error_of([&] { writer.add("", volume_grid(), good); }), "no name");
    expect_contains(error_of([&] { writer.add("a", volume_grid(), good, {.background = HUGE_VAL}); }), "background");
    expect_contains(error_of([&] { writer.add("a", volume_grid(), good, {.grid_class = VdbClass::level_set}); }),
                    "band");
    bad.ref(Coord3(1, 1, 1)) = std::nan("");
    expect_contains(error_of([&] { writer.add("a", volume_grid(), bad); }), "nan near (1.375, -1.625, 0.875)");
    bad.ref(Coord3(1, 1, 1)) = 7e4;
    expect_contains(error_of([&] { writer.add("a", volume_grid(), bad, {.half = true}); }), "up to 65504");
    bad = linear_field<double>();
    bad.ref(Coord3(20, 1, 1)) = std::nan("");  // beyond the domain: not part of the file
    writer.add("a", volume_grid(), bad);
}

TEST(Vdb, FailedWritesLeaveNothing) {
    const Folder folder;
    VdbWriter writer;
    writer.add("density", volume_grid(), linear_field<double>());
    expect_contains(error_of<FileError>([&] { writer.write(folder / "no/a.vdb", 0, 0); }), "No such file");
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    auto* const handler = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = error_of<FileError>([&] { writer.write(folder / "a.vdb", 0, 0); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    ::signal(SIGXFSZ, handler);
    expect_contains(message, "a.vdb: cannot be written: writing: File too large");
    EXPECT_EQ(folder.entries(), 0);
}

TEST(Vdb, UnreadableFilesAreNamed) {
    const Folder folder;
    const auto message = [&](const std::string& name, std::size_t limit = 1 << 20) {
        return error_of<FileError>([&] { static_cast<void>(read_vdb(folder / name, limit)); });
    };
    expect_contains(message("gone.vdb"), "No such file");
    std::ofstream(folder / "text.vdb") << "not a volume";
    expect_contains(message("text.vdb"), "text.vdb: is not a readable VDB file");
    VdbWriter writer;
    writer.add("density", volume_grid(), linear_field<double>());
    writer.write(folder / "a.vdb", 0, 0);
    expect_contains(message("a.vdb", 100), "more than the 100");
}

TEST(Vdb, ATruncatedFileIsNamed) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    GTEST_SKIP() << "OpenVDB takes a length from the missing bytes and asks for more memory than the thread "
                    "sanitizer's allocator knows how to refuse: it ends the program where others throw std::bad_alloc";
#endif
#endif
    const Folder folder;
    VdbWriter writer;
    writer.add("density", volume_grid(), linear_field<double>());
    writer.write(folder / "a.vdb", 0, 0);
    const std::string bytes = read_file(folder / "a.vdb");
    std::ofstream(folder / "half.vdb", std::ios::binary) << bytes.substr(0, bytes.size() / 2);
    expect_contains(error_of<FileError>([&] { static_cast<void>(read_vdb(folder / "half.vdb", 1 << 20)); }),
                    "half.vdb: is not a readable VDB file");
}

}  // namespace
}  // namespace tidelock
