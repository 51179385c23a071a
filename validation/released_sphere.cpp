/// numerics/cases 1 in a liquid: a sphere released from rest below a free surface.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "items.h"
#include "pool.h"

namespace tidelock::validation {

namespace {

/// Acceleration of the first step over (rf - rs) g / (rs + rf/2), less 1. The sphere has R cells, the tank is 12 R wide
/// and as deep.
double error(int radius, double ratio) {
    constexpr int widths = 12;
    Pool<3> pool(Coord3::Constant(widths * radius), 1.0 / radius, LiquidTransport::semi_lagrangian,
                 LiquidSurface::particle_level_set);
    pool.setup.solver.tolerance = 1e-8;
    pool.world.domain.sides.open[1][1] = true;
    pool.add(std::make_shared<Sphere<3>>(1.0), 1000 * ratio, Vec3::Constant(0.5 * widths + 0.13 / radius),
             BodyType::rigid);
    pool.fill_to(widths - 0.37);
    constexpr double dt = 1e-4;
    pool.step(dt);
    const double exact = (1 - ratio) * Pool<3>::g / (ratio + 0.5);
    return pool.world.solids.bodies[0].velocity[1] / dt / exact - 1;
}

}  // namespace

void validate_released_sphere(bool quick, const ReportFolder& folder) {
    const std::vector<int> radii = quick ? std::vector{3} : std::vector{3, 5, 8};
    MarkdownTable table;
    table.head = {"rs/rf"};
    for (const int radius : radii) table.head.push_back(fmt::format("R = {} cells", radius));
    nlohmann::ordered_json json;
    for (const double ratio : {1e-3, 0.1, 0.5, 2.0, 1e3}) {
        std::vector<std::string> row = {fmt::format("{:g}", ratio)};
        for (const int radius : radii) {
            const double e = error(radius, ratio);
            row.push_back(fmt::format("{:+.2f} %", 100 * e));
            json.push_back({{"ratio", ratio}, {"radius_cells", radius}, {"error", e}});
        }
        table.rows.push_back(row);
        folder.say(fmt::format("  rs/rf {:g}: {}", ratio, row.back()));
    }
    folder.write("released-sphere.json", json.dump(1) + "\n");
    folder.write("released-sphere.md", fmt::format("# A sphere released below a free surface\n\nError of its first "
                                                   "acceleration, in a tank of water 12 R wide and deep.\n\n{}",
                                                   table.text()));
}

}  // namespace tidelock::validation
