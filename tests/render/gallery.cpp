/// render_gallery FOLDER [NAME]: made-up scenes through the whole of render/, to be looked at by a person.
#include <Eigen/Geometry>
#include <cmath>
#include <string>

#include "base/parallel.h"
#include "base/random.h"
#include "geometry/mesh_io.h"
#include "geometry/shape.h"
#include "render/flow_fields.h"
#include "render/gallery.h"
#include "render/picture.h"
#include "render/picture2d.h"

using namespace tidelock;

namespace {

/// Smooth noise in [-1, 1] on a unit lattice.
double noise(const Vec3& x, std::uint64_t seed) {
    const Random random(seed);
    const Vec3 cell = x.array().floor(), f = x - cell;
    double sum = 0;
    for (int n = 0; n < 8; ++n) {
        double w = 1;
        std::uint64_t index = 0;
        for (int a = 0; a < 3; ++a) {
            const double s = f[a] * f[a] * (3 - 2 * f[a]);
            const int bit = (n >> a) & 1;
            w *= bit != 0 ? s : 1 - s;
            index = index * 1024 + static_cast<std::uint64_t>(static_cast<int>(cell[a]) + bit + 512);
        }
        sum += w * (2 * random.uniform(index) - 1);
    }
    return sum;
}

double turbulence(const Vec3& x, std::uint64_t seed, int octaves = 5) {
    double sum = 0, size = 1;
    Vec3 y = x;
    for (int n = 0; n < octaves; ++n, size *= 0.55, y *= 2.03)
        sum += size * noise(y, seed + static_cast<std::uint64_t>(n));
    return sum;
}

/// A plume that rises along y and mushrooms around a ball, in a box of 1 x 2 x 1 m.
SmokeVolume plume(int n, const Vec3& ball, double radius) {
    const Coord3 cells(n, 2 * n, n);
    const double h = 1.0 / n;
    std::vector<float> density(static_cast<std::size_t>(cells.prod()));
    parallel_for("plume", cells[2] * cells[1], [&](std::ptrdiff_t row) {
        const int k = static_cast<int>(row) / cells[1], j = static_cast<int>(row) % cells[1];
        for (int i = 0; i < n; ++i) {
            Vec3 x = h * (Vec3(i, j, k) + Vec3::Constant(0.5));
            const double inside = (x - ball).norm() - radius;
            const Vec3 warp(turbulence(3 * x, 11, 4), turbulence(3 * x, 23, 4), turbulence(3 * x, 37, 4));
            const Vec3 fine(turbulence(9 * x, 5, 4), turbulence(9 * x, 6, 4), turbulence(9 * x, 7, 4));
            const Vec3 y = x + 0.12 * std::min(1.0, 0.35 + x[1]) * warp + 0.035 * fine;
            const double r = std::hypot(y[0] - 0.5, y[2] - 0.5);
            const double stem = 0.10 + 0.05 * std::sin(9 * y[1]) + 0.06 * y[1];
            double d = std::clamp((stem - r) / 0.05, 0.0, 1.0) * std::clamp((1.25 - y[1]) / 0.2, 0.0, 1.0);
            const double cap = std::hypot(std::hypot(r - 0.24, 0.0), 0.9 * (y[1] - 1.12));
            d = std::max(d, std::clamp((0.17 - cap) / 0.07, 0.0, 1.0));
            d *= 0.75 + 0.5 * turbulence(7 * y, 71, 4);
            const double wall = std::min({x[0], 1 - x[0], x[2], 1 - x[2]}) / 0.03;
            if (inside < h) d *= std::clamp(inside / h, 0.0, 1.0);
            density[static_cast<std::size_t>((k * cells[1] + j) * n + i)] =
                static_cast<float>(std::max(0.0, d) * std::clamp(wall, 0.0, 1.0));
        }
    });
    return {cells, Vec3::Zero(), h, density};
}

SolidLook solid(const Shape<3>& shape, const Vec3& at, const Rgb& colour, const Eigen::AngleAxisd& turn,
                int resolution) {
    SolidLook look;
    look.mesh = std::make_shared<TriangleMesh>(shape.surface_mesh(resolution));
    look.pose = Eigen::Translation3d(at) * turn;
    look.colour = colour;
    return look;
}

const Eigen::AngleAxisd upright(0, Vec3::UnitY());

Picture3d plume_with_ball(int n) {
    Picture3d picture;
    const Vec3 ball(0.5, 1.30, 0.5);
    picture.domain = {Vec3::Zero(), Vec3(1, 2, 1)};
    picture.smoke = plume(n, ball, 0.17);
    picture.solids.push_back(solid(Sphere<3>(0.17), ball, from_hex(0xe8642c), upright, 96));
    picture.caption = std::string("ball-on-plume   t = 1.40 s");
    return picture;
}

Picture3d boxes() {
    Picture3d picture = plume_with_ball(48);
    picture.solids.clear();
    picture.show_domain = true;
    const std::uint32_t colours[] = {0xe8642c, 0x2f86c9, 0xf0b429, 0x4aa36b, 0xb5456f};
    const Random random(5);
    for (std::uint64_t n = 0; n < 5; ++n) {
        const Vec3 at(random.uniform(n, 0, 0.2, 0.8), 0.25 + 0.33 * static_cast<double>(n),
                      random.uniform(n, 2, 0.25, 0.75));
        const Eigen::AngleAxisd turn(random.uniform(n, 3, 0, 2), random.point<3>(n + 40).normalized());
        picture.solids.push_back(solid(Box<3>(Vec3::Constant(0.20)), at, from_hex(colours[n]), turn, 4));
    }
    picture.width = 540, picture.height = 720;
    picture.caption = std::string("boxes   t = 0.80 s");
    return picture;
}

Picture3d bunny(const std::string& assets) {
    Picture3d picture;
    picture.domain = {Vec3::Zero(), Vec3(1.6, 1.2, 1.2)};
    TriangleMesh mesh = read_mesh(assets + "/meshes/bunny.ply");
    const Bounds<3> box = bounds(mesh);
    const double size = 0.72 / box.size()[1];
    Vec3 offset = -size * box.centre();
    offset += Vec3(0.75, 0.36, 0.6);
    transform(mesh, size * Mat3::Identity(), offset);
    SolidLook look;
    look.mesh = std::make_shared<TriangleMesh>(std::move(mesh));
    look.colour = from_hex(0xb9c4cf);
    picture.solids.push_back(look);
    picture.solids.push_back(solid(Torus(0.12, 0.045), Vec3(1.32, 0.045, 0.95), from_hex(0xe8642c), upright, 64));
    SolidLook shell = solid(Sphere<3>(0.13), Vec3(0.22, 0.13, 0.98), from_hex(0x2f86c9), upright, 96);
    shell.opacity = 0.35f;
    picture.solids.push_back(shell);
    const Coord3 cells(96, 72, 72);
    std::vector<float> density(static_cast<std::size_t>(cells.prod()));
    const double h = 1.6 / 96;
    parallel_for("bank", cells[2] * cells[1], [&](std::ptrdiff_t row) {
        const int k = static_cast<int>(row) / cells[1], j = static_cast<int>(row) % cells[1];
        for (int i = 0; i < cells[0]; ++i) {
            const Vec3 x = h * (Vec3(i, j, k) + Vec3::Constant(0.5));
            const Vec3 warp(turbulence(4 * x, 1), turbulence(4 * x, 2), turbulence(4 * x, 3));
            const Vec3 y = x + 0.09 * warp;
            const double r = ((y - Vec3(0.75, 0.10, 0.6)).cwiseQuotient(Vec3(0.62, 0.26, 0.46))).norm();
            density[static_cast<std::size_t>((k * cells[1] + j) * cells[0] + i)] =
                static_cast<float>(std::clamp(2.2 * (1 - r), 0.0, 0.5));
        }
    });
    picture.smoke.emplace(cells, Vec3::Zero(), h, density);
    picture.width = 960, picture.height = 640;
    picture.caption = std::string("bunny in a bank of smoke");
    return picture;
}

struct Plane2d {
    Grid<2> grid{{128, 96}, 1.0 / 96, Vec2::Zero()};
    BrickSetPtr<2> bricks = make_dense<2>(lattice_for_faces<2>(grid.cells));
    FaceField<2, double> velocity{bricks};
    Field<2, double> smoke{bricks};

