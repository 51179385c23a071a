/// What is crushed ends with its name, and never with speeds that nothing drives.
#include <gtest/gtest.h>

#include "methods/schur/schur.h"
#include "methods/trial.h"
#include "pool.h"
#include "stage/step_failure.h"
#include "state/world_copy.h"

namespace tidelock {
namespace {

constexpr double plate_speed = 1;

struct Crushed {
    const char* shape;
    bool shell, liquid;
    InterfaceScheme interface;
    double density;  ///< [kg/m^3], in a fluid of 1000

    [[nodiscard]] std::string text() const {
        return fmt::format("{}{} of {} in {}, {}", shape, shell ? " shell" : "", density, liquid ? "liquid" : "gas",
                           word_of(interface));
    }
    [[nodiscard]] std::shared_ptr<const Shape<2>> make() const {
        if (shape == std::string("disc")) return std::make_shared<Sphere<2>>(0.1);
        return std::make_shared<Box<2>>(shape == std::string("box") ? Vec2(0.2, 0.2) : Vec2(0.4, 0.1));
    }
};

/// A plate that comes down on a body on the floor, half of them turned by a little.
template <class Add>
void press(const Crushed& what, const Add& add) {
    auto& body = add(what.make(), what.density, Vec2(0.5, 0.13), what.shell ? 0.0 : 0.05);
    body.name = "body";
    if (what.shell) set_shape<2>(body, body.shape, what.density, 0.02 / 32, {body.position, {}}, "body");
    auto& plate = add(std::make_shared<Box<2>>(Vec2(0.4, 0.1)), 1, Vec2(0.5, 0.45), 0.0);
    plate.type = BodyType::kinematic;
    plate.name = "plate";
    plate.motion = SteadyMotion<2>{Vec3(0, -plate_speed, 0)};
}

/// A step, in parts if it fails for what shorter ones can help: a light body that had not yet turned out of the way.
StepReport<2> advance(Method<2>& method, World<2>& world, double dt) {
    const World<2> before = clone(world);
    for (int halvings = 0;; ++halvings, dt /= 2) {
        try {
            return method.advance(world, dt);
        } catch (const StepFailed& failure) {
            if (failure.halvings() == crush_halvings || halvings == failure.halvings()) throw;
            copy_state<2>(before, world);
        }
    }
}

/// Steps until one fails, and what it says. Gravity and the fluid it pushes aside add to the plate's speed; the fluid that a
/// light body goes with comes out of a film of half a cell, half as wide as the plate.
void expect_named(Method<2>& method, World<2>& world, bool light, const std::string& what) {
    const auto& body = world.solids.bodies[0];
    const double most = light ? plate_speed * 0.2 / (0.5 / 32) : 4 * plate_speed;
    try {
        for (int n = 0; n < 300; ++n) {
            const auto report = advance(method, world, std::min(method.largest_step(world), 0.01));
            for (const auto& solve : report.solves) {
                if (solve.name == "coupled") {
                    ASSERT_TRUE(solve.report.converged()) << what << ", step " << n;
                }
            }
            ASSERT_LT(body.velocity.norm(), most) << what << ", step " << n;
            for (int a = 0; a < 2; ++a) {
                ASSERT_GT(body.position[a], 0.04) << what;
                ASSERT_LT(body.position[a], 0.96) << what;
            }
        }
        FAIL() << what << ": goes on";
    } catch (const StepFailed& failure) {
        EXPECT_NE(std::string(failure.what()).find("'body' is crushed between"), std::string::npos)
            << what << ": " << failure.what();
        EXPECT_EQ(failure.halvings(), crush_halvings) << what;
    }
}

TEST(Crushing, EndsWithTheNameOfWhoIsCrushed) {
    for (const char* shape : {"box", "disc", "bar"})
        for (const bool shell : {false, true})
            for (const auto interface : {InterfaceScheme::fractional, InterfaceScheme::constraint})
                for (const bool heavy : {false, true}) {
                    const Crushed gas{shape, shell, false, interface, heavy ? 1e9 : 1.0};
                    Trial<2> trial(32, 1.0 / 32);
                    press(
                        gas, [&](auto of, double d, const Vec2& at, double angle) -> auto& {
                            return trial.add(of, d, at, Rotation<2>(angle));
                        });
                    Schur<2> in_gas(trial.setup(), {.interface = interface});
                    expect_named(in_gas, trial.world, false, gas.text());

                    const Crushed liquid{shape, shell, true, interface, heavy ? 1e3 : 1e-6};
                    Pool<2> pool(32, LiquidTransport::apic, LiquidSurface::particles);
                    press(
                        liquid, [&](auto of, double d, const Vec2& at, double angle) -> auto& {
                            return pool.add(of, d, at, BodyType::rigid, angle);
                        });
                    pool.fill_to(0.7);
                    Schur<2> in_liquid(pool.setup, {.interface = interface});
                    expect_named(in_liquid, pool.world(), !heavy, liquid.text());
                }
}

}  // namespace
}  // namespace tidelock
