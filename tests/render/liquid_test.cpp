#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/files_testing.h"
#include "base/parallel.h"
#include "geometry/level_set_surface.h"
#include "geometry/shape.h"
#include "render/ground_light.h"
#include "render/liquid_optics.h"
#include "render/liquid_tracer.h"
#include "render/picture.h"
#include "render/picture2d.h"

namespace tidelock {
namespace {

using Vec3f = Eigen::Vector3f;
constexpr float water = 1.333f;

std::shared_ptr<TriangleMesh> box_mesh(const Vec3& low, const Vec3& high) {
    TriangleMesh mesh = Box<3>(high - low).surface_mesh(6);
    transform(mesh, Mat3::Identity(), 0.5 * (low + high));
    return std::make_shared<TriangleMesh>(std::move(mesh));
}

/// A block of clear water 0.4 m deep on the ground, in a domain of 2 x 1 x 2 m.
Picture3d flat_water() {
    Picture3d picture;
    picture.domain = {Vec3(-1, 0, -1), Vec3(1, 1, 1)};
    picture.liquid.emplace();
    picture.liquid->mesh = box_mesh(Vec3(-1, 0, -1), Vec3(1, 0.4, 1));
    picture.liquid->absorption = Rgb::Zero();
    picture.camera = Camera{{0, 1.5, 2.2}, {0, 0.3, 0}, Vec3::UnitY(), 0.5};
    picture.width = 200, picture.height = 200;
    picture.samples = 4;
    return picture;
}

TEST(LiquidOptics, FresnelAndSnell) {
    const Vec3f up = Vec3f::UnitY();
    const Refraction straight = refract(-up, up, 1 / water);
    EXPECT_NEAR(straight.reflectance, std::pow((water - 1) / (water + 1), 2), 1e-6);
    EXPECT_NEAR(straight.reflectance, 0.0204, 1e-4);
    for (const float angle : {0.2f, 0.7f, 1.2f, 1.5f}) {
        const Vec3f d(std::sin(angle), -std::cos(angle), 0);
        const Refraction in = refract(d, up, 1 / water);
        EXPECT_NEAR(water * in.refracted[0], d[0], 1e-6);
        EXPECT_NEAR((in.reflected - Vec3f(d[0], -d[1], 0)).norm(), 0, 1e-6);
        // The way back: the same angle and the same share (Stokes).
        const Refraction out = refract(-in.refracted, -up, water);
        EXPECT_NEAR((out.refracted + d).norm(), 0, 2e-5);
        EXPECT_NEAR(out.reflectance, in.reflectance, 1e-5);
    }
    EXPECT_GT(refract(Vec3f(std::sin(1.56f), -std::cos(1.56f), 0), up, 1 / water).reflectance, 0.9f);
    const float critical = std::asin(1 / water);
    for (const float angle : {critical + 0.01f, 1.2f}) {
        const Refraction total = refract(Vec3f(std::sin(angle), -std::cos(angle), 0), up, water);
        EXPECT_EQ(total.reflectance, 1);
        EXPECT_EQ(total.refracted, Vec3f::Zero());
    }
    EXPECT_LT(refract(Vec3f(std::sin(critical - 0.01f), -std::cos(critical - 0.01f), 0), up, water).reflectance, 1);
    EXPECT_NEAR(transmittance(Rgb(1, 2, 0), 0.5f)[1], std::exp(-1), 1e-6);
}

TEST(LiquidPicture, RefractedPlaceFollowsSnell) {
    Picture3d picture = flat_water();
    picture.look.ground = Rgb::Zero();
    picture.liquid->deep = Rgb::Zero();
    const Vec3 mark(0.15, 0.005, -0.2);
    SolidLook look;
    look.mesh = box_mesh(Vec3(-0.03, -0.005, -0.03), Vec3(0.03, 0.005, 0.03));
    look.pose = Eigen::Isometry3d(Eigen::Translation3d(mark));
    look.colour = Rgb(1, 0, 0);
    picture.solids.push_back(look);
    const FloatImage image = render_radiance(picture);
    double weight = 0;
    Vec2 found = Vec2::Zero();
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const Rgb& c = image.at(x, y);
            const double red = std::max(0.0f, c[0] - 1.5f * c[1] - 0.2f);
            weight += red;
            found += red * Vec2(x + 0.5, y + 0.5);
        }
    ASSERT_GT(weight, 1);
    found /= weight;
    // Where the ray from the eye crosses the surface: n sin(below) = sin(above), by bisection along the line between
    // the points above which eye and mark stand.
    const Vec3 eye = picture.camera->position;
    Vec3 along = mark - eye;
    along[1] = 0;
    const double whole = along.norm(), depth = 0.4 - mark[1], height = eye[1] - 0.4;
    along.normalize();
    double low = 0, high = whole;
    for (int n = 0; n < 60; ++n) {
        const double s = 0.5 * (low + high);
        const double above = s / std::hypot(s, height), below = (whole - s) / std::hypot(whole - s, depth);
        (above < double{water} * below ? low : high) = s;
    }
    Vec3 crossing = eye + low * along;
    crossing[1] = 0.4;
    const View view(*picture.camera, picture.width, picture.height);
    const Vec3 wanted = view.project(crossing), straight = view.project(mark);
    EXPECT_LT((found - wanted.head<2>()).norm(), 1.5) << found.transpose() << " wanted " << wanted.transpose();
    EXPECT_GT((found - straight.head<2>()).norm(), 5);  // without refraction it would be elsewhere
}

TEST(LiquidPicture, MirrorsTwoPercentSeenFromAbove) {
    Picture3d picture = flat_water();
    picture.look.ground = Rgb::Zero();
    picture.liquid->absorption = Rgb::Constant(1e3f);  // nothing comes back from below
    picture.liquid->deep = Rgb::Zero();
    const View view(*picture.camera, picture.width, picture.height);
    const SolidScene scene(picture.solids, picture.domain.centre(), picture.liquid->mesh.get());
    Studio studio(picture, view, scene);
    studio.absorption = *picture.liquid->absorption;
    const LiquidTracer tracer(studio, *picture.liquid);
    const Vec3f up = Vec3f::UnitY();
    const Rgb seen = tracer.radiance(Vec3f(0.1f, 2.0f, 0.2f), -up, 0.5f, 0.5f), above = studio.surroundings(up);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(seen[c] / above[c], 0.0204, 1e-3);
}

/// Waves, a bubble, a drop, a ball in the water and a clear shell through its surface.
Picture3d lively() {
    const Grid<3> grid{Coord3(32, 24, 32), 1.0 / 32, Vec3::Zero()};
    Field<3, double> phi(make_dense<3>(lattice_for<3>(grid.cells)), 0.1);
    for (std::ptrdiff_t slot = 0; slot < phi.set().count(); ++slot)
        for (int i = 0; i < Brick<3>::cells; ++i) {
            const Vec3 x = grid.cell_centre(first_cell<3>(phi.set().brick(slot)) + local_coord<3>(i));
            const double pool = x[1] - 0.35 - 0.03 * std::sin(9 * x[0] + 5 * x[2]);
            const double drop = (x - Vec3(0.6, 0.6, 0.5)).norm() - 0.08,
                         bubble = 0.09 - (x - Vec3(0.5, 0.2, 0.8)).norm();
            phi.brick(slot)[i] = std::max(std::min(pool, drop), bubble);
        }
    Picture3d picture;
    picture.domain = {grid.origin, grid.upper()};
    picture.look = liquid_look(picture.domain.size());
    picture.liquid.emplace();
    picture.liquid->mesh = std::make_shared<TriangleMesh>(level_set_surface(grid, phi));
    SolidLook ball;
    ball.mesh = std::make_shared<TriangleMesh>(Sphere<3>(0.12).surface_mesh(24));
    ball.pose = Eigen::Isometry3d(Eigen::Translation3d(0.3, 0.2, 0.5));
    SolidLook shell = ball;
    shell.pose = Eigen::Isometry3d(Eigen::Translation3d(0.75, 0.36, 0.3));
    shell.opacity = 0.4f;
    picture.solids = {ball, shell};
    picture.width = 80, picture.height = 80;
    picture.samples = 8;
    return picture;
}

TEST(LiquidPicture, IsFiniteAndTheSameOnAnyThreads) {
    const Picture3d picture = lively();
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return render_radiance(picture);
    };
    const FloatImage one = run(1), two = run(2);
    EXPECT_EQ(one.pixels, two.pixels);
    for (const Rgb& c : one.pixels) ASSERT_TRUE(c.allFinite() && c.minCoeff() >= 0) << c.transpose();
    Picture3d dry = picture;
    dry.liquid.reset();
    dry.camera = automatic_camera(picture.domain, 1, picture.up, 0.36);
    const FloatImage without = render_radiance(dry);
    int differ = 0;
    for (std::size_t i = 0; i < one.pixels.size(); ++i) differ += (one.pixels[i] - without.pixels[i]).norm() > 0.02f;
    EXPECT_GT(differ, static_cast<int>(one.pixels.size()) / 5);
}

