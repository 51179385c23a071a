#include "render/picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/parallel.h"
#include "geometry/shape.h"

namespace tidelock {
namespace {

/// A unit box seen along -z, without ground and without lights: only the background shines.
Picture3d dark_stage() {
    Picture3d p;
    p.domain = {Vec3::Constant(-0.5), Vec3::Constant(0.5)};
    p.camera = Camera{Vec3(0, 0, 4), Vec3::Zero(), Vec3::UnitY(), 0.2};
    p.look.light.setZero();
    p.look.sky.setZero();
    p.look.background = Rgb(0.5f, 0.6f, 0.7f);
    p.show_ground = false;
    p.width = 96, p.height = 80;
    return p;
}

SmokeVolume uniform_smoke(const Bounds<3>& box, int n, float density) {
    const double h = box.size()[0] / n;
    const Coord3 cells = (box.size() / h).array().round().cast<int>();
    const std::vector<float> values(static_cast<std::size_t>(cells.prod()), density);
    return {cells, box.low, h, values};
}

SolidLook solid(const Shape<3>& shape, const Vec3& at, int resolution = 8) {
    SolidLook look;
    look.mesh = std::make_shared<TriangleMesh>(shape.surface_mesh(resolution));
    look.pose = Eigen::Isometry3d(Eigen::Translation3d(at));
    return look;
}

TEST(Picture, SphereCoversItsSilhouette) {
    Picture3d p = dark_stage();
    p.width = 200, p.height = 160;
    const FloatImage empty = render_radiance(p);
    const double r = 0.3, d = 4;
    p.solids.push_back(solid(Sphere<3>(r), Vec3::Zero(), 256));
    const FloatImage image = render_radiance(p);
    double covered = 0;  // an unlit sphere is black
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        covered += 1 - double(image.pixels[i][1] / empty.pixels[i][1]);
    // The cone that touches the sphere meets the picture in a circle.
    const double radius = 80 * r / std::sqrt(d * d - r * r) / std::tan(0.1);
    const double expected = std::numbers::pi * radius * radius;
    // 16 samples on some 2 pi radius edge pixels, each off by less than 0.06, with signs that cancel.
    EXPECT_NEAR(covered / expected, 1, 2e-3);
}

TEST(Picture, SlabLetsTheExponentialThrough) {
    Picture3d p = dark_stage();
    const FloatImage empty = render_radiance(p);
    for (const int n : {8, 40}) {  // with and without bricks inside
        p.smoke = uniform_smoke(p.domain, n, 0.7f);
        p.extinction = 2.5;
        const FloatImage image = render_radiance(p);
        const View view(*p.camera, p.width, p.height);
        for (int y = 24; y < 56; y += 3)
            for (int x = 32; x < 64; x += 3) {
                const double length = 1 / -view.direction(x + 0.5, y + 0.5)[2];
                const auto through = double(image.at(x, y)[0] / empty.at(x, y)[0]);
                // Rounding of some hundred float steps.
                EXPECT_NEAR(through, std::exp(-2.5 * 0.7 * length), 2e-5) << n << ": " << x << ", " << y;
            }
    }
}

TEST(Picture, SmokeAndSolidsComeInOrder) {
    // Under the sky alone the smoke's own light does not depend on solids, nor theirs on smoke.
    Picture3d p = dark_stage();
    p.look.sky = Rgb(0.5f, 0.5f, 0.5f);
    p.extinction = 1.3;
    const SmokeVolume slab = uniform_smoke(p.domain, 16, 1.0f);
    const int x = 48, y = 40;
    const auto value = [&](bool smoke, std::optional<double> plate) {
        Picture3d q = p;
        if (smoke) q.smoke = slab;
        if (plate) q.solids.push_back(solid(Box<3>(Vec3(0.8, 0.8, 0.02)), Vec3(0, 0, *plate - 0.01)));
        return double(render_radiance(q).at(x, y)[1]);
    };
    const double through = std::exp(-1.3), background = value(false, {}), slab_alone = value(true, {});
    const double glow = slab_alone - through * background;
    ASSERT_GT(glow, 0.01);
    EXPECT_EQ(value(true, 0.9), value(false, 0.9));  // in front
    const double behind = value(true, -0.8), plate = value(false, -0.8);
    EXPECT_NEAR(behind, through * plate + glow, 2e-5);
    // In the middle: half of the slab's depth is in front, and less than all of its glow.
    const double middle = value(true, 0.0), half = std::exp(-0.65), bare = value(false, 0.0);
    EXPECT_GT(middle, half * bare);
    EXPECT_LT(middle, half * bare + glow);
}

TEST(Picture, ClearSolidsShowWhatIsBehind) {
    Picture3d p = dark_stage();
    const double background = double(render_radiance(p).at(48, 40)[1]);
    SolidLook pane = solid(Box<3>(Vec3(0.8, 0.8, 0.02)), Vec3::Zero());
    pane.opacity = 0.3f;
    p.solids.push_back(pane);
    // Unlit: each of the two faces takes 0.3 of the light. The samples' mean is not quite the pixel's middle, and the
    // background changes by about 1 % a pixel.
    EXPECT_NEAR(double(render_radiance(p).at(48, 40)[1]) / background, 0.7 * 0.7, 1e-3);
}

/// Ground seen from above under a light from straight above; only it shines.
Picture3d ground_stage() {
    Picture3d p;
    p.domain = {Vec3::Constant(-0.5), Vec3::Constant(0.5)};
    p.camera = Camera{Vec3(0, 4, 4), Vec3(0, -0.5, 0), Vec3::UnitY(), 0.3};
    p.look.background.setZero();
    p.look.sky.setZero();
    p.look.to_light = Vec3::UnitY();
    p.look.light = Rgb::Constant(2.0f);
    p.look.light_radius = 0.05;
    p.width = 400, p.height = 400;
    return p;
}

TEST(Picture, BallShadowsTheGround) {
    Picture3d p = ground_stage();
    const FloatImage lit = render_radiance(p);
    p.solids.push_back(solid(Sphere<3>(0.1), Vec3(0, 0.3, 0), 64));
    const FloatImage image = render_radiance(p);
    const View view(*p.camera, p.width, p.height);
    const auto share = [&](double x, double z) {
        const Vec3 at = view.project(Vec3(x, -0.5, z));
        const int i = static_cast<int>(at[0]), j = static_cast<int>(at[1]);
        return double(image.at(i, j)[0] / lit.at(i, j)[0]);
    };
    // 0.8 m below, the umbra has the radius 0.1 - 0.8 tan(0.05) = 0.06, the penumbra ends at 0.14.
    EXPECT_NEAR(share(0, 0), 0, 1e-6);
    EXPECT_NEAR(share(0.25, 0), 1, 1e-6);
    EXPECT_NEAR(share(0, 0.25), 1, 1e-6);
    EXPECT_GT(share(0.1, 0), 0.1);
    EXPECT_LT(share(0.1, 0), 0.9);
    EXPECT_NEAR(share(0.1, 0), share(-0.1, 0), 0.06);  // 16 rays, smoothed over neighbours
}

TEST(Picture, SmokeShadowsTheGround) {
    Picture3d p = ground_stage();
    const FloatImage lit = render_radiance(p);
    p.extinction = 2;
    // A slab between the light and the middle of the ground, out of the camera's way to it.
    const Bounds<3> slab{Vec3(-0.5, 3.0, -0.5), Vec3(0.5, 3.5, 0.5)};
    p.smoke = uniform_smoke(slab, 16, 0.6f);
    const FloatImage image = render_radiance(p);
    const View view(*p.camera, p.width, p.height);
    const Vec3 at = view.project(Vec3(0, -0.5, 0));
    const int i = static_cast<int>(at[0]), j = static_cast<int>(at[1]);
    const double tau = 2 * 0.6 * 0.5;  // the paler law of Studio::smoke_shadow
    EXPECT_NEAR(double(image.at(i, j)[0] / lit.at(i, j)[0]), 0.72 * std::exp(-tau) + 0.28 * std::exp(-0.2 * tau), 1e-4);
}

TEST(Picture, SmokeIsBrighterTowardsTheLight) {
    Picture3d p = dark_stage();
    p.look.background.setZero();
    p.look.light = Rgb::Constant(1.0f);
    p.look.to_light = Vec3::UnitX();
    p.smoke = uniform_smoke(p.domain, 24, 1.0f);
    p.extinction = 6;
    p.camera->vertical_fov = 0.35;
    const FloatImage image = render_radiance(p);
    float before = 0;
    for (int x = 26; x <= 68; x += 6) {  // from the shaded side on
        EXPECT_GT(image.at(x, 40)[0], before) << x;
        before = image.at(x, 40)[0];
    }
}

/// Everything at once, with odd sizes.
Picture3d crowded() {
    Picture3d p;
    p.domain = {Vec3(10, 20, 30), Vec3(11, 22, 31)};
    std::vector<float> density(24 * 48 * 24);
    for (std::size_t n = 0; n < density.size(); ++n) {
        const std::size_t layer = n / (24 * 48);
        const double x = static_cast<double>(n % 24) - 11, y = static_cast<double>(n / 24 % 48) - 20,
                     z = static_cast<double>(layer) - 13;
        density[n] = static_cast<float>(std::max(0.0, 1 - std::sqrt(x * x + 0.3 * y * y + z * z) / 9));
    }
    p.smoke.emplace(Coord3(24, 48, 24), p.domain.low, 1.0 / 24, density);
    p.solids.push_back(solid(Sphere<3>(0.2), Vec3(10.5, 21.1, 30.6), 32));
    p.solids.push_back(solid(Box<3>(Vec3(0.2, 0.3, 0.2)), Vec3(10.3, 20.2, 30.5)));
    p.solids.push_back(solid(Sphere<3>(0.15), Vec3(10.8, 20.6, 30.7), 32));
    p.solids.back().opacity = 0.4f;
    p.show_domain = true;
    p.caption = "t = 0.25 s";
    p.width = 121, p.height = 163;
    return p;
}

TEST(Picture, IsFiniteEverywhere) {
    Picture3d p = crowded();
    for (const Vec3& eye :
         {Vec3(13, 21, 36), Vec3(10.5, 20.9, 30.5), Vec3(10.5, 18, 30.4)}) {  // in smoke, below ground
        p.camera = Camera{eye, p.domain.centre() + Vec3(0.01, 0, 0), Vec3::UnitY(), 0.7};
        for (const Rgb& c : render_radiance(p).pixels) {
            ASSERT_TRUE(c.allFinite());
            ASSERT_GE(c.minCoeff(), 0);
        }
    }
}

TEST(Picture, HasTheSameBitsOnAnyNumberOfThreads) {
    const Picture3d p = crowded();
    Image one, two;
    {
        const ThreadLimit limit(1);
        one = render(p);
    }
    {
        const ThreadLimit limit(2);
        two = render(p);
    }
    EXPECT_TRUE(one == two);
    EXPECT_TRUE(one == render(p));
}

TEST(Picture, CaptionChangesOnlyItsCorner) {
    Picture3d p = crowded();
    const Image with = render(p);
    p.caption.clear();
    const Image without = render(p);
    int changed = 0;
    for (int y = 0; y < p.height; ++y)
        for (int x = 0; x < p.width; ++x)
            for (int a = 0; a < 3; ++a)
                if (with.at(x, y)[a] != without.at(x, y)[a]) {
                    ++changed;
                    ASSERT_GT(y, p.height - 32);
                }
    EXPECT_GT(changed, 60);
}

TEST(Picture, RefusesWhatItCannotDraw) {
    const auto broken = [](auto&& change) {
        Picture3d p = crowded();
        change(p);
        EXPECT_THROW((void)render(p), InputError);
    };
    broken([](Picture3d& p) { p.width = 0; });
    broken([](Picture3d& p) { p.samples = 1; });
    broken([](Picture3d& p) { p.domain = {}; });
    broken([](Picture3d& p) { p.look.exposure = 0; });
    broken([](Picture3d& p) { p.look.to_light.setZero(); });
    broken([](Picture3d& p) { p.extinction = std::nan(""); });
    broken([](Picture3d& p) { p.solids[0].mesh.reset(); });
    broken([](Picture3d& p) { p.solids[0].opacity = 0; });
    broken([](Picture3d& p) { p.camera = Camera{Vec3::Zero(), Vec3::UnitY(), Vec3::UnitY(), 0.5}; });
    broken([](Picture3d& p) {
        p.solids[0].mesh = std::make_shared<TriangleMesh>(TriangleMesh{{Vec3::Zero()}, {{{0, 1, 2}}}});
    });
}

}  // namespace
}  // namespace tidelock
