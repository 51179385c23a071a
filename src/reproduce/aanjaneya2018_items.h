/// The tables and figures of [A18], one file each; and what they share.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "render/report_folder.h"

namespace tidelock::reproduce::aanjaneya2018 {

using Json = nlohmann::ordered_json;

/// Sizes of a reproduction.
struct Sizes {
    int width;           ///< cells across, half as many as along the height
    int samples[2];      ///< systems per solver, 2D and 3D
    int sweep_width[2];  ///< of Figure 10
    int sweep_samples[2];
    int budget_width;  ///< of Figure 9
};

[[nodiscard]] std::string cells_set(int dimension, int width);
[[nodiscard]] std::string size_text(int dimension, int width);
/// An item's numbers begin with what it is and where it ran.
[[nodiscard]] Json item_json(const char* item);

/// What of a comparison is wanted: a table's numbers are those of its figure.
struct Wanted {
    bool table, figure;
};
void box_lift(const Wanted& wanted, const Sizes& sizes, const ReportFolder& folder);           ///< Table 1, Figure 7
void various_densities(const Wanted& wanted, const Sizes& sizes, const ReportFolder& folder);  ///< Table 2, Figure 8
void examples_table(bool quick, const ReportFolder& folder);                                   ///< Table 3
void budget_figure(const Sizes& sizes, const ReportFolder& folder);                            ///< Figure 9
void density_figure(const Sizes& sizes, const ReportFolder& folder);                           ///< Figure 10

}  // namespace tidelock::reproduce::aanjaneya2018
