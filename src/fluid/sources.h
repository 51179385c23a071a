/// Where smoke, heat and motion come from: shapes that set what is inside them.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "fluid/smoke.h"
#include "geometry/pose.h"
#include "geometry/shape.h"
#include "grid/extrapolate.h"

namespace tidelock {

template <int D>
struct SmokeSource {
    std::shared_ptr<const Shape<D>> shape;
    Pose<D> pose;                                          ///< of the shape's own frame
    double smoke = 1;                                      ///< [-]
    double temperature = 293.15;                           ///< [K]
    std::optional<Vec<D>> velocity;                        ///< [m/s]; none: motion is left alone
    double start = 0;                                      ///< [s]
    double end = std::numeric_limits<double>::infinity();  ///< [s]

    [[nodiscard]] bool active(double time) const { return time >= start && time < end; }
};

/// Sets smoke, temperature and (on the faces of `velocity`) motion inside the source; a cell that the shape covers in
/// part gets its share. Cells marked in `solid` are left alone.
template <int D>
void apply_source(const Grid<D>& grid, const SmokeSource<D>& source, const Mask<D>& solid, Smoke<D>& smoke,
                  FaceField<D, double>& velocity);

}  // namespace tidelock
