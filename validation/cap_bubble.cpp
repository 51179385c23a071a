/// VALIDATION A16: a large bubble rises with (2/3) sqrt(g R), in the plane with (1/2) sqrt(g R), where R is the radius
/// of the cap that it has become (Davies 1950).
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <type_traits>

#include "items.h"
#include "pool.h"

namespace tidelock::validation {

namespace {

struct Cap {
    double nose = 0;    ///< height of the highest point [m]
    double radius = 0;  ///< of the cap around it [m]
    double width = 0;   ///< greatest distance of the surface from the axis [m]
};

/// The cap of the largest bubble: a circle (sphere) about a point of the axis through its upper surface, by least
/// squares, as far out as 0.6 of its width.
template <int D>
Cap fit_cap(const Liquid<D>& liquid, const std::vector<BubbleReport>& bubbles, const Vec<D>& axis) {
    const auto largest = std::max_element(bubbles.begin(), bubbles.end(),
                                          [](const auto& a, const auto& b) { return a.volume < b.volume; });
    const auto wanted = 2 + static_cast<std::int32_t>(largest - bubbles.begin());
    const auto& label = liquid.bubbles.label;
    const Grid<D>& grid = liquid.grid;
    std::vector<std::pair<double, double>> points;  // distance from the axis, height
    Cap out;
    for (std::ptrdiff_t b = 0; b < label.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (label.brick(b)[i] != wanted) continue;
            const Coord<D> cell = first_cell<D>(label.set().brick(b)) + local_coord<D>(i);
            const Coord<D> next = cell + Coord<D>::Unit(1);
            const double here = liquid.phi.at(cell), there = liquid.phi.at(next);
            if (there >= 0) continue;
            Vec<D> x = grid.cell_centre(cell);
            x[1] += grid.dx * here / (here - there);
            Vec<D> off = x - axis;
            off[1] = 0;
            points.emplace_back(off.norm(), x[1]);
            out.nose = std::max(out.nose, x[1]);
            out.width = std::max(out.width, off.norm());
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

template <int D>
constexpr double closed_form = D == 2 ? 0.5 : 2.0 / 3;  ///< U / sqrt(g R)

struct Rise {
    std::vector<double> time, nose, radius, froude;
    double mean_froude = 0, mean_radius = 0, mean_speed = 0, volume_error = 0;
};

/// The flow that Davies and Taylor think of: a cap of 50 degrees of a sphere, whose rest is wake; the sphere moves with
/// `speed`, and the liquid around it as a potential flow.
template <int D>
void set_flow(const Vec<D>& centre, double radius, double speed, Liquid<D>& liquid) {
    auto& u = liquid.velocity;
    const Vec<D> up = Vec<D>::Unit(1);
    for (std::ptrdiff_t b = 0; b < u.set().count(); ++b)
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> face = first_cell<D>(u.set().brick(b)) + local_coord<D>(i);
                const Vec<D> x = liquid.grid.position(face, Centring<D>::face(a)) - centre;
                const double r = x.norm();
                Vec<D> v = speed * up;
                if (r > radius) {
                    const Vec<D> n = x / r;
                    v = speed * std::pow(radius / r, D) / (D - 1) * (D * up.dot(n) * n - up);
                }
                u[a].brick(b)[i] = v[a];
            }
}

/// The mean of U / sqrt(g R) while the nose rises from 0.1 to 0.9 R above where it began, in a tank 12 R wide. Later an
/// inviscid cap breaks up: its wake pierces it.
template <int D>
Rise rise(int across) {
    constexpr double radius = 0.1, half_angle = 50 * std::numbers::pi / 180;
    const double dx = radius / across, width = 12 * radius, level = 11 * radius;
    Coord<D> cells = Coord<D>::Constant(12 * across);
    cells[1] = 13 * across;
    Pool<D> pool(cells, dx, LiquidTransport::semi_lagrangian, LiquidSurface::particle_level_set);
    pool.parameters.liquid.bubbles = true;
    pool.parameters.cfl = 1;
    pool.sides.open[1][1] = true;
    Vec<D> centre = Vec<D>::Constant(0.5 * width);
    centre[1] = 3 * radius;
    const double base = centre[1] + radius * std::cos(half_angle);
    pool.fill(
        [&](const Vec<D>& x) { return std::max(x[1] - level, -std::max((x - centre).norm() - radius, base - x[1])); });
    set_flow<D>(centre, radius, closed_form<D> * std::sqrt(Pool<D>::g * radius), pool.world.liquid);
    Rise out;
    double volume = 0;
    while (pool.world.time < 3) {
        const auto report = pool.step(0.01);
        double now = 0;
        for (const auto& bubble : report.bubbles) now += bubble.volume;
        if (volume == 0) volume = now;
        if (report.bubbles.empty()) break;
        const Cap cap = fit_cap<D>(pool.world.liquid, report.bubbles, centre);
        if (cap.nose > centre[1] + 2 * radius) break;
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
        if (out.nose[i] < centre[1] + 1.1 * radius || out.nose[i] > centre[1] + 1.9 * radius) continue;
        out.mean_froude += out.froude.back(), out.mean_radius += out.radius[i], out.mean_speed += speed, weight += 1;
    }
    out.mean_froude /= weight, out.mean_radius /= weight, out.mean_speed /= weight;
    return out;
}

}  // namespace

void validate_cap_bubble(bool quick, const ReportFolder& folder) {
    MarkdownTable table;
    table.head = {"",    "R at first, cells", "R, m", "U, m/s", "U / sqrt(g R)", "closed form",
                  "off", "volume kept within"};
    nlohmann::ordered_json json;
    Plot plot;
    plot.title = "Rise of a bubble";
    plot.x_label = "time, s";
    plot.y_label = "U / sqrt(g R)";
    plot.y_min = 0, plot.y_max = 1.5;
    const auto add = [&]<int D>(std::integral_constant<int, D>, int across) {
        const Rise found = rise<D>(across);
        const char* name = D == 2 ? "plane" : "space";
        const double exact = closed_form<D>;
        table.rows.push_back({name, fmt::format("{}", across), fmt::format("{:.3f}", found.mean_radius),
                              fmt::format("{:.3f}", found.mean_speed), fmt::format("{:.3f}", found.mean_froude),
                              fmt::format("{:.3f}", exact),
                              fmt::format("{:+.0f} %", 100 * (found.mean_froude / exact - 1)),
                              fmt::format("{:.2f} %", 100 * found.volume_error)});
        json.push_back({{"name", name},
                        {"cells", across},
                        {"froude", found.mean_froude},
                        {"exact", exact},
                        {"time", found.time},
                        {"nose", found.nose},
                        {"radius", found.radius},
                        {"volume_error", found.volume_error}});
        folder.say(fmt::format("  {}, {} cells: {} ({}), R {}, volume {}", name, across, table.rows.back()[4],
                               table.rows.back()[6], table.rows.back()[2], table.rows.back()[7]));
        plot.series.push_back(
            {fmt::format("{}, R {} cells", name, across), found.time, found.froude, PlotSeries::Style::line});
    };
    for (const int across : quick ? std::vector{8} : std::vector{8, 12, 16, 24, 32})
        add(std::integral_constant<int, 2>(), across);
    for (const int across : quick ? std::vector{5} : std::vector{6, 8, 10})
        add(std::integral_constant<int, 3>(), across);
    folder.write_plot("cap-bubble", plot);
    folder.write("cap-bubble.json", json.dump(1) + "\n");
    folder.write("cap-bubble.md",
                 fmt::format("# Rise of a cap bubble (Davies 1950)\n\n{}\n![rise](cap-bubble.svg)\n", table.text()));
}

}  // namespace tidelock::validation
