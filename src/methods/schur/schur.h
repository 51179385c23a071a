/// Rigid bodies and incompressible flow in one symmetric system, solved through its Schur complement.
///
/// Source   [A18] sections 3 to 5; the order of the stages is that of numerics/coupling 8.
/// Symbols  u* of eq. (12) is Step::velocity before the solve, v* of eq. (14) the bodies' twists; W, J, G, lambda:
///          numerics/coupling 1.
/// Deviates Cells and faces may be those of fractional faces ([BBB07]) instead of the paper's constraint faces
///          (couple/interface.h); the system is solved in the form of numerics/coupling 3.
#pragma once

#include <optional>

#include "methods/method.h"
#include "solve/reference_solver.h"

namespace tidelock {

struct SchurSettings {
    InterfaceScheme interface = InterfaceScheme::fractional;
    std::optional<ReferenceMethod> reference_solver{};  ///< none: our own

    /// "interface" and "solver.name".
    [[nodiscard]] static SchurSettings from(const Settings& settings);
};

template <int D>
class Schur final : public Method<D> {
  public:
    explicit Schur(MethodSetup<D> setup) : Schur(setup, SchurSettings::from(setup.settings)) {}
    Schur(MethodSetup<D> setup, const SchurSettings& settings);
    StepReport<D> advance(World<D>& world, double dt) override;
    [[nodiscard]] double largest_step(const World<D>& world) const override { return flow_->largest_step(world); }

  private:
    void solve(const FlowFaces<D>& faces, Step<D>& step) const;
    void report(const CoupledSystem<D>& system, const CoupledReport<D>& coupled, const std::vector<Twist<D>>& unforced,
                Step<D>& step) const;

    std::unique_ptr<Flow<D>> flow_;
    SolveOptions solver_;
    OnFailure on_failure_;
    SchurSettings settings_;
    SystemObserver<D> observer_;
};

}  // namespace tidelock
