/// The pressure that makes a fluid incompressible and moves the bodies in it, in one solve.
///
/// Source   [A18] eq. (15) to (17): beta u = beta u* - G p + W^T lambda, M v = M v* - J^T W^T lambda,
///          W (u - J v) = 0, G^T u = 0, through its Schur complement in the form of numerics/coupling 3:
///            Sigma p = G_f^T u*_f + G_c^T (J v_bar + k)        Sigma = L_N + K^T Mbar^-1 K,  K = J^T G_c
///            v_bar   = Mbar^-1 (M v* + J^T beta_c (u*_c - k))  Mbar  = M + J^T beta_c J
///            v = v_bar - Mbar^-1 K p,   u_f = u*_f - beta_f^-1 G_f p,   u_c = J v + k
///          With fractional faces [BBB07] the open share of a face counts among f, the rest among c, without mass.
/// Symbols  p      pressure times dt [Pa s]           u, v  velocities of faces, twists of bodies
///          beta   fluid mass of a dual cell [kg]     f, c  free faces; bound and buried faces
///          k      velocity that kinematic bodies prescribe on their share of a face [m/s]
/// Sides    closed: u = 0. Open: the pressure of a fluid at rest, rho g . x, one cell beyond the side; of a liquid, 0
///          on the side.
/// Surface  the pressure is 0 where the liquid's surface cuts the way to an air cell (couple/flow_faces.h).
/// Joints   H v = 0 holds through Mbar^-1 (solve/rigid_terms.h); v* must obey the joints already. Then v - v* does, and
///          v_bar = v* + Mbar^-1 (M v* + J^T beta_c (u*_c - k) - Mbar v*), also where kinematic bodies pull at joints.
/// Momentum the impulses on fluid and bodies are equal and opposite term by term: their sum changes only through the
///          sides of the domain, however early the solver stops.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "couple/coupled_matrix.h"
#include "solve/reference_solver.h"

namespace tidelock {

/// The state of the flow in a few numbers.
template <int D>
struct FlowMeasures {
    std::ptrdiff_t cells = 0;          ///< that hold fluid, and whose pressure is unknown
    double volume = 0;                 ///< of these cells [m^3]
    Vec<D> momentum = Vec<D>::Zero();  ///< each dual cell's fluid mass times its velocity [kg m/s]
    double kinetic_energy = 0;         ///< [J]
    double max_speed = 0;              ///< of a face, per component [m/s]
    double max_divergence = 0;         ///< [1/s]
};

/// The solver for a system: ours (solve/pressure_solver.h), or one of those it is compared with, which know nothing of
/// merged cells.
template <int D>
std::unique_ptr<CoupledSolver<D>> make_solver(const CoupledMatrix<D>& matrix, const std::vector<RigidBody<D>>& bodies,
                                              std::optional<ReferenceMethod> method = {}, MergedCells<D> merged = {});

template <int D>
class CoupledPressure;

/// A system that is about to be solved: for those who study solvers.
template <int D>
struct ObservedSystem {
    const CoupledPressure<D>& pressure;
    const std::vector<RigidBody<D>>& bodies;
    const double* right_hand_side;
    const double* first_guess;
};

/// What a study wants to see of every solve; either may be empty.
template <int D>
struct SystemObserver {
    std::function<void(const ObservedSystem<D>&)> system;  ///< before it is solved
    /// Afterwards: what the momentum of fluid and bodies changed by beyond the impulse of the domain's sides, and the
    /// momentum of all fluid at its largest speed to compare it with [kg m/s].
    std::function<void(const Vec<D>& error, double scale)> momentum;
};

template <int D>
class CoupledPressure {
  public:
    /// `bodies` with the poses that `interface` was built from; `flow` and `interface` are kept by reference. `joints`:
    /// rows_of() them. No `reference`: our own solver.
    CoupledPressure(const FlowFaces<D>& flow, const Interface<D>& interface, const std::vector<RigidBody<D>>& bodies,
                    const std::vector<JointRow<D>>& joints = {}, std::optional<ReferenceMethod> reference = {});

