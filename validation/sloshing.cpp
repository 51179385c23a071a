/// How a sloshing tank keeps its volume over 1000 steps, and how quiet a tank at rest is.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "items.h"
#include "pool.h"

namespace tidelock::validation {

namespace {

struct Kind {
    const char* name;
    LiquidTransport transport;
    LiquidSurface surface;
};
const std::vector<Kind> kinds = {
    {"apic, particle-level-set", LiquidTransport::apic, LiquidSurface::particle_level_set},
    {"flip, particle-level-set", LiquidTransport::flip, LiquidSurface::particle_level_set},
    {"semi-lagrangian, particle-level-set", LiquidTransport::semi_lagrangian, LiquidSurface::particle_level_set},
    {"apic, particles", LiquidTransport::apic, LiquidSurface::particles},
    {"flip, particles", LiquidTransport::flip, LiquidSurface::particles},
    {"narrow-band-flip, particles", LiquidTransport::narrow_band_flip, LiquidSurface::particles}};

/// A level water surface tilted by a quarter at the start, 0.4 m deep in a tank of 1 m.
template <int D>
std::vector<double> slosh(const Kind& kind, int n, int steps, bool corrected) {
    Pool<D> pool(n, kind.transport, kind.surface);
    if (corrected) pool.liquid.correction = DriftCorrection::divergence;
    pool.fill([](const Vec<D>& x) { return (x[1] - 0.4 - 0.25 * (x[0] - 0.5)) / std::hypot(1, 0.25); });
    std::vector<double> drift;
    for (int s = 0; s < steps; ++s) {
        pool.step(0.02);
        drift.push_back(pool.world().liquid().ledger.drift());
    }
    return drift;
}

double largest(const std::vector<double>& values) {
    double out = 0;
    for (const double v : values) out = std::max(out, std::abs(v));
    return out;
}

/// Speed over sqrt(g H) after 100 steps of a tank with two obstacles.
double unrest(const Kind& kind, int n) {
    constexpr double level = 0.4137;
    Pool<2> pool(n, kind.transport, kind.surface);
    pool.setup.solver.tolerance = 1e-9;
    pool.add(std::make_shared<Sphere<2>>(0.12), 1000, Vec2(0.31, 0.22), BodyType::fixed);
    pool.add(std::make_shared<Box<2>>(Vec2(0.2, 0.5)), 1000, Vec2(0.7, 0.45), BodyType::fixed, 0.3);
    pool.fill_to(level);
    double speed = 0;
    for (int s = 0; s < 100; ++s) speed = pool.step(0.01).flow.max_speed;
    return speed / std::sqrt(Pool<2>::g * level);
}

/// What becomes of the volume without the correction and with it, in the last step and at most [%].
struct Drifts {
    std::vector<double> without, with;
    [[nodiscard]] std::vector<std::string> cells() const {
        return {fmt::format("{:+.2f} %", 100 * without.back()), fmt::format("{:.2f} %", 100 * largest(without)),
                fmt::format("{:+.3f} %", 100 * with.back()), fmt::format("{:.2f} %", 100 * largest(with))};
    }
};

template <int D>
Drifts drifts_of(const Kind& kind, int n, int steps) {
    return {slosh<D>(kind, n, steps, false), slosh<D>(kind, n, steps, true)};
}

void judge_drifts(const std::string& name, const Drifts& found, const Kind& kind, Judge& judge) {
    const bool markers = kind.surface == LiquidSurface::particle_level_set;
    judge.expect(name + ": drift at the end, corrected [%]", 100 * found.with.back(),
                 around(0, 0.1, "what the last waves moved; docs/validation.md: 0.06"));
    judge.expect(name + ": largest drift, corrected [%]", 100 * largest(found.with),
                 at_most(0.5, "the first splash, before the controller has answered; docs/validation.md: 0.4"));
    judge.expect(name + ": largest drift, not corrected [%]", 100 * largest(found.without),
                 markers ? at_most(12.5, "docs/validation.md, and a tenth: what markers lose is known")
                         : at_most(1.9, "docs/validation.md, and a tenth: particles lose less than markers"));
}

PlotSeries line_of(const std::vector<double>& drift, const std::string& name, PlotSeries::Style style, int colour) {
    PlotSeries out{name, {}, {}, style};
    out.colour = colour;
    for (std::size_t i = 0; i < drift.size(); ++i)
        out.x.push_back(static_cast<double>(i + 1)), out.y.push_back(100 * drift[i]);
    return out;
}

}  // namespace

void validate_sloshing(const Trial& trial) {
    const int n = trial.quick ? 24 : 48, steps = trial.quick ? 100 : 1000;
    MarkdownTable table;
    table.head = {"",        "drift at the end, no correction", "largest", "with the correction",
                  "largest", "speed at rest / sqrt(g H)"};
    nlohmann::ordered_json json;
    Plot plot;
    plot.title = "Volume of a sloshing tank";
    plot.x_label = "step";
    plot.y_label = "drift, %";
    const auto add = [&](const Kind& kind, const Drifts& found, const std::string& where, const std::string& rest) {
        std::vector<std::string> row = {fmt::format("`{}`{}", kind.name, where)};
        for (const std::string& cell : found.cells()) row.push_back(cell);
        row.push_back(rest);
        table.rows.push_back(row);
        judge_drifts(kind.name + where, found, kind, trial.judge);
        json.push_back({{"name", kind.name + where}, {"without", found.without}, {"with", found.with}});
        trial.folder.say(fmt::format("  {}{}: {} without, {} with, largest {}, at rest {}", kind.name, where, row[1],
                                     row[3], row[4], rest));
    };
    for (const Kind& kind : kinds) {
        const Drifts found = drifts_of<2>(kind, n, steps);
        const double speed = unrest(kind, 32);
        add(kind, found, "", fmt::format("{:.1e}", speed));
        json.back()["unrest"] = speed;
        trial.judge.expect(std::string(kind.name) + ": speed at rest / sqrt(g H) [-]", speed,
                           at_most(1e-9, "the solver's tolerance; docs/validation.md: 2e-13"));
        const int colour = static_cast<int>(&kind - kinds.data());
        plot.series.push_back(line_of(found.without, kind.name, PlotSeries::Style::dashed, colour));
        plot.series.push_back(
            line_of(found.with, kind.name + std::string(", corrected"), PlotSeries::Style::line, colour));
    }
    if (!trial.quick) add(kinds[0], drifts_of<3>(kinds[0], 24, steps), ", in space", "-");
    trial.folder.write_plot("sloshing", plot);
    trial.folder.write("sloshing.json", json.dump(1) + "\n");
    trial.folder.write("sloshing.md",
                       fmt::format("# Volume of a sloshing tank over {} steps, {} cells\n\n{}\n![volume](sloshing."
                                   "svg)\n",
                                   steps, n, table.text()));
}

}  // namespace tidelock::validation
