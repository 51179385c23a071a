#include "render/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>
#include <vector>

namespace tidelock {
namespace {

namespace fs = std::filesystem;

bool is_frame(const fs::path& file) {
    const std::string stem = file.stem().string();
    return file.extension() == ".png" && !stem.empty() &&
           std::all_of(stem.begin(), stem.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Everything that can be read until the other end closes; the last part if it is long.
std::string read_all(int file) {
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t n = ::read(file, buffer, sizeof(buffer));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        text.append(buffer, static_cast<std::size_t>(n));
        constexpr std::size_t most = 4000;
        if (text.size() > 2 * most) text.erase(0, text.size() - most);
    }
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
}

/// What a command wrote to both its outputs, and how it ended; `error` is set if it could not be started.
struct Outcome {
    int error = 0;
    int status = -1;
    std::string text;
};

Outcome run(std::vector<std::string> words, const fs::path& folder) {
    Outcome outcome;
    int pipe_ends[2];
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0) {
        outcome.error = errno;
        return outcome;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 2);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    outcome.error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe_ends[1]);
    if (outcome.error == 0) {
        outcome.text = read_all(pipe_ends[0]);
        while (::waitpid(child, &outcome.status, 0) < 0 && errno == EINTR) {
        }
    }
    ::close(pipe_ends[0]);
    return outcome;
}

/// Makes sure that the bytes are on the disk before the name says so.
bool sync_file(const fs::path& file) {
    const int handle = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0) return false;
    const bool good = ::fsync(handle) == 0;
    ::close(handle);
    return good;
}

/// The pictures are found by a pattern inside the folder that ffmpeg runs in, so that no character of the path needs
/// quoting.
std::vector<std::string> ffmpeg_command(const FilmOptions& options, const fs::path& out) {
    const std::string filter =
        "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";
    std::vector<std::string> words = {"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y"};
    const std::pair<const char*, std::string> settings[] = {
        {"-framerate", fmt::format("{:.6g}", options.fps)},
        {"-pattern_type", "glob"},
        {"-i", "[0-9]*.png"},
        {"-vf", filter},
        {"-c:v", "libx264"},
        {"-preset", "medium"},
        {"-crf", std::to_string(options.quality)},
        {"-colorspace", "bt709"},
        {"-color_primaries", "bt709"},
        {"-color_trc", "bt709"},
        {"-color_range", "tv"},
        {"-movflags", "+faststart"},
        {"-f", "mp4"},
    };
    for (const auto& [name, value] : settings) words.insert(words.end(), {name, value});
    words.push_back(out.string());
    return words;
}

/// Why there is no film; empty if there is one to be renamed.
std::string complaint_of(const Outcome& outcome) {
    if (outcome.error == ENOENT) return "ffmpeg is not installed; pictures are there without a film";
    if (outcome.error != 0) return fmt::format("ffmpeg: {}", std::strerror(outcome.error));
    if (!WIFEXITED(outcome.status) || WEXITSTATUS(outcome.status) != 0)
        return fmt::format("ffmpeg failed: {}", outcome.text.empty() ? "it said nothing" : outcome.text);
    return "";
}

/// The same of the last steps.
std::string put_in_place(const fs::path& temporary, const fs::path& target) {
    if (!sync_file(temporary)) return fmt::format("{}: {}", temporary.string(), std::strerror(errno));
    std::error_code error;
    fs::rename(temporary, target, error);
    return error ? fmt::format("{}: {}", target.string(), error.message()) : "";
}

}  // namespace

FilmReport make_film(const fs::path& folder, const fs::path& out, const FilmOptions& options) {
    FilmReport report;
    if (!(options.fps > 0) || !std::isfinite(options.fps) || options.quality < 0 || options.quality > 51) {
        report.reason = fmt::format("fps must be > 0 and quality 0 to 51, got {} and {}", options.fps, options.quality);
        return report;
    }
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) report.frames += is_frame(entry.path()) ? 1 : 0;
    if (error) {
        report.reason = fmt::format("{}: {}", folder.string(), error.message());
        return report;
    }
    if (report.frames == 0) {
        report.reason = fmt::format("{}: no pictures named <digits>.png", folder.string());
        return report;
    }
    const fs::path target = fs::absolute(out, error);
    const fs::path temporary = target.string() + fmt::format(".part-{}", ::getpid());
    report.reason = complaint_of(run(ffmpeg_command(options, temporary), folder));
    if (report.reason.empty()) report.reason = put_in_place(temporary, target);
    report.made = report.reason.empty();
    if (!report.made) fs::remove(temporary, error);
    return report;
}

}  // namespace tidelock
