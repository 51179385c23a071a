#include "render/film.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "render/png.h"

namespace tidelock {
namespace {

namespace fs = std::filesystem;

struct Folder {
    // Characters that a pattern or a shell would stumble over.
    fs::path path = fs::temp_directory_path() / ("film [test] 'x' " + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    void add(int number, int width, int height) const {
        Image image{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height))};
        for (std::size_t n = 0; n < image.rgb.size(); ++n)
            image.rgb[n] = static_cast<std::uint8_t>(n * 7 + 40u * static_cast<unsigned>(number));
        const auto bytes = encode_png(image);
        char name[16];
        std::snprintf(name, sizeof name, "%06d.png", number);
        std::ofstream(path / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
};

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::uint32_t big_endian(const std::string& s, std::size_t at) {
    std::uint32_t v = 0;
    for (std::size_t n = 0; n < 4; ++n) v = v << 8 | static_cast<unsigned char>(s[at + n]);
    return v;
}

bool has_ffmpeg() {
    const std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        if (::access((path.substr(begin, end - begin) + "/ffmpeg").c_str(), X_OK) == 0) return true;
        begin = end + 1;
    }
    return false;
}

TEST(Film, HasTheRightSizeAndDuration) {
    if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    const Folder folder;
    for (const int n : {1, 2, 3, 5, 8, 9}) folder.add(n, 65, 48);  // gaps in the numbers, an odd width
    std::ofstream(folder.path / "notes.png") << "not a frame";
    const fs::path out = folder.path / "preview.mp4";
    const FilmReport report = make_film(folder.path, out, {12, 18});
    ASSERT_TRUE(report.made) << report.reason;
    EXPECT_EQ(report.frames, 6);
    const std::string film = read(out);
    ASSERT_GT(film.size(), 200u);
    // ISO 14496-12: the file type comes first; faststart puts the index before the data.
    EXPECT_EQ(film.substr(4, 4), "ftyp");
    EXPECT_LT(film.find("moov"), film.find("mdat"));
    // Movie header, version 0: time scale and duration 12 and 16 bytes after the version.
    const std::size_t header = film.find("mvhd");
    ASSERT_NE(header, std::string::npos);
    const double seconds = double(big_endian(film, header + 20)) / big_endian(film, header + 16);
    EXPECT_NEAR(seconds, 6 / 12.0, 2e-3);  // in ticks of a millisecond
    // Track header: width and height in 16.16 fixed point, its last eight bytes.
    const std::size_t track = film.find("tkhd");
    ASSERT_NE(track, std::string::npos);
    const std::size_t end = track - 4 + big_endian(film, track - 4);
    EXPECT_EQ(big_endian(film, end - 8) >> 16, 64u);
    EXPECT_EQ(big_endian(film, end - 4) >> 16, 48u);
    EXPECT_NE(film.find("avc1"), std::string::npos);
    for (const auto& entry : fs::directory_iterator(folder.path))
        EXPECT_EQ(entry.path().string().find(".part"), std::string::npos);
}

TEST(Film, SaysWhyThereIsNone) {
    const Folder folder;
    EXPECT_FALSE(make_film(folder.path, folder.path / "a.mp4").made);
    EXPECT_NE(make_film(folder.path, folder.path / "a.mp4").reason.find("no pictures"), std::string::npos);
    EXPECT_FALSE(make_film(folder.path / "missing", folder.path / "a.mp4").made);
    EXPECT_FALSE(make_film(folder.path, folder.path / "a.mp4", {0, 18}).made);
    if (!has_ffmpeg()) return;
    std::ofstream(folder.path / "000001.png") << "damaged";
    std::ofstream(folder.path / "a.mp4") << "an older film";
    const FilmReport report = make_film(folder.path, folder.path / "a.mp4");
    EXPECT_FALSE(report.made);
    EXPECT_NE(report.reason.find("ffmpeg failed"), std::string::npos) << report.reason;
    EXPECT_EQ(read(folder.path / "a.mp4"), "an older film");
}

TEST(Film, ReportsAMissingCommand) {
    const Folder folder;
    folder.add(0, 16, 16);
    const std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
    ::setenv("PATH", folder.path.c_str(), 1);
    const FilmReport report = make_film(folder.path, folder.path / "a.mp4");
    ::setenv("PATH", path.c_str(), 1);
    EXPECT_FALSE(report.made);
    EXPECT_NE(report.reason.find("not installed"), std::string::npos) << report.reason;
}

// Drafts of a run and full pictures of some of its frames.
TEST(Film, PicturesOfSeveralSizesMakeOneFilm) {
    if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    const Folder folder;
    folder.add(0, 64, 48);
    folder.add(1, 128, 96);
    folder.add(2, 96, 72);
    const fs::path out = folder.path / "preview.mp4";
    const FilmReport report = make_film(folder.path, out, {.fps = 12, .hold = true});
    ASSERT_TRUE(report.made) << report.reason;
    const std::string film = read(out);
    const std::size_t header = film.find("mvhd"), track = film.find("tkhd");
    ASSERT_NE(header, std::string::npos);
    EXPECT_NEAR(double(big_endian(film, header + 20)) / big_endian(film, header + 16), 3 / 12.0, 2e-3);
    const std::size_t end = track - 4 + big_endian(film, track - 4);
    EXPECT_EQ(big_endian(film, end - 8) >> 16, 96u);  // of the last
}

// Pictures 1, 2, 5 and 9 stand for 1 + 3 + 4 + 1 frames.
TEST(Film, HeldPicturesKeepThePace) {
    if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    const Folder folder;
    for (const int n : {1, 2, 5, 9}) folder.add(n, 64, 48);
    const fs::path out = folder.path / "preview.mp4";
    const FilmReport report = make_film(folder.path, out, {.fps = 12, .hold = true});
    ASSERT_TRUE(report.made) << report.reason;
    EXPECT_EQ(report.frames, 4);
    const std::string film = read(out);
    const std::size_t header = film.find("mvhd");
    ASSERT_NE(header, std::string::npos);
    EXPECT_NEAR(double(big_endian(film, header + 20)) / big_endian(film, header + 16), 9 / 12.0, 2e-3);
    for (const auto& entry : fs::directory_iterator(folder.path)) EXPECT_NE(entry.path().extension(), ".tmp");
}

}  // namespace
}  // namespace tidelock
