/// plot_gallery FOLDER: made-up plots, to be looked at by a person.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <numbers>

#include "base/random.h"
#include "render/plot.h"

using namespace tidelock;
using Style = PlotSeries::Style;

namespace {

/// Residuals that fall at a rate, with some noise.
PlotSeries history(const std::string& name, int points, double decades, double noise, std::uint64_t seed) {
    PlotSeries s{name, {}, {}, Style::line_and_markers, -1, true};
    const Random random(seed);
    double wander = 0;
    for (int n = 1; n <= points; ++n) {
        wander = 0.9 * wander + noise * (2 * random.uniform(static_cast<std::uint64_t>(n)) - 1);
        s.x.push_back(n);
        s.y.push_back(std::pow(10.0, -decades * (n - 1) / (points - 1) + (n > 1 ? wander : 0)));
    }
    return s;
}

Plot convergence() {
    Plot plot;
    plot.title = "Residual over iterations, 128x256 cells, one box";
    plot.x_label = "iterations [-]";
    plot.y_label = "relative residual |b - A x| / |b| [-]";
    plot.note =
        "Means over 24 time steps, to a residual of 1e-6. Not published: the block size and the time step; ours are 16 "
        "cells and 1/24 s.";
    plot.log_x = plot.log_y = true;
    plot.series = {history("cg-full", 3000, 5.2, 0.12, 1),  history("cg-schur", 1100, 6.1, 0.1, 2),
                   history("icpcg", 310, 6.2, 0.08, 3),     history("p0", 47, 6.1, 0.05, 4),
                   history("p1", 38, 6.3, 0.04, 5),         history("p2", 31, 6.2, 0.04, 6),
                   history("auto (ours)", 20, 7.6, 0.02, 7)};
    return plot;
}

Plot sweep() {
    Plot plot;
    plot.title = "Iterations over the density ratio of body and fluid";
    plot.x_label = "density of the body over that of the fluid [-]";
    plot.y_label = "iterations a solve [-]";
    plot.note = "Residual reduced by 1e6; means over 24 steps.";
    plot.log_x = true;
    const char* names[] = {"p0, one body", "p0, eight bodies", "auto, one body", "auto, eight bodies"};
    for (int k = 0; k < 4; ++k) {
        PlotSeries s{names[k], {}, {}, Style::line_and_markers, -1, true};
        for (int e = -4; e <= 4; ++e) {
            s.x.push_back(std::pow(10.0, e));
            s.y.push_back(k >= 2 ? 9 + k + std::round(0.4 * std::cos(e))
                                 : 40 + 30 * k + (10 + 12 * k) * std::tanh(-0.6 * e));
        }
        plot.series.push_back(s);
    }
    return plot;
}

Plot paths() {
    Plot plot;
    plot.title = "Path of the box in 0.6 s, by solver and time for a solve";
    plot.x_label = "x [m]";
    plot.y_label = "y [m]";
    plot.equal_axes = true;
    const char* names[] = {"converged", "auto, 1 budget", "p0, 1 budget", "icpcg, 1 budget"};
    // The reference comes last: its dashes show what lies beneath.
    for (int k = 3; k >= 0; --k) {
        PlotSeries s{names[k], {}, {}, k == 0 ? Style::dashed : Style::line, k == 0 ? 5 : k - 1, true};
        for (int n = 0; n <= 60; ++n) {
            const double t = 0.01 * n;
            s.x.push_back(0.5 + (0.06 + 0.05 * (k > 1 ? k : 0)) * std::sin(4 * t) * t);
            s.y.push_back(0.55 + (0.9 - (k > 1 ? 0.18 * k : 0)) * t * t * 1.5);
        }
        PlotSeries box{s.name + " end", {}, {}, Style::outline, s.colour, false};
        const double angle = 0.3 + 0.25 * k;
        for (int c = 0; c < 4; ++c) {
            const double a = angle + std::numbers::pi * (0.5 * c + 0.25);
            box.x.push_back(s.x.back() + 0.1 * std::cos(a)), box.y.push_back(s.y.back() + 0.1 * std::sin(a));
        }
        plot.series.push_back(box), plot.series.push_back(s);
    }
    PlotSeries start{"start", {0.43, 0.57, 0.57, 0.43}, {0.48, 0.48, 0.62, 0.62}, Style::outline, 7, true};
    plot.series.insert(plot.series.begin(), start);
    plot.width = 700;
    return plot;
}

Plot everything() {
    Plot plot;
    plot.title = "All markers; a gap, a lone point, an empty series, <markup> & \"quotes\"";
    plot.x_label = "time [s]";
    plot.y_label = "momentum error [kg m/s]";
    for (int k = 0; k < 16; ++k) {
        PlotSeries s{"series " + std::to_string(k), {}, {}, Style::line_and_markers, -1, true};
        for (int n = 0; n < 9; ++n) s.x.push_back(0.1 * n), s.y.push_back(1e-15 * (k - 8 + std::sin(n + 0.3 * k)));
        if (k == 3) s.y[4] = std::numeric_limits<double>::quiet_NaN();
        if (k == 4) s.y[1] = s.y[3] = std::numeric_limits<double>::infinity(), s.style = Style::line;
        if (k == 5) s.x.clear(), s.y.clear();
        if (k == 6) s.style = Style::markers;
        if (k == 7) s.style = Style::dashed;
        plot.series.push_back(s);
    }
    plot.series[2].name = "a name that is too long for one line of the legend";
    plot.x_max = 0.75;
    return plot;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: plot_gallery FOLDER\n");
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    write_plot(convergence(), folder / "convergence");
    write_plot(sweep(), folder / "sweep");
    write_plot(paths(), folder / "paths");
    write_plot(everything(), folder / "everything");
    return 0;
}
