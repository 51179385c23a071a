#include "render/report_folder.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "base/file.h"
#include "base/files_testing.h"

namespace tidelock {
namespace {

TEST(Report, NumbersAreShort) {
    EXPECT_EQ(short_number(47), "47");
    EXPECT_EQ(short_number(2603), "2603");
    EXPECT_EQ(short_number(78.5363), "78.5");
    EXPECT_EQ(short_number(6.05), "6.05");
    EXPECT_EQ(short_number(149.1149), "149");
    EXPECT_EQ(short_number(0.3405), "0.34");
    EXPECT_EQ(short_number(0.013), "0.013");
    EXPECT_EQ(short_number(0), "0");
    EXPECT_EQ(short_number(std::numeric_limits<double>::quiet_NaN()), "-");
}

TEST(Report, TablesAreMarkdown) {
    const MarkdownTable table{{"solver", "iterations"}, {{"`p0`", "47"}, {"`auto`", "6"}}};
    EXPECT_EQ(table.text(), "| solver | iterations |\n| --- | --- |\n| `p0` | 47 |\n| `auto` | 6 |\n");
}

TEST(Report, FolderIsMadeAndFilesAreReplacedWhole) {
    const Folder folder;
    const ReportFolder report(folder / "a/b", [](const std::string&) {});
    report.write("x.md", "one");
    report.write("x.md", "two");
    EXPECT_EQ(std::filesystem::file_size(folder / "a/b/x.md"), 3u);
    int files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / "a/b")) ++files;
    EXPECT_EQ(files, 1);
    EXPECT_THROW(ReportFolder(folder / "a/b/x.md/c", [](const std::string&) {}), FileError);
}

}  // namespace
}  // namespace tidelock
