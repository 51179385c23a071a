/// The flow with a given divergence in a liquid with a free surface: u = -grad q, q = 0 on the surface, nothing through
/// walls and solids, which stand still.
///
/// Source   numerics/surface 4, after [GFCK02]: between a liquid cell and an air cell the surface lies at
///          theta = phi_l / (phi_l - phi_a) of the way, and q falls to 0 there; theta is clamped, the same in matrix
///          and gradient, so that the divergence is what was asked for, to the tolerance of the solve. With it a
///          projection makes a liquid swell or shrink, and crowded particles move apart.
/// Sides    closed: u = 0. Open: q = 0 one cell beyond.
/// Limits   A region of liquid without a surface can only have a divergence whose sum is 0: the rest is taken off it
///          evenly (solve/coupled_solver.h).
#pragma once

#include "fluid/sides.h"
#include "fluid/surface_theta.h"
#include "grid/domain.h"
#include "grid/extrapolate.h"
#include "solve/report.h"

namespace tidelock {

/// Where a liquid can flow. phi's bricks reach a cell beyond the liquid.
template <int D>
struct LiquidRegion {
    const Grid<D>& grid;
    const Sides<D>& sides;
    const Field<D, double>& phi;                 ///< < 0: liquid [m]
    const FaceField<D, double>* open = nullptr;  ///< share of each face that no solid closes [-]; null: no solids
};

template <int D>
struct PotentialFlow {
    FaceField<D, double> velocity;  ///< [m/s]
    FaceMask<D> known;              ///< 1 on the faces of liquid cells; elsewhere 0, and so is the velocity
    SolveReport report;
};

/// `divergence` [1/s] counts in the cells of the liquid only; it lives on phi's bricks.
template <int D>
PotentialFlow<D> flow_with_divergence(const LiquidRegion<D>& region, const Field<D, double>& divergence,
                                      const SolveOptions& options = {});

}  // namespace tidelock
