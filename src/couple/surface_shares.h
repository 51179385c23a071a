/// Faces beside solids at the surface of a liquid: how much of what is wet there is solid.
///
/// Source   The scheme is that of [BBB07]: a face is open by the fluid share of its dual cell. Beside air the liquid
///          fills only the part theta of the dual cell, from its own centre to the surface, and only there has the
///          pressure a gradient: it lifts a solid by theta times the share. That is Archimedes' lift if the share is
///          that of the wet part. The share of the whole dual cell, which is as good where a solid has upright sides,
///          lifts a hull that widens upwards too much: bunnies seven cells wide by a tenth.
/// Closed   faces carry fluid along: also only what is wet of it. Where a cell of theirs has no pressure, what its
///          neighbours across the face's axis hold counts for it, and if they are without a pressure as well, what is
///          on the other side of the face: a hull holds back its water from the air within.
/// Limits   Faces with so little of a solid in their dual cells that they are free stay free.
#pragma once

#include "couple/flow_faces.h"

namespace tidelock {

/// Takes open shares, weights and masses of faces at the surface from the wet parts of their dual cells; `out` has
/// those of the whole ones. `phi` at cell centres [m], negative in the liquid, on the interface's bricks. Fractional
/// scheme; the other has no cut faces.
template <int D>
void take_wet_shares(const SolidSurfaces<D>& surfaces, const Field<D, double>& phi, const Interface<D>& interface,
                     FlowFaces<D>& out);

}  // namespace tidelock
