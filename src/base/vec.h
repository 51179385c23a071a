/// Fixed-size vectors and matrices, and the integer coordinates of cells and bricks.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#if defined(__CUDACC__)
#define TIDELOCK_HD __host__ __device__
#else
#define TIDELOCK_HD
#endif

namespace tidelock {

template <int D>
using Vec = Eigen::Matrix<double, D, 1>;
template <int D>
using Mat = Eigen::Matrix<double, D, D>;
using Vec2 = Vec<2>;
using Vec3 = Vec<3>;
using Mat3 = Mat<3>;

/// Integer coordinates of a cell, a node, a brick, or an extent counted in them.
template <int D>
using Coord = Eigen::Matrix<int, D, 1>;
using Coord2 = Coord<2>;
using Coord3 = Coord<3>;

/// Degrees of freedom of a rigid body: 3 in the plane, 6 in space.
template <int D>
inline constexpr int rigid_dof = D == 2 ? 3 : 6;
/// Rotational degrees of freedom alone.
template <int D>
inline constexpr int rotation_dof = D == 2 ? 1 : 3;

}  // namespace tidelock
