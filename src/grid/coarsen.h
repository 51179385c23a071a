/// 2:1 transfers between a grid and the next coarser one. Coarse cell C holds the fine cells 2 C + {0, 1}^D.
///
///   average          coarse = mean of the 2^D children          constant prolongation P0: average = P0^T / 2^D
///   restrict_linear  weights 1/8, 3/8, 3/8, 1/8 per axis        linear prolongation P1: restrict = P1^T / 2^D
///   average_faces    coarse face = the 2^(D-1) fine faces in it; with areas, the flux is kept: A_C u_C = mean A_f u_f
///
/// Sets     Any fine and coarse sets whose lattices match (coarse covers fine / 2). Inactive bricks read the
///          background; with background 0 on both sides the pairs above are exact transposes, <P e, r> = 2^D <e, R r>.
/// Source   numerics/multigrid 7. Linear prolongation takes 3/4 of the parent and 1/4 of the next cell along each axis.
#pragma once

#include "grid/field.h"

namespace tidelock {

template <int D, class T>
void average(const Field<D, T>& fine, Field<D, T>& coarse);

template <int D, class T>
void restrict_linear(const Field<D, T>& fine, Field<D, T>& coarse);

template <int D, class T>
void prolong_constant(const Field<D, T>& coarse, Field<D, T>& fine);

template <int D, class T>
void prolong_linear(const Field<D, T>& coarse, Field<D, T>& fine);

/// Plain mean of the fine faces in each coarse face: the area fractions of the coarse grid, or a velocity where all is
/// open.
template <int D, class T>
void average_faces(const FaceField<D, T>& fine, FaceField<D, T>& coarse);

/// Velocity of the same flux: sum A_f u_f / sum A_f; the plain mean where all A_f are 0.
template <int D, class T, class A>
void average_faces(const FaceField<D, T>& fine, const FaceField<D, A>& fine_area, FaceField<D, T>& coarse);

}  // namespace tidelock
