// Table 3: what the paper's pictures cost.

#include <fmt/format.h>

#include "reproduce/aanjaneya2018_items.h"
#include "reproduce/example_study.h"
#include "reproduce/study_run.h"

namespace tidelock::reproduce::aanjaneya2018 {

namespace {

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

const std::vector<std::string> columns = {"",
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

double gibibytes(const ExampleStudy& study) { return study.peak_bytes / (1 << 30); }

std::vector<std::string> row_of(const Example& example, const std::string& cells, const ExampleStudy& study) {
    return {fmt::format("{}: {} (`{}`)", example.figure, example.title, example.scene),
            cells,
            fmt::format("{}", study.bodies),
            fmt::format("{} ({})", study.steps, study.touching),
            fmt::format("{}", study.unknowns),
            fmt::format("{}", example.levels),
            fmt::format("{}", study.levels),
            fmt::format("{}", example.iterations),
            short_number(study.iterations),
            fmt::format("{}", study.most_iterations),
            short_number(example.seconds),
            short_number(study.projection_seconds),
            short_number(study.step_seconds),
            short_number(gibibytes(study)),
            fmt::format("{}", study.failed)};
}

Json json_of(const Example& example, const std::string& cells, const ExampleStudy& study) {
    return {
        {"figure", example.figure},
        {"scene", example.scene},
        {"cells", cells},
        {"bodies", study.bodies},
        {"steps", study.steps},
        {"steps_in_contact", study.touching},
        {"simulated_seconds", study.time},
        {"unknowns", study.unknowns},
        {"levels", {{"paper", example.levels}, {"ours", study.levels}}},
        {"iterations", {{"paper", example.iterations}, {"ours", study.iterations}, {"most", study.most_iterations}}},
        {"projection_seconds", {{"paper", example.seconds}, {"ours", study.projection_seconds}}},
        {"step_seconds", study.step_seconds},
        {"memory_gib", gibibytes(study)},
        {"failed_solves", study.failed}};
}

}  // namespace

void examples_table(bool quick, const ReportFolder& folder) {
    MarkdownTable table;
    table.head = columns;
    Json json = item_json("table3");
    for (const Example& example : examples) {
        const int divisor = quick ? 4 : 1;
        const auto& n = example.cells;
        const std::string cells = fmt::format("{},{},{}", n[0] / divisor, n[1] / divisor, n[2] / divisor);
        folder.say(fmt::format("{}, {}, {} cells", example.figure, example.title, cells));
        const ExampleStudy study = study_example(
            library_scene(example.scene, {fmt::format("domain.cells=[{}]", cells)}),
            quick ? quick_example_steps : example.steps, [&](const std::string& line) { folder.say(line); });
        table.rows.push_back(row_of(example, cells, study));
        json["examples"].push_back(json_of(example, cells, study));
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

}  // namespace tidelock::reproduce::aanjaneya2018
