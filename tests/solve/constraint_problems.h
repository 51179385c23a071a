/// The constraints of [A18] eq. (17) for the problems of coupled_test_problems.h, from their explicit G, J, beta and M;
/// and tanks with tilted boxes after [A18] section 6.
#pragma once

#include "coupled_test_problems.h"
#include "solve/constraints.h"

namespace tidelock {

/// Cells across a face from fluid whose value is known: bodies and air.
template <int D>
std::vector<Coord<D>> held_cells(const CoupledProblem<D>& problem);

/// Constraint r stands for row r of the problem's G_c and J_c.
template <int D>
Constraints<D> constraints_of(const CoupledProblem<D>& problem);

/// A tank, n cells wide and twice as high, with one tilted box in it or three; faces of bodies have half a dual cell of
/// fluid (numerics/interface 2).
template <int D>
CoupledCase<D> box_lift_case(int n, const std::vector<double>& density, bool open_top);

/// The right-hand side of a tank at rest over which gravity has gone for a moment: G_f^T u* + G_c^T J v_bar.
template <int D>
Eigen::VectorXd gravity_right_hand_side(const CoupledProblem<D>& problem);

}  // namespace tidelock
