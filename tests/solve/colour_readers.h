/// Reading around the cells of a colour, in every instruction set that this processor has.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grid/brick_set.h"

namespace tidelock {

/// Reads around all cells of both colours of a brick, in float and double, and compares with the neighbour table: the
/// first difference, or nothing.
template <int D>
using ColourReaderCheck = std::string (*)(const BrickSet<D>& set, std::ptrdiff_t brick);

/// By the name of the instruction set.
template <int D>
std::vector<std::pair<std::string, ColourReaderCheck<D>>> colour_reader_checks();

}  // namespace tidelock
