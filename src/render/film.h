/// Films from preview pictures, by the command ffmpeg.
#pragma once

#include <filesystem>
#include <string>

namespace tidelock {

struct FilmOptions {
    double fps = 30;   ///< pictures a second, > 0
    int quality = 18;  ///< of H.264, 0 (lossless) to 51 (worst); 18 looks like the pictures
    /// A picture stays until the next one's number: where numbers are left out, the film keeps its pace.
    bool hold = false;
};

/// What became of a film.
struct [[nodiscard]] FilmReport {
    bool made = false;
    int frames = 0;      ///< pictures found
    std::string reason;  ///< why not, in a sentence; ffmpeg's own words if it spoke
};

/// Joins the pictures `folder`/<digits>.png in the order of their names into an H.264 film (yuv420p, faststart, even
/// sizes: odd ones lose a row or column). Appears whole or not at all: written under a temporary name beside `out` (one
/// that base/file.h sweeps), then renamed. A missing ffmpeg or a failure is reported, not thrown, since pictures are there without a film.
FilmReport make_film(const std::filesystem::path& folder, const std::filesystem::path& out,
                     const FilmOptions& options = {});

/// Sends a signal to the ffmpeg that works for make_film(), if there is one. For signal handlers: a program that ends
/// leaves no child behind.
void signal_film(int signal) noexcept;

}  // namespace tidelock
