/// How much more liquid particles bring to each cell than it can hold.
///
/// Source   [KLTB21]: the density of particles on the grid, against what it should be. numerics/particles 5.
/// Weights  Linear from centre to centre: a particle counts, as the 2^D-th of a cell that it is, to the 2^D centres around
///          it. A cell reads what is within one cell of its centre, so that how particles lie inside of a cell matters
///          little. What could be there is weighed in the same way, from the halves of the cells around it.
/// Promise  Same bits on any number of threads.
#pragma once

#include "fluid/particles.h"
#include "grid/domain.h"

namespace tidelock {

/// The share of each cell that is liquid by the level set, in [0, 1]. Beside solids: couple/open_cells.h.
template <int D>
Field<D, double> wet_share(const Grid<D>& grid, const Field<D, double>& phi);

/// Excess of particles over what is wet, as a share of a cell [-], on the bricks of `cells`; `weight`: what a particle
/// counts, over the 2^D-th of a cell. Its sum over all cells is what particles are worth beyond the wet volume, but for what counts
/// to centres outside of the domain.
template <int D>
Field<D, double> crowding(const Grid<D>& grid, const Particles<D>& particles, const ParticleCells<D>& cells,
                          double weight, const Field<D, double>& wet);

}  // namespace tidelock
