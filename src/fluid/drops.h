/// Liquid too thin for the level set to tell its volume.
#pragma once

#include "fluid/particles.h"
#include "grid/domain.h"

namespace tidelock {

/// Takes the drops and sheets of less than one and a half cells, with no thicker liquid within three cells, out of phi, and
/// gives their volume [m^D]: that of their particles. The level set of a lone particle is seen as a ball of more than a
/// cell (fluid/particle_surface.h), several times what the particle stands for.
template <int D>
[[nodiscard]] double take_out_drops(const Grid<D>& grid, const Particles<D>& particles, Field<D, double>& phi);

}  // namespace tidelock
