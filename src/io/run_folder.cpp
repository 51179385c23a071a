#include "io/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"

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

void remove_if_there(const fs::path& path) {
    std::error_code error;
    fs::remove_all(path, error);
    if (error) throw FileError(path, "cannot be removed", error.value());
}

/// The name in a scene of tidelock; nothing if the text is none.
std::optional<std::string> scene_name_in(const std::string& text) {
    const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
    if (!json.is_object() || !json.contains("tidelock")) return std::nullopt;
    return json.contains("name") && json["name"].is_string() ? json["name"].get<std::string>() : "";
}

/// The N of every NNNNNN.EXTENSION in a folder.
std::vector<int> numbers_in(const fs::path& folder, const char* extension) {
    std::vector<int> numbers;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string digits = entry.path().stem().string();
        int number = -1;
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (number >= 0 && entry.path() == numbered(folder, number, extension)) numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
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

bool RunPaths::holds_run() const {
    std::error_code error;
    return fs::is_regular_file(scene(), error) && scene_name_in(read_file(scene())).has_value();
}

RunFolder::RunFolder(fs::path folder, const std::string& scene_text, ExistingRun existing)
    : paths_{std::move(folder)}, scene_hash_(hash_bytes(scene_text)) {
    const auto name = scene_name_in(scene_text);
    if (!name) throw InputError("scene", "is not a scene of tidelock: the key \"tidelock\" is missing");
    scene_name_ = *name;
    // Before the lock, so that a folder of something else is left without a trace; and again under it, because another
    // run may have begun in between.
    check_content(scene_text, existing);
    make_folder(paths_.folder);
    take_lock();
    try {
        check_content(scene_text, existing);
        if (existed_ && existing == ExistingRun::restart) {
            // The scene goes last: until then the folder is still a run, which can be restarted again.
            for (const fs::path& path : {paths_.film(), paths_.preview(), paths_.solids(), paths_.frames(),
                                         paths_.checkpoints(), paths_.steps(), paths_.log()}) {
                remove_if_there(path);
            }
        }
        kept_ = existed_ && existing != ExistingRun::restart;
        if (!kept_) write_file_atomically(paths_.scene(), scene_text);
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
    const std::string there = read_file(paths_.scene());
    const auto name = scene_name_in(there);
    if (!name) {
        throw InputError(place, "is not a run of tidelock: its scene.json is no scene. Use another folder (--out)");
    }
    if (there != scene_text) {
        throw InputError(place,
                         "holds a run of another scene: '{}' ({}), this one is '{}' ({}). Use another folder (--out)",
                         *name, hash_text(hash_bytes(there)), scene_name_, hash_text(scene_hash_));
    }
    if (existing == ExistingRun::refuse) {
        throw InputError(place,
                         "holds a run of this scene already. Continue it (--resume), delete it and begin again "
                         "(--restart), or use another folder (--out)");
    }
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
