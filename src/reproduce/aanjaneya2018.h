/// Tables and figures of [A18], "An Efficient Solver for Two-way Coupling Rigid Bodies with Incompressible Flow": what
/// the paper printed, what we get, and what our own solver does with the same systems.
#pragma once

#include <string_view>
#include <vector>

#include "render/report_folder.h"

namespace tidelock::reproduce {

/// "table1" to "table3", "figure7" to "figure10".
[[nodiscard]] const std::vector<std::string_view>& aanjaneya2018_items();

/// Writes the items (all of them if the list is empty) into `folder`. `quick`: a quarter of the resolution. Throws
/// InputError for an item that there is not.
void reproduce_aanjaneya2018(const std::vector<std::string>& items, bool quick, const ReportFolder& folder);

}  // namespace tidelock::reproduce
