/// A carried level set that particles hold: smooth where the liquid is calm, the particles' own where it splashes.
///
/// Source   Ours. A surface made of particles alone is as grainy as they are, and the grain is a force: a pool at rest
///          goes on trembling with some per cent of sqrt(g H). Here phi is carried with the flow, and the particles'
///          surface only says how far it may be off.
///            thick liquid     (1.5 to 2.5 cells or more, with what it covers, seen within three) phi stays within
///                             `grain` of the particles' surface; beside solids and the domain's sides, where their
///                             kernel is cut off and a film may hold none, it may say more liquid by `wall_grain`
///            drops, sheets    phi is the particles': the grid cannot carry them. Also above thick liquid, where
///                             particles make liquid half a cell or more above what was carried
/// Promise  Where the particles agree with phi up to the grain, interface cells keep it to the bit. Same bits on any
///          number of threads.
/// Limits   The grain is chosen for what fluid/particle_surface.h makes of a jittered pool at any level, which is off
///          by 0.1 to 0.27 cells rms and by 0.65 at most, a cell below its surface to a cell above it; by 0.8 at walls.
///          A film over a solid that is too thin to hold particles goes.
#pragma once

#include "grid/distance.h"

namespace tidelock {

struct HoldOptions {
    double grain = 0.75;       ///< [cells]
    double wall_grain = 2;     ///< [cells]
    DistanceOptions distance;  ///< of what is returned
};

/// `phi`: carried on entry, the liquid's on return, a distance. `of_particles`: a distance from the surface that they
/// make, on the same bricks. `solid` marks cells inside solids, which keep what was carried, `ways` which cells are of
/// one space (grid/distance.h); null without any.
template <int D>
void hold_surface(const Grid<D>& grid, const Field<D, double>& of_particles, const Field<D, std::uint8_t>* solid,
                  const Mask<D>* ways, const HoldOptions& options, Field<D, double>& phi);

}  // namespace tidelock
