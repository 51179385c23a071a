/// numerics/cases 8: a large bubble rises with (2/3) sqrt(g R), in the plane with (1/2) sqrt(g R), where R is the
/// radius of its cap [DT50].
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <type_traits>

#include "cap.h"
#include "items.h"

namespace tidelock::validation {

void validate_cap_bubble(bool quick, const ReportFolder& folder) {
    MarkdownTable table;
    table.head = {"",    "R at first, cells", "R, m", "U, m/s", "U / sqrt(g R)", "closed form",
                  "off", "volume kept within"};
    nlohmann::ordered_json json;
    Plot plot;
    plot.title = "Rise of a bubble";
    plot.x_label = "time, s";
    plot.y_label = "U / sqrt(g R)";
    plot.y_min = 0, plot.y_max = 1;
    const auto add = [&]<int D>(std::integral_constant<int, D>, int across) {
        const Rise found = rise_of_cap<D>(across);
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
                        {"top", found.top},
                        {"radius", found.radius},
                        {"volume_error", found.volume_error}});
        folder.say(fmt::format("  {}, {} cells: {} ({}), R {}, volume {}", name, across, table.rows.back()[4],
                               table.rows.back()[6], table.rows.back()[2], table.rows.back()[7]));
        if (D == 3 || across > 8 || quick)  // more than eight lines would share colours
            plot.series.push_back(
                {fmt::format("{}, R {} cells", name, across), found.time, found.froude, PlotSeries::Style::line});
    };
    for (const int across : quick ? std::vector{8} : std::vector{8, 12, 16, 24, 32, 48})
        add(std::integral_constant<int, 2>(), across);
    for (const int across : quick ? std::vector{5} : std::vector{6, 8, 10})
        add(std::integral_constant<int, 3>(), across);
    folder.write_plot("cap-bubble", plot);
    folder.write("cap-bubble.json", json.dump(1) + "\n");
    folder.write("cap-bubble.md",
                 fmt::format("# Rise of a cap bubble (Davies 1950)\n\n{}\n![rise](cap-bubble.svg)\n", table.text()));
}

}  // namespace tidelock::validation
