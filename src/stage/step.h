/// One step of a World, and what its stages hand on to each other. Scratch: it ends with the step.
#pragma once

#include <cmath>
#include <string_view>

#include "base/error.h"
#include "base/timer.h"
#include "couple/interface.h"
#include "couple/solid_obstacles.h"
#include "solid/contact_motion.h"
#include "stage/step_failure.h"
#include "stage/step_report.h"
#include "state/world.h"

namespace tidelock {

template <int D>
struct Step {
    /// Throws SimulationError unless dt [s] is positive.
    Step(World<D>& of, double length, OnFailure if_it_fails = OnFailure::stop)
        : world(of), dt(length), on_failure(if_it_fails) {
        if (!(dt > 0) || !std::isfinite(dt))
            throw SimulationError(fmt::format("step {}: the time step must be positive, got {} s", number(), dt));
        report.dt = dt;
        surfaces = standing_surfaces<D>(of.solids);  // until they move
    }

    World<D>& world;
    double dt;                                         ///< [s]
    OnFailure on_failure;                              ///< accept: failed() only takes note
    std::vector<Pose<D>> before;                       ///< of the bodies at the beginning
    std::vector<Twist<D>> motion;                      ///< of the bodies from there to where they are at the end
    std::shared_ptr<const SolidSurfaces<D>> surfaces;  ///< the solids on that way
    std::vector<MotorReport> motors;                   ///< what contact found for motors that hold a speed
    StandingObstacles<D> standing;                     ///< the solids where they are when a stage asks
    Interface<D> interface;                            ///< of fluid and solids at the end
    FaceField<D, double> velocity;                     ///< of the fluid: u*, then that at the end [m/s]
    StepReport<D> report;

    [[nodiscard]] std::int64_t number() const { return world.clock.step + 1; }

    /// Runs a stage under its name, notes the seconds that it took, and hands on its result.
    template <class F>
    auto run(const char* name, F&& stage) {
        const Stopwatch stopwatch{*this, name, ScopedTimer(name), wall_seconds()};
        return stage();
    }
    void note(std::string kind, std::string text) { report.notes.push_back({std::move(kind), std::move(text)}); }
    [[noreturn]] void fail(std::string_view stage, std::string_view text, int halvings = 8) const {
        throw StepFailed(fmt::format("step {}, stage {}: {}", number(), stage, text), halvings);
    }
    /// The step is no good, though its numbers are finite: ends it, unless the user wants it all the same.
    void failed(std::string_view stage, const std::string& text, int halvings = 8) {
        if (on_failure != OnFailure::accept) fail(stage, text, halvings);
        report.failures.push_back(text);
    }

  private:
    struct Stopwatch {
        Step& step;
        const char* name;
        ScopedTimer timer;
        double start;
        ~Stopwatch() { step.report.seconds.emplace_back(name, wall_seconds() - start); }
    };
};

}  // namespace tidelock
