/// What rigid bodies are to the pressure of the fluid around them: the momentum that they have without it, how they
/// answer it, and the velocities that come of it.
///
/// Source   [A18] eq. (16) and (17) through the Schur complement, in the form of numerics/coupling 3:
///            Sigma p = G_f^T u*_f + G_c^T (J v_bar + k)        Sigma = L_N + K^T Mbar^-1 K,  K = J^T G_c
///            v_bar   = Mbar^-1 (M v* + J^T beta_c (u*_c - k))  Mbar  = M + J^T beta_c J
///            v       = v_bar - Mbar^-1 K p
/// Symbols  as in couple/flow_system.h; k  velocity that kinematic bodies prescribe on their share of a face [m/s]
/// Joints   H v = 0 holds through Mbar^-1 (solve/rigid_terms.h); v* must obey the joints already. Then v - v* does, and
///          v_bar = v* + Mbar^-1 (M v* + J^T beta_c (u*_c - k) - Mbar v*), also where kinematic bodies pull at joints.
/// Uncounted  The part of a body that no face counts, because it is too small for its cells or beyond the domain's
///          sides, gets the lift of a fluid at rest and carries its added mass along: a body that leaves the domain
///          does not leave the fluid (numerics/interface 7).
/// Given    With motion that is given (a partitioned method), solve L_N p for faces that move with it, and impulse() is
///          what that p does to the bodies.
#pragma once

#include "couple/solid_rows.h"
#include "solid/joint.h"
#include "solve/constraints.h"

namespace tidelock {

template <int D>
class RigidCoupling {
  public:
    /// `bodies` with the poses that `interface` was built from, at v*; these are kept by reference. `joints`: rows_of()
    /// them, velocities that the bodies may not have.
    RigidCoupling(const FlowFaces<D>& flow, const Interface<D>& interface, const SolidRows<D>& rows,
                  const std::vector<RigidBody<D>>& bodies, const std::vector<JointRow<D>>& joints = {});

    /// K and Mbar of the dynamic bodies.
    [[nodiscard]] RigidTerms<D> terms() const;
    /// M of the dynamic bodies with their joints, without fluid and without K: what an impulse gives them.
    [[nodiscard]] RigidTerms<D> bodies_alone() const;
    /// What [A18] eq. (17) holds beyond that, for reference solvers. Only with InterfaceScheme::constraint: cut faces
    /// have no impulse of their own.
    [[nodiscard]] Constraints<D> constraints() const;

    /// v* of the dynamic bodies.
    [[nodiscard]] Eigen::VectorXd velocities() const { return rows_.layout().gather(bodies_); }
    /// M v* + J^T beta_c (u*_c - k), where `velocity` holds u*; the fluid of buried faces comes along with the bodies.
    /// With what uncounted parts get over dt.
    [[nodiscard]] Eigen::VectorXd momentum(double dt, const FaceField<D, double>& velocity) const;
    /// v_bar of that momentum.
    [[nodiscard]] Eigen::VectorXd without_pressure(const RigidTerms<D>& terms, const Eigen::VectorXd& momentum) const;
    /// What joints gave each body: Mbar v - momentum + K p, as impulse and moment [N s, N m s]; zero without joints.
    [[nodiscard]] std::vector<Twist<D>> joint_impulses(const RigidTerms<D>& terms, const Eigen::VectorXd& momentum,
                                                       const Eigen::VectorXd& v, const double* p) const;
    /// What p and the fluid that the bodies carry along do to them if they move with the velocities `given`:
    /// momentum - K p - Mbar given + M (given - v*), so that M v = M v* + impulse if `given` is the v of p.
    [[nodiscard]] Eigen::VectorXd impulse(const RigidTerms<D>& terms, const Eigen::VectorXd& momentum,
                                          const Eigen::VectorXd& given, const double* p) const;

  private:
    static constexpr int dof = rigid_dof<D>;
    using Block = typename RigidTerms<D>::Block;
    /// A mass matrix: blocks of bodies, and blocks between bodies that share a face.
    struct Mass {
        struct Pair {
            int i, j;
            Block block;
        };
        std::vector<Block> blocks;
        std::vector<Pair> pairs;
    };
    /// The bodies' masses with the fluid of bound and buried faces, or of buried ones only.
    [[nodiscard]] Mass mass(bool bound) const;
    [[nodiscard]] RigidTerms<D> terms_of(std::vector<RigidEntry<D>> entries, const Mass& mass) const;
    /// K of face `n`.
    void add_entries(std::size_t n, std::vector<RigidEntry<D>>& out) const;
    void add_constraints(std::size_t n, Constraints<D>& out) const;
    /// Fluid that moves with the part of a body that no face counts, along an axis [kg].
    [[nodiscard]] double added_mass(std::size_t body, int axis) const;
    /// The same for turning, over the body's own inertia [-].
    [[nodiscard]] double added_inertia(std::size_t body) const;
    /// What a fluid at rest does to the parts of bodies that no face counts, over dt: added to `momentum`.
    void lift_uncounted(double dt, Eigen::VectorXd& momentum) const;
    /// Calls f(body, place) for the dynamic bodies.
    template <class F>
    void for_each_dynamic(F&& f) const {
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            if (const int place = rows_.layout().place_of(i); place >= 0) f(i, place);
    }

    const FlowFaces<D>& flow_;
    const Interface<D>& interface_;
    const SolidRows<D>& rows_;
    const std::vector<RigidBody<D>>& bodies_;
    std::vector<RigidRow<D>> joints_;  ///< on the dynamic bodies
};

}  // namespace tidelock
