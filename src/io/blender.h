/// A run as a script for Blender (3.4 or later) that sets up volumes, the liquid's moving surface with its velocities,
/// bodies, camera, light, units and frames: src/io/blender/setup.py with what it must know of the run.
#pragma once

#include <string>

#include "io/export_scene.h"

namespace tidelock {

/// Run with "--save FILE.blend" behind "--" it saves what it has set up.
[[nodiscard]] std::string blender_script(const ExportScene& scene);

/// The files of src/io/blender: what sets up the scene, and what shows the surface of a frame.
extern const char* const blender_setup_text;
extern const char* const blender_surface_text;

}  // namespace tidelock
