/// Prescribed motions of kinematic bodies: where the body is at a time.
///
/// The velocity that the fluid feels in a step is the way covered over the step, so that what is prescribed is also
/// where the body ends up, whatever the time step.
#pragma once

#include <variant>
#include <vector>

#include "geometry/pose.h"

namespace tidelock {

template <int D>
struct Placement {
    Vec<D> position = Vec<D>::Zero();  ///< [m]
    Rotation<D> rotation;
};

/// Given places at given times; before the first and after the last the body rests there.
template <int D>
struct Keyframes {
    struct Key {
        double time = 0;  ///< [s], increasing
        Placement<D> place;
    };
    std::vector<Key> keys;
    bool smooth = false;  ///< eased: the speed is zero at each key (3 t^2 - 2 t^3); otherwise constant between keys
};

/// Steady rotation about an axis through the starting position.
template <int D>
struct SpinMotion {
    Spin<D> rate = Spin<D>::Zero();  ///< [rad/s]
};

/// position + amplitude sin(2 pi frequency t + phase), less its value at t = 0.
template <int D>
struct Oscillation {
    Vec<D> amplitude = Vec<D>::Zero();  ///< [m]
    double frequency = 0;               ///< [Hz]
    double phase = 0;                   ///< [rad]
};

/// Constant velocity and angular velocity: what a kinematic body without a `motion` does.
template <int D>
struct SteadyMotion {
    Twist<D> twist = Twist<D>::Zero();
};

template <int D>
using Motion = std::variant<SteadyMotion<D>, Keyframes<D>, SpinMotion<D>, Oscillation<D>>;

/// Where a body that starts at `start` is at `time` [s].
template <int D>
[[nodiscard]] Placement<D> place_at(const Motion<D>& motion, const Placement<D>& start, double time);

}  // namespace tidelock
