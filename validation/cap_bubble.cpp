/// VALIDATION A16: a large bubble rises with (2/3) sqrt(g R), in the plane with (1/2) sqrt(g R), where R is the radius
/// of the cap that it has become (Davies 1950).
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "items.h"
#include "pool.h"

namespace tidelock::validation {

namespace {

struct Cap {
    double nose = 0;    ///< height of the highest point [m]
    double radius = 0;  ///< of the cap around it [m]
    double width = 0;   ///< greatest distance of the surface from the axis [m]
};

/// The cap of the air that is trapped: a circle (sphere) about a point of the axis through its surface, by least
/// squares, as far out as 0.6 of its width.
template <int D>
Cap fit_cap(const Liquid<D>& liquid, const Vec<D>& axis) {
    const auto& label = liquid.bubbles.label;
    const Grid<D>& grid = liquid.grid;
    std::vector<std::pair<double, double>> points;  // distance from the axis, height
    Cap out;
    for (std::ptrdiff_t b = 0; b < label.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (label.brick(b)[i] < 2) continue;
            const Coord<D> cell = first_cell<D>(label.set().brick(b)) + local_coord<D>(i);
            for (int k = 0; k < D; ++k)
                for (const int step : {-1, 1}) {
                    Coord<D> next = cell;
                    next[k] += step;
                    const double here = liquid.phi.at(cell), there = liquid.phi.at(next);
                    if (!grid.contains(next) || there >= 0 || (k == 1 && step < 0)) continue;
                    Vec<D> x = grid.cell_centre(cell);
                    x[k] += step * grid.dx * here / (here - there);
                    Vec<D> off = x - axis;
                    off[1] = 0;
                    points.emplace_back(off.norm(), x[1]);
                    out.nose = std::max(out.nose, x[1]);
                    out.width = std::max(out.width, off.norm());
                }
        }
    // r^2 + y^2 = a y + b
    double s = 0, sy = 0, syy = 0, sq = 0, sqy = 0;
    for (const auto& [r, height] : points) {
        const double y = height - out.nose;
        if (r > 0.6 * out.width || y < -0.5 * out.width) continue;
        const double q = r * r + y * y;
        s += 1, sy += y, syy += y * y, sq += q, sqy += q * y;
    }
    const double det = s * syy - sy * sy;
    if (!(std::abs(det) > 0)) return out;
    const double a = (s * sqy - sy * sq) / det, b = (syy * sq - sy * sqy) / det;
    out.radius = std::sqrt(std::max(0.0, b + 0.25 * a * a));
    return out;
}

struct Rise {
    std::vector<double> time, nose, radius, froude;
    double mean_froude = 0, mean_radius = 0, mean_speed = 0, volume_error = 0;
};

/// A ball of air of radius r at rest in a tank 10 r wide (8 r in space); the mean of U / sqrt(g R) from when it has
/// risen by 3 r until it is 2 r below the surface.
template <int D>
Rise rise(int across) {
    const double r = 0.1, dx = 2 * r / across, width = D == 2 ? 10 * r : 8 * r, level = D == 2 ? 16 * r : 11 * r;
    Coord<D> cells = Coord<D>::Constant(static_cast<int>(std::lround(width / dx)));
    cells[1] = static_cast<int>(std::lround((level + 2 * r) / dx));
    Pool<D> pool(cells, dx, LiquidTransport::semi_lagrangian, LiquidSurface::particle_level_set);
    pool.parameters.liquid.bubbles = true;
    pool.parameters.cfl = 1;
    pool.sides.open[1][1] = true;
    Vec<D> centre = Vec<D>::Constant(0.5 * width);
    centre[1] = 2.5 * r;
    pool.fill([&](const Vec<D>& x) { return std::max(x[1] - level, r - (x - centre).norm()); });
    Rise out;
    double volume = 0;
    while (pool.world.time < 6) {
        const auto report = pool.step(0.01);
        double now = 0;
        for (const auto& bubble : report.bubbles) now += bubble.volume;
        if (volume == 0) volume = now;
        const Cap cap = fit_cap<D>(pool.world.liquid, centre);
        if (report.bubbles.empty() || cap.nose > level - 2 * r) break;
        out.volume_error = std::max(out.volume_error, std::abs(now / volume - 1));
        out.time.push_back(pool.world.time);
        out.nose.push_back(cap.nose);
        out.radius.push_back(cap.radius);
    }
    // Speed: a straight line through the heights of 0.1 s.
    double weight = 0;
    for (std::size_t i = 0; i < out.time.size(); ++i) {
        double n = 0, t = 0, y = 0, tt = 0, ty = 0;
        for (std::size_t j = 0; j < out.time.size(); ++j) {
            const double dt = out.time[j] - out.time[i];
            if (std::abs(dt) > 0.05) continue;
            n += 1, t += dt, y += out.nose[j], tt += dt * dt, ty += dt * out.nose[j];
        }
        const double speed = n > 2 ? (n * ty - t * y) / (n * tt - t * t) : 0;
        out.froude.push_back(speed / std::sqrt(Pool<D>::g * out.radius[i]));
        if (out.nose[i] < centre[1] + 4 * r) continue;
        out.mean_froude += out.froude.back(), out.mean_radius += out.radius[i], out.mean_speed += speed, weight += 1;
    }
    out.mean_froude /= weight, out.mean_radius /= weight, out.mean_speed /= weight;
    return out;
}

}  // namespace

void validate_cap_bubble(bool quick, const ReportFolder& folder) {
    MarkdownTable table;
    table.head = {"",    "diameter in cells", "R, m", "U, m/s", "U / sqrt(g R)", "closed form",
                  "off", "volume kept within"};
    nlohmann::ordered_json json;
    Plot plot;
    plot.title = "Rise of a bubble";
    plot.x_label = "time, s";
    plot.y_label = "U / sqrt(g R)";
    plot.y_min = 0, plot.y_max = 1.5;
    const auto add = [&](const char* name, int across, double exact, const Rise& rise) {
        table.rows.push_back({name, fmt::format("{}", across), fmt::format("{:.3f}", rise.mean_radius),
                              fmt::format("{:.3f}", rise.mean_speed), fmt::format("{:.3f}", rise.mean_froude),
                              fmt::format("{:.3f}", exact),
                              fmt::format("{:+.0f} %", 100 * (rise.mean_froude / exact - 1)),
                              fmt::format("{:.2f} %", 100 * rise.volume_error)});
        json.push_back({{"name", name},
                        {"cells", across},
                        {"froude", rise.mean_froude},
                        {"exact", exact},
                        {"time", rise.time},
                        {"nose", rise.nose},
                        {"radius", rise.radius},
                        {"volume_error", rise.volume_error}});
        folder.say(fmt::format("  {}, {} cells: {} ({}), volume {}", name, across, table.rows.back()[4],
                               table.rows.back()[6], table.rows.back()[7]));
        plot.series.push_back(
            {fmt::format("{}, {} cells", name, across), rise.time, rise.froude, PlotSeries::Style::line});
    };
    for (const int across : quick ? std::vector{8} : std::vector{12, 18, 24})
        add("plane", across, 0.5, rise<2>(across));
    for (const int across : quick ? std::vector{6} : std::vector{8, 12, 16})
        add("space", across, 2.0 / 3, rise<3>(across));
    folder.write_plot("cap-bubble", plot);
    folder.write("cap-bubble.json", json.dump(1) + "\n");
    folder.write("cap-bubble.md",
                 fmt::format("# Rise of a cap bubble (Davies 1950)\n\n{}\n![rise](cap-bubble.svg)\n", table.text()));
}

}  // namespace tidelock::validation