TEST(LiquidPicture, NoTrianglesNoLiquid) {
    Picture3d picture = lively();
    picture.width = picture.height = 40;
    picture.camera = automatic_camera(picture.domain, 1);
    picture.liquid->mesh = std::make_shared<TriangleMesh>();
    const FloatImage empty = render_radiance(picture);
    picture.liquid.reset();
    EXPECT_EQ(empty.pixels, render_radiance(picture).pixels);
}

TEST(LiquidPicture, AirBetweenLiquidAndSolidIsNotSeen) {
    // A ball in a hole of the liquid a little larger than itself looks as if there were no hole.
    Picture3d picture = flat_water();
    picture.look = liquid_look(picture.domain.size());
    SolidLook ball;
    ball.mesh = std::make_shared<TriangleMesh>(Sphere<3>(0.15).surface_mesh(48));
    ball.pose = Eigen::Isometry3d(Eigen::Translation3d(0, 0.2, 0));
    picture.solids.push_back(ball);
    picture.liquid->contact = 0.03;
    picture.width = picture.height = 120;
    const FloatImage plain = render_radiance(picture);
    TriangleMesh mesh = *picture.liquid->mesh, hole = Sphere<3>(0.16).surface_mesh(48);
    transform(hole, Mat3::Identity(), Vec3(0, 0.2, 0));
    flip(hole);
    const auto first = static_cast<int>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), hole.points.begin(), hole.points.end());
    for (const auto& [a, b, c] : hole.triangles) mesh.triangles.push_back({a + first, b + first, c + first});
    picture.liquid->mesh = std::make_shared<TriangleMesh>(mesh);
    const FloatImage wet = render_radiance(picture);
    picture.liquid->contact = 0.0;
    const FloatImage airy = render_radiance(picture);
    double with = 0, without = 0;
    for (std::size_t i = 0; i < plain.pixels.size(); ++i) {
        const auto& c = plain.pixels[i];
        if (c[2] > 0.6f * c[0]) continue;  // not on the ball, which is orange
        with += double{(wet.pixels[i] - plain.pixels[i]).norm()};
        without += double{(airy.pixels[i] - plain.pixels[i]).norm()};
    }
    EXPECT_LT(with, 0.25 * without);
}

