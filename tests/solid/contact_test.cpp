#include "solid/contact.h"

#include <gtest/gtest.h>

#include <numbers>

#include "base/random.h"
#include "contact_testing.h"
#include "solid/near_pairs.h"

namespace tidelock {
namespace {

constexpr ContactDistances near{touching, touching};

template <int D>
std::vector<ContactPoint<D>> contacts_of(const std::vector<RigidBody<D>>& bodies, double reach = 0,
                                         const WallBox<D>& walls = no_walls<D>()) {
    return find_contacts<D>(bodies, walls, near, std::vector<double>(bodies.size(), reach));
}

// Samples are corners of a polygon; the contact is where the round bodies meet, whatever the direction.
template <int D>
void expect_round() {
    for (int k = 0; k < 20; ++k) {
        Vec<D> n = Vec<D>::Zero();
        n[0] = std::cos(0.3 + k), n[1] = std::sin(0.3 + k);
        if constexpr (D == 3) n[2] = 0.7 * std::cos(2.3 * k);
        n.normalize();
        const std::vector<RigidBody<D>> bodies{ball<D>(0.2, (0.5 + 1.2 * touching) * n), ball<D>(0.3, Vec<D>::Zero())};
        const auto found = contacts_of<D>(bodies);
        ASSERT_EQ(found.size(), 1U) << k;
        EXPECT_NEAR((found[0].normal - n).norm(), 0, 1e-6) << k;
        EXPECT_NEAR(found[0].gap, 0.2 * touching, 1e-10) << k;
        EXPECT_NEAR((found[0].point - (0.3 + 0.6 * touching) * n).norm(), 0, 1e-6) << k;
    }
}
TEST(Contact, TwoSpheresTouchInOnePointOnTheLineOfTheirCentres) {
    expect_round<2>();
    expect_round<3>();
}

TEST(Contact, ABoxOnABoxTouchesAtTheCornersOfTheSmallerFace) {
    const auto contacts = contacts_of<3>({box<3>({1, 1, 1}, {0.1, 1 + touching, 0.05}), box<3>({2, 1, 2}, {0, 0, 0})});
    ASSERT_EQ(contacts.size(), 4U);
    for (const auto& c : contacts) {
        EXPECT_NEAR((c.normal - Vec3::UnitY()).norm(), 0, 1e-12);
        EXPECT_NEAR(c.gap, 0, 1e-12);
        EXPECT_NEAR(std::abs(c.point[0] - 0.1), 0.5, 1e-12);
        EXPECT_NEAR(std::abs(c.point[2] - 0.05), 0.5, 1e-12);
    }
    const auto plane = contacts_of<2>({box<2>({1, 1}, {0.2, 1 + touching}), box<2>({1, 1}, {0, 0})});
    ASSERT_EQ(plane.size(), 2U) << "one corner of each";
    for (const auto& c : plane) EXPECT_NEAR((c.normal - Vec2::UnitY()).norm(), 0, 1e-12);
}

// Two edges that cross at right angles, their bodies turned by 45 degrees: no corner is anywhere near.
TEST(Contact, CrossingEdgesMeetWhereTheyCross) {
    const double half = std::sqrt(0.5);  // of the diagonal of a unit square
    std::vector<RigidBody<3>> bodies{box<3>({1, 1, 4}, {0.013, 2 * half + touching, 0.021}),
                                     box<3>({4, 1, 1}, {0, 0, 0})};
    bodies[0].rotation = bodies[0].rotation.turned(Vec3(0, 0, std::numbers::pi / 4));
    bodies[1].rotation = bodies[1].rotation.turned(Vec3(std::numbers::pi / 4, 0, 0));
    const auto contacts = contacts_of<3>(bodies);
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR((contacts[0].normal - Vec3::UnitY()).norm(), 0, 1e-6);
    EXPECT_NEAR(contacts[0].gap, 0, 1e-9);
    EXPECT_NEAR((contacts[0].point - Vec3(0.013, half + 0.5 * touching, 0)).norm(), 0, 1e-5);
}

/// Three bars that leave a slot open to the top: not convex, with a distance that is exact outside.
class Slot final : public Shape<2> {
  public:
    explicit Slot(double width) : half_(0.5 * width) {}
    [[nodiscard]] double distance(const Vec2& x) const override { return nearest(x).first; }
    [[nodiscard]] Vec2 gradient(const Vec2& x) const override { return nearest(x).second; }
    [[nodiscard]] Bounds<2> bounding_box() const override { return {Vec2(-half_ - 1, -1), Vec2(half_ + 1, 1)}; }
    [[nodiscard]] MassProperties<2> mass_properties() const override { return mass_properties_of(outline()); }
    [[nodiscard]] Polyline surface_mesh(int) const override { return outline(); }

