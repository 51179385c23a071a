/// A step that must not be used, and what then becomes of it.
///
/// Rule     A step fails if a number stops being finite, if a solve ends with a residual that is no answer (failed() of
///          solve/report.h), or if nothing can satisfy what is prescribed (a body crushed between two others). No
///          result of such a step reaches anybody, unless the user asked for it.
#pragma once

#include "base/error.h"
#include "base/words.h"

namespace tidelock {

enum class OnFailure {
    retry,  ///< the step is undone and tried in halves; what still fails stops the run
    stop,   ///< the run stops
    accept  ///< the result is used, and every output says so
};

template <>
inline constexpr auto words<OnFailure> =
    word_table<OnFailure>({{OnFailure::retry, "retry"}, {OnFailure::stop, "stop"}, {OnFailure::accept, "accept"}});

/// Thrown out of a method's step; the world is then not to be used. Whoever kept a copy may try a shorter step.
class StepFailed : public SimulationError {
  public:
    /// `halvings`: how often it is worth while to halve the step.
    explicit StepFailed(const std::string& text, int halvings = 8) : SimulationError(text), halvings_(halvings) {}
    [[nodiscard]] int halvings() const noexcept { return halvings_; }

  private:
    int halvings_;
};

/// Of a body that has no room left: shorter steps only squeeze the last fluid out of a gap that closes, ever faster.
inline constexpr int crush_halvings = 2;

}  // namespace tidelock
