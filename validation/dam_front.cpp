/// The front of a dam break against the measurements of [MM52], and against an ideal fluid.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "dam.h"
#include "items.h"

namespace tidelock::validation {

namespace {

constexpr double until = 3.5, allowed = 0.1, any = 0.5;  // of T: the experiment's zero of time is uncertain
constexpr double bar = 10;                               // off the measured with `allowed` [%]

/// How far a front is off both references; times are moved by `shift` where it says so.
struct Distances {
    double ideal, measured, shift, shifted, delay, delayed;  // [%], shift and delay of T

    Distances(const Front& front, const Front& ideal_one, const Front& measured_one)
        : ideal(100 * front.off(ideal_one)),
          measured(100 * front.off(measured_one)),
          shift(best_shift(front, measured_one, allowed)),
          shifted(100 * front.off(measured_one, shift)),
          delay(best_shift(front, measured_one, any)),
          delayed(100 * front.off(measured_one, delay)) {}
};

std::string percent(double value) { return fmt::format("{:.1f} %", value); }

class DamFront {
  public:
    explicit DamFront(const Trial& trial) : trial_(trial), measured_(measured_front()), ideal_(ideal_front(until)) {
        table_.head = {"",
                       "a in cells",
                       "off the ideal fluid, T 1 to 3",
                       "off the measured",
                       "shift of T, at most 0.1",
                       "with it",
                       "any shift",
                       "with it"};
        plot_.title = "Front of a dam break, finest grids";
        plot_.x_label = "T = t sqrt(2 g / a)";
        plot_.y_label = "Z = front / a";
        plot_.series.push_back({measured_.name, measured_.t, measured_.z, PlotSeries::Style::markers});
        const Distances off = add(ideal_, ideal_.name, 0, true);
        const std::string name = "ideal fluid: ";
        trial.judge.expect(name + "off the measured, moved by at most 0.1 [%]", off.shifted,
                           around(14.3, 0.5, "its front is known to 0.2 %"));
        trial.judge.expect(name + "delay of the measured [T]", off.delay,
                           around(-0.29, 0.02, "two steps of the search"));
    }

    /// Returns how far it is off the ideal fluid [%].
    double simulated(const Front& front, int across, double most, bool draw) {
        const std::string name = fmt::format("{}, {} cells: ", front.name, across);
        const Distances off = add(front, front.name, across, draw);
        trial_.judge.expect(name + "off the ideal fluid [%]", off.ideal,
                            at_most(most, "docs/validation.md, and a tenth for particles that lie otherwise"));
        trial_.judge.expect(name + "off the measured, moved by any time [%]", off.delayed,
                            at_most(2.5, "the measured front is the ideal one, only later"));
        if (draw)
            trial_.judge.know(name + "off the measured, moved by at most 0.1 [%]", off.shifted, bar,
                              "the ideal fluid is off by 14.3, and what comes to it by as much");
        return off.ideal;
    }

    void write() const {
        trial_.folder.write_plot("dam-front", plot_);
        trial_.folder.write("dam-front.json", json_.dump(1) + "\n");
        trial_.folder.write("dam-front.md", fmt::format("# Front of a dam break (Martin 1952)\n\n{}\n![front](dam-"
                                                        "front.svg)\n",
                                                        table_.text()));
    }

  private:
    Distances add(const Front& front, const std::string& name, int across, bool draw) {
        const Distances off(front, ideal_, measured_);
        table_.rows.push_back({across > 0 ? fmt::format("`{}`", name) : name,
                               across > 0 ? fmt::format("{}", across) : "-", percent(off.ideal), percent(off.measured),
                               fmt::format("{:+.3f}", off.shift), percent(off.shifted),
                               fmt::format("{:+.2f}", off.delay), percent(off.delayed)});
        json_.push_back({{"name", front.name},
                         {"cells", across},
                         {"off_ideal", off.ideal / 100},
                         {"error", off.measured / 100},
                         {"shift", off.shift},
                         {"shifted_error", off.shifted / 100},
                         {"any_shift", off.delay},
                         {"any_shift_error", off.delayed / 100},
                         {"T", front.t},
                         {"Z", front.z}});
        trial_.folder.say(fmt::format("  {}, {} cells: {} off the ideal fluid, {} off the measured, shifted {}",
                                      front.name, across, percent(off.ideal), percent(off.measured),
                                      percent(off.shifted)));
        if (draw) plot_.series.push_back({front.name, front.t, front.z, PlotSeries::Style::line});
        return off;
    }

    const Trial& trial_;
    Front measured_, ideal_;
    MarkdownTable table_;
    nlohmann::ordered_json json_;
    Plot plot_;
};

struct Kind {
    const char* name;
    LiquidTransport transport;
    LiquidSurface surface;
};

}  // namespace

void validate_dam_front(const Trial& trial) {
    using enum LiquidTransport;
    const std::vector<Kind> kinds = {{"flip", flip, LiquidSurface::particles},
                                     {"apic", apic, LiquidSurface::particles},
                                     {"narrow-band-flip", narrow_band_flip, LiquidSurface::particles},
                                     {"apic, particle-level-set", apic, LiquidSurface::particle_level_set},
                                     {"semi-lagrangian", semi_lagrangian, LiquidSurface::particle_level_set}};
    const std::vector<std::pair<int, double>> all_sizes = {{16, 6.3}, {32, 3.5}, {64, 2.1}};  // cells, most [%]
    const std::vector<std::pair<int, double>> sizes(all_sizes.begin(),
                                                    trial.quick ? all_sizes.begin() + 1 : all_sizes.end());
    DamFront fronts(trial);
    for (const Kind& kind : kinds) {
        double coarser = 0;
        for (const auto& [across, most] : sizes) {
            const Front front = simulated_front<2>(across, kind.transport, kind.surface, until, kind.name);
            const double off = fronts.simulated(front, across, most, across == sizes.back().first);
            if (coarser > 0)
                trial.judge.expect(
                    fmt::format("{}, {} cells: off the ideal fluid over that of half as many [-]", kind.name, across),
                    off / coarser, {0.35, 0.75, "the error of a front falls by a factor of 1.5 to 2"});
            coarser = off;
        }
    }
    const int space = trial.quick ? 8 : 24;
    fronts.simulated(simulated_front<3>(space, flip, LiquidSurface::particles, until, "flip, in space"), space,
                     trial.quick ? 12 : 3.9, true);
    fronts.write();
}

}  // namespace tidelock::validation
