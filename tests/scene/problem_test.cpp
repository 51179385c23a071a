#include "scene/problem.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tidelock::scene {
namespace {

TEST(NearestWord, FindsSlipsAndIgnoresStrangers) {
    const std::vector<std::string_view> keys{"density", "position", "rotation", "velocity", "colour", "shell"};
    EXPECT_EQ(nearest_word("densty", keys), "density");
    EXPECT_EQ(nearest_word("postion", keys), "position");
    EXPECT_EQ(nearest_word("color", keys), "colour");
    EXPECT_EQ(nearest_word("Velocity", keys), "velocity");
    EXPECT_EQ(nearest_word("vel", keys), "velocity");
    EXPECT_EQ(nearest_word("sehll", keys), "shell");
    EXPECT_EQ(nearest_word("mass", keys), "");
    EXPECT_EQ(nearest_word("", keys), "");
    EXPECT_EQ(nearest_word(std::string(1'000'000, 'a'), keys), "");
    EXPECT_EQ(nearest_word("semi_lagrangian", {"semi-lagrangian", "maccormack"}), "semi-lagrangian");
}

TEST(Problems, KeepsALimitedNumberAndSaysSo) {
    Problems problems;
    for (int i = 0; i < 150; ++i) problems.error({200 - i, 1, 0}, "", "wrong");
    const std::vector<Problem> list = problems.take();
    ASSERT_EQ(list.size(), Problems::limit + 1);
    EXPECT_EQ(list.back().text, "and 50 more errors, not shown");
    for (std::size_t i = 1; i < Problems::limit; ++i) EXPECT_LT(list[i - 1].place.line, list[i].place.line);
}

// A hundred warnings used to keep errors out, and one more of them became an error that nobody saw.
TEST(Problems, WarningsNeverHideErrorsNorBecomeOnes) {
    Problems problems;
    for (int i = 0; i < 150; ++i) problems.warning({i + 1, 1, 0}, "", "odd");
    EXPECT_FALSE(problems.full());
    const std::vector<Problem> warnings = problems.take();
    EXPECT_FALSE(has_errors(warnings));
    EXPECT_EQ(warnings.back().text, "and 50 more warnings, not shown");
    for (int i = 0; i < 150; ++i) problems.warning({i + 1, 1, 0}, "", "odd");
    problems.error({200, 1, 0}, "", "wrong");
    EXPECT_TRUE(has_errors(problems.take()));
}

TEST(Places, FallsBackOnWhatIsAround) {
    Places places;
    places.add("", {1, 1, 0});
    places.add("solids[1]", {5, 3, 0});
    EXPECT_EQ(places.find("solids[1].shape.radius"), (Place{5, 3, 0}));
    EXPECT_EQ(places.find("solids[0].shape"), (Place{1, 1, 0}));
}

TEST(Problem, FormatsFileAndOverride) {
    const Problem p{Severity::error, {3, 7, 0}, "time.fps", "must be positive"};
    EXPECT_EQ(format(p, "a.json", {}), "a.json:3:7: error: time.fps: must be positive");
    const Problem q{Severity::warning, {0, 0, 2}, "time.fps", "odd"};
    EXPECT_EQ(format(q, "a.json", {"x=1", "time.fps=0"}), "--set time.fps=0: warning: time.fps: odd");
}

}  // namespace
}  // namespace tidelock::scene
