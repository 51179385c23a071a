/// The Poisson operator of a flow whose solids' motion is known: L_N, from what the fluid says of cells, faces and
/// links.
///
/// Source   G^T beta^-1 G of [A18] eq. (17) without closed faces; a cut face has its open share of c [BBB07], one to
///          air c over theta, as an excess on the diagonal where the pressure there is known (numerics/surface 4).
/// Symbols  c = A^2 / beta, the conductance of a free face (docs/conventions.md).
#pragma once

#include "couple/flow_faces.h"

namespace tidelock {

template <int D>
PoissonOperator<D> flow_operator(const FlowFaces<D>& flow, const Interface<D>& interface);

}  // namespace tidelock
