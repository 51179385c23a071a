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
        drift.push_back(pool.world.liquid().ledger.drift());
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

}  // namespace

void validate_sloshing(bool quick, const ReportFolder& folder) {
    const int n = quick ? 24 : 48, steps = quick ? 100 : 1000;
    MarkdownTable table;
    table.head = {"",        "drift at the end, no correction", "largest", "with the correction",
                  "largest", "speed at rest / sqrt(g H)"};
    nlohmann::ordered_json json;
    Plot plot;
    plot.title = "Volume of a sloshing tank";
    plot.x_label = "step";
    plot.y_label = "drift, %";
    for (const Kind& kind : kinds) {
        const auto without = slosh<2>(kind, n, steps, false), with = slosh<2>(kind, n, steps, true);
        const double speed = unrest(kind, 32);
        table.rows.push_back({fmt::format("`{}`", kind.name), fmt::format("{:+.2f} %", 100 * without.back()),
                              fmt::format("{:.2f} %", 100 * largest(without)),
                              fmt::format("{:+.3f} %", 100 * with.back()), fmt::format("{:.2f} %", 100 * largest(with)),
                              fmt::format("{:.1e}", speed)});
        json.push_back({{"name", kind.name}, {"without", without}, {"with", with}, {"unrest", speed}});
        folder.say(fmt::format("  {}: {} without, {} with, largest {}, at rest {:.1e}", kind.name, table.rows.back()[1],
                               table.rows.back()[3], table.rows.back()[4], speed));
        for (const auto& [values, on] : {std::pair{&without, false}, {&with, true}}) {
            PlotSeries series{kind.name + std::string(on ? ", corrected" : ""),
                              {},
                              {},
                              on ? PlotSeries::Style::line : PlotSeries::Style::dashed};
            series.colour = static_cast<int>(&kind - kinds.data());
            for (std::size_t i = 0; i < values->size(); ++i)
                series.x.push_back(static_cast<double>(i + 1)), series.y.push_back(100 * (*values)[i]);
            plot.series.push_back(std::move(series));
        }
    }
    if (!quick) {
        const auto without = slosh<3>(kinds[0], 24, steps, false), with = slosh<3>(kinds[0], 24, steps, true);
        table.rows.push_back(
            {fmt::format("`{}`, in space", kinds[0].name), fmt::format("{:+.2f} %", 100 * without.back()),
             fmt::format("{:.2f} %", 100 * largest(without)), fmt::format("{:+.3f} %", 100 * with.back()),
             fmt::format("{:.2f} %", 100 * largest(with)), "-"});
        json.push_back({{"name", "in space"}, {"without", without}, {"with", with}});
    }
    folder.write_plot("sloshing", plot);
    folder.write("sloshing.json", json.dump(1) + "\n");
    folder.write("sloshing.md",
                 fmt::format("# Volume of a sloshing tank over {} steps, {} cells\n\n{}\n![volume](sloshing.svg)\n",
                             steps, n, table.text()));
}

}  // namespace tidelock::validation
