/// What is measured in a step, and what a user should hear of it.
#pragma once

#include "couple/sealed_regions.h"
#include "stage/step.h"

namespace tidelock {

/// Largest speed on the faces, per component, and of the bodies' surfaces [m/s].
template <int D>
double largest_speed(const FaceField<D, double>& velocity, const std::vector<RigidBody<D>>& bodies);

/// Of the bodies' surfaces alone.
template <int D>
double largest_speed(const std::vector<RigidBody<D>>& bodies);

/// Where solids meet the fluid at the end of the step, on its bricks ([A18] section 4.3), with a word on bodies that
/// are small for their cells.
template <int D>
[[nodiscard]] Interface<D> find_interface(const BrickSetPtr<D>& set, InterfaceScheme scheme, Step<D>& step);

/// Of the method's coupled system. The step fails if it had numbers that are not finite, or no answer.
template <int D>
void report_solve(NamedSolve solve, const SolveOptions& options, Step<D>& step);

/// Closed regions whose volume would have to change, by name.
template <int D>
void report_sealed(const std::vector<SealedRegion<D>>& sealed, Step<D>& step);

/// The flow at the end of the step. The step fails if it is not finite.
template <int D>
void report_flow(const FlowMeasures<D>& flow, Step<D>& step);

/// Force and torque of the fluid on each body in this step, which are the loads of the next one. The step fails if
/// the state of a body is not finite.
template <int D>
void report_loads(std::vector<Twist<D>> loads, Step<D>& step);

/// The same of solids whose motion is given; after report_loads(). They are no loads of the next step.
template <int D>
void report_given_loads(const std::vector<Twist<D>>& loads, Step<D>& step);

}  // namespace tidelock
