/// Scalars of a plane flow, for pictures.
#pragma once

#include "grid/domain.h"

namespace tidelock {

/// Speed at the cells' middles [m/s], each component the mean of its two faces.
[[nodiscard]] Field<2, double> flow_speed(const FaceField<2, double>& velocity, const Grid<2>& grid);

/// Vorticity dv/dx - du/dy at the cells' middles [1/s]: differences over two cells of velocities at the middles;
/// at walls the difference is one-sided.
[[nodiscard]] Field<2, double> flow_vorticity(const FaceField<2, double>& velocity, const Grid<2>& grid);

}  // namespace tidelock
