#include "stage/liquid_volume.h"

#include "couple/open_cells.h"
#include "fluid/drops.h"

namespace tidelock {

template <int D>
double present_volume(const LiquidParameters<D>& p, const World<D>& world) {
    const Liquid<D>& liquid = world.liquid();
    const Grid<D>& grid = world.domain.grid;
    const auto surfaces = standing_surfaces<D>(world.solids.bodies);
    if (p.surface != LiquidSurface::particles || p.transport == LiquidTransport::narrow_band_flip)
        return measured_volume<D>(grid, liquid.phi, surfaces);
    Field<D, double> phi = liquid.phi.remapped(liquid.set());
    const double drops = take_out_drops<D>(grid, liquid.particles, phi);
    return drops + measured_volume<D>(grid, phi, surfaces);
}

template double present_volume(const LiquidParameters<2>&, const World<2>&);
template double present_volume(const LiquidParameters<3>&, const World<3>&);

}  // namespace tidelock
