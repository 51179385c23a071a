/// What a run has to show to other programs: where its files are, and what they do not say.
///
/// Axes and units are the simulation's everywhere: metres, y up where gravity points down y. Programs with another "up"
/// turn all of it at once. Frame k of the run is frame (time code) k there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/gltf.h"

namespace tidelock {

struct ExportCamera {
    Vec3 position = Vec3(0, 0, 5), target = Vec3::Zero(), up = Vec3::UnitY();  ///< [m]
    double vertical_fov = 0.6;                                                 ///< [rad]
    double height = 0;                                                         ///< > 0: parallel, it sees this much [m]
    int pixels_wide = 16, pixels_high = 9;
};

struct ExportScene {
    std::string name;
    double fps = 24;                     ///< of the run: frame k is at k / fps
    int last_frame = 0;                  ///< the first is 0
    std::filesystem::path frames;        ///< folder of NNNNNN.vdb and NNNNNN.ply, absolute
    std::filesystem::path solids;        ///< the bodies as glTF, absolute; empty if there are none
    std::vector<int> volumes, surfaces;  ///< frames whose .vdb (.ply) is there, rising
    std::vector<std::string> grids;      ///< names in the volumes
    bool liquid = false;                 ///< its volumes are there for use, not to be seen: the surface is
    double cell = 0;                     ///< edge [m]
    Vec3 gravity = Vec3::Zero();         ///< [m/s^2]
    std::array<float, 3> background{};   ///< linear
    GltfScene bodies;                    ///< the same as in `solids`, one pose a frame
    ExportCamera camera;
};

/// NNNNNN.EXT
[[nodiscard]] std::string frame_name(int frame, const char* extension);

}  // namespace tidelock
