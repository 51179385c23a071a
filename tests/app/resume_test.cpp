#include <sys/stat.h>
#include <chrono>

#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "app/program.h"
#include "base/files_testing.h"
#include "base/random.h"
#include "io/run_folder.h"
#include "io/step_log.h"

namespace tidelock {
namespace {

namespace fs = std::filesystem;

/// The undisturbed run that all others must equal.
std::string undisturbed(const fs::path& out) {
    EXPECT_EQ(tidelock(small_run(out, {"--quiet"})).code, 0);
    return comparable_steps(out);
}

/// Waits until the log of a run has that many lines, or the program ended.
void wait_for_steps(Program& program, const fs::path& run, std::size_t steps) {
    const auto lines = [&] {
        std::ifstream in(run / "steps.jsonl");
        return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(in), {}, '\n'));
    };
    while (program.running() && lines() < steps) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

void expect_same_run(const fs::path& a, const fs::path& b) {
    EXPECT_EQ(comparable_steps(a), comparable_steps(b));
    EXPECT_EQ(bytes_of(a / "solids.glb"), bytes_of(b / "solids.glb"));
    EXPECT_EQ(bytes_of(files_in(a / "checkpoint").back()), bytes_of(files_in(b / "checkpoint").back()));
    for (const auto& picture : files_in(a / "preview"))
        if (picture.extension() == ".png") {
            EXPECT_EQ(bytes_of(picture), bytes_of(b / "preview" / picture.filename())) << picture;
        }
}

// The program alone takes more than 40 MB. What has come by then is saved, and goes on with more.
TEST(Resume, ARunThatTakesMoreThanItsMemoryStopsInGoodOrder) {
    const Folder folder;
    undisturbed(folder / "whole");
    const Outcome stopped = tidelock(small_run(folder / "a", {"--memory", "40MB"}));
    EXPECT_EQ(stopped.code, 1) << stopped.output;
    for (const char* part : {"warning: domain.cells", "40 MiB may be", "it is saved", "--resume --memory"})
        expect_contains(stopped.output, part);
    EXPECT_FALSE(files_in(folder / "a/checkpoint").empty());
    const Outcome rest = tidelock(small_run(folder / "a", {"--resume", "--memory", "1000GB"}));
    EXPECT_EQ(rest.code, 0) << rest.output;
    expect_same_run(folder / "whole", folder / "a");
}

TEST(Resume, ARunKilledAgainAndAgainEqualsAnUndisturbedOne) {
    const Folder folder;
    undisturbed(folder / "whole");
    const auto out = folder / "killed";
    // Not a number drawn from a clock: the moments are counted in steps, and a few milliseconds more.
    for (int round = 0; round < 5; ++round) {
        Program program(small_run(out, {"--quiet", "--resume"}));
        wait_for_steps(program, out, static_cast<std::size_t>(1 + 3 * round));
        std::this_thread::sleep_for(std::chrono::milliseconds(7 * round));
        program.send(SIGKILL);
        program.wait();
    }
    const Outcome last = tidelock(small_run(out, {"--resume"}));
    ASSERT_EQ(last.code, 0) << last.output;
    expect_same_run(folder / "whole", out);
    for (const auto& file : files_in(out / "frames"))
        EXPECT_EQ(file.extension(), ".vdb") << "nothing half-written stays";
}

TEST(Resume, SignalsStopAfterAStepSaveAndExitWithThree) {
    const Folder folder;
    undisturbed(folder / "whole");
    for (const int signal : {SIGINT, SIGTERM}) {
        const auto out = folder / std::to_string(signal);
        Program program(small_run(out));
        wait_for_steps(program, out, 3);
        program.send(signal);
        const Outcome outcome = program.wait();
        EXPECT_EQ(outcome.code, 3) << outcome.output;
        expect_contains(outcome.output, "--resume");
        const auto steps = read_step_log(out / "steps.jsonl");
        ASSERT_FALSE(steps.empty());
        EXPECT_LT(steps.back().time, 0.4);
        EXPECT_EQ(std::stoll(files_in(out / "checkpoint").back().stem()), steps.back().step);
        ASSERT_EQ(tidelock({"run", out.string(), "--resume", "--quiet"}).code, 0);
        expect_same_run(folder / "whole", out);
    }
}

TEST(Resume, StepsAndFramesStopEarlyAndGoOn) {
    const Folder folder;
    undisturbed(folder / "whole");
    const auto out = folder / "a";
    ASSERT_EQ(tidelock(small_run(out, {"--steps", "3"})).code, 0);
    EXPECT_EQ(read_step_log(out / "steps.jsonl").size(), 3u);
    ASSERT_EQ(tidelock(small_run(out, {"--frames", "5", "--resume"})).code, 0);
    EXPECT_EQ(read_step_log(out / "steps.jsonl").back().frame, 5);
    ASSERT_EQ(tidelock(small_run(out, {"--resume"})).code, 0);
    expect_same_run(folder / "whole", out);
    // Once more: there is nothing left to do.
    const Outcome again = tidelock(small_run(out, {"--resume"}));
    EXPECT_EQ(again.code, 0);
    expect_contains(again.output, "done");
    expect_same_run(folder / "whole", out);
}

TEST(Resume, ADamagedCheckpointIsNamedAndTheOneBeforeIsUsed) {
    const Folder folder;
    undisturbed(folder / "whole");
    for (const bool cut : {true, false}) {
        const auto out = folder / (cut ? "cut" : "flipped");
        ASSERT_EQ(tidelock(small_run(out, {"--frames", "6", "--quiet"})).code, 0);
        const auto newest = files_in(out / "checkpoint").back();
        if (cut) {
            fs::resize_file(newest, fs::file_size(newest) / 2);
        } else {
            std::fstream file(newest, std::ios::in | std::ios::out | std::ios::binary);
            const auto middle = static_cast<std::streamoff>(fs::file_size(newest) / 2);
            file.seekg(middle);
            const char byte = static_cast<char>(file.get() ^ 1);
            file.seekp(middle);
            file.put(byte);
        }
        const Outcome outcome = tidelock(small_run(out, {"--resume"}));
        EXPECT_EQ(outcome.code, 0);
        expect_contains(outcome.output, newest.filename().string());
        expect_same_run(folder / "whole", out);
    }
}

TEST(Resume, OnlyDamagedCheckpointsAreAFailureThatDestroysNothing) {
    const Folder folder;
    const auto out = folder / "a";
    ASSERT_EQ(tidelock(small_run(out, {"--frames", "4", "--quiet"})).code, 0);
    for (const auto& file : files_in(out / "checkpoint")) fs::resize_file(file, 100);
    const std::string steps = bytes_of(out / "steps.jsonl");
    const Outcome outcome = tidelock(small_run(out, {"--resume"}));
    EXPECT_EQ(outcome.code, 1) << outcome.output;
    expect_contains(outcome.output, ".tlk");
    EXPECT_EQ(bytes_of(out / "steps.jsonl"), steps);
    EXPECT_EQ(files_in(out / "checkpoint").size(), 2u);
    // The way out.
    EXPECT_EQ(tidelock(small_run(out, {"--restart", "--frames", "1", "--quiet"})).code, 0);
}

TEST(Resume, AnExistingRunIsNotOverwritten) {
    const Folder folder;
    const auto out = folder / "a";
    ASSERT_EQ(tidelock(small_run(out, {"--frames", "2", "--quiet"})).code, 0);
    const std::string steps = bytes_of(out / "steps.jsonl");
    const Outcome same = tidelock(small_run(out));
    EXPECT_EQ(same.code, 2);
    for (const char* way : {"--resume", "--restart", "--out"}) expect_contains(same.output, way);
    for (const char* flag : {"--resume", "--restart"}) {
        const Outcome other = tidelock(small_run(out, {flag, "--set", "fluid.density=7"}));
        EXPECT_EQ(other.code, 2);
        expect_contains(other.output, "another scene");
        expect_contains(other.output, "fluid.density is 1 there and 7 here");
    }
    EXPECT_EQ(bytes_of(out / "steps.jsonl"), steps);
    EXPECT_EQ(files_in(out / "checkpoint").size(), 1u);
}

TEST(Resume, WhatIsWrittenMayChangeAndTheTimeMayGrow) {
    const Folder folder;
    undisturbed(folder / "whole");
    const auto out = folder / "a";
    ASSERT_EQ(tidelock(small_run(out, {"--set", "time.duration=0.2", "--quiet"})).code, 0);
    const Outcome grown = tidelock({"run", out.string(), "--resume", "--quiet", "--set", "time.duration=0.4", "--set",
                                    "output.vdb=false", "--set", "coupling.solver.history=true"});
    ASSERT_EQ(grown.code, 0) << grown.output;
    // The state has the bits of a run that was to be as long from the start, and so has its checkpoint.
    EXPECT_EQ(bytes_of(files_in(folder / "whole/checkpoint").back()), bytes_of(files_in(out / "checkpoint").back()));
    EXPECT_EQ(bytes_of(folder / "whole/solids.glb"), bytes_of(out / "solids.glb"));
    EXPECT_EQ(RunPaths{out}.vdb_frames().size(), 7u) << "volumes until they were no longer wanted";
    expect_contains(bytes_of(out / "run.log"), "time.duration is 0.2 there and 0.4 here");
    const Outcome shrunk = tidelock({"run", out.string(), "--resume", "--set", "time.duration=0.3"});
    EXPECT_EQ(shrunk.code, 2);
    expect_contains(shrunk.output, "time.duration is 0.4 there and 0.3 here");
}

// Somebody edits the scene in the folder of a run.
TEST(Resume, ACheckpointOfAnotherSceneSaysInWhatTheyDiffer) {
    const Folder folder;
    const auto out = folder / "a";
    ASSERT_EQ(tidelock(small_run(out, {"--frames", "2", "--quiet"})).code, 0);
    std::string scene = bytes_of(out / "scene.json");
    const std::size_t at = scene.find("\"cfl\": 3");
    ASSERT_NE(at, std::string::npos);
    std::ofstream(out / "scene.json") << scene.replace(at, 8, "\"cfl\": 2");
    const Outcome outcome = tidelock({"run", out.string(), "--resume"});
    EXPECT_EQ(outcome.code, 2);
    expect_contains(outcome.output, "time.cfl is 3 there and 2 here");
}

TEST(Resume, ADamagedLogIsAFailureThatDestroysNothing) {
    const Folder folder;
    const auto out = folder / "a";
    ASSERT_EQ(tidelock(small_run(out, {"--frames", "6", "--quiet"})).code, 0);
    const std::string good = bytes_of(out / "steps.jsonl");
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < good.size(); from = good.find('\n', from) + 1)
        lines.push_back(good.substr(from, good.find('\n', from) + 1 - from));
    const auto changed = [&](const std::function<void(std::vector<std::string>&)>& change) {
        auto copy = lines;
        change(copy);
        std::string text;
        for (const auto& line : copy) text += line;
        return text;
    };
    for (const std::string& bad :
         {changed([](auto& l) { l.erase(l.begin() + 2); }), changed([](auto& l) { l.insert(l.begin() + 2, l[2]); }),
          changed([](auto& l) { std::swap(l[1], l[3]); }), changed([](auto& l) { l[2] = "garbage\n"; }),
          changed([](auto& l) {  // a body of another name
              const std::size_t bodies = l[2].find("\"bodies\": [{");
              l[2].insert(l[2].find(R"("name": ")", bodies) + 9, "x");
          })}) {
        ASSERT_NE(bad, good);
        std::ofstream(out / "steps.jsonl") << bad;
        const Outcome outcome = tidelock(small_run(out, {"--resume"}));
        EXPECT_EQ(outcome.code, 1) << outcome.output;
        expect_contains(outcome.output, "steps.jsonl:");
        EXPECT_EQ(bytes_of(out / "steps.jsonl"), bad);
    }
    std::ofstream(out / "steps.jsonl") << good;
    EXPECT_EQ(tidelock(small_run(out, {"--resume", "--quiet"})).code, 0);
}

TEST(Resume, APipeAsCheckpointIsNamedAndNotWaitedFor) {
    const Folder folder;
    const auto out = folder / "a";
    ASSERT_EQ(tidelock(small_run(out, {"--frames", "4", "--quiet"})).code, 0);
    const auto newest = files_in(out / "checkpoint").back();
    fs::remove(newest);
    ASSERT_EQ(::mkfifo(newest.c_str(), 0600), 0);
    Program program(small_run(out, {"--resume", "--frames", "6"}));
    for (int n = 0; n < 3000 && program.running(); ++n) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ASSERT_FALSE(program.running()) << "it waits for somebody to write to the pipe";
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    expect_contains(outcome.output, newest.filename().string());
    EXPECT_EQ(read_step_log(out / "steps.jsonl").back().frame, 6);
}

}  // namespace
}  // namespace tidelock
