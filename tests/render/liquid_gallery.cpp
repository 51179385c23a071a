/// liquid_gallery FOLDER [NAME]: made-up liquids through geometry/ and render/, to be looked at by a person.
#include <cmath>
#include <functional>
#include <string>

#include "base/parallel.h"
#include "geometry/level_set_surface.h"
#include "geometry/mesh_distance.h"
#include "geometry/mesh_io.h"
#include "geometry/ply.h"
#include "geometry/shape.h"
#include "render/gallery.h"
#include "render/picture.h"
#include "render/picture2d.h"

using namespace tidelock;

namespace {

template <int D>
Field<D, double> fill(const Grid<D>& grid, const std::function<double(const Vec<D>&)>& distance) {
    Field<D, double> phi(make_dense<D>(lattice_for<D>(grid.cells)), 3 * grid.dx);
    parallel_for("fill", phi.set().count(), [&](std::ptrdiff_t slot) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            phi.brick(slot)[i] = distance(grid.cell_centre(first_cell<D>(phi.set().brick(slot)) + local_coord<D>(i)));
    });
    return phi;
}

double smooth_min(double a, double b, double k) {
    const double h = std::clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
    return b + h * (a - b) - k * h * (1 - h);
}

/// Height of the water above the mean: waves of several lengths and a ring around a splash.
double waves(double x, double z, const Vec2& splash, double still) {
    double h = 0.010 * std::sin(9 * x + 5 * z) + 0.008 * std::sin(-7 * x + 13 * z + 1) +
               0.004 * std::sin(23 * x + 17 * z) + 0.003 * std::sin(31 * z - 12 * x + 2);
    const double r = std::hypot(x - splash[0], z - splash[1]);
    h += 0.05 * std::cos(34 * r) * std::exp(-5 * r);
    return still + h;
}

/// A pool with waves, three bubbles, a crown and drops above it, in a box of 1 x 0.8 x 1 m.
Field<3, double> pool(const Grid<3>& grid) {
    const Vec2 splash(0.68, 0.62);
    const struct {
        Vec3 at;
        double radius;
    } bubbles[] = {{{0.42, 0.22, 0.86}, 0.055}, {{0.55, 0.13, 0.90}, 0.035}, {{0.50, 0.31, 0.92}, 0.022}},
      drops[] = {{{0.68, 0.60, 0.62}, 0.055},
                 {{0.70, 0.69, 0.61}, 0.030},
                 {{0.58, 0.62, 0.70}, 0.022},
                 {{0.80, 0.56, 0.66}, 0.018},
                 {{0.62, 0.545, 0.55}, 0.026}};
    return fill<3>(grid, [&](const Vec3& x) {
        double phi = 0.9 * (x[1] - waves(x[0], x[2], splash, 0.40));
        const double r = std::hypot(x[0] - splash[0], x[2] - splash[1]);
        const double crown =
            std::hypot(r - 0.12 - 0.25 * (x[1] - 0.40), std::max(0.0, std::abs(x[1] - 0.42) - 0.05)) - 0.016;
        phi = smooth_min(phi, crown, 0.03);
        for (const auto& drop : drops) phi = smooth_min(phi, (x - drop.at).norm() - drop.radius, 0.02);
        for (const auto& bubble : bubbles) phi = std::max(phi, bubble.radius - (x - bubble.at).norm());
        return phi;
    });
}

SolidLook ball(const Vec3& at, double radius, const Rgb& colour) {
    SolidLook look;
    look.mesh = std::make_shared<TriangleMesh>(Sphere<3>(radius).surface_mesh(96));
    look.pose = Eigen::Isometry3d(Eigen::Translation3d(at));
    look.colour = colour;
    return look;
}

Picture3d pool_picture(int n) {
    const Grid<3> grid{Coord3(n, 8 * n / 10, n), 1.0 / n, Vec3::Zero()};
    Picture3d picture;
    picture.domain = {grid.origin, grid.upper()};
    picture.look = liquid_look(picture.domain.size());
    picture.liquid.emplace();
    picture.liquid->mesh = std::make_shared<TriangleMesh>(level_set_surface(grid, pool(grid)));
    picture.solids.push_back(ball(Vec3(0.27, 0.42, 0.55), 0.11, from_hex(0xe8642c)));
    picture.solids.push_back(ball(Vec3(0.72, 0.14, 0.74), 0.10, from_hex(0xf0b429)));
    picture.width = picture.height = 640;
    picture.caption = std::string("pool");
    std::printf("%zu triangles of liquid\n", picture.liquid->mesh->triangles.size());
    return picture;
}

