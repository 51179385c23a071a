/// Rigid bodies and their motion as one binary glTF 2.0 file (.glb), as Blender, Houdini and browsers read it.
///
/// One node and one mesh a body, one animation for all. Coordinates are the world's, in metres; glTF calls y "up", and
/// so do our scenes when gravity points down the y axis. Rotations of a track are sign-continuous, so that a linear
/// blend between two keys takes the short way.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "geometry/triangle_mesh.h"

namespace tidelock {

struct GltfPose {
    Vec3 position = Vec3::Zero();                ///< of the mesh's origin [m]
    std::array<double, 4> rotation{1, 0, 0, 0};  ///< unit quaternion (w, x, y, z)
};

struct GltfBody {
    std::string name;
    TriangleMesh mesh;                                    ///< in the body's own frame [m]
    std::array<float, 4> colour{0.8f, 0.8f, 0.8f, 1.0f};  ///< linear RGB and opacity, in [0, 1]
    float metallic = 0;                                   ///< [-] in [0, 1]
    float roughness = 0.6f;                               ///< [-] in [0, 1]
    /// One pose a time of the scene, or a single one for a body that rests.
    std::vector<GltfPose> track;
    /// Edges whose triangles meet at a larger angle than this look sharp. [rad]
    double crease = 0.6;
};

struct GltfScene {
    std::vector<double> times;  ///< [s], rising
    std::vector<GltfBody> bodies;
};

/// Atomic (base/file.h). Throws InputError for tracks that do not fit the times, times that do not rise, numbers that
/// are not finite, meshes without a triangle of positive area; FileError if the file cannot be written.
void write_glb(const std::filesystem::path& file, const GltfScene& scene);

}  // namespace tidelock
