#include <cmath>
#include <memory>
#include <numbers>

#include "geometry/mesh_doctor.h"
#include "geometry/shape.h"
#include "geometry/testing.h"

namespace tidelock {
namespace {

constexpr double pi = std::numbers::pi;

template <int D>
double difference(const MassProperties<D>& a, const MassProperties<D>& b) {
    return std::abs(a.volume - b.volume) / b.volume + (a.centre - b.centre).norm() +
           (a.inertia - b.inertia).norm() / b.inertia.norm();
}

/// The surface's polyhedral (polygonal) mass properties must tend to the closed form with the square of the resolution.
template <int D>
void expect_second_order(const Shape<D>& shape, int coarse) {
    const auto exact = shape.mass_properties();
    const double e1 = difference<D>(mass_properties(shape.surface_mesh(coarse)), exact);
    const double e2 = difference<D>(mass_properties(shape.surface_mesh(2 * coarse)), exact);
    const double e4 = difference<D>(mass_properties(shape.surface_mesh(4 * coarse)), exact);
    // Both halvings near order 2; higher would be as suspicious. Next-order terms are 1 / coarse^2 = 4e-3 at most.
    EXPECT_NEAR(std::log2(e1 / e2), 2, 0.05);
    EXPECT_NEAR(std::log2(e2 / e4), 2, 0.05);
}

}  // namespace

TEST(ShapeMass, Sphere) {
    const double r = 1.3, volume = 4.0 / 3 * pi * r * r * r;
    const auto mass = Sphere<3>(r).mass_properties();
    EXPECT_NEAR(mass.volume, volume, 1e-14);
    EXPECT_LT((mass.inertia - 0.4 * volume * r * r * Mat3::Identity()).norm(), 1e-13);
    EXPECT_EQ(mass.centre, Vec3::Zero());
    expect_second_order<3>(Sphere<3>(r), 16);
}

TEST(ShapeMass, Disc) {
    const double r = 1.3;
    const auto mass = Sphere<2>(r).mass_properties();
    EXPECT_NEAR(mass.volume, pi * r * r, 1e-14);
    EXPECT_NEAR(mass.inertia(0, 0), pi * std::pow(r, 4) / 2, 1e-13);
    expect_second_order<2>(Sphere<2>(r), 16);
}

TEST(ShapeMass, Torus) {
    const double R = 1.1, r = 0.4, volume = 2 * pi * pi * R * r * r;
    const auto mass = Torus(R, r).mass_properties();
    EXPECT_NEAR(mass.volume, volume, 1e-14);
    EXPECT_NEAR(mass.inertia(1, 1), volume * (R * R + 0.75 * r * r), 1e-13);
    EXPECT_NEAR(mass.inertia(0, 0), volume * (4 * R * R + 5 * r * r) / 8, 1e-13);
    EXPECT_NEAR(mass.inertia(2, 2), mass.inertia(0, 0), 0);
    expect_second_order<3>(Torus(R, r), 16);
}

TEST(ShapeMass, Cylinder) {
    const double r = 0.6, h = 1.7, volume = pi * r * r * h;
    const auto mass = Cylinder(r, h).mass_properties();
    EXPECT_NEAR(mass.volume, volume, 1e-14);
    EXPECT_NEAR(mass.inertia(1, 1), volume * r * r / 2, 1e-14);
    EXPECT_NEAR(mass.inertia(0, 0), volume * (3 * r * r + h * h) / 12, 1e-14);
    expect_second_order<3>(Cylinder(r, h), 16);
}

TEST(ShapeMass, CapsuleTendsToBallAndToRod) {
    // A very short one is a ball: the difference is of the order of the height, 1e-9.
    const auto ball = Sphere<3>(0.5).mass_properties();
    EXPECT_LT(difference<3>(Capsule<3>(0.5, 1e-9).mass_properties(), ball), 1e-8);
    const auto disc = Sphere<2>(0.5).mass_properties();
    EXPECT_LT(difference<2>(Capsule<2>(0.5, 1e-9).mass_properties(), disc), 1e-8);
    // A very long one is a rod: the caps are 4/3 r / h = 1e-3 of the whole, and count three times in the inertia.
    EXPECT_LT(difference<3>(Capsule<3>(0.5, 700).mass_properties(), Cylinder(0.5, 700).mass_properties()), 6e-3);
    expect_second_order<3>(Capsule<3>(0.5, 0.9), 16);
    expect_second_order<2>(Capsule<2>(0.5, 0.9), 16);
}

TEST(ShapeMass, BoxIsExactAtAnyResolution) {
    const Box<3> box({1, 2, 3});
    const auto mass = box.mass_properties();
    EXPECT_NEAR(mass.volume, 6, 1e-15);
    EXPECT_LT((mass.inertia - Mat3(Vec3(6.5, 5, 2.5).asDiagonal())).norm(), 1e-14);
    // Flat faces: only rounding remains, a few hundred terms.
    for (const int resolution : {3, 4, 21}) {
        EXPECT_LT(difference<3>(mass_properties(box.surface_mesh(resolution)), mass), 1e-13);
    }
    const Box<2> plate({2, 3});
    EXPECT_NEAR(plate.mass_properties().inertia(0, 0), 6.5, 1e-14);
    EXPECT_LT(difference<2>(mass_properties(plate.surface_mesh(12)), plate.mass_properties()), 1e-13);
}

TEST(ShapeMass, SurfacesAreClosedAndLieOnTheShape) {
    std::vector<std::unique_ptr<Shape<3>>> shapes;
    shapes.push_back(std::make_unique<Sphere<3>>(0.7));
    shapes.push_back(std::make_unique<Box<3>>(Vec3(1, 2, 3)));
    shapes.push_back(std::make_unique<Capsule<3>>(0.4, 0.9));
    shapes.push_back(std::make_unique<Cylinder>(0.6, 1.1));
    shapes.push_back(std::make_unique<Torus>(0.8, 0.3));
    for (const auto& shape : shapes) {
        for (const int resolution : {3, 7, 24}) {
            const TriangleMesh mesh = shape->surface_mesh(resolution);
            const MeshReport report = diagnose(mesh);
            EXPECT_TRUE(report.faults.empty()) << report.text();
            EXPECT_EQ(report.components, 1);
            for (const Vec3& x : mesh.points) EXPECT_NEAR(shape->distance(x), 0, 1e-15);  // a few roundings
        }
    }
    const Polyline outline = Capsule<2>(0.4, 0.9).surface_mesh(20);
    EXPECT_EQ(outline.points.size(), outline.segments.size());
    for (const Vec2& x : outline.points) EXPECT_NEAR(Capsule<2>(0.4, 0.9).distance(x), 0, 1e-15);
    // Inscribed: shorter than the curve, by about (pi / n)^2 / 6 of the round part.
    EXPECT_NEAR(length(outline), 2 * pi * 0.4 + 2 * 0.9, 0.02);
}

TEST(Polyline, ClockwiseIsRefused) {
    Polyline outline = Box<2>({1, 1}).surface_mesh(4);
    for (auto& [a, b] : outline.segments) std::swap(a, b);
    EXPECT_NEAR(signed_area(outline), -1, 1e-15);
    expect_contains(error_of([&] { static_cast<void>(mass_properties(outline)); }), "encloses an area of -1 m^2");
    EXPECT_EQ(signed_area({}), 0);
    expect_contains(error_of([] { static_cast<void>(mass_properties(Polyline{})); }), "encloses an area of 0 m^2");
}

}  // namespace tidelock