TEST(GroundLight, LightGoesStraightThroughWhatDoesNotRefract) {
    const auto mesh = box_mesh(Vec3(-0.5, 0.2, -0.5), Vec3(0.5, 0.4, 0.5));
    const SolidScene scene({}, Vec3::Zero(), mesh.get());
    GroundLightSetting setting;
    setting.up = Vec3f::UnitY();
    setting.to_key = Vec3f(-0.5f, 1, 0.2f).normalized();
    setting.key_spread = 0.02f;
    setting.refraction = 1;
    setting.scale = 2;
    const GroundLight clear(scene, setting);
    // Within the shadow: the same as without the block, to the raster's evenness.
    const Vec3f middle = -0.3f / setting.to_key[1] * setting.to_key;
    const float facing = setting.to_key[1];
    for (int n = -20; n <= 20; ++n)
        EXPECT_NEAR(clear.light(middle + Vec3f(0.0183f * static_cast<float>(n), 0, 0.3f))[0], facing, 0.02f * facing);
    EXPECT_EQ(clear.light(Vec3f(5, 0, 0)), Rgb::Zero());
    EXPECT_NEAR(clear.depth(Vec3f(0, 0, 0)), 0.2, 1e-3);
    // All that falls on the block's outline arrives: its three lit sides, seen from the light.
    const double outline =
        1.0 * double{facing} + 0.2 * std::abs(double{setting.to_key[0]}) + 0.2 * double{setting.to_key[2]};
    EXPECT_NEAR(double{clear.total()[1]}, outline, 0.02 * outline);
    setting.absorption = Rgb(2, 1, 0);
    setting.refraction = water;
    const GroundLight tinted(scene, setting);
    EXPECT_LT(tinted.light(middle)[0], tinted.light(middle)[1]);
    EXPECT_LT(tinted.light(middle)[1], 0.98f * tinted.light(middle)[2]);
    EXPECT_LT(tinted.total()[2], outline);
}

