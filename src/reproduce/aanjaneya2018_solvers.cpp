// Tables 1 and 2, Figures 7 and 8: solvers on the same systems.

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "reproduce/aanjaneya2018_items.h"
#include "reproduce/solver_study.h"
#include "reproduce/study_run.h"

namespace tidelock::reproduce::aanjaneya2018 {

namespace {

const std::vector<std::string> all_solvers = {"cg-full", "cg-schur", "icpcg", "p0", "p1", "p2", "p3", "auto"};

/// A row of the paper's Table 1 or 2; none where it says N/A.
struct Published {
    std::optional<int> iterations;
    std::optional<double> seconds;
};

/// One of the paper's two comparisons, in the plane and in space.
struct Problem {
    const char* table;
    const char* figure;
    const char* heading;
    const char* title;
    const char* scenes[2];      ///< 2D, 3D
    Published published[2][7];  ///< per dimension, in the order of all_solvers
};

const Problem lift = {
    "table1",
    "figure7",
    "Table 1 and Figure 7",
    "Box lift",
    {"box-lift-2d", "box-lift"},
    {{{2603, 0.3405}, {799, 0.3694}, {204, 0.1134}, {47, 0.1444}, {29, 0.1656}, {25, 0.2161}, {21, 0.2401}},
     {{}, {}, {879, 78.5363}, {47, 14.6466}, {33, 19.6749}, {27, 23.7428}, {24, 28.3989}}}};

const Problem boxes = {
    "table2",
    "figure8",
    "Table 2 and Figure 8",
    "Boxes of various densities",
    {"boxes-2d", "boxes"},
    {{{3649, 0.4552}, {944, 0.6121}, {350, 0.1534}, {111, 0.1618}, {78, 0.2153}, {71, 0.2962}, {55, 0.2928}},
     {{}, {}, {3023, 225.5956}, {121, 149.1149}, {85, 212.226}, {70, 263.9951}, {61, 306.6343}}}};

constexpr const char* chosen = R"(
## What the paper does not say, and what we chose

- **Bodies.** Sizes, densities and angles are not published. Ours are those of the scenes `{}` and `{}`; time steps by
  CFL 3, as in the scenes.
- **Systems.** The run itself goes with `auto`. At {} evenly spaced times in the plane and {} in space its system is given to
  every solver, from zero, until the residual of the Schur complement has fallen by 1e6: the paper's "6 orders of magnitude".
  Counts and seconds are averages over these systems. Seconds are set-up (operator and preconditioner) plus solve, in memory that the solver has used before, as in a simulation.
- **Discretisation.** The paper's (`"interface": "constraint"`), with the fluid mass of a constrained dual cell that is on the
  fluid's side, at least 0.1 of it, instead of the whole dual cell: with the whole one a neutral body does not float. Smaller
  shares make A11 stiffer and P(s) slower, see docs/methods/schur.md.
- **lambda** is scaled to a pressure. The count of `cg-full` depends on that scaling, and the paper's is not known.
- **icpcg** is IC(0) of A11 and the diagonal of A22.
- **p0 to p3**: V-cycle of McAdams 2010, 4 levels, 3 boundary and 1 interior sweeps as in the paper; band of 3 cells, boundary
  sweeps doubled on each coarser level, direct solve on the coarsest.
)";

Json to_json(const SolverStudy& study) {
    Json out;
    out["unknowns"] = study.unknowns;
    out["cells"] = study.cells;
    out["rigid_bodies"] = study.bodies;
    out["sample_times_s"] = study.times;
    for (const SolverResult& s : study.solvers) {
        Json row;
        row["solver"] = s.name;
        row["bodies"] = s.bodies;
        row["converged"] = s.converged;
        row["iterations"] = s.iterations;
        row["setup_seconds"] = s.setup_seconds;
        row["solve_seconds"] = s.solve_seconds;
        row["bytes_per_cell"] = s.bytes_per_cell;
        row["history"] = s.history;
        row["history_seconds"] = s.history_time;
        out["solvers"].push_back(row);
    }
    return out;
}

std::string solver_table(const SolverStudy& study, const Published* published) {
    MarkdownTable table;
    table.head = {"solver",  "iterations, paper",    "ours",        "ours / paper", "seconds, paper", "set-up s",
                  "solve s", "whole, over `auto`'s", "bytes a cell"};
    const double ours = study.of("auto").seconds();
    for (std::size_t i = 0; i < study.solvers.size(); ++i) {
        const SolverResult& s = study.solvers[i];
        const Published paper = i < 7 ? published[i] : Published{};
        const auto of_paper = [](const auto& value) {
            return value ? short_number(static_cast<double>(*value)) : std::string("-");
        };
        std::string name = fmt::format("`{}`", s.name);
        if (s.name == "auto") name = fmt::format("**`auto`** ({})", s.bodies);
        table.rows.push_back({name, of_paper(paper.iterations), (s.converged ? "" : "> ") + short_number(s.iterations),
                              paper.iterations ? short_number(s.iterations / *paper.iterations) : "-",
                              of_paper(paper.seconds), short_number(s.setup_seconds), short_number(s.solve_seconds),
                              short_number(s.seconds() / ours), short_number(s.bytes_per_cell)});
    }
    return table.text();
}

Plot convergence_plot(const std::string& title, const SolverStudy& study) {
    Plot plot;
    plot.title = title;
    plot.x_label = "iteration";
    plot.y_label = "residual / first residual";
    plot.log_x = plot.log_y = true;
    plot.note = fmt::format("{} unknowns, t = {:.2f} s; from zero to 1e-6", study.unknowns,
                            study.times[study.times.size() / 2]);
    for (const SolverResult& s : study.solvers) {
        PlotSeries series;
        series.name = s.name;
        series.style = s.name == "auto" ? PlotSeries::Style::line_and_markers : PlotSeries::Style::line;
        for (std::size_t i = 0; i < s.history.size(); ++i) {
            series.x.push_back(static_cast<double>(i + 1));
            series.y.push_back(s.history[i] > 0 ? s.history[i] : std::nan(""));
        }
        plot.series.push_back(std::move(series));
    }
    return plot;
}

Plot time_plot(const std::string& title, const SolverStudy& study) {
    Plot plot = convergence_plot(title, study);
    plot.x_label = "seconds since the solve began";
    for (std::size_t s = 0; s < study.solvers.size(); ++s) plot.series[s].x = study.solvers[s].history_time;
    return plot;
}

void compare_solvers(const Problem& problem, const Wanted& wanted, const Sizes& sizes, const ReportFolder& folder) {
    std::string text = fmt::format("# Aanjaneya 2018, {}: {}\n\n{}\n", problem.heading, problem.title, machine_line());
    Json json = item_json(problem.table);
    for (const int d : {2, 3}) {
        const auto n = static_cast<std::size_t>(d - 2);
        const std::string where = fmt::format("{}, {} cells", problem.title, size_text(d, sizes.width));
        folder.say(where);
        const scene::Scene scene =
            library_scene(problem.scenes[n], {cells_set(d, sizes.width), "coupling.interface=constraint"});
        const SolverStudy study = study_solvers(scene, {.solvers = all_solvers, .samples = sizes.samples[n]},
                                                [&](const std::string& line) { folder.say(line); });
        text += fmt::format("\n## {}D: {} cells, {} {}\n\n{}", d, size_text(d, sizes.width), study.bodies,
                            study.bodies == 1 ? "body" : "bodies", solver_table(study, problem.published[n]));
        json[fmt::format("{}d", d)] = to_json(study);
        if (!wanted.figure) continue;
        folder.write_plot(fmt::format("{}-{}d", problem.figure, d), convergence_plot(where, study));
        folder.write_plot(fmt::format("{}-{}d-seconds", problem.figure, d), time_plot(where, study));
        text +=
            fmt::format("\n![residual over iterations]({0}-{1}d.svg)\n![residual over seconds]({0}-{1}d-seconds.svg)\n",
                        problem.figure, d);
    }
    text += fmt::format(fmt::runtime(chosen), problem.scenes[0], problem.scenes[1], sizes.samples[0], sizes.samples[1]);
    const char* name = wanted.table ? problem.table : problem.figure;
    folder.write(fmt::format("{}.json", name), json.dump(1) + "\n");
    folder.write(fmt::format("{}.md", name), text);
}

}  // namespace

void box_lift(const Wanted& wanted, const Sizes& sizes, const ReportFolder& folder) {
    compare_solvers(lift, wanted, sizes, folder);
}

void various_densities(const Wanted& wanted, const Sizes& sizes, const ReportFolder& folder) {
    compare_solvers(boxes, wanted, sizes, folder);
}

}  // namespace tidelock::reproduce::aanjaneya2018
