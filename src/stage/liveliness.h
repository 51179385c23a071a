/// Whether a liquid moves enough for its particles to say more than its level set does.
#pragma once

#include <algorithm>

#include "couple/flow_faces.h"
#include "stage/step.h"

namespace tidelock {

/// Of liquid that moves so many cells in a step. What moves less than the first has not pushed its particles together:
/// how they lie is chance, and calm liquid must not tremble with that. What moves more than the second is taken at its
/// word, and between the two in part. In [0, 1].
inline double liveliness(double cells) {
    constexpr double calm = 0.01, lively = 0.1;
    return std::clamp((cells - calm) / (lively - calm), 0.0, 1.0);
}

/// Of the fastest liquid in and beside each cell, after the solve: 0 where it is calm, 1 where it is lively.
template <int D>
[[nodiscard]] Field<D, double> lively_cells(const FlowFaces<D>& faces, const Step<D>& step);

}  // namespace tidelock
