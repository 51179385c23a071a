#include "io/run_folder.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <regex>

#include "base/files_testing.h"

namespace tidelock {
namespace {

namespace fs = std::filesystem;

const std::string box_lift = R"({ "tidelock": 1, "name": "box-lift" })";
const std::string boxes = R"({ "tidelock": 1, "name": "boxes", "fluid": { "density": 2 } })";

std::string refusal(const fs::path& folder, const std::string& scene, ExistingRun existing = ExistingRun::resume) {
    return error_of([&] { const RunFolder run(folder, scene, existing); });
}

void put(const fs::path& file, const std::string& text = "x") { std::ofstream(file) << text; }

TEST(RunFolder, MakesTheLayoutOfTheContract) {
    const Folder folder;
    const auto out = folder / "runs/a";
    const RunFolder run(out, box_lift, ExistingRun::refuse);
    EXPECT_FALSE(run.existed());
    EXPECT_EQ(run.scene().name, "box-lift");
    EXPECT_EQ(run.scene().hash, identity_of_scene(box_lift)->hash);
    EXPECT_EQ(read_file(out / "scene.json"), box_lift);
    EXPECT_TRUE(run.paths().holds_run());
    EXPECT_EQ(run.paths().steps(), out / "steps.jsonl");
    EXPECT_EQ(run.paths().frame_vdb(12), out / "frames/000012.vdb");
    EXPECT_EQ(run.paths().frame_ply(0), out / "frames/000000.ply");
    EXPECT_EQ(run.paths().solids(), out / "solids.glb");
    EXPECT_EQ(run.paths().preview_png(1234567), out / "preview/1234567.png");
    EXPECT_EQ(run.paths().film(), out / "preview/preview.mp4");
    for (const char* inside : {"frames", "checkpoint", "preview"}) EXPECT_TRUE(fs::is_directory(out / inside));
}

TEST(RunFolder, ListsTheFramesThatAreWhole) {
    const Folder folder;
    const RunPaths paths{folder.path()};
    EXPECT_TRUE(paths.vdb_frames().empty());
    fs::create_directory(folder / "frames");
    for (const char* name : {"000010.vdb", "000002.vdb", "1000000.vdb", "000003.ply", ".000004.vdb.1-0.tmp", "5.vdb",
                             "000006.vdb.old", "x.vdb"}) {
        put(folder / "frames" / name);
    }
    EXPECT_EQ(paths.vdb_frames(), (std::vector<int>{2, 10, 1000000}));
    EXPECT_EQ(paths.ply_frames(), (std::vector<int>{3}));
}

TEST(RunFolder, AFolderOfSomethingElseIsLeftWithoutATrace) {
    const Folder folder;
    put(folder / "thesis.tex");
    for (const auto existing : {ExistingRun::refuse, ExistingRun::resume, ExistingRun::restart}) {
        expect_contains(refusal(folder.path(), box_lift, existing), "thesis.tex");
    }
    EXPECT_EQ(folder.entries(), 1);
    put(folder / "scene.json", R"({ "name": "of another program" })");
    expect_contains(refusal(folder.path(), box_lift, ExistingRun::restart), "no scene");
    EXPECT_EQ(folder.entries(), 2);
    expect_contains(refusal(folder / "thesis.tex", box_lift), "not a folder");
    EXPECT_FALSE(RunPaths{folder.path()}.holds_run());
    EXPECT_FALSE(RunPaths{folder / "missing"}.holds_run());
}

TEST(RunFolder, ARunOfAnotherSceneIsRefusedWithBothNames) {
    const Folder folder;
    const auto out = folder / "a";
    { const RunFolder run(out, box_lift, ExistingRun::refuse); }
    put(out / "frames/000000.vdb");
    for (const auto existing : {ExistingRun::refuse, ExistingRun::resume, ExistingRun::restart}) {
        const std::string message = refusal(out, boxes, existing);
        for (const char* part : {"'box-lift'", "'boxes'", "fluid is not set there", "--out"})
            expect_contains(message, part);
    }
    EXPECT_EQ(read_file(out / "scene.json"), box_lift);
    EXPECT_TRUE(fs::exists(out / "frames/000000.vdb"));
    expect_contains(refusal(folder / "b", "{}"), "\"tidelock\" is missing");
    EXPECT_FALSE(fs::exists(folder / "b"));
}

TEST(RunFolder, ARunOfTheSameSceneIsRefusedResumedOrRestarted) {
    const Folder folder;
    const auto out = folder / "a";
    {
        const RunFolder run(out, box_lift, ExistingRun::refuse);
        run.log("started");
    }
    put(out / "frames/000000.vdb");
    put(out / "frames/.000001.vdb.99-0.tmp");
    expect_contains(refusal(out, box_lift, ExistingRun::refuse), "--resume");
    {
        const RunFolder run(out, box_lift, ExistingRun::resume);
        EXPECT_TRUE(run.existed());
        EXPECT_TRUE(fs::exists(out / "frames/000000.vdb"));
        EXPECT_FALSE(fs::exists(out / "frames/.000001.vdb.99-0.tmp"));
    }
    put(out / "notes.txt");  // what we did not write stays
    const RunFolder run(out, box_lift, ExistingRun::restart);
    EXPECT_FALSE(fs::exists(out / "frames/000000.vdb"));
    EXPECT_FALSE(fs::exists(out / "run.log"));
    EXPECT_TRUE(fs::exists(out / "notes.txt"));
    EXPECT_EQ(read_file(out / "scene.json"), box_lift);
}

// What tidelock did not write stays, whatever its name and wherever it lies.
TEST(RunFolder, RestartingDeletesOnlyWhatARunWrites) {
    const Folder folder;
    const auto out = folder / "a";
    { const RunFolder run(out, box_lift, ExistingRun::refuse); }
    const std::vector<std::string> ours = {
        "frames/000000.vdb",   "frames/000001.ply", "checkpoint/000012.tlk", "preview/000000.png",
        "preview/preview.mp4", "solids.glb",        "steps.jsonl",           "run.log"};
    const std::vector<std::string> others = {"frames/notes.txt",  "frames/1.vdb",          "frames/000000.vdb.bak",
                                             "preview/best.png",  "checkpoint/keep.tlk",   "preview/sub/000000.png",
                                             "frames/000007.png", "checkpoint/copy/x.tlk", "analysis.py"};
    fs::create_directories(out / "preview/sub");
    fs::create_directories(out / "checkpoint/copy");
    for (const auto& name : ours) put(out / name);
    for (const auto& name : others) put(out / name);
    fs::create_symlink(out / "analysis.py", out / "frames/000002.vdb");
    { const RunFolder run(out, box_lift, ExistingRun::restart); }
    for (const auto& name : ours) EXPECT_FALSE(fs::exists(out / name)) << name;
    for (const auto& name : others) EXPECT_TRUE(fs::exists(out / name)) << name;
    EXPECT_TRUE(fs::is_symlink(out / "frames/000002.vdb"));
}

TEST(RunFolder, AnotherOutputOrALongerTimeIsTheSameRun) {
    const Folder folder;
    const auto out = folder / "a";
    const auto scene = [](double duration, bool preview) {
        return fmt::format(
            R"({{ "tidelock": 1, "name": "a", "time": {{ "duration": {}, "fps": 30 }}, "output": {{ "preview": {} }} }})",
            duration, preview);
    };
    { const RunFolder run(out, scene(1, true), ExistingRun::refuse); }
    {
        const RunFolder run(out, scene(2, false), ExistingRun::resume);
        EXPECT_TRUE(run.kept());
        EXPECT_EQ(differences_text(run.changes()),
                  "output.preview is true there and false here; time.duration is 1 there and 2 here");
    }
    EXPECT_EQ(read_file(out / "scene.json"), scene(2, false));
    const std::string shorter = refusal(out, scene(1, false));
    for (const char* part : {"time.duration is 2 there and 1 here", "may grow"}) expect_contains(shorter, part);
    EXPECT_EQ(read_file(out / "scene.json"), scene(2, false));
    { const RunFolder run(out, scene(1, false), ExistingRun::restart); }
    EXPECT_EQ(read_file(out / "scene.json"), scene(1, false));
}

// Opening a pipe waits until somebody writes to it.
TEST(RunFolder, APipeInThePlaceOfAFileIsRefusedAndNotWaitedFor) {
    for (const char* name : {"scene.json", "steps.jsonl", "run.log"}) {
        const Folder folder;
        const auto out = folder / "a";
        { const RunFolder run(out, box_lift, ExistingRun::refuse); }
        fs::remove(out / name);
        ASSERT_EQ(::mkfifo((out / name).c_str(), 0600), 0);
        for (const auto existing : {ExistingRun::resume, ExistingRun::restart})
            expect_contains(refusal(out, box_lift, existing), "is not a file");
    }
}

TEST(RunFolder, KilledBeforeItsSceneWasWrittenItIsStillEmpty) {
    const Folder folder;
    put(folder / ".lock", "123");
    put(folder / ".scene.json.123-0.tmp", "{ \"tide");
    const RunFolder run(folder.path(), box_lift, ExistingRun::refuse);
    EXPECT_FALSE(fs::exists(folder / ".scene.json.123-0.tmp"));
}

TEST(RunFolder, TwoRunsCannotWriteOneFolder) {
    const Folder folder;
    const auto out = folder / "a";
    {
        const RunFolder run(out, box_lift, ExistingRun::refuse);
        const std::string message = refusal(out, box_lift, ExistingRun::resume);
        expect_contains(message, "being written by another run");
        expect_contains(message, std::to_string(::getpid()));
    }
    const RunFolder again(out, box_lift, ExistingRun::resume);
}

TEST(RunFolder, TheLockOfAKilledRunIsFree) {
    const Folder folder;
    const auto out = folder / "a";
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const RunFolder run(out, box_lift, ExistingRun::refuse);
        if (::write(ready[1], "r", 1) != 1) ::_exit(1);
        for (;;) ::pause();
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    expect_contains(refusal(out, box_lift), fmt::format("process {}", child));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    const RunFolder run(out, box_lift, ExistingRun::resume);
    EXPECT_TRUE(run.existed());
}

TEST(RunFolder, LogLinesHaveATimeAndAreAppended) {
    const Folder folder;
    const RunFolder run(folder / "a", box_lift, ExistingRun::refuse);
    run.log("one");
    run.log("two");
    const std::regex expected(R"((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) one\n(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) two\n)");
    EXPECT_TRUE(std::regex_match(read_file(run.paths().log()), expected));
}

TEST(RunFolder, AFolderThatCannotBeWrittenIsNamed) {
    const Folder folder;
    put(folder / "file");
    const auto message = [&](const fs::path& out) {
        return error_of<FileError>([&] { const RunFolder run(out, box_lift, ExistingRun::refuse); });
    };
    expect_contains(message(folder / "file/a"), "file/a");
    expect_contains(message("/proc/tidelock"), "/proc/tidelock");
    fs::create_directory(folder / "ro");
    if (::mount("tmpfs", (folder / "ro").c_str(), "tmpfs", MS_RDONLY, "size=64k") != 0) {
        GTEST_SKIP() << "cannot mount a read-only tmpfs: " << std::strerror(errno);
    }
    const std::string inside = message(folder / "ro/a"), at = message(folder / "ro");
    ::umount2((folder / "ro").c_str(), MNT_DETACH);
    expect_contains(inside, "Read-only file system");
    expect_contains(at, "Read-only file system");
}

}  // namespace
}  // namespace tidelock
