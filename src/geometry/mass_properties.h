/// What a rigid body needs to know of its shape, at unit density: multiply volume and inertia by the density.
#pragma once

#include "base/vec.h"

namespace tidelock {

template <int D>
using Inertia = Eigen::Matrix<double, rotation_dof<D>, rotation_dof<D>>;

template <int D>
struct MassProperties {
    double volume = 0;                        ///< [m^3], in 2D the area [m^2]
    Vec<D> centre = Vec<D>::Zero();           ///< centre of mass, in the shape's own frame [m]
    Inertia<D> inertia = Inertia<D>::Zero();  ///< about `centre`, axes of the shape's frame [m^5], in 2D [m^4]
};

/// From the raw moments of a region about `origin`: first = integral of x, second = integral of x x^T, where x
/// counts from the origin. Shared by every formula that sums simplices.
template <int D>
MassProperties<D> from_moments(double volume, const Vec<D>& first, const Mat<D>& second, const Vec<D>& origin) {
    const Vec<D> mean = first / volume;
    const Mat<D> central = second - volume * mean * mean.transpose();
    MassProperties<D> result;
    result.volume = volume;
    result.centre = origin + mean;
    if constexpr (D == 2) {
        result.inertia(0, 0) = central.trace();
    } else {
        result.inertia = central.trace() * Mat<D>::Identity() - central;
    }
    return result;
}

}  // namespace tidelock
