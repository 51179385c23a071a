/// What the geometry tests share.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/files_testing.h"
#include "base/random.h"
#include "geometry/mesh_io.h"
#include "geometry/triangle_mesh.h"

namespace tidelock {

/// A unit vector, uniform on the sphere (circle).
template <int D>
Vec<D> random_direction(const Random& random, std::uint64_t index) {
    Vec<D> x;
    for (int a = 0; a < D; ++a) x[a] = random.normal(index, static_cast<std::uint32_t>(a));
    return x.normalized();
}

inline Mat3 random_rotation(const Random& random, std::uint64_t index) {
    const double angle = random.uniform(index, 9, 0, 6.28);
    return Eigen::AngleAxisd(angle, random_direction<3>(random, index)).toRotationMatrix();
}

inline std::filesystem::path mesh_file(const std::string& name) {
    return std::filesystem::path(TIDELOCK_ASSET_DIR) / "meshes" / name;
}

}  // namespace tidelock

/// Reads assets/meshes/<name>, or skips the test.
#define TIDELOCK_READ_ASSET(mesh, name)                                                    \
    if (!std::filesystem::exists(::tidelock::mesh_file(name)))                             \
        GTEST_SKIP() << ::tidelock::mesh_file(name) << " is not there: run script/meshes"; \
    ::tidelock::TriangleMesh mesh = ::tidelock::read_mesh(::tidelock::mesh_file(name))
