/// The V-cycle's work on one brick: half a red-black Gauss-Seidel sweep, the residual for the next level, and the
/// correction from it, as tables of functions for the instruction set in use (base/isa.h). Vectors and coefficients are
/// in colour order (solve/colour_order.h).
///
/// Half a sweep is   x += inverse o (r - K^T y - L_N x)   on one colour, in place. `y` is Mbar^-1 K x; what the bodies
/// add to the step follows when a colour is done (Multigrid::step_bodies).
///
/// The colour that was swept last has no residual, except where a body or a group has a say; and that which is swept
/// next forgets its values, except there. So only colour 0 is restricted and corrected elsewhere.
#pragma once

#include <array>

#include "solve/brick_view.h"

namespace tidelock {

template <int D, class T>
struct SweepKernels {
    using Level = LevelView<D, T>;
    using Divide = void(const Level& level, std::ptrdiff_t brick);
    using Relax = void(const Level& level, std::ptrdiff_t brick, const T* r);
    using Restrict = void(const Level& level, std::ptrdiff_t brick, bool both, T* coarse);
    using Correct = void(const Level& level, std::ptrdiff_t brick, bool both, const T* coarse);
    template <class F>
    using PerKind = std::array<F*, brick_kinds>;  ///< by BrickKind

    /// x = inverse o r on colour 0.
    PerKind<Divide> divide;
    /// x = one whole sweep from zero: the first colour is pointwise, so the second can recompute its neighbours.
    PerKind<Divide> from_zero;
    /// Half a sweep of colour 0, 1. `r` is the brick's own right-hand side, what bodies do taken off.
    std::array<PerKind<Relax>, 2> relax;
    /// Residual of the brick's cells, summed over 2^D children into the parent's octant of `coarse`; that of colour 1
    /// is taken as zero unless `both`.
    PerKind<Restrict> restrict_residual;
    /// x += the piecewise-constant prolongation of the parent's iterate; cells without an unknown stay zero. Colour 1
    /// is left out unless `both`.
    PerKind<Correct> correct;
    /// The dot product of two bricks, in double.
    double (*dot)(const T* a, const T* b);
};

template <int D, class T>
[[nodiscard]] const SweepKernels<D, T>& sweep_kernels();

}  // namespace tidelock
