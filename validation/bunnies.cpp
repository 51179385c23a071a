/// The scene bunnies-in-pool: how deep bodies ever reach into each other, and whether what floats displaces its weight.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "grid/interpolate.h"
#include "items.h"
#include "reproduce/study_run.h"
#include "scene/scene.h"

namespace tidelock::validation {

namespace {

/// Share of a body's volume below the water's surface: of points spread evenly over it. The level set goes on into
/// solids as the surface around them does.
double wet_share(const Liquid<3>& liquid, const RigidBody<3>& body) {
    constexpr int tries = 20000;
    const Pose<3> pose = body.pose();
    Sampler<3, double> phi(liquid.phi, Centring<3>::cell(), liquid.grid);
    const Random random(1);
    int inside = 0, wet = 0;
    for (std::uint64_t k = 0; k < tries; ++k) {
        const Vec3 x = body.radius * (2 * random.point<3>(k) - Vec3::Ones());
        if (body.distance(x) >= 0) continue;
        ++inside;
        wet += phi.linear(liquid.grid.to_cells(pose.to_world(x))) < 0 ? 1 : 0;
    }
    return inside > 0 ? static_cast<double>(wet) / inside : 0;
}

}  // namespace

void validate_bunnies(bool quick, const ReportFolder& folder) {
    const int n = quick ? 20 : 48;
    scene::Scene scene = reproduce::library_scene("bunnies-in-pool", {fmt::format("domain.cells=[{0},{0},{0}]", n)});
    scene.fluid.sources.clear();  // it would stir them up again
    scene.time.duration = quick ? 0.1 : 5;
    const double last = scene.time.duration - (quick ? 0.05 : 1.5), water = scene.fluid.density;
    double deepest = 0, weight = 0, lift = 0, displaced = 0, mass = 0, dx = 0;
    int steps = 0, touching = 0, samples = 0;
    std::vector<double> share;
    reproduce::run_study<3>(
        scene, [](CouplingParameters<3>&) {},
        [&](const World<3>& world, const StepReport<3>& report) {
            dx = world.liquid.grid.dx;
            deepest = std::max(deepest, report.max_penetration);
            ++steps;
            touching += report.contacts > 0 ? 1 : 0;
            if (steps % 50 == 0)
                folder.say(fmt::format("  t = {:.2f} s: {} contacts, overlap so far {:.3f} cells", world.time,
                                       report.contacts, deepest / dx));
            if (world.time < last) return true;
            share.resize(world.bodies.size());
            for (std::size_t i = 0; i < world.bodies.size(); ++i) {
                const auto& body = world.bodies[i];
                const double part = wet_share(world.liquid, body), volume = body.mass / scene.solids[i].density;
                share[i] += part;
                displaced += report.dt * water * part * volume;
                mass += report.dt * body.mass;
                lift += report.dt * report.loads[i].force[1];
            }
            weight += report.dt;
            ++samples;
            return true;
        });
    MarkdownTable table;
    table.head = {"cells", "steps (in contact)", "deepest overlap", "lift / weight", "displaced water / mass"};
    table.rows.push_back({fmt::format("{0} x {0} x {0}", n), fmt::format("{} ({})", steps, touching),
                          fmt::format("{:.3f} cells", deepest / dx), fmt::format("{:.3f}", lift / (mass * 9.81)),
                          fmt::format("{:.3f}", displaced / mass)});
    nlohmann::ordered_json json = {{"cells", n},
                                   {"steps", steps},
                                   {"touching", touching},
                                   {"overlap_cells", deepest / dx},
                                   {"lift_over_weight", lift / (mass * 9.81)},
                                   {"displaced_over_mass", displaced / mass}};
    for (const double s : share) json["wet_share"].push_back(s / std::max(1, samples));
    folder.write("bunnies.json", json.dump(1) + "\n");
    folder.write("bunnies.md", fmt::format("# Twenty bunnies in a pool, the last 1.5 of {:g} s\n\n{}",
                                           scene.time.duration, table.text()));
}

}  // namespace tidelock::validation
