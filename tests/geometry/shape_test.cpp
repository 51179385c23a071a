#include "geometry/shape.h"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "geometry/testing.h"

namespace tidelock {
namespace {

template <int D>
using Shapes = std::vector<std::unique_ptr<Shape<D>>>;

template <int D>
Shapes<D> bounded_shapes() {
    Shapes<D> shapes;
    shapes.push_back(std::make_unique<Sphere<D>>(0.7));
    Vec<D> size = Vec<D>::Constant(0.8);
    size[0] = 1.4;
    size[D - 1] = 0.5;
    shapes.push_back(std::make_unique<Box<D>>(size));
    shapes.push_back(std::make_unique<Capsule<D>>(0.4, 0.9));
    if constexpr (D == 3) {
        shapes.push_back(std::make_unique<Cylinder>(0.6, 1.1));
        shapes.push_back(std::make_unique<Torus>(0.8, 0.3));
    }
    return shapes;
}

template <int D>
Shapes<D> all_shapes() {
    Shapes<D> shapes = bounded_shapes<D>();
    Vec<D> normal = Vec<D>::Constant(1);
    normal[1] = 3;
    shapes.push_back(std::make_unique<Plane<D>>(normal));
    return shapes;
}

template <int D>
bool is_torus(const Shape<D>& shape) {
    if constexpr (D == 3) return dynamic_cast<const Torus*>(&shape) != nullptr;
    return false;
}

/// Distance is linear along its gradient: stepping back to the surface and beyond must give exactly that.
template <int D>
void check_distance_and_gradient() {
    const Random random(11);
    for (const auto& shape : all_shapes<D>()) {
        for (std::uint64_t i = 0; i < 300; ++i) {
            const Vec<D> x = 4 * random.point<D>(i) - Vec<D>::Constant(2);
            const Vec<D> g = shape->gradient(x);
            const double d = shape->distance(x);
            ASSERT_NEAR(g.norm(), 1, 1e-14);
            // The foot of x is on the surface, and outside points run away from it: 1e-14 is a few roundings of size 2.
            ASSERT_NEAR(shape->distance(x - d * g), 0, 1e-14);
            if (d > 0 && !is_torus<D>(*shape)) {  // all others are convex: the way out is free
                ASSERT_NEAR(shape->distance(x + g), d + 1, 1e-14);
            }
            // Central differences: rounding 1e-16 / 1e-6 plus curvature 1e-12 away from creases, where the test is
            // void.
            Vec<D> slope;
            const double e = 1e-6;
            for (int a = 0; a < D; ++a) {
                slope[a] =
                    (shape->distance(x + e * Vec<D>::Unit(a)) - shape->distance(x - e * Vec<D>::Unit(a))) / (2 * e);
            }
            if (std::abs(slope.norm() - 1) < 1e-4) {
                ASSERT_LT((slope - g).norm(), 1e-4);
            }
        }
    }
}

template <int D>
void check_bounds() {
    const Random random(12);
    for (const auto& shape : bounded_shapes<D>()) {
        const Bounds<D> box = shape->bounding_box();
        Bounds<D> touched;
        for (std::uint64_t i = 0; i < 20000; ++i) {
            const Vec<D> x = 4 * random.point<D>(i) - Vec<D>::Constant(2);
            if (shape->distance(x) < 0) {
                ASSERT_TRUE(box.contains(x));
                touched.include(x);
            }
        }
        // 20000 random points come within 0.2 of every side.
        EXPECT_LT((box.low - touched.low).cwiseAbs().maxCoeff(), 0.2);
        EXPECT_LT((box.high - touched.high).cwiseAbs().maxCoeff(), 0.2);
    }
}

}  // namespace

TEST(Shape, DistanceAndGradientAgree2D) { check_distance_and_gradient<2>(); }
TEST(Shape, DistanceAndGradientAgree3D) { check_distance_and_gradient<3>(); }
TEST(Shape, BoundingBoxIsTight2D) { check_bounds<2>(); }
TEST(Shape, BoundingBoxIsTight3D) { check_bounds<3>(); }

TEST(Shape, KnownDistances) {
    // Values one can see; 1e-15: one rounding.
    EXPECT_NEAR(Sphere<3>(2).distance({0, 3, 4}), 3, 1e-15);
    EXPECT_NEAR(Sphere<2>(2).distance({0, 0}), -2, 1e-15);
    EXPECT_NEAR(Box<3>({2, 4, 6}).distance({4, 6, 3}), 5, 1e-15);
    EXPECT_NEAR(Box<3>({2, 4, 6}).distance({0.25, 0, 0}), -0.75, 1e-15);
    EXPECT_NEAR(Box<2>({2, 4}).distance({0, 2.5}), 0.5, 1e-15);
    EXPECT_NEAR(Capsule<3>(1, 2).distance({3, 5, 0}), 4, 1e-15);
    EXPECT_NEAR(Capsule<3>(1, 2).distance({0, 0.5, 3}), 2, 1e-15);
    EXPECT_NEAR(Capsule<2>(1, 2).distance({0, 3}), 1, 1e-15);
    EXPECT_NEAR(Cylinder(3, 2).distance({0, 5, 6}), 5, 1e-15);
    EXPECT_NEAR(Cylinder(3, 2).distance({0, 0, 0}), -1, 1e-15);
    EXPECT_NEAR(Torus(3, 1).distance({0, 4, 0}), 4, 1e-15);
    EXPECT_NEAR(Torus(3, 1).distance({0, 0, 3}), -1, 1e-15);
    EXPECT_NEAR(Plane<3>({0, 5, 0}).distance({7, -2, 1}), -2, 1e-15);
    EXPECT_NEAR(Plane<2>({3, 4}).distance({1, 1}), 1.4, 1e-15);
}

TEST(Shape, GradientIsDefinedAtSingularPoints) {
    for (const auto& shape : all_shapes<3>()) EXPECT_NEAR(shape->gradient(Vec3::Zero()).norm(), 1, 1e-15);
    for (const auto& shape : all_shapes<2>()) EXPECT_NEAR(shape->gradient(Vec2::Zero()).norm(), 1, 1e-15);
    EXPECT_NEAR(Torus(3, 1).gradient({3, 0, 0}).norm(), 1, 1e-15);  // on the tube's core
    EXPECT_NEAR(Cylinder(3, 2).gradient({0, 0.5, 0}).norm(), 1, 1e-15);
}

TEST(Shape, PlaneBoundsOnlyAlongItsNormal) {
    EXPECT_EQ(Plane<3>({0, 2, 0}).bounding_box().high.y(), 0);
    EXPECT_EQ(Plane<3>({0, -2, 0}).bounding_box().low.y(), 0);
    EXPECT_TRUE(std::isinf(Plane<3>({0, 2, 0}).bounding_box().high.x()));
    EXPECT_TRUE(std::isinf(Plane<2>({1, 2}).bounding_box().high.y()));
}

TEST(Shape, ParametersAreChecked) {
    EXPECT_EQ(error_of([] { Sphere<3>(-1, "solids[2].shape"); }),
              "solids[2].shape.radius: must be finite and > 0 m, got -1");
    EXPECT_EQ(error_of([] { Box<3>({1, 0, 1}); }), "shape.size[1]: must be finite and > 0 m, got 0");
    EXPECT_EQ(error_of([] { Capsule<2>(1, std::numeric_limits<double>::infinity()); }),
              "shape.height: must be finite and > 0 m, got inf");
    EXPECT_EQ(error_of([] { Cylinder(std::nan(""), 1); }), "shape.radius: must be finite and > 0 m, got nan");
    EXPECT_EQ(error_of([] { Torus(1, 1.5); }), "shape.minor_radius: must be < major_radius = 1 m, got 1.5");
    EXPECT_EQ(error_of([] { Plane<2>({0, 0}); }), "shape.normal: must be finite and not zero, got [0, 0]");
    expect_contains(error_of([] { static_cast<void>(Sphere<3>(1).surface_mesh(2)); }), "must be >= 3");
}

TEST(Shape, WhatCannotBeSaysWhatCan) {
    expect_contains(error_of([] { static_cast<void>(make_cylinder<2>(1, 1)); }),
                    "'cylinder' exists in 3D only; allowed in 2D: sphere, box, capsule, plane");
    expect_contains(error_of([] { static_cast<void>(make_torus<2>(2, 1, "solids[0].shape")); }),
                    "solids[0].shape.type: 'torus' exists in 3D only");
    EXPECT_NEAR(make_cylinder<3>(1, 1)->distance({2, 0, 0}), 1, 1e-15);
    EXPECT_NEAR(make_torus<3>(2, 1)->distance({4, 0, 0}), 1, 1e-15);
    expect_contains(error_of([] { static_cast<void>(Plane<3>({0, 1, 0}).mass_properties()); }), "infinite volume");
    expect_contains(error_of([] { static_cast<void>(Plane<2>({0, 1}).surface_mesh(8)); }), "no finite surface");
}

}  // namespace tidelock
