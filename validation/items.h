/// What `validate` can do: each item compares the simulation with a number that it did not write, at several
/// resolutions, and leaves a page with a table, the numbers as JSON and a plot.
#pragma once

#include "reproduce/report.h"

namespace tidelock::validation {

using reproduce::MarkdownTable;
using reproduce::ReportFolder;

/// `quick`: the coarsest sizes only, in seconds instead of minutes; what they show proves nothing.
void validate_drafts(bool quick, const ReportFolder& folder);           ///< numerics/cases 2
void validate_released_sphere(bool quick, const ReportFolder& folder);  ///< numerics/cases 1, below a free surface
void validate_dam_front(bool quick, const ReportFolder& folder);        ///< [MM52]
void validate_cap_bubble(bool quick, const ReportFolder& folder);       ///< numerics/cases 8
void validate_sloshing(bool quick, const ReportFolder& folder);         ///< volume over 1000 steps; rest
void validate_bunnies(bool quick, const ReportFolder& folder);          ///< overlap of bodies, weight of what floats

}  // namespace tidelock::validation
