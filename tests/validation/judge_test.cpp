#include "judge.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tidelock::validation {
namespace {

TEST(Judge, BandsHoldTheirEnds) {
    Judge judge("item");
    judge.expect("low end", 1, {1, 2, "why"});
    judge.expect("high end", 2, {1, 2, "why"});
    judge.expect("middle", -1, around(-1, 0, "why"));
    judge.expect("nothing", 0, at_most(0, "why"));
    EXPECT_EQ(judge.judged(), 4);
    EXPECT_TRUE(judge.complaints().empty());
}

TEST(Judge, ComplaintsNameItemFigureAndBand) {
    Judge judge("item");
    judge.expect("too low", 0.999, {1, 2, "one"});
    judge.expect("too high", 2.5, {1, 2, "two"});
    judge.expect("no number", std::nan(""), {-1e300, 1e300, "three"});
    judge.expect("fits", 1.5, {1, 2, "four"});
    const auto found = judge.complaints();
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0], "item: too low: 0.999, must be 1 to 2 (one)");
    EXPECT_EQ(found[1], "item: too high: 2.5, must be 1 to 2 (two)");
    EXPECT_EQ(found[2].substr(0, 20), "item: no number: nan");
    EXPECT_NE(judge.page().find("| too high | 2.5 | 1 to 2 | **no** | two |"), std::string::npos) << judge.page();
}

TEST(Judge, AnotherBandTakesThePlace) {
    Judge judge("item", {{"a", {3, 4}}});
    judge.expect("a", 1.5, {1, 2, "why"});
    judge.expect("b", 1.5, {1, 2, "why"});
    ASSERT_EQ(judge.complaints().size(), 1u);
    EXPECT_EQ(judge.complaints()[0], "item: a: 1.5, must be 3 to 4 (the command line asks for it)");
}

TEST(Judge, AnItemWithoutAFigureIsMissed) {
    EXPECT_EQ(Judge("item").complaints(), std::vector<std::string>{"item: no figure was judged"});
}

TEST(Judge, WhatIsKnownToMissIsSaidAndNotJudged) {
    Judge judge("item");
    judge.expect("a", 1, {1, 1, "why"});
    judge.know("b", 12.4, 10, "the ideal is as far off");
    EXPECT_TRUE(judge.complaints().empty());
    ASSERT_EQ(judge.known().size(), 1u);
    EXPECT_EQ(judge.known()[0], "item: b: 12.4, the bar is 10: not judged by it: the ideal is as far off");
    EXPECT_NE(judge.page().find("| b | 12.4 | bar 10 | not judged |"), std::string::npos) << judge.page();
}

}  // namespace
}  // namespace tidelock::validation
