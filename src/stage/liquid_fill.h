/// Filling a tank: the liquid of a World at the start.
#pragma once

#include "grid/activation.h"
#include "state/world.h"

namespace tidelock {

/// Puts a liquid that fills {shape < 0} into the world, at rest, without what lies in its solids: where its seeds and
/// markers are, and how much there is. Parts that solids fill are taken away; how many cells [-].
template <int D>
std::ptrdiff_t fill_liquid(const LiquidParameters<D>& parameters, const DistanceFunction<D>& shape, World<D>& world);

/// Gives its liquid a velocity [m/s] where `inside` holds: on faces, and to particles.
template <int D>
void set_velocity(const PointTest<D>& inside, const Vec<D>& velocity, World<D>& world);

}  // namespace tidelock
