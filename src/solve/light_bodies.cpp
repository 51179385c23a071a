#include "solve/light_bodies.h"

#include <algorithm>

#include "base/parallel.h"

namespace tidelock {

template <int D, class T>
bool LightBodies<D, T>::possible(const RigidTerms<D>& bodies) {
    return !bodies.empty() && !bodies.entries().empty() && rigid_dof<D> * bodies.bodies() <= most_columns;
}

template <int D, class T>
bool LightBodies<D, T>::needed(const RigidTerms<D>& bodies) {
    const auto caps = bodies.tightest_caps();
    return std::any_of(caps.begin(), caps.end(), [](double c) { return c > 1 + 1e-9; });
}

template <int D, class T>
void LightBodies<D, T>::factor() {
    const int dof = static_cast<int>(columns_.size());
    Eigen::MatrixXd inverse_mass(dof, dof), system(dof, dof);
    for (int j = 0; j < dof; ++j) {
        inverse_mass.col(j) = bodies_.solve_mass(Eigen::VectorXd::Unit(dof, j));
        system.col(j) = bodies_.gather(columns_[static_cast<std::size_t>(j)].data()) / unit_;
    }
    // K Z is symmetric but for the rounding of the cycle.
    system = 0.5 * (system + system.transpose()).eval() + inverse_mass.inverse();
    system_.compute(0.5 * (system + system.transpose()));
}

template <int D, class T>
void LightBodies<D, T>::correct(T* z, std::ptrdiff_t bricks, double& r_dot_z) const {
    const Eigen::VectorXd impulse = bodies_.gather(z);
    const Eigen::VectorXd step = system_.solve(impulse) / unit_;
    // Z^T r = K V r, since V is symmetric.
    r_dot_z -= impulse.dot(step);
    std::vector<T> factors(columns_.size());
    for (std::size_t j = 0; j < factors.size(); ++j) factors[j] = static_cast<T>(step[static_cast<Eigen::Index>(j)]);
    parallel_for("light bodies", bricks, [&](std::ptrdiff_t b) {
        T* out = z + b * Brick<D>::cells;
        for (std::size_t j = 0; j < factors.size(); ++j) {
            const T* column = columns_[j].data() + b * Brick<D>::cells;
            const T factor = factors[j];
            for (int i = 0; i < Brick<D>::cells; ++i) out[i] -= factor * column[i];
        }
    });
}

template <int D, class T>
std::size_t LightBodies<D, T>::bytes() const {
    std::size_t total = 0;
    for (const auto& column : columns_) total += column.bytes();
    return total;
}

template class LightBodies<2, float>;
template class LightBodies<3, float>;
template class LightBodies<2, double>;
template class LightBodies<3, double>;

}  // namespace tidelock
