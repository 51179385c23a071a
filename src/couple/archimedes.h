/// Makes what a fluid at rest does to solids that of Archimedes (couple/interface.h says why it is not by itself).
///
/// Rule     constraint: fluid shares of faces are scaled by one factor per body and axis so that the solid counted in
///          dual cells has the body's volume. fractional: the solid share s becomes s + e s (1 - s), with one e per body
///          and axis. Either way arms are shifted so that it has no moment about the centre of mass.
/// Limits   A body that reaches out of the domain or into the half cells at its sides, has a film (couple/contact_films.h)
///          or is too small for its cells keeps a volume that no face counts: it is lifted by itself.
#pragma once

#include "couple/interface.h"
#include "couple/solid_surfaces.h"

namespace tidelock {

/// Sets arm_shift, uncounted, uncounted_moment and share_change, and the shares of the faces.
template <int D>
void balance_lift(const Grid<D>& grid, const SolidSurfaces<D>& surfaces, Interface<D>& interface);

}  // namespace tidelock
