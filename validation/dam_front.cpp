/// The front of a dam break against the measurements of Martin 1952: a column a wide and 2a high.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "items.h"
#include "pool.h"

namespace tidelock::validation {

namespace {

constexpr double a = 0.05715;  ///< [m]
/// T = t sqrt(2 g / a), Z = front / a.
const std::vector<double> measured_t = {0.41, 0.84, 1.19, 1.43, 1.63, 1.83, 1.98, 2.20,
                                        2.32, 2.51, 2.65, 2.83, 2.98, 3.11, 3.33};
const std::vector<double> measured_z = {1.11, 1.22, 1.44, 1.67, 1.89, 2.11, 2.33, 2.56,
                                        2.78, 3.00, 3.22, 3.44, 3.67, 3.89, 4.11};
constexpr double largest_shift = 0.1;  ///< the experiment's zero of time is uncertain by as much

struct Front {
    std::string name;
    std::vector<double> t, z;

    [[nodiscard]] double at(double time) const {
        std::size_t i = 1;
        while (i + 1 < t.size() && t[i] < time) ++i;
        const double f = (time - t[i - 1]) / (t[i] - t[i - 1]);
        return z[i - 1] + f * (z[i] - z[i - 1]);
    }
    /// Largest relative error for T in 1 to 3 when the measured times are moved by `shift`.
    [[nodiscard]] double error(double shift) const {
        double worst = 0;
        for (std::size_t i = 0; i < measured_t.size(); ++i)
            if (measured_t[i] >= 1 && measured_t[i] <= 3)
                worst = std::max(worst, std::abs(at(measured_t[i] + shift) / measured_z[i] - 1));
        return worst;
    }
    [[nodiscard]] double best_shift() const {
        double best = 0;
        for (int k = -20; k <= 20; ++k)
            if (const double s = largest_shift * k / 20; error(s) < error(best)) best = s;
        return best;
    }
};

/// How far the liquid reaches along the floor [m]: in the lowest row of cells, in the middle of the tank.
template <int D>
double reach(const Liquid<D>& liquid) {
    const Grid<D>& grid = liquid.grid;
    Coord<D> cell = Coord<D>::Zero();
    if constexpr (D == 3) cell[2] = grid.cells[2] / 2;
    for (cell[0] = grid.cells[0] - 1; cell[0] > 0; --cell[0]) {
        const double here = liquid.phi.at(cell);
        if (here >= 0) continue;
        Coord<D> next = cell;
        ++next[0];
        const double beyond = next[0] < grid.cells[0] ? liquid.phi.at(next) : -here;
        return grid.cell_centre(cell)[0] + grid.dx * std::min(1.0, -here / (beyond - here));
    }
    return 0;
}

template <int D>
Front run(int across, LiquidTransport transport, LiquidSurface surface, std::string name) {
    Coord<D> cells = Coord<D>::Constant(across);
    cells[0] = 5 * across;
    cells[1] = 5 * across / 2;
    Pool<D> pool(cells, a / across, transport, surface);
    pool.parameters.cfl = 1;
    pool.sides.open[1][1] = true;
    pool.fill([](const Vec<D>& x) { return std::max(x[0] - a, x[1] - 2 * a); });
    const double unit = std::sqrt(2 * Pool<D>::g / a);
    Front out{std::move(name), {0}, {1}};
    while (out.t.back() < 3.5) {
        pool.step(0.005);
        out.t.push_back(pool.world.time * unit);
        out.z.push_back(reach<D>(pool.world.liquid) / a);
    }
    return out;
}

}  // namespace

void validate_dam_front(bool quick, const ReportFolder& folder) {
    using enum LiquidTransport;
    struct Kind {
        const char* name;
        LiquidTransport transport;
        LiquidSurface surface;
    };
    const std::vector<Kind> kinds = {{"flip", flip, LiquidSurface::particles},
                                     {"apic", apic, LiquidSurface::particles},
                                     {"narrow-band-flip", narrow_band_flip, LiquidSurface::particles},
                                     {"apic, particle-level-set", apic, LiquidSurface::particle_level_set},
                                     {"semi-lagrangian", semi_lagrangian, LiquidSurface::particle_level_set}};
    const std::vector<int> sizes = quick ? std::vector{16} : std::vector{16, 32, 64};
    MarkdownTable table;
    table.head = {"",           "a in cells", "largest error, T 1 to 3",
                  "shift of T", "with it",    "Z at T = 2.98 (measured 3.67)"};
    nlohmann::ordered_json json;
    Plot plot;
    plot.title = "Front of a dam break, finest grids";
    plot.x_label = "T = t sqrt(2 g / a)";
    plot.y_label = "Z = front / a";
    plot.series.push_back({"Martin and Moyce 1952", measured_t, measured_z, PlotSeries::Style::markers});
    const auto add = [&](const Front& front, int across, bool draw) {
        const double shift = front.best_shift();
        table.rows.push_back({fmt::format("`{}`", front.name), fmt::format("{}", across),
                              fmt::format("{:.1f} %", 100 * front.error(0)), fmt::format("{:+.3f}", shift),
                              fmt::format("{:.1f} %", 100 * front.error(shift)),
                              fmt::format("{:.2f}", front.at(2.98))});
        json.push_back({{"name", front.name},
                        {"cells", across},
                        {"error", front.error(0)},
                        {"shift", shift},
                        {"shifted_error", front.error(shift)},
                        {"T", front.t},
                        {"Z", front.z}});
        folder.say(fmt::format("  {}, {} cells: {}, shifted {}", front.name, across, table.rows.back()[2],
                               table.rows.back()[4]));
        if (draw) plot.series.push_back({front.name, front.t, front.z, PlotSeries::Style::line});
    };
    for (const Kind& kind : kinds)
        for (const int across : sizes)
            add(run<2>(across, kind.transport, kind.surface, kind.name), across, across == sizes.back());
    const int space = quick ? 8 : 24;
    add(run<3>(space, flip, LiquidSurface::particles, "flip, in space"), space, true);
    folder.write_plot("dam-front", plot);
    folder.write("dam-front.json", json.dump(1) + "\n");
    folder.write("dam-front.md",
                 fmt::format("# Front of a dam break (Martin 1952)\n\n{}\n![front](dam-front.svg)\n", table.text()));
}

}  // namespace tidelock::validation
