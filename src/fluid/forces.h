/// What pushes the gas besides pressure: weight, heat, confinement; and what fades in it.
///
/// `solid` marks cells inside solids (1) in all of these; their values are not read.
#pragma once

#include "fluid/smoke.h"
#include "grid/extrapolate.h"

namespace tidelock {

/// u += dt g (1 + alpha s - beta (T - T_ambient)) on every face of the domain; s and T are means over the face's cells
/// that hold fluid.
template <int D>
void add_weight(const Smoke<D>& smoke, const SmokeParameters<D>& parameters, const Mask<D>& solid, double dt,
                FaceField<D, double>& velocity);

/// u += dt epsilon dx (N x omega), N = grad |omega| / |grad |omega|| ([FSJ01] eq. (11)). `from` is the velocity
/// whose vorticity is confined. Cells next to a solid or a side are left out: their vorticity is the boundary's.
template <int D>
void confine_vorticity(const Smoke<D>& smoke, const FaceField<D, double>& from, const Mask<D>& solid, double epsilon,
                       double dt, FaceField<D, double>& velocity);

/// Smoke fades and heat is lost, exactly exponentially over dt.
template <int D>
void fade(Smoke<D>& smoke, const SmokeParameters<D>& parameters, double dt);

/// Vorticity at cell centres [1/s]: a number in 2D, its length in 3D.
template <int D>
Field<D, double> vorticity_magnitude(const Grid<D>& grid, const FaceField<D, double>& velocity);

}  // namespace tidelock
