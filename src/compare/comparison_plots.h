/// The plots of a comparison: the bodies' paths, and what each step cost and left.
#pragma once

#include "compare/comparison.h"
#include "render/report_folder.h"

namespace tidelock::compare {

/// A plot's file without its ending, and what it shows.
struct NamedPlot {
    std::string name;
    Plot plot;
};

/// What there is to show: of up to six bodies that move, the coordinate along which the first run moves them most.
[[nodiscard]] std::vector<NamedPlot> comparison_plots(const Comparison& comparison);

}  // namespace tidelock::compare
