#include "reproduce/aanjaneya2018.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "reproduce/budget_study.h"
#include "reproduce/density_study.h"
#include "reproduce/example_study.h"
#include "reproduce/study_run.h"

namespace tidelock::reproduce {

namespace {

using Json = nlohmann::ordered_json;

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
    const char* title;
    const char* scenes[2];      ///< 2D, 3D
    Published published[2][7];  ///< per dimension, in the order of all_solvers
};

const Problem problems[] = {
    {"table1",
     "figure7",
     "Box lift",
     {"box-lift-2d", "box-lift"},
     {{{2603, 0.3405}, {799, 0.3694}, {204, 0.1134}, {47, 0.1444}, {29, 0.1656}, {25, 0.2161}, {21, 0.2401}},
      {{}, {}, {879, 78.5363}, {47, 14.6466}, {33, 19.6749}, {27, 23.7428}, {24, 28.3989}}}},
    {"table2",
     "figure8",
     "Boxes of various densities",
     {"boxes-2d", "boxes"},
     {{{3649, 0.4552}, {944, 0.6121}, {350, 0.1534}, {111, 0.1618}, {78, 0.2153}, {71, 0.2962}, {55, 0.2928}},
      {{}, {}, {3023, 225.5956}, {121, 149.1149}, {85, 212.226}, {70, 263.9951}, {61, 306.6343}}}}};

constexpr double paper_budget_fraction = 2.0 / 14.6466;  ///< Figure 9's 2 s over Table 1's time of P0 in space

/// A column of the paper's Table 3.
struct Example {
    const char* figure;
    const char* title;
    const char* scene;
    int cells[3];    ///< the paper's
    int steps;       ///< of ours, enough that what the figure shows has begun
    double seconds;  ///< the paper's, of a projection
    int levels, iterations;
};

constexpr Example examples[] = {
    {"Figure 1", "ball on a plume", "ball-on-plume", {128, 256, 128}, 20, 15.0856, 4, 42},
    {"Figure 2", "bunnies in a pool", "bunnies-in-pool", {128, 128, 128}, 24, 19.9432, 4, 20},
    {"Figure 3", "water drives a plank", "water-wheel", {256, 256, 256}, 12, 95.698, 5, 24},
    {"Figure 4", "rising bubble", "rising-bubble", {256, 512, 256}, 12, 65.2402, 5, 29}};
constexpr int quick_example_steps = 10;

/// Sizes of a reproduction.
struct Sizes {
    int width;           ///< cells across, half as many as along the height
    int samples[2];      ///< systems per solver, 2D and 3D
    int sweep_width[2];  ///< of Figure 10
    int sweep_samples[2];
    int budget_width;  ///< of Figure 9
};
constexpr Sizes full{128, {20, 2}, {128, 64}, {5, 2}, 64}, quarter{32, {10, 3}, {32, 32}, {3, 2}, 32};

std::string cells_set(int dimension, int width) {
    return dimension == 2 ? fmt::format("domain.cells=[{},{}]", width, 2 * width)
                          : fmt::format("domain.cells=[{},{},{}]", width, 2 * width, width);
}

std::string size_text(int dimension, int width) {
    return dimension == 2 ? fmt::format("{} x {}", width, 2 * width)
                          : fmt::format("{} x {} x {}", width, 2 * width, width);
}

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

// ---------------------------------------------------------------------------------------------- Tables 1 and 2

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

void compare_solvers(const Problem& problem, bool table, bool figure, const Sizes& sizes, const ReportFolder& folder) {
    std::string text =
        fmt::format("# Aanjaneya 2018, {}{}: {}\n\n{}\n",
                    problem.table == std::string_view("table1") ? "Table 1 and Figure 7" : "Table 2 and Figure 8", "",
                    problem.title, machine_line());
    Json json;
    json["paper"] = "Aanjaneya 2018";
    json["item"] = problem.table;
    json["machine"] = machine_line();
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
        if (!figure) continue;
        folder.write_plot(fmt::format("{}-{}d", problem.figure, d), convergence_plot(where, study));
        folder.write_plot(fmt::format("{}-{}d-seconds", problem.figure, d), time_plot(where, study));
        text +=
            fmt::format("\n![residual over iterations]({0}-{1}d.svg)\n![residual over seconds]({0}-{1}d-seconds.svg)\n",
                        problem.figure, d);
    }
    text += fmt::format(fmt::runtime(chosen), problem.scenes[0], problem.scenes[1], sizes.samples[0], sizes.samples[1]);
    const char* name = table ? problem.table : problem.figure;
    folder.write(fmt::format("{}.json", name), json.dump(1) + "\n");
    folder.write(fmt::format("{}.md", name), text);
}

