/// A run as a USD layer in text (.usda), as Blender and Houdini read it.
///
/// Source   Pixar's USD, the text format and the schemas UsdGeom (Xform, Mesh with velocities, Camera) and UsdVol (Volume,
///          OpenVDBAsset). metersPerUnit 1, upAxis Y, time codes are frames.
/// Content  /World/Camera; /World/Bodies/NAME with translate and orient; /World/Liquid, a mesh with other points and
///          triangles at each frame; /World/Fluid, a volume whose fields point to the run's VDB files.
/// Deviates In the plane the liquid's outline becomes a ribbon one cell wide: USD has no outlines that change.
#pragma once

#include "io/export_scene.h"

namespace tidelock {

/// Paths of VDB files are relative to the layer. Reads the surfaces one after the other: memory for one of them. Throws
/// FileError and InputError (a damaged surface).
void write_usda(const std::filesystem::path& file, const ExportScene& scene);

}  // namespace tidelock
