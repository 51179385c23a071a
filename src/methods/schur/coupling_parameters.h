/// What schur needs to know about its coupled solve, whatever the fluid.
#pragma once

#include <optional>

#include "couple/coupled_solve.h"

namespace tidelock {

template <int D>
struct CouplingParameters {
    SolveOptions solver;
    std::optional<ReferenceMethod> reference_solver;  ///< none: our own
    SystemObserver<D> observe;                        ///< optional: sees every system before it is solved
    InterfaceScheme interface = InterfaceScheme::fractional;
    double cfl = 3;  ///< cells that anything may cross in a step [-]
};

}  // namespace tidelock
