#include "reproduce/aanjaneya2018.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files_testing.h"

namespace tidelock::reproduce {
namespace {

TEST(Aanjaneya2018, RefusesItemsThatThereAreNot) {
    const Folder folder;
    const ReportFolder report(folder / "r", [](const std::string&) {});
    EXPECT_THROW(reproduce_aanjaneya2018({"table1", "table9"}, true, report), InputError);
    EXPECT_TRUE(std::filesystem::is_empty(folder / "r"));
    EXPECT_EQ(aanjaneya2018_items().size(), 7u);
}

}  // namespace
}  // namespace tidelock::reproduce