  private:
    static MassProperties<2> mass_properties_of(const Polyline& line) { return tidelock::mass_properties(line); }
    [[nodiscard]] Polyline outline() const {
        const double w = half_;
        const std::vector<Vec2> p{{-w - 1, -1}, {w + 1, -1}, {w + 1, 1}, {w, 1}, {w, 0}, {-w, 0}, {-w, 1}, {-w - 1, 1}};
        Polyline line{p, {}};
        for (int i = 0; i < 8; ++i) line.segments.push_back({i, (i + 1) % 8});
        return line;
    }
    [[nodiscard]] std::pair<double, Vec2> nearest(const Vec2& x) const {
        const Box<2> floor(Vec2(2 * half_ + 2, 1)), side(Vec2(1, 2));
        std::pair<double, Vec2> best{1e300, Vec2::Zero()};
        const auto take = [&](const Box<2>& box, const Vec2& at) {
            if (const double d = box.distance(x - at); d < best.first) best = {d, box.gradient(x - at)};
        };
        take(floor, {0, -0.5});
        take(side, {-half_ - 0.5, 0});
        take(side, {half_ + 0.5, 0});
        return best;
    }
    double half_;
};

TEST(Contact, APegInASlotTouchesOnThreeSides) {
    const double play = 0.2 * touching;  // beyond the contact distance, on each side
    auto slot = body_of<2>(std::make_shared<Slot>(0.4), Vec2::Zero(), 1000, BodyType::fixed);
    const Vec2 middle = slot.pose().to_world(-slot.shape_offset);  // of the slot's floor
    const Vec2 size(0.4 - 2 * (touching + play), 1.5);
    const auto peg = box<2>(size, middle + Vec2(0, 0.5 * size[1] + touching + play));
    const auto contacts = contacts_of<2>({peg, slot});
    std::array<int, 3> sides{};
    for (const auto& c : contacts) {
        EXPECT_NEAR(c.gap, play, 1e-9);
        if (c.normal.dot(Vec2::UnitX()) > 0.99) ++sides[0];
        if (c.normal.dot(-Vec2::UnitX()) > 0.99) ++sides[1];
        if (c.normal.dot(Vec2::UnitY()) > 0.99) ++sides[2];
    }
    for (int count : sides) EXPECT_GE(count, 2) << "two points hold a side against tilting";
}

TEST(Contact, WallsAndShellsKeepTheirDistance) {
    auto shell = body_of<2>(std::make_shared<Sphere<2>>(0.5), Vec2(0, 1), 1000, BodyType::rigid, 0.02);
    const auto inside = contacts_of<2>({ball<2>(0.1, {0, 0.61 + 1.1 * touching}), shell});
    ASSERT_EQ(inside.size(), 1U);
    EXPECT_NEAR((inside[0].normal - Vec2::UnitY()).norm(), 0, 1e-6);
    EXPECT_NEAR(inside[0].gap, 0.1 * touching, 1e-10) << "the skin reaches 0.01 into the inside";
    shell.position[1] = 0.51 + 1.2 * touching;
    const auto on_floor = contacts_of<2>({shell}, 0, floor_only<2>());
    ASSERT_EQ(on_floor.size(), 1U);
    EXPECT_NEAR(on_floor[0].gap, 0.2 * touching, 1e-10);
}

// Rows against the velocities of the surfaces.
TEST(Contact, RowsReadTheRelativeVelocity) {
    std::vector<RigidBody<3>> bodies{ball<3>(0.2, {0.1, 0.5, 0.02}, {1, 2, 3}), box<3>({1, 0.6, 1}, {0, 0, 0})};
    bodies[0].angular_momentum = Vec3(0.3, -0.1, 0.2);
    bodies[1].velocity = Vec3(0.2, 0.1, -0.5);
    bodies[1].angular_momentum = Vec3(10, -20, 5);
    const auto contacts = contacts_of<3>(bodies, 0.1);
    ASSERT_FALSE(contacts.empty());
    for (const auto& c : contacts)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 u = velocity_at<3>(bodies[0].twist(), c.point - bodies[0].position) -
                           velocity_at<3>(bodies[1].twist(), c.point - bodies[1].position);
            const double read = c.rows[k].a.dot(bodies[0].twist()) + c.rows[k].b.dot(bodies[1].twist());
            EXPECT_NEAR(read, u.dot(c.axes[k]), 1e-13);
        }
}

TEST(NearPairs, AreThoseOfBruteForce) {
    const Random random(7);
    std::vector<RigidBody<3>> bodies;
    std::vector<double> reach;
    for (std::uint64_t i = 0; i < 200; ++i) {
        auto b = ball<3>(0.02 + 0.03 * random.uniform(4 * i),
                         {random.uniform(4 * i + 1), random.uniform(4 * i + 2), random.uniform(4 * i + 3)});
        if (i % 5 == 0) b.type = BodyType::fixed;
        bodies.push_back(b);
        reach.push_back(0.01 * static_cast<double>(i % 3));
    }
    bodies.push_back(body_of<3>(std::make_shared<Plane<3>>(Vec3::UnitY()), Vec3::Zero(), 1, BodyType::fixed));
    reach.push_back(0);
    std::vector<std::pair<int, int>> expected;
    for (int i = 0; i < 201; ++i)
        for (int j = i + 1; j < 201; ++j) {
            const auto &a = bodies[static_cast<std::size_t>(i)], &b = bodies[static_cast<std::size_t>(j)];
            const double sum =
                a.radius + b.radius + reach[static_cast<std::size_t>(i)] + reach[static_cast<std::size_t>(j)];
            if ((a.dynamic() || b.dynamic()) && (a.position - b.position).cwiseAbs().maxCoeff() <= sum)
                expected.emplace_back(i, j);
        }
    EXPECT_EQ(near_pairs<3>(bodies, reach), expected);
    EXPECT_GT(expected.size(), 200U);
}

}  // namespace
}  // namespace tidelock
