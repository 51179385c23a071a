#include "solve/coupled_solver.h"

#include <algorithm>

namespace tidelock {
namespace {

/// A cell that touches nothing but bodies and walls has no row in L_N, but one in Sigma if a dynamic body is among
/// them: the body cannot move into it.
template <int D>
PoissonOperator<D> with_pockets(PoissonOperator<D> op, const RigidTerms<D>& bodies) {
    for (const auto& e : bodies.entries()) {
        const CellPlace cell{e.slot, e.local};
        if (e.cap > 0 && std::binary_search(op.pockets().begin(), op.pockets().end(), cell)) op.keep_pocket(cell);
    }
    return op;
}

/// Without the entries of cells that hold no unknown.
template <int D>
RigidTerms<D> on_unknowns(const RigidTerms<D>& bodies, const PoissonOperator<D>& op) {
    auto entries = bodies.entries();
    std::erase_if(entries, [&](const auto& e) { return !op.unknown(e.slot)[e.local]; });
    return bodies.with_entries(std::move(entries));
}

}  // namespace

template <int D>
CoupledSolver<D>::CoupledSolver(PoissonOperator<D> op, const RigidTerms<D>& bodies)
    : op_(with_pockets<D>(std::move(op), bodies)),
      bodies_(on_unknowns<D>(bodies, op_)),
      null_space_(op_, bodies_),
      answer_(Eigen::VectorXd::Zero(bodies_.bodies() * rigid_dof<D>)) {}

template <int D>
void CoupledSolver<D>::apply(const double* x, double* y) const {
    op_.apply(x, y);
    if (!bodies_.empty()) bodies_.apply_add(x, y);
}

template class CoupledSolver<2>;
template class CoupledSolver<3>;

}  // namespace tidelock
