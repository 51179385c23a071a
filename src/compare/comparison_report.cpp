#include "compare/comparison_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "compare/comparison_plots.h"

namespace tidelock::compare {

namespace {

using Json = nlohmann::ordered_json;

constexpr double degree = std::numbers::pi / 180;

std::string ending_of(const MethodRun& run, double time) {
    return run.failure.empty() ? fmt::format("{:.4g} s", time) : fmt::format("**failed** after {:.4g} s", time);
}

Json json_of(const Comparison& comparison, std::size_t run) {
    const MethodFigures f = comparison.figures(run);
    const MethodRun& of = comparison.runs[run];
    Json out = {{"method", of.label},
                {"steps", f.steps},
                {"time", f.time},
                {"failure", of.failure.empty() ? Json() : Json(of.failure)},
                {"solves_a_step", f.solves},
                {"iterations_a_step", f.iterations},
                {"most_iterations", f.most_iterations},
                {"seconds_a_step", f.seconds},
                {"solve_seconds_a_step", f.solve_seconds},
                {"steps_not_converged", f.unconverged},
                {"max_divergence", f.divergence},
                {"momentum_error", f.momentum_error ? Json(*f.momentum_error) : Json()},
                {"max_speed", f.max_speed}};
    const auto names = comparison.bodies();
    out["bodies"] = Json::array();
    for (std::size_t body = 0; body < names.size(); ++body) {
        const PathFigures p = comparison.path(run, body);
        Json entry = {{"name", names[body]},
                      {"way", p.way},
                      {"apart", p.apart},
                      {"turned", p.turned},
                      {"compared_until", p.compared}};
        entry["time"] = {0.0};
        entry["position"] = {comparison.start[body]};
        for (const StepRecord& step : of.steps) {
            entry["time"].push_back(step.time);
            entry["position"].push_back(step.bodies[body].position);
        }
        out["bodies"].push_back(std::move(entry));
    }
    return out;
}

std::string failures_text(const Comparison& comparison) {
    std::string out;
    for (const MethodRun& run : comparison.runs)
        if (!run.failure.empty()) out += fmt::format("- `{}` failed: {}\n", run.label, run.failure);
    return out.empty() ? out : out + "\n";
}

std::string paths_text(const Comparison& comparison) {
    const MarkdownTable table = paths_table(comparison);
    if (table.rows.empty()) return "";
    return fmt::format(
        "## Paths of the bodies, against `{}`\n\n{}\nWay: of the body with `{}`. Apart: largest distance of the two "
        "centres at the end of a frame; turned: largest angle between the two.\n\n",
        comparison.runs.front().label, table.text(), comparison.runs.front().label);
}

}  // namespace

MarkdownTable figures_table(const Comparison& comparison) {
    MarkdownTable table;
    table.head = {"method",       "steps",         "solves",          "iterations",     "most",         "s a step",
                  "in solves, s", "not converged", "divergence, 1/s", "momentum error", "fastest, m/s", "reached"};
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
        const MethodFigures f = comparison.figures(i);
        table.rows.push_back({fmt::format("`{}`", comparison.runs[i].label), std::to_string(f.steps),
                              short_number(f.solves), short_number(f.iterations), std::to_string(f.most_iterations),
                              short_number(f.seconds), short_number(f.solve_seconds), std::to_string(f.unconverged),
                              fmt::format("{:.1e}", f.divergence),
                              f.momentum_error ? fmt::format("{:.1e}", *f.momentum_error) : "-",
                              fmt::format("{:.3g}", f.max_speed), ending_of(comparison.runs[i], f.time)});
    }
    return table;
}

MarkdownTable paths_table(const Comparison& comparison) {
    MarkdownTable table;
    table.head = {"body", "method", "way, m", "apart, m", "of the way", "turned, degrees", "until, s"};
    const auto names = comparison.bodies();
    for (std::size_t body = 0; body < names.size(); ++body)
        for (std::size_t run = 1; run < comparison.runs.size(); ++run) {
            const PathFigures p = comparison.path(run, body);
            if (p.way == 0 && p.apart == 0) continue;
            table.rows.push_back({names[body], fmt::format("`{}`", comparison.runs[run].label),
                                  fmt::format("{:.4g}", p.way), fmt::format("{:.3g}", p.apart),
                                  p.share() ? fmt::format("{:.2g} %", 100 * *p.share()) : "-",
                                  fmt::format("{:.2g}", p.turned / degree), fmt::format("{:.4g}", p.compared)});
        }
    return table;
}

void write_report(const Comparison& comparison, const ReportText& text, const ReportFolder& folder) {
    Json json = {{"scene", text.scene}, {"machine", machine_line()}, {"methods", Json::array()}};
    for (std::size_t run = 0; run < comparison.runs.size(); ++run) json["methods"].push_back(json_of(comparison, run));
    folder.write("comparison.json", json.dump(1) + "\n");
    std::string plots;
    for (const NamedPlot& p : comparison_plots(comparison)) {
        folder.write_plot(p.name, p.plot);
        plots += fmt::format("![{}]({}.svg)\n", p.plot.title.empty() ? p.plot.y_label : p.plot.title, p.name);
    }
    std::string film;
    if (!text.film.empty())
        film = fmt::format("[Film]({}), its last picture:\n\n![{}]({})\n\n", text.film, "the methods side by side",
                           text.picture);
    const std::string table = figures_table(comparison).text();
    folder.write(
        "comparison.md",
        fmt::format("# '{}' by several methods\n\n{}\n\n{}{}\nMeans and sums of a step: solves of the method's own "
                    "system, their iterations (`most`: in one step), seconds. Not converged: steps with a solve that "
                    "stopped short. Divergence, momentum error, fastest: the largest of all steps. Momentum error: "
                    "what fluid and bodies together gained beyond the impulse of the domain's sides, over the momentum "
                    "of all fluid at its largest speed.\n\n{}{}{}{}",
                    text.scene, machine_line(), text.command.empty() ? "" : fmt::format("    {}\n\n", text.command),
                    table, failures_text(comparison), paths_text(comparison), film, plots));
    folder.say(table);
    if (const MarkdownTable paths = paths_table(comparison); !paths.rows.empty()) folder.say(paths.text());
}

}  // namespace tidelock::compare
