#include <sys/mount.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <limits>

#include "app/program.h"
#include "base/files_testing.h"
#include "io/checkpoint.h"
#include "io/run_folder.h"
#include "io/step_log.h"
#include "io/vdb.h"

namespace tidelock {
namespace {

namespace fs = std::filesystem;

/// A file system of its own in a folder, as long as it lives; `mounted` is false where we may not mount.
class SmallDisk {
  public:
    SmallDisk(fs::path folder, const char* options) : folder_(std::move(folder)) {
        fs::create_directories(folder_);
        mounted = ::mount("tidelock-test", folder_.c_str(), "tmpfs", 0, options) == 0;
    }
    ~SmallDisk() {
        if (mounted) ::umount2(folder_.c_str(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    bool mounted = false;
    [[nodiscard]] bool make_read_only() const {
        return ::mount("tidelock-test", folder_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }
    [[nodiscard]] bool grow(const char* options) const {
        return ::mount("tidelock-test", folder_.c_str(), "tmpfs", MS_REMOUNT, options) == 0;
    }

  private:
    fs::path folder_;
};

/// Everything that a run left can be read.
void expect_readable(const RunPaths& run) {
    static_cast<void>(read_step_log(run.steps()));
    for (const int frame : run.vdb_frames()) EXPECT_NE(read_vdb(run.frame_vdb(frame)).find("density"), nullptr);
}

TEST(Fault, AFullDiskFailsWithItsNameAndTheRunGoesOnLater) {
    const Folder folder;
    ASSERT_EQ(tidelock(small_run(folder / "whole", {"--quiet"})).code, 0);
    const SmallDisk disk(folder / "disk", "size=2m");
    if (!disk.mounted) GTEST_SKIP() << "no right to mount a small disk; see AFileTooLarge";
    const auto out = folder / "disk/a";
    const Outcome outcome = tidelock(small_run(out));
    EXPECT_EQ(outcome.code, 1) << outcome.output;
    expect_contains(outcome.output, "No space left on device");
    expect_readable({out});
    ASSERT_TRUE(disk.grow("size=50m"));
    const Outcome resumed = tidelock(small_run(out, {"--resume"}));
    EXPECT_EQ(resumed.code, 0) << resumed.output;
    EXPECT_EQ(comparable_steps(out), comparable_steps(folder / "whole"));
}

TEST(Fault, AFileTooLargeFailsAndLeavesWhatWasThere) {
    const Folder folder;
    const auto out = folder / "a";
    ASSERT_EQ(tidelock(small_run(out, {"--frames", "2", "--quiet"})).code, 0);
    const auto checkpoint = files_in(out / "checkpoint").back();
    const std::string before = bytes_of(checkpoint);
    // Frames fit, the checkpoint does not.
    const Outcome outcome = Program(small_run(out, {"--resume"}), before.size() - 1).wait();
    EXPECT_EQ(outcome.code, 1) << outcome.output;
    expect_contains(outcome.output, "File too large");
    EXPECT_EQ(bytes_of(checkpoint), before);
    expect_readable({out});
    EXPECT_EQ(tidelock(small_run(out, {"--resume", "--quiet"})).code, 0);
}

TEST(Fault, AReadOnlyFolderIsAFailureThatChangesNothing) {
    const Folder folder;
    const SmallDisk disk(folder / "disk", "size=50m");
    if (!disk.mounted) {
        // Where nothing can be made a folder at all.
        const Outcome outcome = tidelock(small_run("/proc/tidelock"));
        EXPECT_EQ(outcome.code, 1) << outcome.output;
        expect_contains(outcome.output, "/proc/tidelock");
        return;
    }
    const auto out = folder / "disk/a";
    ASSERT_EQ(tidelock(small_run(out, {"--frames", "2", "--quiet"})).code, 0);
    const std::string steps = bytes_of(out / "steps.jsonl");
    ASSERT_TRUE(disk.make_read_only());
    for (const auto& where : {out, folder / "disk/b"}) {
        const Outcome outcome = tidelock(small_run(where, {"--resume"}));
        EXPECT_EQ(outcome.code, 1) << outcome.output;
        expect_contains(outcome.output, "Read-only file system");
    }
    EXPECT_EQ(bytes_of(out / "steps.jsonl"), steps);
    EXPECT_EQ(tidelock({"info", out.string()}).code, 0);
}

TEST(Fault, AFolderOfSomethingElseIsRefused) {
    const Folder folder;
    fs::create_directory(folder / "photos");
    fs::create_directory(folder / "photos/holidays");
    const Outcome outcome = tidelock(small_run(folder / "photos", {"--restart"}));
    EXPECT_EQ(outcome.code, 2);
    expect_contains(outcome.output, "holidays");
    EXPECT_EQ(files_in(folder / "photos").size(), 1u);
}

TEST(Fault, TwoRunsDoNotShareAFolder) {
    const Folder folder;
    const auto out = folder / "a";
    Program first(small_run(out, {"--quiet", "--set", "time.duration=60"}));
    while (first.running() && !fs::exists(out / "steps.jsonl")) ::usleep(1000);
    const Outcome second = tidelock(small_run(out, {"--resume", "--set", "time.duration=60"}));
    EXPECT_EQ(second.code, 2);
    expect_contains(second.output, "another run");
    expect_contains(tidelock({"info", out.string()}).output, "going on");
    first.send(SIGINT);
    EXPECT_EQ(first.wait().code, 3);
}

/// Puts a number that is none into the velocity of a saved state.
void spoil(const fs::path& file) {
    const CheckpointReader reader(file);
    CheckpointWriter writer;
    std::vector<std::vector<std::byte>> arrays;
    for (const auto& array : reader.arrays()) {
        auto& bytes = arrays.emplace_back(array.count * size_of(array.type));
        reader.read(array.name, bytes, array.type);
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        if (array.name == "velocity.y") std::memcpy(&bytes[100 * sizeof none], &none, sizeof none);
    }
    for (std::size_t i = 0; i < arrays.size(); ++i)
        writer.add(reader.arrays()[i].name, arrays[i], reader.arrays()[i].type);
    writer.write(file.parent_path(), reader.identity(), reader.moment());
}

TEST(Fault, ANumberThatIsNoneFailsNamingStepAndStageAndKeepsTheRest) {
    const Folder folder;
    const auto out = folder / "a";
    ASSERT_EQ(tidelock(small_run(out, {"--steps", "4", "--quiet"})).code, 0);
    const auto checkpoint = files_in(out / "checkpoint").back();
    spoil(checkpoint);
    const std::string before = bytes_of(checkpoint), steps = bytes_of(out / "steps.jsonl");
    const Outcome outcome = tidelock(small_run(out, {"--resume"}));
    EXPECT_EQ(outcome.code, 1) << outcome.output;
    expect_contains(outcome.output, "step 5, stage solve");
    EXPECT_EQ(bytes_of(checkpoint), before);
    EXPECT_EQ(bytes_of(out / "steps.jsonl"), steps);
    expect_readable({out});
    expect_contains(bytes_of(out / "run.log"), "failed: step 5");
}

}  // namespace
}  // namespace tidelock