/// The bunny floats; the liquid is carved where it is, as a simulation does.
Picture3d bunny_picture(int n, const std::string& assets) {
    const Grid<3> grid{Coord3(n, 8 * n / 10, n), 1.0 / n, Vec3::Zero()};
    TriangleMesh mesh = read_mesh(assets + "/meshes/bunny.ply");
    const Bounds<3> box = bounds(mesh);
    const double size = 0.42 / box.size()[1];
    const Mat3 tilt = Eigen::AngleAxisd(0.25, Vec3(0.3, 0.2, 1).normalized()).toRotationMatrix();
    const Vec3 to(0.45, 0.46, 0.52);
    transform(mesh, size * tilt, to - size * tilt * box.centre());
    const MeshDistance solid(mesh, {0.01});
    Field<3, double> phi = pool(grid);
    parallel_for("carve", phi.set().count(), [&](std::ptrdiff_t slot) {
        for (int i = 0; i < Brick<3>::cells; ++i) {
            const Vec3 x = grid.cell_centre(first_cell<3>(phi.set().brick(slot)) + local_coord<3>(i));
            if (bounds(mesh).contains(x)) phi.brick(slot)[i] = std::max(phi.brick(slot)[i], -solid.distance(x));
        }
    });
    Picture3d picture = pool_picture(n);
    picture.solids.clear();
    picture.liquid->mesh = std::make_shared<TriangleMesh>(level_set_surface(grid, phi));
    SolidLook look;
    look.mesh = std::make_shared<TriangleMesh>(std::move(mesh));
    look.colour = from_hex(0xd9cbb8);
    picture.solids.push_back(look);
    picture.caption = std::string("a bunny floats");
    return picture;
}

Image plane_picture(const std::filesystem::path& folder) {
    const Grid<2> grid{Coord2(160, 100), 0.01, Vec2::Zero()};
    const auto phi = fill<2>(grid, [](const Vec2& x) {
        double d = x[1] - 0.5 - 0.04 * std::sin(9 * x[0]) - 0.02 * std::sin(21 * x[0]);
        d = smooth_min(d, (x - Vec2(1.1, 0.75)).norm() - 0.06, 0.05);
        d = std::max(d, 0.07 - (x - Vec2(0.5, 0.25)).norm());
        return std::max(d, 0.03 - (x - Vec2(0.8, 0.35)).norm());
    });
    Picture2d picture;
    picture.grid = grid;
    picture.liquid = level_set_surface(grid, phi);
    for (int i = 0; i < 160; i += 2)
        for (int j = 0; j < 100; j += 2)
            if (phi.at({i, j}) < -0.01 && i > 100) picture.particles.push_back(grid.cell_centre({i, j}));
    BodyLook2d body;
    body.outline = Box<2>(Vec2(0.22, 0.14)).surface_mesh(8);
    body.pose = Eigen::Translation2d(0.25, 0.53) * Eigen::Rotation2Dd(0.2);
    picture.bodies.push_back(body);
    picture.caption = std::string("plane   t = 0.40 s");
    write_ply(folder / "plane.ply", *picture.liquid);
    return render(picture);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: liquid_gallery FOLDER [NAME [CELLS]]\n");
        return 2;
    }
    const Gallery gallery(argv[1], argc > 2 ? argv[2] : "");
    const int cells = argc > 3 ? std::atoi(argv[3]) : 160;
    const auto show = [&](const std::string& name, const Picture3d& picture) {
        gallery.show(name, [&] { return render(picture); });
        write_ply(gallery.folder() / (name + ".ply"), *picture.liquid->mesh,
                  std::vector<Vec3>(picture.liquid->mesh->points.size(), Vec3(0, 1, 0)));
    };
    if (gallery.wants("pool")) show("pool", pool_picture(cells));
    if (gallery.wants("bunny")) show("bunny", bunny_picture(cells, TIDELOCK_ASSET_DIR));
    gallery.show("plane", [&] { return plane_picture(gallery.folder()); });
    return 0;
}
