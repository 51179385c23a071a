#include "io/blender.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace tidelock {

namespace {

using Json = nlohmann::ordered_json;

Json list(const Vec3& v) { return {v[0], v[1], v[2]}; }

void replace(std::string& text, const std::string& word, const std::string& by) {
    const auto at = text.find(word);
    TIDELOCK_ASSERT(at != std::string::npos, "no {}", word);
    text.replace(at, word.size(), by);
}

}  // namespace

std::string blender_script(const ExportScene& scene) {
    const ExportCamera& c = scene.camera;
    const double size = (c.position - c.target).norm();
    Json run = {{"name", scene.name},
                {"fps", scene.fps},
                {"last_frame", scene.last_frame},
                {"frames", scene.frames.string()},
                {"solids", scene.solids.string()},
                {"volumes", scene.volumes},
                {"surfaces", scene.surfaces},
                {"liquid", scene.liquid},
                {"smoke_density", 40 / size},  // looks dense across a good part of the picture
                {"gravity", list(scene.gravity)},
                {"background", scene.background},
                {"camera",
                 {{"position", list(c.position)},
                  {"target", list(c.target)},
                  {"up", list(c.up)},
                  {"fov", c.vertical_fov},
                  {"height", c.height},
                  {"pixels", {c.pixels_wide, c.pixels_high}}}}};
    std::string text = blender_setup_text;
    // ASCII without three quotes in a row: strings of JSON escape theirs.
    replace(text, "@RUN@", run.dump(1, ' ', true, Json::error_handler_t::replace));
    replace(text, "@SURFACE@", blender_surface_text);
    return text;
}

}  // namespace tidelock
