/// Bodies lighter than the fluid that they move, in the preconditioner: the Woodbury identity around a V-cycle for L_N.
///
/// Source   METHODS 2.7, item 2: (V^-1 + K^T Mbar^-1 K)^-1 r = z - Z C^-1 K z,  z = V r,  Z = V K^T,  C = Mbar + K Z.
/// When     The low-rank term inside the cycle (multigrid.h) needs Mbar to hold the fluid next to the body, so that a
///          diagonal of the size of L_N's bounds it. Without lumped fluid and for light bodies it does not: counts grow
///          like 1 / sqrt(density). This costs one cycle a degree of freedom at set-up and a vector each, and makes
///          counts independent of density.
/// Units    the cycle works on operators divided by `unit`; so V here is unit times the true inverse.
#pragma once

#include <Eigen/Dense>

#include "base/big_array.h"
#include "solve/rigid_terms.h"

namespace tidelock {

template <int D, class T>
class LightBodies {
  public:
    static constexpr int most_columns = 48;  ///< vectors that may be kept: eight bodies in space, sixteen in the plane

    LightBodies() = default;
    /// Whether there are bodies, and few enough for this.
    [[nodiscard]] static bool possible(const RigidTerms<D>& bodies);
    /// Whether one is too light for the term inside the cycle.
    [[nodiscard]] static bool needed(const RigidTerms<D>& bodies);

    /// `cycle` fills z = V r for an r given as an array of bricks: cycle(fill) with fill(T* r).
    template <class Cycle>
    LightBodies(const RigidTerms<D>& bodies, double unit, std::size_t size, Cycle&& cycle);

    [[nodiscard]] bool empty() const { return columns_.empty(); }
    /// z = V r becomes (V^-1 + K^T Mbar^-1 K)^-1 r, and r.z with it.
    void correct(T* z, std::ptrdiff_t bricks, double& r_dot_z) const;
    [[nodiscard]] std::size_t bytes() const;

  private:
    void factor();

    RigidTerms<D> bodies_;
    double unit_ = 1;
    std::vector<BigArray<T>> columns_;     ///< Z
    Eigen::LDLT<Eigen::MatrixXd> system_;  ///< C
};

template <int D, class T>
template <class Cycle>
LightBodies<D, T>::LightBodies(const RigidTerms<D>& bodies, double unit, std::size_t size, Cycle&& cycle)
    : bodies_(bodies), unit_(unit) {
    const int dof = rigid_dof<D> * bodies.bodies();
    for (int j = 0; j < dof; ++j) {
        const T* z = cycle([&](T* r) { bodies_.scatter_add(Eigen::VectorXd::Unit(dof, j), 1.0, r); });
        columns_.emplace_back(size, Uninitialised{});
        std::copy_n(z, size, columns_.back().data());
    }
    factor();
}

}  // namespace tidelock
