/// `tidelock reproduce`: a paper's tables and figures, theirs and ours.
#include "reproduce/aanjaneya2018.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands.h"
#include "app/console.h"
#include "base/timer.h"
#include "scene/problem.h"

namespace tidelock::app {

int reproduce_command(const ReproduceOptions& options) {
    constexpr std::string_view paper = "aanjaneya2018";
    if (options.paper != paper)
        throw UsageError(fmt::format("reproduce {}: no such paper; there is {}", options.paper, paper));
    std::vector<std::string> items;
    for (const auto& item : options.items) {
        if (item == "all") continue;
        items.push_back(item);
    }
    if (items.size() < options.items.size()) items.clear();  // "all" among them
    const auto& known = reproduce::aanjaneya2018_items();
    for (const auto& item : items) {
        if (std::find(known.begin(), known.end(), item) != known.end()) continue;
        std::string text =
            fmt::format("reproduce {} {}: no such item; there are {} and all", paper, item, fmt::join(known, ", "));
        if (const std::string near = scene::nearest_word(item, known); !near.empty())
            text += fmt::format(". Did you mean {}?", near);
        throw UsageError(text);
    }
    const double begun = wall_seconds();
    const ReportFolder folder(options.out.empty() ? std::filesystem::path("reproduce") / paper : options.out,
                              [](const std::string& line) { put(stdout, line + "\n"); });
    reproduce::reproduce_aanjaneya2018(items, options.quick, folder);
    put(stdout, fmt::format("done in {:.0f} s: {}\n", wall_seconds() - begun, folder.path().string()));
    return ExitCode::done;
}

}  // namespace tidelock::app
