/// Velocity beyond the fluid, from the faces where it is known.
///
/// Source   numerics/transport 3. Layers: each unknown face next to known ones takes the average of its known 2 D
///          neighbours, then the next layer. Upwind: grad phi . grad u = 0 by [AS99]: u = sum_a w_a u_a / sum_a w_a
///          over the neighbour with the smaller phi along each axis, w_a = phi - phi_a, faces in the order of phi.
/// Masks    `known` holds 0 for unknown faces. Faces that get a value are marked: k + 1 in layer k; 2 by the upwind
///          rule. Others keep their value. Only active bricks are read and written; inactive neighbours count as
///          unknown.
/// Promise  The same bits on any number of threads: a face is computed once, from values that are final.
#pragma once

#include <cstdint>

#include "grid/field.h"

namespace tidelock {

using MaskValue = std::uint8_t;
template <int D>
using Mask = Field<D, MaskValue>;
template <int D>
using FaceMask = FaceField<D, MaskValue>;

/// Grows one field (a component, a cell field) by up to `layers` layers, at most 254; ceil(CFL) + 2 for a velocity.
template <int D, class T>
void extrapolate_layers(Field<D, T>& u, Mask<D>& known, int layers);

/// The same for each component.
template <int D, class T>
void extrapolate_layers(FaceField<D, T>& u, FaceMask<D>& known, int layers);

/// Extends one field along increasing phi to the samples where phi < band [m]. `phi` lives at the same places as `u`.
/// Samples whose upwind neighbours lead to no known one stay unknown (extrapolate_layers can fill them).
template <int D, class T, class P>
void extrapolate_upwind(Field<D, T>& u, Mask<D>& known, const Field<D, P>& phi, double band);

/// The same for each component; `phi` is a cell field, averaged to the faces.
template <int D, class T, class P>
void extrapolate_upwind(FaceField<D, T>& u, FaceMask<D>& known, const Field<D, P>& phi, double band);

/// Cell values averaged to the lower faces along an axis. Background unchanged.
template <int D, class P>
Field<D, P> average_to_faces(const Field<D, P>& cells, int axis);

}  // namespace tidelock
