/// numerics/cases 2: a floating box has the draft T = H rs / rf, whatever the grid and the time step.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "items.h"
#include "pool.h"

namespace tidelock::validation {

namespace {

constexpr double height = 0.2, level = 0.5;  ///< H, and the water before the box lies in it [m]
const std::vector<double> ratios = {0.1, 0.25, 0.5, 0.9};
const std::vector<double> steps = {0.01, 0.005};  ///< [s]

struct Floated {
    double draft = 0;  ///< over H
    double level = 0;  ///< mean water level over what it should be, less 1
};

/// A box twice as wide as high (so that it floats upright), released above its draft in the plane, and its mean draft
/// over the second half of 5 s.
Floated float_box(int across, double ratio, double dt) {
    const double dx = height / across, width = 7.5 * height;
    Pool<2> pool(Coord2(15 * across / 2, 5 * across), dx, LiquidTransport::apic, LiquidSurface::particle_level_set);
    pool.liquid.correction = DriftCorrection::divergence;
    pool.world().domain.sides.open[1][1] = true;
    const double start = level + (0.5 - ratio) * height + 0.1 * height;
    pool.add(std::make_shared<Box<2>>(Vec2(2 * height, height)), 1000 * ratio, Vec2(0.5 * width + 0.31 * dx, start),
             BodyType::rigid);
    pool.fill_to(level);
    const double rest = (pool.world().liquid().ledger.expected + ratio * 2 * height * height) / width;
    Floated out;
    double weight = 0;
    while (pool.world().clock.time < 5) {
        const auto report = pool.step(dt);
        if (pool.world().clock.time < 2.5) continue;
        const double now = (pool.world().liquid().ledger.present + ratio * 2 * height * height) / width;
        out.draft += report.dt * (now - (pool.world().solids.bodies[0].position[1] - 0.5 * height)) / height;
        out.level += report.dt * (now / rest - 1);
        weight += report.dt;
    }
    return {out.draft / weight, out.level / weight};
}

/// Acceleration over g of a cube released from rest in space with this draft over H.
double acceleration(int across, double ratio, double draft) {
    const double dx = height / across;
    Pool<3> pool(Coord3(4 * across, 3 * across, 4 * across), dx, LiquidTransport::semi_lagrangian,
                 LiquidSurface::particle_level_set);
    pool.setup.solver.tolerance = 1e-9;
    const double water = 1.5 * height + 0.3 * dx;
    const double middle = 2 * height + 0.31 * dx;
    pool.add(std::make_shared<Box<3>>(Vec3::Constant(height)), 1000 * ratio,
             Vec3(middle, water + (0.5 - draft) * height, middle), BodyType::rigid);
    pool.fill_to(water);
    constexpr double dt = 1e-4;
    pool.step(dt);
    return pool.world().solids.bodies[0].velocity[1] / (dt * Pool<3>::g);
}

/// The draft over H at which the cube does not accelerate.
double balanced_draft(int across, double ratio) {
    double a = ratio - 0.02, b = ratio + 0.02;
    double fa = acceleration(across, ratio, a), fb = acceleration(across, ratio, b);
    for (int round = 0; round < 3 && std::abs(fb - fa) > 1e-12; ++round) {
        const double c = b - fb * (b - a) / (fb - fa);
        a = b, fa = fb;
        b = c, fb = acceleration(across, ratio, c);
    }
    return b;
}

/// The bar is 1 % of H, on any grid and with any time step.
const Band draft_in_plane = around(0, 1, "closed form, 1 % of H");
const Band draft_in_space = around(0, 0.5, "closed form; nothing moves, so that half the bar must do");

class PlaneDrafts {
  public:
    explicit PlaneDrafts(const Trial& trial) : trial_(trial) {
        plot.title = "Draft of a floating box";
        plot.x_label = "cells along its height";
        plot.y_label = "(draft - H rs/rf) / H, %";
        plot.log_x = true;
        table.head = {"cells along H", "dt, s"};
        for (const double ratio : ratios) {
            table.head.push_back(fmt::format("rs/rf = {:g}", ratio));
            for (const double dt : steps)
                plot.series.push_back(
                    {fmt::format("{:g}, dt {:g} s", ratio, dt), {}, {}, PlotSeries::Style::line_and_markers});
        }
        table.head.emplace_back("water level off");
    }

