#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "app/program.h"
#include "base/files_testing.h"
#include "base/isa.h"

namespace tidelock {
namespace {

/// Programs started while it lives use that instruction set.
class ForcedIsa {
  public:
    explicit ForcedIsa(const std::string& name) { ::setenv("TIDELOCK_ISA", name.c_str(), 1); }
    ~ForcedIsa() { ::unsetenv("TIDELOCK_ISA"); }
    ForcedIsa(const ForcedIsa&) = delete;
    ForcedIsa& operator=(const ForcedIsa&) = delete;
};

Outcome under(const std::string& isa, const std::vector<std::string>& arguments) {
    const ForcedIsa forced(isa);
    return tidelock(arguments);
}

TEST(Isa, IsNamedAndCanBeLowered) {
    for (const std::string& isa : available_isas()) {
        const Outcome version = under(isa, {"--version"});
        EXPECT_EQ(version.code, 0);
        EXPECT_NE(version.output.find(", " + isa), std::string::npos) << version.output;
    }
    const Outcome wrong = under("v9", {"scenes"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.output.find("TIDELOCK_ISA: must be one of"), std::string::npos) << wrong.output;
}

TEST(Isa, ARunThatChangesItsMachineEqualsOneThatStays) {
    const auto isas = available_isas();
    if (isas.size() < 2) GTEST_SKIP() << "this build or processor has one instruction set: " << isas.front();
    const Folder folder;
    ASSERT_EQ(under(isas.back(), small_run(folder / "stays", {"--quiet"})).code, 0);
    const auto out = folder / "moves";
    ASSERT_EQ(under(isas.front(), small_run(out, {"--quiet", "--steps", "3"})).code, 0);
    ASSERT_EQ(under(isas.back(), small_run(out, {"--quiet", "--resume", "--steps", "6"})).code, 0);
    ASSERT_EQ(under(isas[isas.size() / 2], small_run(out, {"--quiet", "--resume"})).code, 0);
    EXPECT_EQ(comparable_steps(folder / "stays"), comparable_steps(out));
    EXPECT_EQ(bytes_of(files_in(folder / "stays" / "checkpoint").back()),
              bytes_of(files_in(out / "checkpoint").back()));
}

}  // namespace
}  // namespace tidelock
