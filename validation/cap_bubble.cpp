/// numerics/cases 8: a large bubble rises with (2/3) sqrt(g R), in the plane with (1/2) sqrt(g R), where R is the
/// radius of its cap [DT50].
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cap.h"
#include "items.h"

namespace tidelock::validation {

namespace {

class CapBubble {
  public:
    explicit CapBubble(const Trial& trial) : trial_(trial) {
        table_.head = {"",    "R at first, cells", "R, m", "U, m/s", "U / sqrt(g R)", "closed form",
                       "off", "volume kept within"};
        plot_.title = "Rise of a bubble";
        plot_.x_label = "time, s";
        plot_.y_label = "U / sqrt(g R)";
        plot_.y_min = 0, plot_.y_max = 1;
    }

    template <int D>
    void add(int across) {
        const Rise found = rise_of_cap<D>(across);
        const char* name = D == 2 ? "plane" : "space";
        const double exact = closed_form<D>, off = 100 * (found.mean_froude / exact - 1);
        const std::string figure = fmt::format("{}, {} cells: ", name, across);
        trial_.judge.expect(figure + "U / sqrt(g R) off [%]", off,
                            around(0, 15, "closed form; the cap is no sphere's"));
        trial_.judge.expect(figure + "volume off [%]", 100 * found.volume_error,
                            at_most(0.05, "what is counted is put back in each step; docs/validation.md: 0.01"));
        table_.rows.push_back({name, fmt::format("{}", across), fmt::format("{:.3f}", found.mean_radius),
                               fmt::format("{:.3f}", found.mean_speed), fmt::format("{:.3f}", found.mean_froude),
                               fmt::format("{:.3f}", exact), fmt::format("{:+.0f} %", off),
                               fmt::format("{:.2f} %", 100 * found.volume_error)});
        json_.push_back({{"name", name},
                         {"cells", across},
                         {"froude", found.mean_froude},
                         {"exact", exact},
                         {"time", found.time},
                         {"top", found.top},
                         {"radius", found.radius},
                         {"volume_error", found.volume_error}});
        const auto& row = table_.rows.back();
        trial_.folder.say(fmt::format("  {}{} ({}), R {}, volume {}", figure, row[4], row[6], row[2], row[7]));
        if (D == 3 || across > 8 || trial_.quick)  // more than eight lines would share colours
            plot_.series.push_back(
                {fmt::format("{}, R {} cells", name, across), found.time, found.froude, PlotSeries::Style::line});
    }

    void write() const {
        trial_.folder.write_plot("cap-bubble", plot_);
        trial_.folder.write("cap-bubble.json", json_.dump(1) + "\n");
        trial_.folder.write("cap-bubble.md", fmt::format("# Rise of a cap bubble (Davies 1950)\n\n{}\n![rise](cap-"
                                                         "bubble.svg)\n",
                                                         table_.text()));
    }

  private:
    const Trial& trial_;
    MarkdownTable table_;
    nlohmann::ordered_json json_;
    Plot plot_;
};

}  // namespace

void validate_cap_bubble(const Trial& trial) {
    CapBubble rises(trial);
    for (const int across : trial.quick ? std::vector{8} : std::vector{8, 12, 16, 24, 32, 48}) rises.add<2>(across);
    for (const int across : trial.quick ? std::vector{5} : std::vector{6, 8, 10}) rises.add<3>(across);
    rises.write();
}

}  // namespace tidelock::validation
