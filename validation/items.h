/// What `validate` can do: each item compares the simulation with numbers that it did not write, at several
/// resolutions, says whether it comes as close as it must, and leaves a page with tables, the numbers as JSON and a
/// plot.
#pragma once

#include <span>

#include "judge.h"
#include "render/report_folder.h"

namespace tidelock::validation {

/// What an item is given.
struct Trial {
    /// The coarsest sizes only, in seconds instead of minutes: their bands say that nothing has changed, not that it is
    /// right.
    bool quick = false;
    const ReportFolder& folder;
    Judge& judge;
};

struct Item {
    const char* name;
    const char* what;
    void (*run)(const Trial& trial);
};
[[nodiscard]] std::span<const Item> items();

void validate_drafts(const Trial& trial);           ///< numerics/cases 2
void validate_released_sphere(const Trial& trial);  ///< numerics/cases 1, below a free surface
void validate_dam_front(const Trial& trial);        ///< [MM52]
void validate_cap_bubble(const Trial& trial);       ///< numerics/cases 8
void validate_sloshing(const Trial& trial);         ///< volume over 1000 steps; rest
void validate_bunnies(const Trial& trial);          ///< overlap of bodies, weight of what floats

/// A band for every item in which a figure has this name.
struct Request {
    std::vector<std::string> items;  ///< by name; all if there is none
    bool quick = false;
    OtherBands bands;
};

/// Runs the items one after the other. What missed its band, a line each: none if all is as it must be. A band for a
/// figure that no item judges counts as missed, too.
[[nodiscard]] std::vector<std::string> run_items(const Request& request, const ReportFolder& folder);

}  // namespace tidelock::validation
