/// A method is one paper's time step: a list of named stages that take a World from one instant to the next.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "couple/flow_measures.h"
#include "solve/report.h"
#include "state/world.h"

namespace tidelock {

/// A linear solve of a step.
struct NamedSolve {
    std::string name;    ///< what was solved
    std::string solver;  ///< with what
    std::string bodies;  ///< how its preconditioner treats rigid bodies
    std::ptrdiff_t unknowns = 0;
    int levels = 0;  ///< of its multigrid
    SolveReport report;
    double bytes = 0;  ///< that its iterations must move between memory and cache at least; 0: not counted
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

/// What a step did.
template <int D>
struct StepReport {
    double dt = 0;  ///< [s]
    std::vector<NamedSolve> solves;
    std::vector<std::pair<std::string, double>> seconds;  ///< per stage, in order [s]
    FlowMeasures<D> flow;
    std::vector<BodyLoad<D>> loads;  ///< per body
    int contacts = 0;                ///< pairs that touched
    double max_penetration = 0;      ///< [m]
    std::vector<BubbleReport> bubbles;
    std::vector<StepNote> notes;
};

template <int D>
class Method {
  public:
    virtual ~Method() = default;
    /// Moves the world on by dt [s]. Throws SimulationError, naming step and stage, when a number stops being finite;
    /// the world is then not to be used.
    virtual StepReport<D> advance(World<D>& world, double dt) = 0;
    /// The longest step that the method wants to take from here [s]; may be infinite.
    [[nodiscard]] virtual double largest_step(const World<D>& world) const = 0;
};

}  // namespace tidelock
