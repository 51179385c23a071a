#include "render/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "base/file.h"

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

/// The child that runs; 0: none.
volatile std::sig_atomic_t film_process = 0;

/// Holds back signals that end a program, as long as it lives: between a child's start and the note of its number.
class HeldSignals {
  public:
    HeldSignals() {
        sigset_t held;
        sigemptyset(&held);
        for (const int signal : {SIGINT, SIGTERM}) sigaddset(&held, signal);
        ::pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    [[nodiscard]] const sigset_t& before() const { return before_; }

  private:
    sigset_t before_ = {};
};

/// Starts the command with what signals do to any program. Its number, or 0 and the error.
int spawn(char* const* arguments, const posix_spawn_file_actions_t& actions) {
    const HeldSignals held;
    sigset_t ours;
    sigemptyset(&ours);
    for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&ours, signal);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &ours);
    posix_spawnattr_setsigmask(&attributes, &held.before());
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    film_process = error == 0 ? child : 0;
    return error;
}

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
    outcome.error = spawn(arguments.data(), actions);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe_ends[1]);
    if (outcome.error == 0) {
        outcome.text = read_all(pipe_ends[0]);
        while (::waitpid(film_process, &outcome.status, 0) < 0 && errno == EINTR) {
        }
        film_process = 0;
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

/// A list for ffmpeg in which each picture stands as often as there are numbers up to the next. The names are digits.
std::string held_pictures(const std::vector<std::string>& pictures) {
    const auto number = [&](std::size_t i) { return std::stoll(pictures[i]); };
    std::string list = "ffconcat version 1.0\n";
    for (std::size_t i = 0; i < pictures.size(); ++i)
        for (long long n = i + 1 < pictures.size() ? number(i + 1) - number(i) : 1; n > 0; --n)
            list += fmt::format("file {}\n", pictures[i]);
    return list;
}

/// The pictures are found by a pattern inside the folder that ffmpeg runs in, so that no character of the path needs
/// quoting.
/// Width and height as a PNG says them in its first chunk; nothing for what is none.
std::string size_text(const fs::path& picture) {
    unsigned char head[24] = {};
    std::ifstream(picture, std::ios::binary).read(reinterpret_cast<char*>(head), sizeof head);
    const auto number = [&](int at) { return head[at] << 24 | head[at + 1] << 16 | head[at + 2] << 8 | head[at + 3]; };
    return number(16) > 0 && number(20) > 0 ? fmt::format("{}:{}", number(16), number(20)) : "";
}

/// A filter that makes all pictures as large as the last, if they are not: drafts and full ones in one folder. A film has
/// one size.
std::string same_size(const fs::path& folder, const std::vector<std::string>& pictures) {
    const std::string last = size_text(folder / pictures.back());
    const bool same = std::all_of(pictures.begin(), pictures.end(),
                                  [&](const std::string& picture) { return size_text(folder / picture) == last; });
    return same || last.empty() ? "" : fmt::format("scale={},", last);
}

/// `list`: the pictures, one a line (held_pictures), each shown once; or empty, then all that match the pattern.
/// `size`: of same_size.
std::vector<std::string> ffmpeg_command(const FilmOptions& options, const std::string& list, const std::string& size,
                                        const fs::path& out) {
    const std::string rate = fmt::format("{:.6g}", options.fps);
    const std::string filter =
        size + "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";
    std::vector<std::string> words = {"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y"};
    std::vector<std::pair<const char*, std::string>> settings;
    if (list.empty())
        settings = {{"-framerate", rate}, {"-pattern_type", "glob"}, {"-i", "[0-9]*.png"}};
    else
        settings = {{"-r", rate}, {"-f", "concat"}, {"-safe", "0"}, {"-i", list}, {"-r", rate}};
    const std::pair<const char*, std::string> encoding[] = {
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
    settings.insert(settings.end(), std::begin(encoding), std::end(encoding));
    for (const auto& [name, value] : settings) words.insert(words.end(), {name, value});
    words.push_back(out.string());
    return words;
}

/// Why there is no film; empty if there is one to be renamed.
std::string complaint_of(const Outcome& outcome) {
    if (outcome.error == ENOENT) return "ffmpeg is not installed; pictures are there without a film";
    if (outcome.error != 0) return fmt::format("ffmpeg: {}", std::strerror(outcome.error));
    if (WIFSIGNALED(outcome.status)) return fmt::format("ffmpeg was ended by signal {}", WTERMSIG(outcome.status));
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

void signal_film(int signal) noexcept {
    if (film_process > 0) ::kill(film_process, signal);
}

FilmReport make_film(const fs::path& folder, const fs::path& out, const FilmOptions& options) {
    FilmReport report;
    if (!(options.fps > 0) || !std::isfinite(options.fps) || options.quality < 0 || options.quality > 51) {
        report.reason = fmt::format("fps must be > 0 and quality 0 to 51, got {} and {}", options.fps, options.quality);
        return report;
    }
    std::error_code error;
    std::vector<std::string> pictures;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (is_frame(entry.path())) pictures.push_back(entry.path().filename().string());
    if (error) {
        report.reason = fmt::format("{}: {}", folder.string(), error.message());
        return report;
    }
    std::sort(pictures.begin(), pictures.end());
    report.frames = static_cast<int>(pictures.size());
    if (report.frames == 0) {
        report.reason = fmt::format("{}: no pictures named <digits>.png", folder.string());
        return report;
    }
    const fs::path target = fs::absolute(out, error);
    const fs::path temporary =
        target.parent_path() / fmt::format(".{}.{}-film.tmp", target.filename().string(), ::getpid());
    const std::string list = options.hold ? fmt::format(".film.{}-list.tmp", ::getpid()) : "";
    try {
        if (options.hold) write_file_atomically(folder / list, held_pictures(pictures));
        report.reason =
            complaint_of(run(ffmpeg_command(options, list, same_size(folder, pictures), temporary), folder));
    } catch (const FileError& failure) {
        report.reason = failure.what();
    }
    if (options.hold) fs::remove(folder / list, error);
    if (report.reason.empty()) report.reason = put_in_place(temporary, target);
    report.made = report.reason.empty();
    if (!report.made) fs::remove(temporary, error);
    return report;
}

}  // namespace tidelock
