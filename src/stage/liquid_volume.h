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

/// Where a surface can be moved: by how lively the liquid is, and the area that has then [m^(D-1)].
template <int D>
struct Trim {
    Field<D, double> share;
    double area = 0;
};

/// Moves the surface out or in, by up to a quarter of a cell, until the liquid has the volume that it should have, if it is
/// off by more than a thousandth: what finding the surface anew costs where the liquid moves. `present`: its volume now.
/// Gives the volume that it has then [m^D].
template <int D>
[[nodiscard]] double trim_level(const LiquidParameters<D>& parameters, const Trim<D>& trim, double present,
                                World<D>& world, VolumeMeter<D>& meter);

}  // namespace tidelock
