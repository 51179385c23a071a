/// The pictures of several runs as panels of one: a film that shows methods side by side.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/run_folder.h"
#include "render/film.h"
#include "render/image.h"

namespace tidelock::compare {

/// A panel of a picture: what it shows, under a line of text.
struct Panel {
    std::string title;
    std::string remark = {};  ///< behind the title, in another colour; may be empty
    const Image* image = nullptr;
};

/// Panels of one size in rows, as many to a row as let them be largest on a screen of 16 to 9. Throws InputError for none, and
/// for pictures that differ in size.
[[nodiscard]] Image join_panels(const std::vector<Panel>& panels);

/// A run to be seen.
struct FilmedRun {
    std::string label;
    RunPaths paths;
    std::string failure = {};  ///< shown from where its pictures end on; may be empty
};

/// The joined picture of a frame.
[[nodiscard]] std::filesystem::path picture_of(const std::filesystem::path& folder, int frame);

/// Joins the preview pictures of runs, frame by frame, into picture_of(), and these into the film `out`. A run whose
/// pictures end earlier keeps its last one. Not made: if a run has no pictures. Throws FileError.
[[nodiscard]] FilmReport make_panel_film(const std::vector<FilmedRun>& runs, const std::filesystem::path& folder,
                                         const std::filesystem::path& out, const FilmOptions& options);

}  // namespace tidelock::compare
