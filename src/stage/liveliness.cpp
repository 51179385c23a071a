#include "stage/liveliness.h"

#include <cmath>

#include "stage/rings.h"

namespace tidelock {

template <int D>
Field<D, double> lively_cells(const FlowFaces<D>& faces, const Step<D>& step) {
    const auto& set = step.velocity.set_ptr();
    Field<D, double> way(set, 0.0), out(set, 0.0);
    parallel_for("way of cells", set->count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (faces.contents.at(b, i) != CellContent::liquid) continue;
            double most = 0;
            for (int a = 0; a < D; ++a) most = std::max(most, std::abs(step.velocity[a].brick(b)[i]));
            way.brick(b)[i] = most * step.dt / faces.medium.grid.dx;
        }
    });
    const auto greater = [](double a, double b) { return std::max(a, b); };
    for_each_ring<D>("liveliness", way, greater,
                     [&](std::ptrdiff_t b, int i, double most) { out.brick(b)[i] = liveliness(most); });
    return out;
}

template Field<2, double> lively_cells(const FlowFaces<2>&, const Step<2>&);
template Field<3, double> lively_cells(const FlowFaces<3>&, const Step<3>&);

}  // namespace tidelock
