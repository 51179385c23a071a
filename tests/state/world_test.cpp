#include "state/world.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"

namespace tidelock {
namespace {

template <int D>
std::vector<RigidBody<D>> two_bodies() {
    std::vector<RigidBody<D>> bodies(2);
    for (auto& body : bodies) {
        body.name = "body";
        set_shape<D>(body, std::make_shared<Sphere<D>>(0.1), 3, 0, {Vec<D>::Constant(0.3), {}}, "body");
        Twist<D> twist;
        for (int d = 0; d < rigid_dof<D>; ++d) twist[d] = 0.1 / (d + 1.0);
        body.set_twist(twist);
        for (int i = 0; i < 3; ++i) move<D>(body, 0, 0.1);
    }
    return bodies;
}

template <int D>
void expect_round_trip() {
    const auto bodies = two_bodies<D>();
    const auto numbers = pack_bodies<D>(bodies);
    ASSERT_EQ(numbers.size(), 2 * body_state_size<D>);
    auto other = two_bodies<D>();
    for (auto& body : other) body.position.setZero(), body.rotation = {}, body.velocity.setZero();
    unpack_bodies<D>(numbers, other);
    const auto again = pack_bodies<D>(other);
    EXPECT_EQ(std::memcmp(numbers.data(), again.data(), numbers.size() * sizeof(double)), 0);
    EXPECT_THROW(unpack_bodies<D>(std::vector<double>(5), other), InputError);
}

TEST(World, BodiesComeBackBitForBit) {
    expect_round_trip<2>();
    expect_round_trip<3>();
}

TEST(World, ContactsComeBackBitForBit) {
    const std::vector<ContactMemory<3>> contacts{{0, 3, 17, Vec3(0.1, 1.0 / 3, -2)},
                                                 {2, -4, 4000000000u, Vec3(0, 5, 0)}};
    const auto numbers = pack_contacts<3>(contacts);
    ASSERT_EQ(numbers.size(), 2 * contact_state_size<3>);
    const auto back = unpack_contacts<3>(numbers);
    ASSERT_EQ(back.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(back[i].a, contacts[i].a);
        EXPECT_EQ(back[i].b, contacts[i].b);
        EXPECT_EQ(back[i].id, contacts[i].id);
        EXPECT_EQ(back[i].force, contacts[i].force);
    }
    EXPECT_THROW((void)unpack_contacts<3>(std::vector<double>(5)), InputError);
}

TEST(World, LoadsComeBackBitForBit) {
    const std::vector<Twist<2>> loads{{0.1, 1.0 / 3, -2}, {4, 5, 1e-300}};
    EXPECT_EQ(unpack_loads<2>(pack_loads<2>(loads)), loads);
    EXPECT_TRUE(unpack_loads<3>({}).empty());
    EXPECT_THROW((void)unpack_loads<3>(std::vector<double>(5)), InputError);
}

TEST(World, ListsEveryArray) {
    World<3> world;
    Grid<3> grid;
    grid.cells = Coord3(16, 8, 8);
    world.fluid = make_smoke<3>(grid, Sides<3>{}, 293);
    std::vector<std::string> names;
    for (const auto& array : list_arrays<3>(world)) {
        names.push_back(array.name);
        EXPECT_EQ(array.bytes, 2 * Brick<3>::cells * sizeof(double));  // one brick and the void brick
    }
    EXPECT_EQ(names, (std::vector<std::string>{"velocity.x", "velocity.y", "velocity.z", "density", "temperature",
                                               "pressure"}));
}

}  // namespace
}  // namespace tidelock
