/// The pressure that makes a fluid incompressible and moves the bodies in it, in one solve.
///
/// Source   [A18] eq. (15) to (17): beta u = beta u* - G p + W^T lambda, M v = M v* - J^T W^T lambda,
///          W (u - J v) = 0, G^T u = 0, through its Schur complement. The fluid's part is in couple/flow_system.h, the
///          bodies' in couple/rigid_coupling.h.
/// Momentum the impulses on fluid and bodies are equal and opposite term by term: their sum changes only through the
///          sides of the domain, however early the solver stops.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "couple/flow_system.h"
#include "couple/rigid_coupling.h"
#include "couple/sealed_regions.h"
#include "solve/reference_solver.h"

namespace tidelock {

/// A fluid and the bodies in it, ready to be solved.
template <int D>
struct CoupledSystem {
    /// All but `joints` (rows_of() them) are kept by reference. No `reference`: our own solver.
    CoupledSystem(const FlowFaces<D>& flow_faces, const Interface<D>& meeting, const std::vector<RigidBody<D>>& bodies,
                  const std::vector<JointRow<D>>& joints = {}, std::optional<ReferenceMethod> reference = {});
    CoupledSystem(const CoupledSystem&) = delete;
    CoupledSystem& operator=(const CoupledSystem&) = delete;

    /// Another solver for the same system: ours (solve/pressure_solver.h), or one of those it is compared with, which
    /// know nothing of merged cells.
    [[nodiscard]] std::unique_ptr<CoupledSolver<D>> make_solver(std::optional<ReferenceMethod> reference = {}) const;

    const FlowFaces<D>& faces;
    const Interface<D>& interface;
    const SolidRows<D> rows;
    const RigidCoupling<D> coupling;
    const std::unique_ptr<CoupledSolver<D>> solver;
    const FlowSystem<D> flow;
};

/// A system that is about to be solved: for those who study solvers.
template <int D>
struct ObservedSystem {
    const CoupledSystem<D>& coupled;
    const double* right_hand_side;
    const double* first_guess;
};

/// What a study wants to see of every solve.
template <int D>
struct SystemObserver {
    std::function<void(const ObservedSystem<D>&)> system;  ///< before it is solved; may be empty
    bool momentum = false;                                 ///< its MomentumError is measured, which takes a few passes
};

/// What is solved for: on entry u*, v* (forces of the step included) and a first guess of the pressure; on return those
/// at the end of the step, velocities on every face of the domain.
template <int D>
struct CoupledState {
    FaceField<D, double>& velocity;     ///< [m/s]
    std::vector<RigidBody<D>>& bodies;  ///< those of the system
    Field<D, double>& pressure;         ///< [Pa]
};

template <int D>
struct [[nodiscard]] CoupledReport {
    SolveReport solve;
    std::vector<Twist<D>> joint_impulses;      ///< that joints gave each body, with their moments [N s, N m s]
    std::optional<MomentumError<D>> momentum;  ///< if it was asked for
    std::vector<SealedRegion<D>> sealed;       ///< whose volume would have to change
};

/// A step of dt [s]. With a right-hand side that is not finite nothing but solids' faces has changed.
template <int D>
CoupledReport<D> solve_coupled(const CoupledSystem<D>& system, double dt, const SolveOptions& options,
                               const CoupledState<D>& state, const SystemObserver<D>& observe = {});

}  // namespace tidelock
