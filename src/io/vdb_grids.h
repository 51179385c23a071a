/// What the files that write VDB grids share. Includes OpenVDB: for them only.
#pragma once

#include <fmt/format.h>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>

#include <cerrno>
#include <filesystem>
#include <ios>
#include <new>

#include "base/error.h"
#include "base/file.h"
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

/// Calls read(file) on an open file. Whatever a missing or damaged one makes OpenVDB throw comes as FileError.
template <class Read>
void open_vdb(const std::filesystem::path& file, Read&& read) {
    openvdb::initialize();
    // OpenVDB reports a missing file and a damaged one alike; ours names the reason.
    if (!std::filesystem::exists(file)) throw FileError(file, "cannot be read", ENOENT);
    try {
        openvdb::io::File in(file.string());
        in.setCopyMaxBytes(0);
        in.open(/*delayLoad=*/false);
        read(in);
    } catch (const openvdb::Exception& error) {
        throw FileError(file, fmt::format("is not a readable VDB file: {}", error.what()));
    } catch (const std::bad_alloc&) {
        throw FileError(file, "is not a readable VDB file: it asks for more memory than there is");
    } catch (const std::ios_base::failure& error) {
        throw FileError(file, fmt::format("is not a readable VDB file: {}", error.what()));
    }
}

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
