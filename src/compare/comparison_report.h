/// A comparison as files: comparison.md with its tables, the same numbers in comparison.json, plots.
#pragma once

#include "compare/comparison.h"
#include "render/report_folder.h"

namespace tidelock::compare {

/// What a report says besides its numbers.
struct ReportText {
    std::string scene;         ///< its name
    std::string command;       ///< that makes the same comparison again; may be empty
    std::string film = {};     ///< its file in the folder; empty: there is none
    std::string picture = {};  ///< the film's last one
};

/// Writes all of it into the folder, and says the first table.
void write_report(const Comparison& comparison, const ReportText& text, const ReportFolder& folder);

/// One row a run: what it cost and what it kept.
[[nodiscard]] MarkdownTable figures_table(const Comparison& comparison);
/// One row for each body that moves, and each run but the first.
[[nodiscard]] MarkdownTable paths_table(const Comparison& comparison);

}  // namespace tidelock::compare
