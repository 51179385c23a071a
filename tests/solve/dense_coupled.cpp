#include "dense_coupled.h"

#include "dense_algebra.h"

namespace tidelock {

template <int D>
CoupledCase<D> small_case(double ratio, bool open_top, std::uint64_t seed) {
    const Coord<D> cells = [] {
        if constexpr (D == 2)
            return Coord<2>(Brick<2>::size[0] + 6, 17);
        else
            return Coord<3>(Brick<3>::size[0] + 3, 7, 6);
    }();
    const Vec<D> unit = cells.template cast<double>() / 20;
    const auto fill = [=](const Coord<D>& c) {
        if (!inside<D>(c, cells)) return open_top && c[1] >= cells[1] ? air : wall;
        if (in_box<D>(c, unit, {3, 5, 6}, {6, 15, 14})) return body_cell(0);
        if (in_box<D>(c, unit, {6, 5, 6}, {7, 15, 14})) return shared_cell;
        if (in_box<D>(c, unit, {7, 5, 6}, {10, 15, 14})) return body_cell(1);
        if (in_box<D>(c, unit, {13, 6, 0}, {17, 16, 14})) return body_cell(2);
        return fluid;
    };
    return {cells, fill, random_fraction<D>(seed), {ratio, 3 * ratio, ratio}, 1.0};
}

template <int D>
Dense<D>::Dense(const CoupledProblem<D>& p) {
    for (std::ptrdiff_t s = 0; s < p.set()->count(); ++s)
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (p.fill(first_cell<D>(p.set()->brick(s)) + local_coord<D>(i)) == fluid)
                places.push_back(s * Brick<D>::cells + i);
    g_free = Eigen::MatrixXd(p.g_free)(Eigen::all, places);
    g_bound = Eigen::MatrixXd(p.g_bound)(Eigen::all, places);
    const Eigen::VectorXd free = p.beta_free.cwiseInverse(), bound = p.beta_bound.cwiseInverse();
    a11 = product(g_free.transpose() * free.asDiagonal(), g_free) +
          product(g_bound.transpose() * bound.asDiagonal(), g_bound);
    a12 = -g_bound.transpose() * bound.asDiagonal();
    a22 = Eigen::MatrixXd(bound.asDiagonal()) + product(p.j, solve_llt(p.mass, Eigen::MatrixXd(p.j.transpose())));
    schur = a11 - product(a12, solve_ldlt(a22, Eigen::MatrixXd(a12.transpose())));
}

template CoupledCase<2> small_case<2>(double, bool, std::uint64_t);
template CoupledCase<3> small_case<3>(double, bool, std::uint64_t);
template struct Dense<2>;
template struct Dense<3>;

}  // namespace tidelock
