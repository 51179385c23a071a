/// What the finer level answers of a light body's force on a coarser level's correction.
///
/// Problem  A body much lighter than its fluid asks K x = 0 of every pressure, at once. Where coarse levels asked that
///          of their corrections too, a pressure that is smooth around the body, with a dipole close to it that
///          balances the force, could not be corrected: there are as many demands as cells on the coarsest levels.
/// Rule     numerics/multigrid 11: a coarse correction e is carried to the cells x <- x + P e - W K^T y', y' being the coarse
///          level's answer of the bodies, and W the inverse diagonal in one colour of cells, 0 elsewhere. So the coarse
///          level sees bodies of mass Mbar + K W K^T, and K x = Mbar y holds on the finer one.
#pragma once

#include "solve/stencil_level.h"

namespace tidelock {

/// Marks the cells of W among the level's bodies (RigidEntry::settles), and returns K W K^T of each cluster of bodies.
/// The residual is zero in these cells when a level hands on to the next, so that the restriction, the transpose of
/// what is said above, stays what it is: not in pockets, beside groups or of bodies that these press on, nor where bodies of two
/// clusters meet.
template <int D, class T>
std::vector<Eigen::MatrixXd> settle_locally(StencilLevel<D, T>& level);

}  // namespace tidelock
