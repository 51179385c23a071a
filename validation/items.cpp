#include "items.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/timer.h"

namespace tidelock::validation {

namespace {

constexpr Item all[] = {
    {"drafts", "floating boxes and their drafts", validate_drafts},
    {"released-sphere", "a sphere released below a free surface", validate_released_sphere},
    {"dam-front", "front of a dam break (Martin and Moyce 1952)", validate_dam_front},
    {"cap-bubble", "rise of a cap bubble", validate_cap_bubble},
    {"sloshing", "volume of a sloshing tank, speed of one at rest", validate_sloshing},
    {"bunnies", "overlap of twenty bunnies, and what they displace when they float", validate_bunnies}};

/// Runs it and writes its verdicts beside its page.
Judge judged(const Item& item, const Request& request, const ReportFolder& folder) {
    folder.say(item.what);
    const double begun = wall_seconds();
    Judge judge(item.name, request.bands);
    item.run({request.quick, folder, judge});
    const std::string name = std::string(item.name) + "-judged.md";
    folder.write(name, fmt::format("# {}: what was judged\n\n{}", item.name, judge.page()));
    for (const auto& line : judge.known()) folder.say("  known: " + line);
    folder.say(fmt::format("  {:.0f} s, {} figures judged, {} missed: {}", wall_seconds() - begun, judge.judged(),
                           judge.complaints().size(), (folder.path() / name).string()));
    return judge;
}

}  // namespace

std::span<const Item> items() { return all; }

std::vector<std::string> run_items(const Request& request, const ReportFolder& folder) {
    std::vector<std::string> out;
    OtherBands unused = request.bands;
    for (const Item& item : all) {
        const auto& wanted = request.items;
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), item.name) == wanted.end()) continue;
        const Judge judge = judged(item, request, folder);
        for (auto& line : judge.complaints()) out.push_back(std::move(line));
        std::erase_if(unused, [&](const auto& band) { return judge.has(band.first); });
    }
    for (const auto& [figure, band] : unused) out.push_back(fmt::format("no item judged '{}'", figure));
    return out;
}

}  // namespace tidelock::validation
