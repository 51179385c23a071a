// Figure 10: iterations over the density ratio.

#include <fmt/format.h>

#include <cmath>

#include "reproduce/aanjaneya2018_items.h"
#include "reproduce/density_study.h"

namespace tidelock::reproduce::aanjaneya2018 {

void density_figure(const Sizes& sizes, const ReportFolder& folder) {
    std::vector<double> ratios;
    for (int e = -4; e <= 4; ++e) ratios.push_back(std::pow(10.0, e));
    std::string text =
        fmt::format("# Aanjaneya 2018, Figure 10: iterations over the density ratio\n\n{}\n", machine_line());
    Json json = item_json("figure10");
    for (const int d : {2, 3}) {
        const auto n = static_cast<std::size_t>(d - 2);
        const int width = sizes.sweep_width[n];
        Plot plot;
        plot.title = fmt::format("Iterations over density ratio, {} cells", size_text(d, width));
        plot.x_label = "density of the bodies / density of the fluid";
        plot.y_label = "iterations to 1e-6";
        plot.log_x = true;
        plot.y_min = 0;
        for (const int boxes : {1, 8}) {
            const std::string label = boxes == 1 ? "1 body" : "8 bodies";
            folder.say(fmt::format("Density sweep, {} cells, {}", size_text(d, width), label));
            const DensityStudy study = study_densities(density_scene(d, boxes, width), ratios,
                                                       {.solvers = {"p0", "auto"}, .samples = sizes.sweep_samples[n]},
                                                       [&](const std::string& line) { folder.say(line); });
            MarkdownTable table;
            table.head = {"density ratio", "`p0`", "`auto`"};
            for (std::size_t i = 0; i < ratios.size(); ++i)
                table.rows.push_back({fmt::format("{:g}", ratios[i]), short_number(study.iterations[0][i]),
                                      short_number(study.iterations[1][i])});
            text += fmt::format("\n## {}D, {} cells, {}\n\n{}\nLargest over smallest: `p0` {:.2f}, `auto` {:.2f}\n", d,
                                size_text(d, width), label, table.text(), study.spread("p0"), study.spread("auto"));
            for (std::size_t s = 0; s < study.solvers.size(); ++s)
                plot.series.push_back({fmt::format("{}, {}", study.solvers[s], label), ratios, study.iterations[s],
                                       PlotSeries::Style::line_and_markers});
            Json block;
            block["cells"] = size_text(d, width);
            block["ratios"] = ratios;
            block["p0"] = study.iterations[0];
            block["auto"] = study.iterations[1];
            json[fmt::format("{}d", d)][label] = block;
        }
        folder.write_plot(fmt::format("figure10-{}d", d), plot);
        text += fmt::format("\n![iterations over density ratio](figure10-{}d.svg)\n", d);
    }
    text += fmt::format(
        "\nThe paper's figure has P0 with one block; it gives no numbers in the text. Each count is the mean "
        "of {} systems in the plane and {} in space, spread over the first 0.2 s, each solved from zero.\n",
        sizes.sweep_samples[0], sizes.sweep_samples[1]);
    folder.write("figure10.json", json.dump(1) + "\n");
    folder.write("figure10.md", text);
}

}  // namespace tidelock::reproduce::aanjaneya2018
