/// A level set as a point of the fluid sees it: linear between cell centres, of which those in or behind a solid do not
/// count. The liquid's level set goes on into solids as if they were liquid, and through a thin one it would show on
/// the other side.
#pragma once

#include <limits>

#include "fluid/obstacles.h"
#include "fluid/visible_velocity.h"
#include "grid/interpolate.h"

namespace tidelock {

/// One per thread; the field outlives it. Solids are seen at the end of the step.
template <int D>
class VisibleSurface {
  public:
    VisibleSurface(const Grid<D>& grid, const Field<D, double>& phi, const Obstacles<D>* obstacles)
        : grid_(grid), phi_(phi), obstacles_(obstacles), sampler_(phi, Centring<D>::cell(), grid) {}

    /// phi at x [m], x in metres; infinite where no cell is in sight: no liquid is known of there.
    [[nodiscard]] double read(const Vec<D>& x) {
        const Clearance clearance = solid_clearance(grid_, obstacles_, x);
        if (!near_solid(grid_, clearance)) return sampler_.linear(grid_.to_cells(x));
        const auto centring = Centring<D>::cell();
        const LinearStencil<D> stencil(centring, grid_.last_index(centring), grid_.to_cells(x));
        const unsigned hidden =
            obstacles_->hidden(x, clearance[Moment::end], Moment::end, {GridSample<D>::cell, stencil.low});
        double sum = 0, seen = 0;
        for (int n = 0; n < (1 << D); ++n) {
            const Coord<D> cell = stencil.sample(n);
            if ((hidden >> n & 1) != 0) continue;
            sum += stencil.weight(n) * phi_.at(cell);
            seen += stencil.weight(n);
        }
        return seen > 0 ? sum / seen : std::numeric_limits<double>::infinity();
    }

  private:
    const Grid<D>& grid_;
    const Field<D, double>& phi_;
    const Obstacles<D>* obstacles_;
    Sampler<D, double> sampler_;
};

}  // namespace tidelock