    void add(int across) {
        std::vector<double> coarse_step;
        for (std::size_t s = 0; s < steps.size(); ++s) {
            const auto errors = add(across, s);
            for (std::size_t r = 0; s > 0 && r < ratios.size(); ++r)
                trial_.judge.expect(
                    fmt::format("{} cells, rs/rf {:g}: draft changed by half the step [% of H]", across, ratios[r]),
                    errors[r] - coarse_step[r], around(0, 0.3, "a third of the bar"));
            coarse_step = errors;
        }
    }

    MarkdownTable table;
    Plot plot;
    nlohmann::ordered_json json;

  private:
    /// Returns what each draft is off [% of H].
    std::vector<double> add(int across, std::size_t step) {
        const double dt = steps[step];
        std::vector<std::string> row = {fmt::format("{}", across), fmt::format("{:g}", dt)};
        std::vector<double> errors;
        double level_off = 0;
        for (std::size_t r = 0; r < ratios.size(); ++r) {
            const Floated box = float_box(across, ratios[r], dt);
            const double error = 100 * (box.draft - ratios[r]);
            const std::string name = fmt::format("{} cells, dt {:g} s, rs/rf {:g}: ", across, dt, ratios[r]);
            trial_.judge.expect(name + "draft off [% of H]", error, draft_in_plane);
            trial_.judge.expect(name + "water level off [%]", 100 * box.level,
                                around(0, 0.01, "or drafts are right for the wrong reason; docs/validation.md: 0.002"));
            if (std::abs(box.level) > std::abs(level_off)) level_off = box.level;
            row.push_back(fmt::format("{:+.2f} %", error));
            plot.series[r * steps.size() + step].x.push_back(across);
            plot.series[r * steps.size() + step].y.push_back(error);
            json.push_back(
                {{"cells", across}, {"dt", dt}, {"ratio", ratios[r]}, {"draft", box.draft}, {"level", box.level}});
            trial_.folder.say(fmt::format("  {}draft {:.4f}", name, box.draft));
            errors.push_back(error);
        }
        row.push_back(fmt::format("{:+.3f} %", 100 * level_off));
        table.rows.push_back(row);
        return errors;
    }

    const Trial& trial_;
};

struct SpaceDrafts {
    MarkdownTable table;
    nlohmann::ordered_json json;
};

SpaceDrafts drafts_in_space(const std::vector<int>& sizes, Judge& judge) {
    SpaceDrafts out;
    out.table.head = {"cells along H"};
    for (const double ratio : ratios) out.table.head.push_back(fmt::format("rs/rf = {:g}", ratio));
    for (const int across : sizes) {
        std::vector<std::string> row = {fmt::format("{}", across)};
        for (const double ratio : ratios) {
            const double draft = balanced_draft(across, ratio);
            row.push_back(fmt::format("{:+.2f} %", 100 * (draft - ratio)));
            out.json.push_back({{"cells", across}, {"ratio", ratio}, {"draft", draft}});
            judge.expect(fmt::format("in space, {} cells, rs/rf {:g}: draft off [% of H]", across, ratio),
                         100 * (draft - ratio), draft_in_space);
        }
        out.table.rows.push_back(row);
    }
    return out;
}

}  // namespace

void validate_drafts(const Trial& trial) {
    const std::vector<int> sizes = trial.quick ? std::vector{8} : std::vector{8, 12, 16};
    PlaneDrafts plane(trial);
    for (const int across : sizes) plane.add(across);
    const SpaceDrafts space = drafts_in_space(sizes, trial.judge);
    trial.folder.write_plot("drafts", plane.plot);
    nlohmann::ordered_json json;
    json["plane"] = plane.json;
    json["space"] = space.json;
    trial.folder.write("drafts.json", json.dump(1) + "\n");
    trial.folder.write(
        "drafts.md",
        fmt::format("# Floating boxes: draft less H rs/rf, over H\n\nIn the plane, a box 2 H wide in a tank 7.5 H "
                    "wide with 2.5 H of water, released 0.1 H above its draft; mean of 2.5 to 5 s.\n\n{}\n"
                    "In space, a cube in a tank 4 H wide: the draft at which it does not accelerate when "
                    "released.\n\n{}\n![drafts](drafts.svg)\n",
                    plane.table.text(), space.table.text()));
}

}  // namespace tidelock::validation
