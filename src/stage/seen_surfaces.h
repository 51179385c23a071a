/// The solids of a world as its fluid sees them: with films where they touch (couple/contact_films.h).
#pragma once

#include "couple/solid_surfaces.h"
#include "state/world.h"

namespace tidelock {

/// In a step in which they do not move. The world's bodies are kept by reference.
template <int D>
[[nodiscard]] std::shared_ptr<const SolidSurfaces<D>> seen_surfaces(const World<D>& world);

/// In a step from the poses `before` to where they are now, with the motion in between.
template <int D>
[[nodiscard]] std::shared_ptr<const SolidSurfaces<D>> seen_surfaces(const World<D>& world, std::vector<Pose<D>> before,
                                                                    std::vector<Twist<D>> motion);

/// Where they are now, for ways that take no time: without their velocities.
template <int D>
[[nodiscard]] std::shared_ptr<const SolidSurfaces<D>> seen_at_rest(const World<D>& world);

}  // namespace tidelock