    /// On entry `velocity` and the twists of the bodies are u* and v* (forces of the step included); on return those at
    /// the end of the step, on every face of the domain. `pressure` [Pa] is the first guess and the result; `dt` [s].
    SolveReport project(double dt, const SolveOptions& options, FaceField<D, double>& velocity,
                        std::vector<RigidBody<D>>& bodies, Field<D, double>& pressure,
                        const SystemObserver<D>& observe = {});

    /// What joints gave each body in project(), as impulse and moment [N s, N m s]; zero without joints.
    [[nodiscard]] const std::vector<Twist<D>>& joint_impulses() const { return joint_impulses_; }

    [[nodiscard]] const CoupledMatrix<D>& matrix() const { return matrix_; }
    [[nodiscard]] const CoupledSolver<D>& solver() const { return *solver_; }
    [[nodiscard]] std::ptrdiff_t unknowns() const { return solver_->op().unknowns(); }

    [[nodiscard]] FlowMeasures<D> measure(const FaceField<D, double>& velocity,
                                          const std::vector<RigidBody<D>>& bodies) const;
    /// Impulse that the sides of the domain gave the fluid, from the pressure [N s]. At open sides it is that of the
    /// mean of the pressures on both sides, since half of the dual cells there lies outside.
    [[nodiscard]] Vec<D> side_impulse(double dt, const Field<D, double>& pressure) const;

  private:
    /// Velocity that kinematic and fixed bodies prescribe on their share of a face.
    [[nodiscard]] double prescribed(const BodyFace& face, const std::vector<RigidBody<D>>& bodies) const;
    /// J v on a face: the dynamic bodies' share.
    [[nodiscard]] double carried(const BodyFace& face, const Eigen::VectorXd& twists) const;
    /// The twists of the dynamic bodies, one after the other.
    [[nodiscard]] Eigen::VectorXd twists_of(const std::vector<RigidBody<D>>& bodies) const;
    /// Flux per area through the solid part of a cut face, beyond what `velocity` says: f(slot, local, excess) for the
    /// cells above (+) and below (-) it.
    template <class F>
    void for_each_excess_flux(const FaceField<D, double>& velocity, const Eigen::VectorXd& twists,
                              const std::vector<RigidBody<D>>& bodies, F&& f) const;
    void set_body_faces(const Eigen::VectorXd& twists, const std::vector<RigidBody<D>>& bodies,
                        FaceField<D, double>& velocity) const;
    /// What a fluid at rest does to the parts of bodies that no face counts, over dt: added to `momentum`.
    void lift_uncounted(double dt, const std::vector<RigidBody<D>>& bodies, Eigen::VectorXd& momentum) const;
    void right_hand_side(double dt, const FaceField<D, double>& velocity, const Eigen::VectorXd& twists,
                         const std::vector<RigidBody<D>>& bodies, BigArray<double>& b) const;
    /// The pressure of the step before, as an impulse.
    void first_guess(double dt, const Field<D, double>& pressure, double* impulse) const;
    void push_fluid(double dt, const double* impulse, FaceField<D, double>& velocity) const;
    /// The part of push_fluid at faces to air and at open sides.
    void push_links(double dt, const double* impulse, FaceField<D, double>& velocity) const;

    /// A face on an open side whose cell inside is solid.
    struct SideFace {
        std::int32_t slot, local;  ///< of the face
        int axis, side, body;
        double pressure;  ///< beyond it [Pa]
        Vec<D> position;
    };
    void find_side_faces(const std::vector<RigidBody<D>>& bodies);

    const FlowFaces<D>& flow_;
    const Interface<D>& interface_;
    const Grid<D>& grid_;    ///< of flow_
    const Sides<D>& sides_;  ///< of flow_
    std::vector<SideFace> side_faces_;
    CoupledMatrix<D> matrix_;
    std::unique_ptr<CoupledSolver<D>> solver_;
    std::vector<Twist<D>> joint_impulses_;
};

/// Sets the normal velocity on closed sides to 0.
template <int D>
void close_sides(const Grid<D>& grid, const Sides<D>& sides, FaceField<D, double>& velocity);

}  // namespace tidelock
