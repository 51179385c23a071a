/// What the files that write VDB grids share. Includes OpenVDB: for them only.
#pragma once

#include <openvdb/openvdb.h>

#include "base/error.h"
#include "io/vdb.h"

namespace tidelock {

struct VdbWriter::Grids {
    openvdb::GridCPtrVec list;

    void check_name(const std::string& name) const {
        if (name.empty()) throw InputError("vdb grid", "has no name");
        for (const auto& other : list) {
            if (other->getName() == name) throw InputError(name, "is the name of two grids of one file");
        }
    }
};

/// Voxel i is cell i; the plane's slab has its centre at z = 0.
template <int D>
openvdb::math::Transform::Ptr vdb_transform(const Grid<D>& grid) {
    auto transform = openvdb::math::Transform::createLinearTransform(grid.dx);
    openvdb::Vec3d centre(0.0);  // of voxel (0, 0, 0)
    for (int a = 0; a < D; ++a) centre[a] = grid.origin[a] + 0.5 * grid.dx;
    transform->postTranslate(centre);
    return transform;
}

}  // namespace tidelock
