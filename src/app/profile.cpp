#include "app/profile.h"

#include <fmt/format.h>

#include <algorithm>

namespace tidelock::app {

std::string stage_table(const std::vector<ProfileEntry>& entries, const std::map<std::string, Traffic>& traffic,
                        int depth) {
    double total = 0;
    std::size_t width = 5;
    for (const auto& e : entries)
        if (e.depth == 0) total += e.seconds;
    const auto shown = [&](const ProfileEntry& e) { return e.depth <= depth && e.seconds >= 1e-3 * total; };
    for (const auto& e : entries)
        if (shown(e)) width = std::max(width, e.label.size() + 2 * static_cast<std::size_t>(e.depth));
    std::string table = fmt::format("{:<{}}  {:>7}  {:>9}  {:>6}  {:>9}  {:>6}\n", "stage", width, "calls", "seconds",
                                    "share", "MB", "GB/s");
    for (const auto& e : entries) {
        if (!shown(e)) continue;
        const std::string name = std::string(2 * static_cast<std::size_t>(e.depth), ' ') + e.label;
        table += fmt::format("{:<{}}  {:>7}  {:>9.3f}  {:>5.1f}%", name, width, e.calls, e.seconds,
                             total > 0 ? 100 * e.seconds / total : 0.0);
        if (const auto moved = traffic.find(e.label); moved != traffic.end()) {
            const double seconds = moved->second.seconds > 0 ? moved->second.seconds : e.seconds;
            table += fmt::format("  {:>9.0f}  {:>6.2f}", moved->second.bytes / 1e6,
                                 seconds > 0 ? moved->second.bytes / seconds / 1e9 : 0.0);
        }
        table += "\n";
    }
    return table;
}

}  // namespace tidelock::app
