#include "compare/variant.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "methods/registry.h"

namespace tidelock::compare {
namespace {

std::string refusal(const std::string& text) {
    try {
        (void)parse_variants(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Variant, AMethodAndItsKeys) {
    const auto variants = parse_variants("schur,weak:rounds=50:solver.tolerance=1e-8");
    ASSERT_EQ(variants.size(), 2u);
    EXPECT_EQ(variants[0].label, "schur");
    EXPECT_EQ(variants[0].sets, std::vector<std::string>{"coupling.method=\"schur\""});
    EXPECT_EQ(variants[1].label, "weak:rounds=50:solver.tolerance=1e-8");
    EXPECT_EQ(variants[1].folder, "weak_rounds=50_solver.tolerance=1e-8");
    EXPECT_EQ(variants[1].sets, (std::vector<std::string>{"coupling.method=\"weak\"", "coupling.rounds=50",
                                                          "coupling.solver.tolerance=1e-8"}));
}

TEST(Variant, ByDefaultAllMethods) {
    const auto variants = parse_variants("");
    ASSERT_EQ(variants.size(), methods().size());
    for (std::size_t i = 0; i < variants.size(); ++i) EXPECT_EQ(variants[i].label, methods()[i].name);
}

TEST(Variant, RefusesWithAReason) {
    EXPECT_NE(refusal("schur,wek").find("there is no method \"wek\"; there are schur, weak. Did you mean weak?"),
              std::string::npos);
    EXPECT_NE(refusal("schur,").find("there is no method \"\""), std::string::npos);
    EXPECT_NE(refusal("weak:rounds").find("\"rounds\" in \"weak:rounds\" is no setting"), std::string::npos);
    EXPECT_NE(refusal("weak:=3").find("is no setting"), std::string::npos);
    EXPECT_NE(refusal("weak,schur,weak").find("\"weak\" is there twice"), std::string::npos);
}

// A label may hold anything; its folder lies in the folder of the comparison.
TEST(Variant, FoldersStayWhereTheyShould) {
    EXPECT_EQ(parse_variants("weak:x=../../etc")[0].folder, "weak_x=.._.._etc");
}

}  // namespace
}  // namespace tidelock::compare
