#include "io/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <ctime>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "io/checkpoint.h"

namespace tidelock {
namespace {

namespace fs = std::filesystem;

fs::path numbered(const fs::path& folder, int frame, const char* extension) {
    return folder / fmt::format("{:06}{}", frame, extension);
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw FileError(folder, "cannot be made a folder", error.value());
}

/// A link to a file is not ours, and a device or a pipe is not either.
bool is_plain_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(fs::symlink_status(path, ignored));
}

void remove_if_ours(const fs::path& path) {
    if (!is_plain_file(path)) return;
    std::error_code error;
    fs::remove(path, error);
    if (error) throw FileError(path, "cannot be removed", error.value());
}

/// The N of every NNNNNN.EXTENSION in a folder.
std::vector<int> numbers_in(const fs::path& folder, const char* extension) {
    std::vector<int> numbers;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string digits = entry.path().stem().string();
        int number = -1;
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (number >= 0 && entry.path() == numbered(folder, number, extension) && is_plain_file(entry.path()))
            numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// What a run has written, and nothing else that may lie beside it. The scene stays: until it is replaced the folder is
/// still a run, which can be restarted again.
void remove_run(const RunPaths& run) {
    for (const int frame : run.vdb_frames()) remove_if_ours(run.frame_vdb(frame));
    for (const int frame : run.ply_frames()) remove_if_ours(run.frame_ply(frame));
    for (const int frame : run.pictures()) remove_if_ours(run.preview_png(frame));
    for (const fs::path& file : list_checkpoints(run.checkpoints())) remove_if_ours(file);
    for (const fs::path& file : {run.film(), run.solids(), run.steps(), run.log()}) remove_if_ours(file);
}

/// Something that a run, killed before it had written its scene, cannot have left.
std::optional<fs::path> foreign_entry(const fs::path& folder) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        const bool ours = name == ".lock" || (name.starts_with(".scene.json.") && name.ends_with(".tmp"));
        if (!ours) return entry.path();
    }
    if (error && error != std::errc::no_such_file_or_directory)
        throw FileError(folder, "cannot be read", error.value());
    return std::nullopt;
}

}  // namespace

fs::path RunPaths::frame_vdb(int frame) const { return numbered(frames(), frame, ".vdb"); }
fs::path RunPaths::frame_ply(int frame) const { return numbered(frames(), frame, ".ply"); }
fs::path RunPaths::preview_png(int frame) const { return numbered(preview(), frame, ".png"); }

std::vector<int> RunPaths::vdb_frames() const { return numbers_in(frames(), ".vdb"); }
std::vector<int> RunPaths::ply_frames() const { return numbers_in(frames(), ".ply"); }
std::vector<int> RunPaths::pictures() const { return numbers_in(preview(), ".png"); }

bool RunPaths::holds_run() const {
    std::error_code error;
    return fs::is_regular_file(scene(), error) && identity_of_scene(read_file(scene())).has_value();
}

RunFolder::RunFolder(fs::path folder, const std::string& scene_text, ExistingRun existing) : paths_{std::move(folder)} {
    auto identity = identity_of_scene(scene_text);
    if (!identity) throw InputError("scene", "is not a scene of tidelock: the key \"tidelock\" is missing");
    scene_ = std::move(*identity);
    // Before the lock, so that a folder of something else is left without a trace; and again under it, because another
    // run may have begun in between.
    check_content(scene_text, existing);
    make_folder(paths_.folder);
    take_lock();
    try {
        check_content(scene_text, existing);
        kept_ = existed_ && existing != ExistingRun::restart;
        if (existed_ && !kept_) remove_run(paths_);
        if (!kept_ || !changes_.empty()) write_file_atomically(paths_.scene(), scene_text);
        for (const fs::path& inside : {paths_.frames(), paths_.checkpoints(), paths_.preview()}) make_folder(inside);
        for (const fs::path& swept : {paths_.folder, paths_.frames(), paths_.checkpoints(), paths_.preview()}) {
            remove_temporaries(swept);
        }
    } catch (...) {
        ::close(lock_);
        throw;
    }
}

RunFolder::~RunFolder() { ::close(lock_); }

