#include "compare/panel_film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "base/error.h"
#include "base/file.h"
#include "render/canvas.h"
#include "render/png.h"

namespace tidelock::compare {

namespace {

namespace fs = std::filesystem;

constexpr double screen = 16.0 / 9;  ///< width over height
constexpr int gap = 6;               ///< between panels [pixels]
const Rgb paper = from_hex(0x14181d), ink = from_hex(0xe8ecf1), alarm = from_hex(0xff8a5c);

/// Height of the line above a panel: a twentieth of its width, within what can be read and does not shout.
int title_height(int width) { return std::clamp(width / 18, 22, 56); }

/// Columns that let the panels be largest on a screen; of those that do, the fewest.
int columns_for(int panels, int width, int height) {
    int best = 1;
    double most = 0;
    for (int columns = 1; columns <= panels; ++columns) {
        const int rows = (panels + columns - 1) / columns;
        const double size = std::min(screen / (columns * (width + gap)), 1.0 / (rows * (height + gap)));
        if (size > most) best = columns, most = size;
    }
    return best;
}

Image title_line(const Panel& panel, int width, int height) {
    FloatImage line(width, height, paper);
    const double size = 0.42 * height, base = 0.5 * (height + size);
    Canvas canvas(line);
    canvas.text(Vec2(0.5 * height, base), size, panel.title, ink, Align::left);
    if (!panel.remark.empty()) canvas.text(Vec2(width - 0.5 * height, base), size, panel.remark, alarm, Align::right);
    return quantise(line);
}

void lay_on(const Image& part, int left, int top, Image& whole) {
    const auto row = static_cast<std::size_t>(3) * static_cast<std::size_t>(part.width);
    for (int y = 0; y < part.height; ++y) {
        const auto at = 3 * (static_cast<std::size_t>(top + y) * static_cast<std::size_t>(whole.width) +
                             static_cast<std::size_t>(left));
        std::memcpy(whole.rgb.data() + at, part.at(0, y), row);
    }
}

Image read_picture(const fs::path& file) {
    const std::string bytes = read_file(file);
    return decode_png({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
}

/// Frames up to the last one that has a picture; 0: none has.
int count_frames(const RunPaths& run) {
    const std::vector<int> pictures = run.pictures();
    return pictures.empty() ? 0 : pictures.back() + 1;
}

}  // namespace

Image join_panels(const std::vector<Panel>& panels) {
    if (panels.empty()) throw InputError("panels", "there must be at least one");
    const int width = panels.front().image->width, height = panels.front().image->height;
    for (const Panel& p : panels)
        if (p.image->width != width || p.image->height != height)
            throw InputError("panels", "'{}' is {} x {} pixels, '{}' {} x {}", panels.front().title, width, height,
                             p.title, p.image->width, p.image->height);
    const int title = title_height(width), count = static_cast<int>(panels.size());
    const int columns = columns_for(count, width, height + title), rows = (count + columns - 1) / columns;
    Image out =
        quantise(FloatImage(columns * width + (columns - 1) * gap, rows * (title + height) + (rows - 1) * gap, paper));
    for (int n = 0; n < count; ++n) {
        const Panel& panel = panels[static_cast<std::size_t>(n)];
        const int left = n % columns * (width + gap), top = n / columns * (title + height + gap);
        lay_on(title_line(panel, width, title), left, top, out);
        lay_on(*panel.image, left, top + title, out);
    }
    return out;
}

fs::path picture_of(const fs::path& folder, int frame) { return folder / RunPaths{}.preview_png(frame).filename(); }

FilmReport make_panel_film(const std::vector<FilmedRun>& runs, const fs::path& folder, const fs::path& out,
                           const FilmOptions& options) {
    std::vector<int> count;
    for (const FilmedRun& run : runs) {
        count.push_back(count_frames(run.paths));
        if (count.back() == 0)
            return {.reason = fmt::format("there are no pictures of {} (output.preview)", run.label)};
    }
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw FileError(folder, "cannot create the folder", error.value());
    for (int frame = 0; fs::remove(picture_of(folder, frame), error); ++frame) continue;  // of an earlier comparison
    std::vector<Image> images;  // as they stand: frames without a picture show the one before
    for (const FilmedRun& run : runs)
        images.push_back(read_picture(run.paths.preview_png(run.paths.pictures().front())));
    for (int frame = 0; frame < *std::max_element(count.begin(), count.end()); ++frame) {
        std::vector<Panel> panels;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const bool over = frame >= count[i];
            const fs::path picture = runs[i].paths.preview_png(frame);
            if (!over && fs::exists(picture)) images[i] = read_picture(picture);
            panels.push_back({runs[i].label, over ? runs[i].failure : "", &images[i]});
        }
        const auto bytes = encode_png(join_panels(panels));
        write_file_atomically(picture_of(folder, frame), std::as_bytes(std::span(bytes)));
    }
    return make_film(folder, out, options);
}

}  // namespace tidelock::compare
