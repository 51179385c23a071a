/// What a source of smoke sets in its shape.
#pragma once

#include "fluid/smoke.h"
#include "grid/extrapolate.h"

namespace tidelock {

/// Sets smoke, temperature and (on the faces of `velocity`) motion inside the source; a cell that the shape covers in
/// part gets its share. Cells marked in `solid` are left alone.
template <int D>
void apply_source(const Grid<D>& grid, const SmokeSource<D>& source, const Mask<D>& solid, Smoke<D>& smoke,
                  FaceField<D, double>& velocity);

}  // namespace tidelock
