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
    double max_divergence = 0;         ///< [1/s]
};

}  // namespace tidelock