void RunFolder::take_lock() {
    lock_ = ::open(paths_.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_ < 0) throw FileError(paths_.lock(), "cannot be opened", errno);
    // The kernel drops the lock when its holder ends, however it ends: no stale locks. The file stays; removing it
    // would let two runs lock two files of one name.
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        char holder[32] = {};
        const auto length = ::pread(lock_, holder, sizeof holder - 1, 0);
        ::close(lock_);
        if (error != EWOULDBLOCK) throw FileError(paths_.lock(), "cannot be locked", error);
        throw InputError(paths_.folder.string(),
                         "is being written by another run (process {}). Wait for it, or use another folder (--out)",
                         length > 0 ? std::string(holder, static_cast<std::size_t>(length)) : "unknown");
    }
    const std::string process = std::to_string(::getpid());
    // Only for the message above: a full disk may leave it empty.
    if (::ftruncate(lock_, 0) == 0) static_cast<void>(::pwrite(lock_, process.data(), process.size(), 0) > 0);
}

/// A pipe in the place of a file would be waited for, for ever.
void RunFolder::check_kinds() const {
    const auto must_be = [&](const fs::path& path, fs::file_type type, const char* what) {
        std::error_code ignored;
        const fs::file_type found = fs::status(path, ignored).type();
        if (found != type && found != fs::file_type::not_found)
            throw InputError(path.string(), "is not a {}. Use another folder (--out)", what);
    };
    must_be(paths_.folder, fs::file_type::directory, "folder");
    for (const auto& file : {paths_.scene(), paths_.steps(), paths_.solids(), paths_.log(), paths_.lock()})
        must_be(file, fs::file_type::regular, "file");
    for (const auto& folder : {paths_.frames(), paths_.checkpoints(), paths_.preview()})
        must_be(folder, fs::file_type::directory, "folder");
}

void RunFolder::check_content(const std::string& scene_text, ExistingRun existing) {
    std::error_code error;
    const std::string place = paths_.folder.string();
    if (fs::exists(paths_.folder, error) && !fs::is_directory(paths_.folder, error)) {
        throw InputError(place, "is not a folder. Use another one (--out)");
    }
    existed_ = fs::exists(paths_.scene(), error);
    if (!existed_) {
        if (const auto foreign = foreign_entry(paths_.folder)) {
            throw InputError(place, "is not empty and not a run of tidelock: it holds '{}'. Use another folder (--out)",
                             foreign->filename().string());
        }
        return;
    }
    check_kinds();
    check_scene(read_file(paths_.scene()), scene_text, existing);
}

void RunFolder::check_scene(const std::string& there, const std::string& here, ExistingRun existing) {
    const std::string place = paths_.folder.string();
    const auto identity = identity_of_scene(there);
    if (!identity)
        throw InputError(place, "is not a run of tidelock: its scene.json is no scene. Use another folder (--out)");
    if (identity->hash != scene_.hash)
        throw InputError(
            place,
            "holds a run of another scene, '{}', this one is '{}': {}. Continue that one with its own scene "
            "(tidelock run {} --resume), or use another folder (--out)",
            identity->name, scene_.name, differences_text(scene_differences(identity->simulation, scene_.simulation)),
            place);
    if (existing == ExistingRun::refuse)
        throw InputError(place,
                         "holds a run of this scene already. Continue it (--resume), delete it and begin again "
                         "(--restart), or use another folder (--out)");
    if (existing == ExistingRun::restart) return;
    if (scene_.duration < identity->duration)
        throw InputError(
            place, "holds a run of this scene that ends later: time.duration is {} there and {} here. It may grow",
            identity->duration, scene_.duration);
    changes_ = scene_differences(there, here);
}

void RunFolder::log(std::string_view text) const {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc = {};
    ::gmtime_r(&now, &utc);
    char stamp[32];
    std::strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    const std::string line = fmt::format("{} {}\n", stamp, text);
    const int descriptor = ::open(paths_.log().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0) throw FileError(paths_.log(), "cannot be opened to append", errno);
    const auto written = ::write(descriptor, line.data(), line.size());
    const int error = written < 0 ? errno : ENOSPC;
    ::close(descriptor);
    if (written != static_cast<ssize_t>(line.size())) throw FileError(paths_.log(), "cannot be appended to", error);
}

}  // namespace tidelock