    Plane2d() {
        const auto swirl = [](const Vec2& x) -> Vec2 {
            Vec2 u(0.25, 0);
            const double strength[] = {1, -1, 0.7, -0.6};
            const Vec2 middle[] = {{0.35, 0.6}, {0.7, 0.35}, {1.05, 0.65}, {0.25, 0.2}};
            for (int n = 0; n < 4; ++n) {
                const Vec2 d = x - middle[n];
                u += 0.25 * strength[n] * Vec2(-d[1], d[0]) / (0.01 + d.squaredNorm());
            }
            return u;
        };
        for (int j = 0; j <= grid.cells[1]; ++j)
            for (int i = 0; i <= grid.cells[0]; ++i) {
                for (int a = 0; a < 2; ++a)
                    velocity[a].ref({i, j}) = swirl(grid.position({i, j}, Centring<2>::face(a)))[a];
                const Vec2 x = grid.cell_centre({i, j});
                const Vec3 y(4 * x[0], 4 * x[1], 0.3);
                const double r =
                    std::hypot(x[0] - 0.67 + 0.15 * turbulence(y, 3), 0.6 * (x[1] - 0.4) + 0.12 * turbulence(y, 9));
                smoke.ref({i, j}) = std::clamp(1.6 * (1 - r / 0.3), 0.0, 1.0);
            }
    }
};

Picture2d flat(const Plane2d& plane) {
    Picture2d picture;
    picture.grid = plane.grid;
    picture.velocity = &plane.velocity;
    for (int n = 0; n < 3; ++n) {
        BodyLook2d body;
        if (n < 2)
            body.outline = Box<2>(Vec2(0.18, 0.14)).surface_mesh(16);
        else
            body.outline = Sphere<2>(0.09).surface_mesh(96);
        body.pose = Eigen::Translation2d(0.3 + 0.36 * n, 0.78 - 0.27 * (n % 2)) * Eigen::Rotation2Dd(0.4 + 0.7 * n);
        picture.bodies.push_back(body);
    }
    return picture;
}

void show_space(const Gallery& gallery) {
    gallery.show("plume-demo", [] {
        Picture3d picture = plume_with_ball(48);
        picture.width = 540, picture.height = 720;
        return render(picture);
    });
    gallery.show("plume-large", [] { return render(plume_with_ball(128)); });
    gallery.show("boxes", [] { return render(boxes()); });
    gallery.show("bunny", [] { return render(bunny(TIDELOCK_ASSET_DIR)); });
}

Picture2d flat_with(const Plane2d& plane, const Field<2, double>& scalar, const char* label, const char* unit) {
    Picture2d picture = flat(plane);
    picture.scalar = &scalar;
    picture.label = std::string(label), picture.unit = std::string(unit);
    return picture;
}

void show_plane(const Gallery& gallery) {
    const Plane2d plane;
    gallery.show("plane-smoke", [&] {
        Picture2d picture = flat_with(plane, plane.smoke, "density", "");
        picture.caption = std::string("box-lift   t = 0.50 s");
        return render(picture);
    });
    gallery.show("plane-vorticity", [&] {
        const auto vorticity = flow_vorticity(plane.velocity, plane.grid);
        Picture2d picture = flat_with(plane, vorticity, "vorticity", "1/s");
        picture.map = ColourMap::swirl;
        picture.marks = FlowMarks::streamlines;
        picture.caption = std::string("The quick brown fox jumps over the lazy dog 0123456789");
        return render(picture);
    });
    gallery.show("plane-speed", [&] {
        const auto speed = flow_speed(plane.velocity, plane.grid);
        Picture2d picture = flat_with(plane, speed, "speed", "m/s");
        picture.map = ColourMap::tide;
        picture.marks = FlowMarks::arrows;
        picture.caption = std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZ .,:;+-=/%()[]<>?!&#@*^ 20\u00b0 m\u00b2 m\u00b3");
        return render(picture);
    });
    gallery.show("plane-temperature", [&] {
        Picture2d picture = flat_with(plane, plane.smoke, "temperature", "K");
        picture.map = ColourMap::ember;
        picture.range = std::pair(0.0, 1.2);
        picture.width = 600;
        return render(picture);
    });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: render_gallery FOLDER [NAME]\n");
        return 2;
    }
    const Gallery gallery(argv[1], argc > 2 ? argv[2] : "");
    show_space(gallery);
    show_plane(gallery);
    return 0;
}