TEST(LiquidPicture, RefusesWhatCannotBeDrawn) {
    Picture3d picture = flat_water();
    picture.liquid->refraction = 0.5f;
    expect_contains(error_of([&] { static_cast<void>(render(picture)); }), "[1, 3], got 0.5");
    picture = flat_water();
    picture.liquid->mesh.reset();
    expect_contains(error_of([&] { static_cast<void>(render(picture)); }), "has no mesh");
    picture = flat_water();
    picture.liquid->absorption = Rgb(-1, 0, 0);
    expect_contains(error_of([&] { static_cast<void>(render(picture)); }), "colours");
    picture = flat_water();
    auto broken = std::make_shared<TriangleMesh>(*picture.liquid->mesh);
    broken->triangles[0][0] = 99999;
    picture.liquid->mesh = broken;
    expect_contains(error_of([&] { static_cast<void>(render(picture)); }), "liquid: a triangle names point 99999");
}

TEST(LiquidPicture2d, FillsTheLiquidAndLeavesBubbles) {
    Picture2d picture;
    picture.grid = {Coord2(40, 40), 0.025, Vec2::Zero()};
    picture.width = 400;
    const Image dry = render(picture);
    Field<2, double> phi(make_dense<2>(lattice_for<2>(picture.grid.cells)), 0.1);
    for (std::ptrdiff_t slot = 0; slot < phi.set().count(); ++slot)
        for (int i = 0; i < Brick<2>::cells; ++i) {
            const Vec2 x = picture.grid.cell_centre(first_cell<2>(phi.set().brick(slot)) + local_coord<2>(i));
            phi.brick(slot)[i] = std::max(x[1] - 0.6, 0.15 - (x - Vec2(0.5, 0.3)).norm());
        }
    picture.liquid = level_set_surface(picture.grid, phi);
    picture.particles = {Vec2(0.2, 0.8)};
    const Image wet = render(picture);
    const auto same = [&](double x, double y) {  // of the domain, from below
        const int margin = 13, side = wet.width - 2 * margin;
        const int i = margin + static_cast<int>(x * side), j = wet.height - margin - static_cast<int>(y * side);
        return std::equal(wet.at(i, j), wet.at(i, j) + 3, dry.at(i, j));
    };
    EXPECT_TRUE(same(0.5, 0.9));
    EXPECT_TRUE(same(0.5, 0.3));
    EXPECT_FALSE(same(0.1, 0.1));
    EXPECT_FALSE(same(0.5, 0.5));
    EXPECT_FALSE(same(0.2, 0.8));
}

}  // namespace
}  // namespace tidelock
