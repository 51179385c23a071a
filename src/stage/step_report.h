/// What a step did, for logs, screens and studies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "couple/flow_measures.h"
#include "solve/report.h"

namespace tidelock {

/// A solve of a step.
struct NamedSolve {
    std::string name;    ///< what was solved
    std::string solver;  ///< with what
    std::string bodies;  ///< how its preconditioner treats rigid bodies
    std::ptrdiff_t unknowns = 0;
    int levels = 0;  ///< of its multigrid
    SolveReport report;
    double bytes = 0;  ///< that its iterations must move between memory and cache at least; 0: not counted
    std::string remedy = "coupling.solver";  ///< for who reads that it stopped short
};

/// What the fluid did to a body in a step.
template <int D>
struct BodyLoad {
    Vec<D> force = Vec<D>::Zero();     ///< [N]
    Spin<D> torque = Spin<D>::Zero();  ///< about the centre of mass [N m]
};

/// A region of trapped air.
struct BubbleReport {
    double volume = 0;    ///< measured [m^D]
    double target = 0;    ///< that it should have [m^D]
    double pressure = 0;  ///< above that of the atmosphere [Pa]
};

/// Something that a user should know. The same kind may come in every step, with other numbers.
struct StepNote {
    std::string kind;  ///< one word a kind; with the name of the body where it is about one
    std::string text;
};

template <int D>
struct StepReport {
    double dt = 0;                                        ///< [s]
    std::vector<NamedSolve> solves;                       ///< that of the method's coupled system first
    std::vector<std::pair<std::string, double>> seconds;  ///< per stage, in order [s]
    FlowMeasures<D> flow;
    std::optional<MomentumError<D>> momentum;  ///< of the coupled solve, if it was asked for
    std::vector<BodyLoad<D>> loads;            ///< per body
    int contacts = 0;                          ///< pairs that touched
    double max_penetration = 0;                ///< [m]
    std::vector<BubbleReport> bubbles;
    std::vector<StepNote> notes;
    std::vector<std::string> failures;  ///< why the step should not have been used (OnFailure::accept)
    int halvings = 0;                   ///< of the step that was asked for, until one succeeded
};

}  // namespace tidelock