// ---------------------------------------------------------------------------------------------- Table 3

void examples_table(bool quick, const ReportFolder& folder) {
    MarkdownTable table;
    table.head = {"",
                  "cells",
                  "bodies",
                  "steps (of them in contact)",
                  "unknowns",
                  "MG levels, paper",
                  "ours",
                  "iterations, paper",
                  "ours",
                  "most",
                  "projection s, paper",
                  "ours",
                  "whole step s",
                  "memory, GiB",
                  "failed solves"};
    Json json;
    json["paper"] = "Aanjaneya 2018";
    json["item"] = "table3";
    json["machine"] = machine_line();
    for (const Example& example : examples) {
        const int divisor = quick ? 4 : 1;
        const auto& n = example.cells;
        const std::string cells = fmt::format("{},{},{}", n[0] / divisor, n[1] / divisor, n[2] / divisor);
        folder.say(fmt::format("{}, {}, {} cells", example.figure, example.title, cells));
        const ExampleStudy study = study_example(
            library_scene(example.scene, {fmt::format("domain.cells=[{}]", cells)}),
            quick ? quick_example_steps : example.steps, [&](const std::string& line) { folder.say(line); });
        const double memory = study.peak_bytes / (1 << 30);
        table.rows.push_back({fmt::format("{}: {} (`{}`)", example.figure, example.title, example.scene), cells,
                              fmt::format("{}", study.bodies), fmt::format("{} ({})", study.steps, study.touching),
                              fmt::format("{}", study.unknowns), fmt::format("{}", example.levels),
                              fmt::format("{}", study.levels), fmt::format("{}", example.iterations),
                              short_number(study.iterations), fmt::format("{}", study.most_iterations),
                              short_number(example.seconds), short_number(study.projection_seconds),
                              short_number(study.step_seconds), short_number(memory), fmt::format("{}", study.failed)});
        Json row;
        row["figure"] = example.figure;
        row["scene"] = example.scene;
        row["cells"] = cells;
        row["bodies"] = study.bodies;
        row["steps"] = study.steps;
        row["steps_in_contact"] = study.touching;
        row["simulated_seconds"] = study.time;
        row["unknowns"] = study.unknowns;
        row["levels"] = {{"paper", example.levels}, {"ours", study.levels}};
        row["iterations"] = {
            {"paper", example.iterations}, {"ours", study.iterations}, {"most", study.most_iterations}};
        row["projection_seconds"] = {{"paper", example.seconds}, {"ours", study.projection_seconds}};
        row["step_seconds"] = study.step_seconds;
        row["memory_gib"] = memory;
        row["failed_solves"] = study.failed;
        json["examples"].push_back(row);
    }
    folder.write("table3.json", json.dump(1) + "\n");
    folder.write("table3.md",
                 fmt::format("# Aanjaneya 2018, Table 3: the examples\n\n{}\n\n{}\n"
                             "The paper's seconds are those of a quad-core i7-7700. Ours are the whole projection: "
                             "operator and preconditioner, iterations, new velocities. The scenes are our own in "
                             "sizes, densities and places, which the paper does not give; each begins as in the "
                             "library and runs for the steps stated. As in the paper every solve begins with the "
                             "pressure of the step before; it ends at a residual of 1e-6 of the right-hand side.\n",
                             machine_line(), table.text()));
}

