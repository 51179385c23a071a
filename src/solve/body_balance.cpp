#include "solve/body_balance.h"

namespace tidelock {

namespace {

template <int D>
double diagonal_of(const PoissonOperator<D>& op, const RigidEntry<D>& e) {
    double sum = op.excess(e.slot)[e.local];
    for (int a = 0; a < D; ++a) sum += op.conductance(a, e.slot)[e.local] + op.upper_conductance(a, e.slot, e.local);
    return sum > 0 ? sum : e.cap;  // a pocket
}

}  // namespace

template <int D>
BodyBalance<D>::BodyBalance(const RigidTerms<D>& bodies, const PoissonOperator<D>& op, const MergedCells<D>& merged) {
    if (bodies.empty()) return;
    const MergedPlaces<D> places(op.set(), merged);
    weight_.reserve(bodies.entries().size());
    for (const RigidEntry<D>& e : bodies.entries()) {
        const double diagonal = diagonal_of<D>(op, e);
        weight_.push_back(diagonal > 0 && places.group_at(e.slot, e.local) < 0 ? 1 / diagonal : 0.0);
    }
    system_ = BodySystem<D>(bodies, weight_);
}

template <int D>
void BodyBalance<D>::balance(const RigidTerms<D>& bodies, double* x, Eigen::VectorXd& y) const {
    const Eigen::VectorXd c = system_.solve(bodies.gather(x) - bodies.apply_mass(y));
    for (std::size_t i = 0; i < weight_.size(); ++i) {
        const RigidEntry<D>& e = bodies.entries()[i];
        double push = 0;
        for (int d = 0; d < rigid_dof<D>; ++d) push += e.k[static_cast<std::size_t>(d)] * c[e.body * rigid_dof<D> + d];
        x[std::ptrdiff_t{e.slot} * Brick<D>::cells + e.local] -= weight_[i] * push;
    }
    y += c;
}

template class BodyBalance<2>;
template class BodyBalance<3>;

}  // namespace tidelock
