// Figure 9: what is left of a simulation when every solve is cut off.

#include <fmt/format.h>

#include <cmath>

#include "reproduce/aanjaneya2018_items.h"
#include "reproduce/budget_study.h"

namespace tidelock::reproduce::aanjaneya2018 {

namespace {

constexpr double paper_budget_fraction = 2.0 / 14.6466;  ///< Figure 9's 2 s over Table 1's time of P0 in space

constexpr int converged_colour = 15;  ///< one of its own

/// The block's outline at the end of a path.
PlotSeries outline(const BudgetRun& run, double box, int colour) {
    PlotSeries series;
    series.style = PlotSeries::Style::outline;
    series.colour = colour;
    series.in_legend = false;
    const double a = run.angle.back(), c = 0.5 * box * std::cos(a), s = 0.5 * box * std::sin(a);
    for (const auto& [u, v] : {std::pair{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}) {
        series.x.push_back(run.x.back() + u * c - v * s);
        series.y.push_back(run.y.back() + u * s + v * c);
    }
    return series;
}

std::string run_name(const BudgetRun& run) {
    return run.factor > 0 ? fmt::format("{}, {:g} x", run.solver, run.factor) : "converged";
}

std::vector<std::string> row_of(const BudgetRun& run, double path_error) {
    return {run.factor > 0 ? fmt::format("`{}`", run.solver) : "`auto`, no limit",
            run.factor > 0 ? fmt::format("{:.3g}", run.budget) : "-",
            short_number(run.mean_iterations),
            fmt::format("{:.0f} %", 100 * run.converged_share),
            run.blew_up ? "blew up" : fmt::format("{:.4f}", run.y.back()),
            fmt::format("{:.2g}", 100 * path_error),
            fmt::format("{:.1e}", run.largest_residual),
            fmt::format("{:.1e}", run.largest_divergence),
            fmt::format("{:.1e}", run.momentum_error)};
}

Json json_of(const BudgetRun& run, double path_error) {
    return {{"solver", run.solver},
            {"budget_seconds", run.budget},
            {"factor", run.factor},
            {"mean_iterations", run.mean_iterations},
            {"converged_share", run.converged_share},
            {"path_error_over_block", path_error},
            {"largest_residual", run.largest_residual},
            {"largest_divergence", run.largest_divergence},
            {"momentum_error", run.momentum_error},
            {"blew_up", run.blew_up},
            {"time", run.time},
            {"x", run.x},
            {"y", run.y},
            {"angle", run.angle}};
}

Plot heights(const BudgetStudy& study, int width) {
    Plot path;
    path.title = fmt::format("Centre of the block over 0.6 s, {} cells", size_text(3, width));
    path.x_label = "time, s";
    path.y_label = "height of the centre, m";
    path.note = fmt::format("budget 1 x = {:.3g} s a solve, {:.1f} % of p0's converged time", study.budget,
                            100 * paper_budget_fraction);
    return path;
}

Plot last_places() {
    Plot end;
    end.title = "The block after 0.6 s, with its path";
    end.x_label = "x, m";
    end.y_label = "y, m";
    end.equal_axes = true;
    end.width = 760;
    end.note = "smallest budget (1 x)";
    return end;
}

void write_plots(const BudgetStudy& study, int width, const ReportFolder& folder) {
    Plot path = heights(study, width), end = last_places();
    int colour = 0;
    for (const BudgetRun& run : study.runs) {
        // Of ours only the smallest budget is drawn: the larger ones lie on it.
        if (run.factor == 0 || (run.solver == "auto" && run.factor > 1)) continue;
        path.series.push_back({run_name(run), run.time, run.y, PlotSeries::Style::line_and_markers, colour});
        if (run.factor == 1) {
            end.series.push_back({run_name(run), run.x, run.y, PlotSeries::Style::line, colour});
            end.series.push_back(outline(run, study.box, colour));
        }
        ++colour;
    }
    // The converged path last and dashed, so that those on it can be seen beneath.
    const BudgetRun& exact = study.runs.front();
    path.series.push_back({run_name(exact), exact.time, exact.y, PlotSeries::Style::dashed, converged_colour});
    end.series.push_back({run_name(exact), exact.x, exact.y, PlotSeries::Style::dashed, converged_colour});
    folder.write_plot("figure9-heights", path);
    folder.write_plot("figure9", end);
}

}  // namespace

void budget_figure(const Sizes& sizes, const ReportFolder& folder) {
    const int width = sizes.budget_width;
    folder.say(fmt::format("Box lift with a time budget, {} cells", size_text(3, width)));
    const BudgetStudy study =
        study_budgets(width, paper_budget_fraction, {1, 2, 4, 8}, [&](const std::string& line) { folder.say(line); });
    MarkdownTable table;
    table.head = {"solver",           "budget a solve, s",       "iterations",
                  "converged",        "height after 0.6 s, m",   "path error, % of the block",
                  "largest residual", "largest divergence, 1/s", "momentum error"};
    Json json = item_json("figure9");
    json["cells"] = size_text(3, width);
    json["p0_converged_seconds"] = study.converged_seconds;
    for (const BudgetRun& run : study.runs) {
        const double error = study.path_error(run);
        table.rows.push_back(row_of(run, error));
        json["runs"].push_back(json_of(run, error));
    }
    write_plots(study, width, folder);
    folder.write("figure9.json", json.dump(1) + "\n");
    folder.write(
        "figure9.md",
        fmt::format(
            "# Aanjaneya 2018, Figure 9: the box lift problem with a time budget\n\n{}\n\n"
            "{} cells{}. The paper gave every solve 2 s; its P0 needed {} s to converge, so that the budget is "
            "{:.1f} % of P0's time. Here P0 takes {:.3g} s a solve, and the budget is {:.3g} s; set-up is not "
            "counted. Each solve starts from the pressure of the step before, as in the paper.\n\n{}\n"
            "Path error: largest distance from the converged path until 0.6 s, over the edge of the block. "
            "Momentum error: change of the momentum of fluid and body in a solve beyond the impulse of the "
            "sides, over the momentum of all fluid at its largest speed. Whatever pressure a solve ends with, "
            "fluid and body get equal and opposite impulses: only divergence suffers. In the paper "
            "ICPCG became unstable at its smallest budget; if its impulses lambda were cut off along with p, nothing "
            "kept "
            "the two consistent. Here lambda follows from p.\n\n"
            "![paths](figure9.svg)\n![heights](figure9-heights.svg)\n",
            machine_line(), size_text(3, width),
            width == 128 ? "" : " (the paper: 128 x 256 x 128; smaller here so that thirteen runs end in minutes)",
            14.6466, 100 * paper_budget_fraction, study.converged_seconds, study.budget, table.text()));
}

}  // namespace tidelock::reproduce::aanjaneya2018
