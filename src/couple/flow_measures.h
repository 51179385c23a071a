/// The state of a flow in a few numbers.
#pragma once

#include <cstddef>

#include "base/vec.h"

namespace tidelock {

template <int D>
struct FlowMeasures {
    std::ptrdiff_t cells = 0;          ///< that hold fluid, and whose pressure is unknown
    double volume = 0;                 ///< of these cells [m^D]
    Vec<D> momentum = Vec<D>::Zero();  ///< each dual cell's fluid mass times its velocity [kg m/s]
    double kinetic_energy = 0;         ///< [J]
    double max_speed = 0;              ///< of a face, per component [m/s]
    double max_divergence = 0;         ///< beyond that of sources and of the volume's correction [1/s]
};

/// What the momentum of fluid and bodies changed by in a solve beyond the impulse of the domain's sides.
template <int D>
struct MomentumError {
    Vec<D> error = Vec<D>::Zero();  ///< [kg m/s]
    double scale = 0;               ///< the momentum of all fluid at its largest speed, to compare it with [kg m/s]

    [[nodiscard]] double share() const { return scale > 0 ? error.norm() / scale : 0; }
};

}  // namespace tidelock
