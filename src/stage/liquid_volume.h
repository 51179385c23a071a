/// How much liquid there is in a World.
#pragma once

#include "couple/open_cells.h"
#include "fluid/liquid.h"
#include "state/world.h"

namespace tidelock {

/// Of the liquid where it is now, beside the solids where they are now.
template <int D>
[[nodiscard]] VolumeMeter<D> liquid_meter(const World<D>& world, StandingObstacles<D>& standing);

/// Volume of the level set [m^D]; where particles are the liquid, that of drops is their particles' (fluid/drops.h).
template <int D>
[[nodiscard]] double present_volume(const LiquidParameters<D>& parameters, const World<D>& world,
                                    VolumeMeter<D>& meter);

/// Moves the surface out or in, by up to a quarter of a cell everywhere, until the liquid has the volume that it should
/// have, if it is off by more than a thousandth: what finding the surface anew costs. `present`: its volume now;
/// `surface_faces`: faces between liquid and air, for a first guess. Gives the volume that it has then [m^D].
template <int D>
[[nodiscard]] double trim_level(const LiquidParameters<D>& parameters, std::size_t surface_faces, double present,
                                World<D>& world, VolumeMeter<D>& meter);

}  // namespace tidelock
