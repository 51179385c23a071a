/// A coupled problem small enough for dense matrices, and these: numerics/coupling 1 and its Schur complement.
#pragma once

#include "coupled_test_problems.h"

namespace tidelock {

/// Two bricks or more, some 600 cells; two bodies that share cells and a third one.
template <int D>
CoupledCase<D> small_case(double ratio, bool open_top, std::uint64_t seed);

/// The dense matrices on unknowns only.
template <int D>
struct Dense {
    explicit Dense(const CoupledProblem<D>& p);
    std::vector<Eigen::Index> places;
    Eigen::MatrixXd g_free, g_bound, a11, a12, a22, schur;
};

}  // namespace tidelock
