#include "geometry/trace.h"

#include "geometry/mesh_shape.h"
#include "geometry/testing.h"

namespace tidelock {
namespace {

// A few distances say of most ways what following them says, and never anything else.
TEST(Trace, LookingAlongAgreesWithFollowing) {
    const TriangleMesh ring = Torus(1, 0.3).surface_mesh(24);
    const std::vector<std::shared_ptr<const Shape<3>>> shapes{
        std::make_shared<Sphere<3>>(1), std::make_shared<Box<3>>(Vec3(1.5, 1, 0.02)), std::make_shared<Torus>(1, 0.3),
        std::make_shared<MeshShape>(ring, MeshDistanceOptions{0.05, 6, 24})};
    const Random random(17);
    const double touch = 1e-3;
    int ways = 0, unsure = 0, clear = 0, asked = 0, asked_following = 0;
    for (const auto& shape : shapes)
        for (std::uint64_t k = 0; k < 5000; ++k) {
            const Vec3 a = 3 * random.point<3>(2 * k) - Vec3::Constant(1.5);
            const Vec3 b = a + random.uniform(k, 9) * random_direction<3>(random, 2 * k + 1);
            const double room_a = shape->distance(a), room_b = shape->distance(b);
            if (room_a <= 0 || room_b <= 0 || room_a > 0.6) continue;
            const auto look = [&](const Vec3& x) { return ++asked, shape->distance(x); };
            const auto follow = [&](const Vec3& x) { return ++asked_following, shape->distance(x); };
            const Sight sight = look_along<3>(look, {a, b, room_a, room_b}, touch);
            const bool met = find_contact<3>(follow, a, b, touch).has_value();
            ++ways;
            unsure += sight == Sight::unsure ? 1 : 0;
            clear += sight == Sight::clear ? 1 : 0;
            if (sight != Sight::unsure) {
                EXPECT_EQ(sight == Sight::blocked, met) << a.transpose() << " to " << b.transpose();
            }
        }
    EXPECT_GT(ways, 4000);
    EXPECT_LT(unsure, ways / 20);
    EXPECT_GT(clear, ways / 4);
    EXPECT_LT(2 * asked, asked_following);
}

TEST(Trace, EndsThatTouchAreNotDecided) {
    const auto plane = [](const Vec3& x) { return x[2]; };
    const Vec3 a(0, 0, 1), b(0, 0, 0.5);
    EXPECT_EQ((look_along<3>(plane, {a, b, 1, 0.5}, 1e-3)), Sight::clear);
    EXPECT_EQ((look_along<3>(plane, {a, b, 1, 1e-4}, 1e-3)), Sight::unsure);
    EXPECT_EQ((look_along<3>(plane, {a, -b, 1, 0.5}, 1e-3)), Sight::blocked);
    EXPECT_EQ((look_along<3>(plane, {a, a, 1, 1}, 1e-3)), Sight::clear);
}

}  // namespace
}  // namespace tidelock
