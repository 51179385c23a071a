/// Particles as OpenVDB points, read back. They are written by VdbWriter::add_points (io/vdb.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/vec.h"

namespace tidelock {

/// The points of one grid, in the order of its leaves and voxels.
struct VdbPoints {
    std::string name;
    double voxel_size = 0;       ///< [m]
    std::vector<Vec3> position;  ///< [m]; z = 0 for those of the plane
    std::vector<Vec3> velocity;  ///< [m/s], of the attribute "v"; empty if the grid has none
};

/// Every grid of points in a file; other kinds are skipped. Throws FileError for a file that is missing or damaged.
[[nodiscard]] std::vector<VdbPoints> read_vdb_points(const std::filesystem::path& file);

}  // namespace tidelock
