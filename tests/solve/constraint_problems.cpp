#include "constraint_problems.h"

namespace tidelock {

template <int D>
std::vector<Coord<D>> held_cells(const CoupledProblem<D>& problem) {
    std::vector<Coord<D>> held;
    for (std::ptrdiff_t s = 0; s < problem.set()->count(); ++s)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(problem.set()->brick(s)) + local_coord<D>(i);
            if (problem.fill(c) != fluid) continue;
            for (int a = 0; a < D; ++a)
                for (const int side : {-1, 1}) {
                    const Coord<D> n = c + side * Coord<D>::Unit(a);
                    if (problem.fill(n) != fluid && problem.fill(n) != wall) held.push_back(n);
                }
        }
    return held;
}

template <int D>
Constraints<D> constraints_of(const CoupledProblem<D>& problem) {
    constexpr int dof = rigid_dof<D>;
    Constraints<D> out;
    out.list.resize(static_cast<std::size_t>(problem.beta_bound.size()));
    for (int column = 0; column < problem.g_bound.outerSize(); ++column)
        for (Eigen::SparseMatrix<double>::InnerIterator it(problem.g_bound, column); it; ++it) {
            Constraint& c = out.list[static_cast<std::size_t>(it.row())];
            c.slot = column / Brick<D>::cells;
            c.local = column % Brick<D>::cells;
            c.side = it.value();
            c.stiffness = 1 / problem.beta_bound[it.row()];
        }
    for (Eigen::Index r = 0; r < problem.j.rows(); ++r) {
        Constraint& c = out.list[static_cast<std::size_t>(r)];
        c.first = static_cast<std::int32_t>(out.parts.size());
        for (int b = 0; b < problem.bodies(); ++b) {
            const Eigen::VectorXd row = problem.j.row(r).segment(b * dof, dof);
            if (row.isZero(0)) continue;
            ConstraintPart<D> part;
            part.body = b;
            for (int d = 0; d < dof; ++d) part.row[static_cast<std::size_t>(d)] = row[d];
            out.parts.push_back(part);
        }
        c.count = static_cast<std::int32_t>(out.parts.size()) - c.first;
    }
    if (problem.bodies() > 0) out.bodies = RigidTerms<D>({}, problem.mass);
    out.held = held_cells<D>(problem);
    return out;
}

template <int D>
CoupledCase<D> box_lift_case(int n, const std::vector<double>& density, bool open_top) {
    Coord<D> cells = Coord<D>::Constant(n);
    cells[1] = 2 * n;
    const int boxes = static_cast<int>(density.size());
    const auto fill = [=](const Coord<D>& c) {
        if (!inside<D>(c, cells)) return open_top && c[1] >= cells[1] ? air : wall;
        const Vec<D> x = (c.template cast<double>().array() + 0.5) / n;
        for (int b = 0; b < boxes; ++b) {
            const double angle = 0.2 + 0.5 * b;
            const Vec<D> middle = [&] {
                Vec<D> m = Vec<D>::Constant(0.5);
                m[0] = boxes == 1 ? 0.5 : 0.3 + 0.2 * b;
                m[1] = boxes == 1 ? 0.6 : 0.4 + 0.6 * b;
                return m;
            }();
            const Vec<D> r = x - middle;
            Vec<D> local = r;
            local[0] = std::cos(angle) * r[0] + std::sin(angle) * r[1];
            local[1] = std::cos(angle) * r[1] - std::sin(angle) * r[0];
            Vec<D> half = Vec<D>::Constant(boxes == 1 ? 0.2 : 0.14);
            half[1] *= 0.6;
            if ((local.array().abs() < half.array()).all()) return body_cell(b);
        }
        return fluid;
    };
    const auto fraction = [=](const Coord<D>& c, int axis) {
        return fill(c) > 0 || fill(Coord<D>(c - Coord<D>::Unit(axis))) > 0 ? 0.5 : 1.0;
    };
    return {cells, fill, fraction, density, 1.0};
}

template <int D>
Eigen::VectorXd gravity_right_hand_side(const CoupledProblem<D>& problem) {
    constexpr int dof = rigid_dof<D>;
    // Gravity is one velocity for all faces across y: rows of G tell which those are only through the cells, so the
    // field is taken as the gradient of the height instead, which has u = -1 on these faces and 0 on others.
    Eigen::VectorXd height = Eigen::VectorXd::Zero(problem.size());
    for (std::ptrdiff_t s = 0; s < problem.set()->count(); ++s)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(problem.set()->brick(s)) + local_coord<D>(i);
            if (problem.fill(c) == fluid) height[s * Brick<D>::cells + i] = -c[1];
        }
    Eigen::VectorXd twist = Eigen::VectorXd::Zero(problem.bodies() * dof);
    for (int b = 0; b < problem.bodies(); ++b) twist[b * dof + 1] = -1;
    Eigen::VectorXd free = problem.g_free * height;
    // Faces with one cell are those of the open top: u = -1 there as well, positive upwards.
    for (Eigen::Index f = 0; f < free.size(); ++f)
        if (std::abs(free[f]) > 1.5) free[f] = -1;
    if (problem.bodies() == 0) return problem.g_free.transpose() * free;
    const Eigen::VectorXd bound = problem.j * twist;  // fluid and bodies fall alike
    const Eigen::VectorXd mean =
        problem.solve_mass(problem.mass * twist + problem.j.transpose() * problem.beta_bound.cwiseProduct(bound));
    return problem.g_free.transpose() * free + problem.g_bound.transpose() * Eigen::VectorXd(problem.j * mean);
}

#define TIDELOCK_INSTANTIATE(D)                                                      \
    template std::vector<Coord<D>> held_cells<D>(const CoupledProblem<D>&);          \
    template Constraints<D> constraints_of<D>(const CoupledProblem<D>&);             \
    template CoupledCase<D> box_lift_case<D>(int, const std::vector<double>&, bool); \
    template Eigen::VectorXd gravity_right_hand_side<D>(const CoupledProblem<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
