/// Closed regions that a prescribed motion presses on: the user hears which, by whom, and how much is lost.
#include <gtest/gtest.h>

#include "methods/schur/schur.h"
#include "methods/trial.h"

namespace tidelock {
namespace {

std::vector<std::string> sealed_notes(double width, InterfaceScheme interface) {
    Trial<2> run(32, 1.0 / 32);
    auto& piston = run.add(std::make_shared<Box<2>>(Vec2(width, 0.1)), 1, Vec2(0.5, 0.7));
    piston.type = BodyType::kinematic;
    piston.name = "piston";
    piston.motion = SteadyMotion<2>{(Twist<2>() << 0, -1, 0).finished()};
    Schur<2> schur(run.setup(), {.interface = interface});
    std::vector<std::string> notes;
    for (const auto& note : schur.advance(run.world, 0.01).notes)
        if (note.kind.starts_with("sealed")) notes.push_back(note.text);
    return notes;
}

TEST(Sealed, APistonInAClosedBoxIsNamedWithWhatIsLost) {
    for (const auto interface : {InterfaceScheme::fractional, InterfaceScheme::constraint}) {
        const auto notes = sealed_notes(1.2, interface);
        ASSERT_EQ(notes.size(), 2u) << "below and above it";
        // 1 m wide and 1 m/s fast: 1 m^2/s on either side.
        EXPECT_NE(notes[0].find("shrink by 1 m2/s for 'piston'"), std::string::npos) << notes[0];
        EXPECT_NE(notes[1].find("grow by 1 m2/s for 'piston'"), std::string::npos) << notes[1];
    }
}

// With a way around it nothing is closed.
TEST(Sealed, APlateWithAWayAroundIsNot) { EXPECT_TRUE(sealed_notes(0.8, InterfaceScheme::fractional).empty()); }

}  // namespace
}  // namespace tidelock
