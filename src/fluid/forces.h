/// What pushes the gas besides pressure: weight, heat, confinement; and what fades in it.
///
/// `solid` marks cells inside solids (1) in all of these; their values are not read.
#pragma once

#include "fluid/smoke.h"
#include "grid/extrapolate.h"

namespace tidelock {

/// What the forces of a step depend on besides the gas.
template <int D>
struct GasForces {
    const Grid<D>& grid;
    Vec<D> gravity;  ///< [m/s^2]
    const SmokeParameters<D>& gas;
    const Mask<D>& solid;
    double dt = 0;  ///< [s]
};

/// u += dt g (1 + alpha s - beta (T - T_ambient)) on every face of the domain; s and T are means over the face's cells
/// that hold fluid.
template <int D>
void add_weight(const GasForces<D>& forces, const Smoke<D>& smoke, FaceField<D, double>& velocity);

/// u += dt epsilon dx (N x omega), N = grad |omega| / |grad |omega|| ([FSJ01] eq. (11)). `from` is the velocity
/// whose vorticity is confined. Cells next to a solid or a side are left out: their vorticity is the boundary's.
template <int D>
void confine_vorticity(const GasForces<D>& forces, const FaceField<D, double>& from, FaceField<D, double>& velocity);

/// Smoke fades and heat is lost, exactly exponentially over dt.
template <int D>
void fade(const SmokeParameters<D>& gas, double dt, Smoke<D>& smoke);

/// Vorticity at cell centres [1/s]: a number in 2D, its length in 3D.
template <int D>
Field<D, double> vorticity_magnitude(const Grid<D>& grid, const FaceField<D, double>& velocity);

}  // namespace tidelock
