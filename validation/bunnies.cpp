/// The scene bunnies-in-pool: how deep bodies ever reach into each other, and whether what floats displaces its weight.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "items.h"
#include "reproduce/study_run.h"
#include "scene/scene.h"

namespace tidelock::validation {

namespace {

/// Mean height of the water, over columns of cells where no body is near the surface [m].
double water_level(const World<3>& world) {
    const Grid<3>& grid = world.domain.grid;
    const auto& bodies = world.solids.bodies;
    const auto& phi = world.liquid().phi;
    double sum = 0;
    int columns = 0;
    for (int i = 0; i < grid.cells[0]; ++i)
        for (int k = 0; k < grid.cells[2]; ++k)
            for (int j = grid.cells[1] - 2; j >= 0; --j) {
                const double here = phi.at({i, j, k}), above = phi.at({i, j + 1, k});
                if (here >= 0) continue;
                Vec3 x = grid.cell_centre({i, j, k});
                x[1] += grid.dx * here / (here - above);
                const bool covered = std::any_of(bodies.begin(), bodies.end(), [&](const auto& body) {
                    return (x - body.position).norm() < body.radius + 2 * grid.dx &&
                           body.distance(body.pose().to_body(x)) < 2 * grid.dx;
                });
                if (!covered) sum += x[1], ++columns;
                break;
            }
    return columns > 0 ? sum / columns : 0;
}

/// Points of a lattice that lie in a body, in its frame: enough that shares of them are shares of its volume.
std::vector<Vec3> points_inside(const RigidBody<3>& body) {
    constexpr int across = 60;
    std::vector<Vec3> out;
    for (int n = 0; n < across * across * across; ++n) {
        const Coord<3> place(n % across, n / across % across, n / across / across);
        const Vec3 x = body.radius * ((2 * place.cast<double>().array() + 1) / across - 1).matrix();
        if (body.distance(x) < 0) out.push_back(x);
    }
    return out;
}

/// Share of a body's volume below a level.
double wet_share(double level, const RigidBody<3>& body, const std::vector<Vec3>& points) {
    const Pose<3> pose = body.pose();
    const auto wet =
        std::count_if(points.begin(), points.end(), [&](const Vec3& x) { return pose.to_world(x)[1] < level; });
    return static_cast<double>(wet) / static_cast<double>(points.size());
}

struct Floating {
    int steps = 0, touching = 0;
    double deepest = 0;    ///< overlap, at any step [cells]
    double lift = 0;       ///< of the water's force over the bodies' weight, at the end [-]
    double displaced = 0;  ///< mass of the water below its level that bodies take the place of, over theirs [-]
    std::vector<double> share;
};

/// The mean over the time from `last` on is the end.
Floating float_bunnies(scene::Scene scene, double last, const ReportFolder& folder) {
    scene.fluid.sources.clear();  // it would stir them up again
    const double water = scene.fluid.density;
    Floating out;
    double mass = 0;
    int samples = 0;
    std::vector<std::vector<Vec3>> points;
    reproduce::run_study<3>(
        scene, [](MethodSetup<3>&) {},
        [&](const Session<3>& session, const StepDone<3>& done) {
            const World<3>& world = session.world();
            const StepReport<3>& report = done.report;
            out.deepest = std::max(out.deepest, report.max_penetration / world.domain.grid.dx);
            out.touching += report.contacts > 0 ? 1 : 0;
            if (++out.steps % 50 == 0)
                folder.say(fmt::format("  t = {:.2f} s: {} contacts, overlap so far {:.3f} cells", world.clock.time,
                                       report.contacts, out.deepest));
            if (world.clock.time < last) return true;
            out.share.resize(world.solids.bodies.size());
            if (points.empty())
                for (const auto& body : world.solids.bodies) points.push_back(points_inside(body));
            const double level = water_level(world);
            for (std::size_t i = 0; i < world.solids.bodies.size(); ++i) {
                const auto& body = world.solids.bodies[i];
                const double part = wet_share(level, body, points[i]), volume = body.mass / scene.solids[i].density;
                out.share[i] += part;
                out.displaced += report.dt * water * part * volume;
                out.lift += report.dt * report.loads[i].force[1];
                mass += report.dt * body.mass;
            }
            ++samples;
            return true;
        });
    out.displaced /= mass;
    out.lift /= mass * 9.81;
    for (double& s : out.share) s /= samples;
    return out;
}

struct Case {
    const char* surface;
    int cells;
};

void judge_floating(const Case& c, const Floating& found, bool quick, Judge& judge) {
    const std::string name = fmt::format("{}, {} cells: ", c.surface, c.cells);
    judge.expect(name + "deepest overlap [cells]", found.deepest,
                 at_most(0.01, "contact keeps bodies apart, but for the tolerance of its solve"));
    if (quick) return;  // they have not come to rest by then
    judge.expect(name + "lift / weight [-]", found.lift, around(1, 0.01, "what floats is carried"));
    judge.expect(name + "displaced water / mass [-]", found.displaced,
                 around(1, 0.03, "Archimedes; chance alone moves it by 0.014"));
}

}  // namespace

void validate_bunnies(const Trial& trial) {
    const std::vector<Case> cases =
        trial.quick ? std::vector<Case>{{"particle-level-set", 20}, {"particles", 20}}
                    : std::vector<Case>{{"particle-level-set", 48}, {"particle-level-set", 64}, {"particles", 48}};
    MarkdownTable table;
    table.head = {"surface",         "cells",         "steps (in contact)",
                  "deepest overlap", "lift / weight", "displaced water / mass"};
    nlohmann::ordered_json json;
    const double duration = trial.quick ? 0.1 : 5, last = trial.quick ? 0.05 : 3.5;
    for (const Case& c : cases) {
        const auto& [surface, n] = c;
        auto scene = reproduce::library_scene("bunnies-in-pool", {fmt::format("domain.cells=[{0},{0},{0}]", n),
                                                                  fmt::format("fluid.surface=\"{}\"", surface)});
        scene.time.duration = duration;
        const Floating found = float_bunnies(std::move(scene), last, trial.folder);
        judge_floating(c, found, trial.quick, trial.judge);
        table.rows.push_back({fmt::format("`{}`", surface), fmt::format("{0} x {0} x {0}", n),
                              fmt::format("{} ({})", found.steps, found.touching),
                              fmt::format("{:.3f} cells", found.deepest), fmt::format("{:.3f}", found.lift),
                              fmt::format("{:.3f}", found.displaced)});
        trial.folder.say(
            fmt::format("  {}, {} cells: displaced water / mass {}", surface, n, table.rows.back().back()));
        json.push_back({{"surface", surface},
                        {"cells", n},
                        {"steps", found.steps},
                        {"touching", found.touching},
                        {"overlap_cells", found.deepest},
                        {"lift_over_weight", found.lift},
                        {"displaced_over_mass", found.displaced},
                        {"wet_share", found.share}});
    }
    trial.folder.write("bunnies.json", json.dump(1) + "\n");
    trial.folder.write("bunnies.md", fmt::format("# Twenty bunnies in a pool, from {:g} to {:g} s\n\n{}", last,
                                                 duration, table.text()));
}

}  // namespace tidelock::validation
