#include "render/picture2d.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "geometry/shape.h"
#include "render/flow_fields.h"
#include "render/streamlines.h"

namespace tidelock {
namespace {

struct Flow {
    Grid<2> grid{{40, 30}, 0.05, Vec2(1, -1)};
    BrickSetPtr<2> bricks = make_dense<2>(lattice_for_faces<2>(grid.cells));
    FaceField<2, double> velocity{bricks};
    template <class F>
    explicit Flow(const F& u) {
        for (int j = 0; j <= grid.cells[1]; ++j)
            for (int i = 0; i <= grid.cells[0]; ++i)
                for (int a = 0; a < 2; ++a) velocity[a].ref({i, j}) = u(grid.position({i, j}, Centring<2>::face(a)))[a];
    }
};

TEST(FlowFields, RigidRotationHasTwiceItsRateAsVorticity) {
    const Vec2 middle(2, -0.25);
    const Flow flow([&](const Vec2& x) -> Vec2 { return 1.5 * Vec2(-(x - middle)[1], (x - middle)[0]); });
    const Field<2, double> vorticity = flow_vorticity(flow.velocity, flow.grid),
                           speed = flow_speed(flow.velocity, flow.grid);
    for (int j = 0; j < flow.grid.cells[1]; ++j)
        for (int i = 0; i < flow.grid.cells[0]; ++i) {
            EXPECT_NEAR(vorticity.at({i, j}), 3, 1e-12);  // linear: exact, at walls too
            EXPECT_NEAR(speed.at({i, j}), 1.5 * (flow.grid.cell_centre({i, j}) - middle).norm(), 1e-12);
        }
}

TEST(Streamlines, OfUniformFlowAreStraightParallelAndApart) {
    const Flow flow([](const Vec2&) { return Vec2(2, 1); });
    StreamlineOptions options;
    options.separation = 0.15;
    const auto lines = streamlines(flow.velocity, flow.grid, options);
    ASSERT_GT(lines.size(), 5u);
    const Vec2 across = Vec2(-1, 2).normalized();
    std::vector<double> places;
    for (const Streamline& line : lines) {
        places.push_back(across.dot(line.points.front()));
        for (const Vec2& x : line.points) EXPECT_NEAR(across.dot(x), places.back(), 1e-9);
        EXPECT_GT((line.points.back() - line.points.front()).dot(Vec2(2, 1)), 0);  // along the flow
    }
    std::sort(places.begin(), places.end());
    for (std::size_t n = 1; n < places.size(); ++n) EXPECT_GT(places[n] - places[n - 1], 0.5 * 0.15);
}

TEST(Streamlines, OfRotationAreCirclesAndStayOutOfBodies) {
    const Vec2 middle(2, -0.25);
    const Flow flow([&](const Vec2& x) { return Vec2(-(x - middle)[1], (x - middle)[0]); });
    StreamlineOptions options;
    options.separation = 0.1;
    const auto blocked = [&](const Vec2& x) { return (x - middle - Vec2(0.4, 0)).norm() < 0.1; };
    const auto lines = streamlines(flow.velocity, flow.grid, options, blocked);
    ASSERT_GT(lines.size(), 3u);
    for (const Streamline& line : lines) {
        for (std::size_t n = 0; n < line.points.size(); ++n) {
            const Vec2 x = line.points[n];
            EXPECT_FALSE(blocked(x));
            // Within half a cell of the walls the sampled flow is not the rotation.
            const Vec2 low = x - flow.grid.origin, high = flow.grid.upper() - x;
            if (n == 0 || std::min(low.minCoeff(), high.minCoeff()) < flow.grid.dx) continue;
            // Fourth order: (step / radius)^5 of the radius, the innermost circle being the worst.
            const double radius = (line.points[n - 1] - middle).norm();
            EXPECT_NEAR((x - middle).norm(), radius, 1e-6 + radius * std::pow(0.0125 / radius, 5));
        }
    }
    const Flow still([](const Vec2&) -> Vec2 { return Vec2::Zero(); });
    EXPECT_TRUE(streamlines(still.velocity, still.grid, options).empty());
}

Picture2d plain(const Flow& flow) {
    Picture2d p;
    p.grid = flow.grid;
    p.width = 400;
    return p;
}

TEST(Picture2d, ColoursAreThoseOfTheMap) {
    const Flow flow([](const Vec2&) -> Vec2 { return Vec2::Zero(); });
    Field<2, double> scalar(flow.bricks, 0.25);
    Picture2d p = plain(flow);
    p.scalar = &scalar;
    p.range = std::pair(0.0, 1.0);
    p.map = ColourMap::tide;
    const Image image = render(p);
    const Rgb expected = colour_of(ColourMap::tide, 0.25);
    const int middle = image.height / 2;
    for (const int x : {60, 150, 240})
        for (int a = 0; a < 3; ++a) EXPECT_NEAR(image.at(x, middle)[a], 255 * srgb_encode(expected[a]), 1.01f);
}

TEST(Picture2d, BodyCoversItsArea) {
    const Flow flow([](const Vec2&) -> Vec2 { return Vec2::Zero(); });
    Picture2d p = plain(flow);
    const Image empty = render(p);
    BodyLook2d body;
    body.outline = Box<2>(Vec2(0.6, 0.4)).surface_mesh(8);
    body.pose = Eigen::Translation2d(2, -0.2) * Eigen::Rotation2Dd(0.5);
    p.bodies.push_back(body);
    const Image image = render(p);
    int changed = 0, left = image.width, right = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            if (image.at(x, y)[0] > empty.at(x, y)[0] + 8)
                ++changed, left = std::min(left, x), right = std::max(right, x);
    const double scale = (400 - 2 * 1.6 * 8) / 2.0;  // pixels a metre: two margins of 1.6 letters of 8 pixels
    // The rim adds half of its width of 1.2 pixels around 2 m, and half a pixel of antialiasing.
    const double area = 0.24 * scale * scale, rim = 2 * scale * 1.3;
    EXPECT_GT(changed, area - 60);
    EXPECT_LT(changed, area + rim);
    EXPECT_NEAR(0.5 * (left + right), 1.6 * 8 + scale * 1.0, 2);
}

TEST(Picture2d, FlowMarksAndTextShowAndBitsDoNotDependOnThreads) {
    const Flow flow([](const Vec2& x) { return Vec2(1, 0.3 * x[0]); });
    const Field<2, double> speed = flow_speed(flow.velocity, flow.grid);
    Picture2d p = plain(flow);
    p.scalar = &speed;
    p.velocity = &flow.velocity;
    p.caption = "t = 1 s";
    const Image bare = render(p);
    for (const FlowMarks marks : {FlowMarks::streamlines, FlowMarks::arrows}) {
        p.marks = marks;
        const Image image = render(p);
        EXPECT_FALSE(image == bare);
        const ThreadLimit limit(1);
        EXPECT_TRUE(render(p) == image);
    }
}

TEST(Picture2d, RefusesWhatItCannotDraw) {
    const Flow flow([](const Vec2&) -> Vec2 { return Vec2::Zero(); });
    Picture2d p = plain(flow);
    p.marks = FlowMarks::arrows;
    EXPECT_THROW((void)render(p), InputError);
    p = plain(flow);
    p.range = std::pair(1.0, 1.0);
    EXPECT_THROW((void)render(p), InputError);
    p = plain(flow);
    p.width = 3;
    EXPECT_THROW((void)render(p), InputError);
}

}  // namespace
}  // namespace tidelock