// ---------------------------------------------------------------------------------------------- Figure 9

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

void budget_figure(const Sizes& sizes, const ReportFolder& folder) {
    const int width = sizes.budget_width;
    folder.say(fmt::format("Box lift with a time budget, {} cells", size_text(3, width)));
    const BudgetStudy study =
        study_budgets(width, paper_budget_fraction, {1, 2, 4, 8}, [&](const std::string& line) { folder.say(line); });
    MarkdownTable table;
    table.head = {"solver",           "budget a solve, s",       "iterations",
                  "converged",        "height after 0.6 s, m",   "path error, % of the block",
                  "largest residual", "largest divergence, 1/s", "momentum error"};
    Json json;
    json["paper"] = "Aanjaneya 2018";
    json["item"] = "figure9";
    json["machine"] = machine_line();
    json["cells"] = size_text(3, width);
    json["p0_converged_seconds"] = study.converged_seconds;
    Plot path;
    path.title = fmt::format("Centre of the block over 0.6 s, {} cells", size_text(3, width));
    path.x_label = "time, s";
    path.y_label = "height of the centre, m";
    path.note = fmt::format("budget 1 x = {:.3g} s a solve, {:.1f} % of p0's converged time", study.budget,
                            100 * paper_budget_fraction);
    Plot end;
    end.title = "The block after 0.6 s, with its path";
    end.x_label = "x, m";
    end.y_label = "y, m";
    end.equal_axes = true;
    end.width = 760;
    end.note = "smallest budget (1 x)";
    int colour = 0;
    for (const BudgetRun& run : study.runs) {
        const double error = study.path_error(run);
        table.rows.push_back({run.factor > 0 ? fmt::format("`{}`", run.solver) : "`auto`, no limit",
                              run.factor > 0 ? fmt::format("{:.3g}", run.budget) : "-",
                              short_number(run.mean_iterations), fmt::format("{:.0f} %", 100 * run.converged_share),
                              run.blew_up ? "blew up" : fmt::format("{:.4f}", run.y.back()),
                              fmt::format("{:.2g}", 100 * error), fmt::format("{:.1e}", run.largest_residual),
                              fmt::format("{:.1e}", run.largest_divergence),
                              fmt::format("{:.1e}", run.momentum_error)});
        Json row;
        row["solver"] = run.solver;
        row["budget_seconds"] = run.budget;
        row["factor"] = run.factor;
        row["mean_iterations"] = run.mean_iterations;
        row["converged_share"] = run.converged_share;
        row["path_error_over_block"] = error;
        row["largest_residual"] = run.largest_residual;
        row["largest_divergence"] = run.largest_divergence;
        row["momentum_error"] = run.momentum_error;
        row["blew_up"] = run.blew_up;
        row["time"] = run.time;
        row["x"] = run.x;
        row["y"] = run.y;
        row["angle"] = run.angle;
        json["runs"].push_back(row);
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
    colour = 15;  // a colour of its own
    path.series.push_back({run_name(exact), exact.time, exact.y, PlotSeries::Style::dashed, colour});
    end.series.push_back({run_name(exact), exact.x, exact.y, PlotSeries::Style::dashed, colour});
    folder.write_plot("figure9-heights", path);
    folder.write_plot("figure9", end);
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

// ---------------------------------------------------------------------------------------------- Figure 10

void density_figure(const Sizes& sizes, const ReportFolder& folder) {
    std::vector<double> ratios;
    for (int e = -4; e <= 4; ++e) ratios.push_back(std::pow(10.0, e));
    std::string text =
        fmt::format("# Aanjaneya 2018, Figure 10: iterations over the density ratio\n\n{}\n", machine_line());
    Json json;
    json["paper"] = "Aanjaneya 2018";
    json["item"] = "figure10";
    for (const int d : {2, 3}) {
        const auto n = static_cast<std::size_t>(d - 2);
        const int width = sizes.sweep_width[n];
        Plot plot;
        plot.title = fmt::format("Iterations over density ratio, {} cells", size_text(d, width));
        plot.x_label = "density of the bodies / density of the fluid";
        plot.y_label = "iterations to 1e-6";
        plot.log_x = true;
        plot.y_min = 0;
        for (const int boxes : {1, 8}) {
            const std::string label = boxes == 1 ? "1 body" : "8 bodies";
            folder.say(fmt::format("Density sweep, {} cells, {}", size_text(d, width), label));
            const DensityStudy study = study_densities(density_scene(d, boxes, width), ratios,
                                                       {.solvers = {"p0", "auto"}, .samples = sizes.sweep_samples[n]},
                                                       [&](const std::string& line) { folder.say(line); });
            MarkdownTable table;
            table.head = {"density ratio", "`p0`", "`auto`"};
            for (std::size_t i = 0; i < ratios.size(); ++i)
                table.rows.push_back({fmt::format("{:g}", ratios[i]), short_number(study.iterations[0][i]),
                                      short_number(study.iterations[1][i])});
            text += fmt::format("\n## {}D, {} cells, {}\n\n{}\nLargest over smallest: `p0` {:.2f}, `auto` {:.2f}\n", d,
                                size_text(d, width), label, table.text(), study.spread("p0"), study.spread("auto"));
            for (std::size_t s = 0; s < study.solvers.size(); ++s)
                plot.series.push_back({fmt::format("{}, {}", study.solvers[s], label), ratios, study.iterations[s],
                                       PlotSeries::Style::line_and_markers});
            Json block;
            block["cells"] = size_text(d, width);
            block["ratios"] = ratios;
            block["p0"] = study.iterations[0];
            block["auto"] = study.iterations[1];
            json[fmt::format("{}d", d)][label] = block;
        }
        folder.write_plot(fmt::format("figure10-{}d", d), plot);
        text += fmt::format("\n![iterations over density ratio](figure10-{}d.svg)\n", d);
    }
    text += fmt::format(
        "\nThe paper's figure has P0 with one block; it gives no numbers in the text. Each count is the mean "
        "of {} systems in the plane and {} in space, spread over the first 0.2 s, each solved from zero.\n",
        sizes.sweep_samples[0], sizes.sweep_samples[1]);
    folder.write("figure10.json", json.dump(1) + "\n");
    folder.write("figure10.md", text);
}

}  // namespace

const std::vector<std::string_view>& aanjaneya2018_items() {
    static const std::vector<std::string_view> items = {"table1",  "table2",  "table3",  "figure7",
                                                        "figure8", "figure9", "figure10"};
    return items;
}

void reproduce_aanjaneya2018(const std::vector<std::string>& items, bool quick, const ReportFolder& folder) {
    const auto& known = aanjaneya2018_items();
    for (const auto& item : items)
        if (std::find(known.begin(), known.end(), item) == known.end())
            throw InputError("reproduce aanjaneya2018", "there is no item '{}'; there are {} and all", item,
                             fmt::join(known, ", "));
    const auto wanted = [&](std::string_view item) {
        return items.empty() || std::find(items.begin(), items.end(), item) != items.end();
    };
    const Sizes& sizes = quick ? quarter : full;
    for (const Problem& problem : problems)
        if (wanted(problem.table) || wanted(problem.figure))
            compare_solvers(problem, wanted(problem.table), wanted(problem.figure), sizes, folder);
    if (wanted("table3")) examples_table(quick, folder);
    if (wanted("figure10")) density_figure(sizes, folder);
    if (wanted("figure9")) budget_figure(sizes, folder);
}

}  // namespace tidelock::reproduce
