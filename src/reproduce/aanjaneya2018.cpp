#include "reproduce/aanjaneya2018.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "reproduce/aanjaneya2018_items.h"

namespace tidelock::reproduce {

namespace {

constexpr aanjaneya2018::Sizes full{128, {20, 2}, {128, 64}, {5, 2}, 64}, quarter{32, {10, 3}, {32, 32}, {3, 2}, 32};

}  // namespace

namespace aanjaneya2018 {

std::string cells_set(int dimension, int width) {
    return dimension == 2 ? fmt::format("domain.cells=[{},{}]", width, 2 * width)
                          : fmt::format("domain.cells=[{},{},{}]", width, 2 * width, width);
}

std::string size_text(int dimension, int width) {
    return dimension == 2 ? fmt::format("{} x {}", width, 2 * width)
                          : fmt::format("{} x {} x {}", width, 2 * width, width);
}

Json item_json(const char* item) {
    Json json;
    json["paper"] = "Aanjaneya 2018";
    json["item"] = item;
    json["machine"] = machine_line();
    return json;
}

}  // namespace aanjaneya2018

const std::vector<std::string_view>& aanjaneya2018_items() {
    static const std::vector<std::string_view> items = {"table1",  "table2",  "table3",  "figure7",
                                                        "figure8", "figure9", "figure10"};
    return items;
}

void reproduce_aanjaneya2018(const std::vector<std::string>& items, bool quick, const ReportFolder& folder) {
    const auto& known = aanjaneya2018_items();
    for (const auto& item : items)
        if (std::find(known.begin(), known.end(), item) == known.end())
            throw InputError("reproduce aanjaneya2018", "there is no item '{}'; there are {} and all", item,
                             fmt::join(known, ", "));
    const auto wanted = [&](std::string_view item) {
        return items.empty() || std::find(items.begin(), items.end(), item) != items.end();
    };
    const aanjaneya2018::Sizes& sizes = quick ? quarter : full;
    using namespace aanjaneya2018;
    if (const Wanted parts{wanted("table1"), wanted("figure7")}; parts.table || parts.figure)
        box_lift(parts, sizes, folder);
    if (const Wanted parts{wanted("table2"), wanted("figure8")}; parts.table || parts.figure)
        various_densities(parts, sizes, folder);
    if (wanted("table3")) examples_table(quick, folder);
    if (wanted("figure10")) density_figure(sizes, folder);
    if (wanted("figure9")) budget_figure(sizes, folder);
}

}  // namespace tidelock::reproduce
