#include "stage/liquid_surface.h"

#include "couple/level_in_solids.h"
#include "couple/open_cells.h"
#include "stage/seen_surfaces.h"

namespace tidelock {

template <int D>
LiquidSurfaceFound<D> find_surface(const LiquidParameters<D>& p, const Pouring<D>& pouring, Step<D>& step) {
    Liquid<D>& liquid = step.world.liquid();
    const Domain<D>& domain = step.world.domain;
    const Grid<D>& grid = domain.grid;
    const Solids<D>& solids = step.world.solids;
    if (!solids.empty())
        settle_in_solids<D>(grid, step.interface, *seen_surfaces<D>(step.world), domain.gravity, liquid.phi);
    CellContents<D> contents = liquid_contents<D>(grid, step.interface, liquid.phi);
    Bubbles<D> bubbles;
    if (p.bubbles) {
        const auto open = open_cells<D>(grid, liquid.set(), *seen_surfaces<D>(step.world));
        bubbles = find_bubbles<D>(
            {{grid, domain.sides, step.interface, pouring.vents()}, step.dt, open ? &*open : nullptr, pouring.poured()},
            {liquid.phi, p.surface == LiquidSurface::particle_level_set ? &liquid.markers : nullptr, contents},
            liquid.bubbles);
    }
    std::vector<FlowSource> sources = bubbles.sources(grid.dx, step.dt);
    sources.insert(sources.end(), pouring.room().begin(), pouring.room().end());
    const bool corrected = p.correction == DriftCorrection::divergence;
    FlowFaces<D> faces =
        liquid_faces<D>({grid, domain.sides, p.density, domain.gravity}, step.interface, *seen_surfaces<D>(step.world),
                        {liquid.phi, std::move(contents), bubbles.merged(), std::move(sources),
                         corrected ? liquid.ledger.divergence(grid.dx, step.dt) : 0});
    return {std::move(faces), std::move(bubbles.list)};
}

template LiquidSurfaceFound<2> find_surface(const LiquidParameters<2>&, const Pouring<2>&, Step<2>&);
template LiquidSurfaceFound<3> find_surface(const LiquidParameters<3>&, const Pouring<3>&, Step<3>&);

}  // namespace tidelock
