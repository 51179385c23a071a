#include "compare/panel_film.h"

#include <gtest/gtest.h>

#include <span>

#include "base/error.h"
#include "base/file.h"
#include "base/files_testing.h"
#include "render/png.h"

namespace tidelock::compare {
namespace {

Image plain(int width, int height, const Rgb& colour) { return quantise(FloatImage(width, height, colour)); }

bool holds(const Image& whole, const Image& part, int left, int top) {
    for (int y = 0; y < part.height; ++y)
        for (int x = 0; x < part.width; ++x)
            for (int c = 0; c < 3; ++c)
                if (whole.at(left + x, top + y)[c] != part.at(x, y)[c]) return false;
    return true;
}

TEST(PanelFilm, PanelsStandSideBySide) {
    const Image red = plain(90, 120, Rgb(1, 0, 0)), blue = plain(90, 120, Rgb(0, 0, 1));
    const Image both = join_panels({{"schur", "", &red}, {"weak", "", &blue}});
    EXPECT_EQ(both.width, 2 * 90 + 6);
    EXPECT_EQ(both.height, 120 + 22);
    EXPECT_TRUE(holds(both, red, 0, 22));
    EXPECT_TRUE(holds(both, blue, 96, 22));
    const Image others = join_panels({{"schur", "", &red}, {"weak", "failed", &blue}});
    EXPECT_NE(both, others) << "the line above says so";
}

// Wide pictures stand above each other; many make rows.
TEST(PanelFilm, RowsComeNearAScreen) {
    const Image wide = plain(320, 80, Rgb(1, 1, 1)), square = plain(100, 100, Rgb(1, 1, 1));
    EXPECT_EQ(join_panels({{"a", "", &wide}, {"b", "", &wide}}).width, 320);
    EXPECT_EQ(join_panels(std::vector<Panel>(6, {"a", "", &square})).width, 3 * 100 + 12);
}

TEST(PanelFilm, RefusesWhatDoesNotFit) {
    const Image a = plain(100, 100, Rgb(1, 1, 1)), b = plain(100, 90, Rgb(1, 1, 1));
    EXPECT_THROW((void)join_panels({{"a", "", &a}, {"b", "", &b}}), InputError);
    EXPECT_THROW((void)join_panels({}), InputError);
}

// The one that ends early keeps its last picture until the other ends; pictures of a longer film before do not stay.
TEST(PanelFilm, FramesGoOnToTheLongest) {
    const Folder folder;
    const auto draw = [&](const std::string& run, int frame, float grey) {
        const RunPaths paths{folder.path() / run};
        std::filesystem::create_directories(paths.preview());
        const auto bytes = encode_png(plain(64, 48, Rgb(grey, grey, grey)));
        write_file_atomically(paths.preview_png(frame), std::as_bytes(std::span(bytes)));
    };
    for (int frame = 0; frame < 4; ++frame) draw("schur", frame, 0.1f * static_cast<float>(frame));
    for (int frame = 0; frame < 2; ++frame) draw("weak", frame, 0.9f);
    const auto film = folder.path() / "film";
    std::filesystem::create_directories(film);
    for (int frame = 0; frame < 9; ++frame) write_file_atomically(picture_of(film, frame), "old");
    const std::vector<FilmedRun> runs = {{"schur", {folder.path() / "schur"}, ""},
                                         {"weak", {folder.path() / "weak"}, "failed at 0.1 s"}};
    const FilmReport report = make_panel_film(runs, film, folder.path() / "film.mp4", {.fps = 10});
    EXPECT_TRUE(report.made) << report.reason;
    EXPECT_EQ(report.frames, 4);
    EXPECT_FALSE(std::filesystem::exists(picture_of(film, 4)));
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "film.mp4"));
    const std::string bytes = read_file(picture_of(film, 3));
    const Image last = decode_png({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
    EXPECT_TRUE(holds(last, plain(64, 48, Rgb(0.9f, 0.9f, 0.9f)), last.width - 64, last.height - 48));
}

TEST(PanelFilm, WithoutPicturesThereIsNone) {
    const Folder folder;
    const FilmReport report =
        make_panel_film({{"schur", {folder.path()}, ""}}, folder.path() / "film", folder.path() / "film.mp4", {});
    EXPECT_FALSE(report.made);
    EXPECT_NE(report.reason.find("no pictures of schur"), std::string::npos);
}

}  // namespace
}  // namespace tidelock::compare
