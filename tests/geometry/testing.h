/// What the geometry tests share.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "geometry/mesh_io.h"
#include "geometry/triangle_mesh.h"

namespace tidelock {

/// The message of the InputError that f throws; a test failure and "" if it throws none.
template <class F>
std::string error_of(F&& f) {
    try {
        f();
    } catch (const InputError& error) {
        return error.what();
    }
    ADD_FAILURE() << "no InputError";
    return "";
}

inline void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' not in: " << text;
}

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

/// A test's own empty folder, removed afterwards.
class Folder {
  public:
    Folder() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::temp_directory_path() /
                (std::string("tidelock-") + test->test_suite_name() + "-" + test->name());
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

}  // namespace tidelock

/// Reads assets/meshes/<name>, or skips the test.
#define TIDELOCK_READ_ASSET(mesh, name)                                                    \
    if (!std::filesystem::exists(::tidelock::mesh_file(name)))                             \
        GTEST_SKIP() << ::tidelock::mesh_file(name) << " is not there: run script/meshes"; \
    ::tidelock::TriangleMesh mesh = ::tidelock::read_mesh(::tidelock::mesh_file(name))
