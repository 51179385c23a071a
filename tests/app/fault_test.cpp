#include <sys/mount.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
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
    const SmallDisk disk(folder / "disk", "size=1m");
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

// What is then opened first would get the number of a closed output, and be written into by what is said.
TEST(Fault, ClosedOutputsHarmNothing) {
    const Folder folder;
    for (const char* closed : {">&- 2>&-", "<&- >&- 2>&-", "2>&-"}) {
        const auto out = folder / std::to_string(folder.entries());
        EXPECT_EQ(shell("", small_run(out, {"--frames", "2", "--set", "time.cfl=0.2"}), closed), 0);
        EXPECT_FALSE(read_step_log(out / "steps.jsonl").empty());
        EXPECT_EQ(bytes_of(out / ".lock").find("frame"), std::string::npos);
        EXPECT_EQ(tidelock({"info", out.string()}).code, 0);
        EXPECT_EQ(tidelock(small_run(out, {"--resume", "--frames", "3", "--set", "time.cfl=0.2", "--quiet"})).code, 0);
    }
}

TEST(Fault, WhatCannotBeSaidIsAFailureAtTheEnd) {
    const Folder folder;
    const auto words = folder / "words";
    for (const auto& arguments : std::vector<std::vector<std::string>>{{"scenes"},
                                                                       {"scenes", "boxes-2d"},
                                                                       {"info", "boxes-2d"},
                                                                       {"check", "boxes-2d"},
                                                                       {"--help"},
                                                                       {"--version"}}) {
        EXPECT_EQ(shell("", arguments, "> /dev/full 2> '" + words.string() + "'"), 1) << arguments[0];
        expect_contains(bytes_of(words), "No space left on device");
    }
    // A run does its work to the end all the same.
    const auto out = folder / "a";
    EXPECT_EQ(shell("", small_run(out), "> /dev/full 2> '" + words.string() + "'"), 1);
    expect_contains(bytes_of(words), "standard output");
    expect_contains(tidelock({"info", out.string()}).output, ", finished");
    EXPECT_EQ(shell("", small_run(out, {"--resume", "--quiet"}), "> /dev/full"), 0) << "nothing to say";
    EXPECT_EQ(shell("", small_run(out, {"--resume"}), "2> /dev/full > /dev/null"), 0);
}

// A library's threads, Embree's buffers: what the machine refuses is a failure with a name, whoever asked for it.
TEST(Fault, TooLittleAddressSpaceIsAFailureWithAName) {
#ifdef TIDELOCK_SANITIZED
    GTEST_SKIP() << "a sanitizer needs terabytes of address space";
#endif
    const Folder folder;
    const auto words = folder / "words";
    for (const int kilobytes : {150000, 180000, 220000, 260000, 300000}) {
        const int code = shell("ulimit -c 0; ulimit -v " + std::to_string(kilobytes),
                               {"run", "box-lift", "--out", (folder / std::to_string(kilobytes)).string(), "--frames",
                                "1", "--set", "domain.cells=32", "--set", "render.width=64"},
                               "> '" + words.string() + "' 2>&1");
        const std::string said = bytes_of(words);
        if (said.find("loading shared libraries") != std::string::npos) continue;
        EXPECT_LE(code, 2) << kilobytes << ": " << said;
        if (code != 0) expect_contains(said, code == 1 ? "emory" : "MiB");
    }
}

/// Programs started while it lives find this command first.
class FakeCommand {
  public:
    FakeCommand(const fs::path& folder, const std::string& name, const std::string& script)
        : before_(std::getenv("PATH")) {
        fs::create_directories(folder);
        std::ofstream(folder / name) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(folder / name, fs::perms::owner_all);
        ::setenv("PATH", (folder.string() + ":" + before_).c_str(), 1);
    }
    ~FakeCommand() { ::setenv("PATH", before_.c_str(), 1); }
    FakeCommand(const FakeCommand&) = delete;
    FakeCommand& operator=(const FakeCommand&) = delete;

  private:
    std::string before_;
};

TEST(Fault, ASecondSignalLeavesNoFilmMakerBehind) {
    const Folder folder;
    const auto note = folder / "process";
    const FakeCommand ffmpeg(folder / "bin", "ffmpeg",
                             "trap '' INT TERM; echo $$ > '" + note.string() + ".new'; mv '" + note.string() +
                                 ".new' '" + note.string() + "'; exec sleep 600");
    Program program(small_run(folder / "a", {"--frames", "2"}));
    while (program.running() && !fs::exists(note)) ::usleep(2000);
    ASSERT_TRUE(fs::exists(note)) << program.wait().output;
    const pid_t maker = static_cast<pid_t>(std::stol(bytes_of(note)));
    program.send(SIGTERM);  // which this one does not listen to
    ::usleep(50000);
    EXPECT_TRUE(program.running());
    program.send(SIGTERM);
    EXPECT_EQ(program.wait().signal, SIGTERM);
    for (int n = 0; n < 500 && ::kill(maker, 0) == 0; ++n) ::usleep(10000);  // until init has buried it
    std::ifstream status("/proc/" + std::to_string(maker) + "/stat");
    const std::string line{std::istreambuf_iterator<char>(status), {}};
    EXPECT_TRUE(line.empty() || line.find(") Z ") != std::string::npos) << line;
    if (!line.empty()) ::kill(maker, SIGKILL);
}

TEST(Fault, TheFirstSignalEndsAFilmMakerThatHangs) {
    const Folder folder;
    const FakeCommand ffmpeg(folder / "bin", "ffmpeg", "touch '" + (folder / "begun").string() + "'; exec sleep 600");
    Program program(small_run(folder / "a", {"--frames", "2"}));
    while (program.running() && !fs::exists(folder / "begun")) ::usleep(2000);
    ::usleep(50000);  // until the shell has become what sleeps
    program.send(SIGTERM);
    const Outcome outcome = program.wait();
    expect_contains(outcome.output, "no film was made");
    EXPECT_EQ(outcome.signal, 0);
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
