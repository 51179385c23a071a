#include "render/report_folder.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "base/file.h"
#include "base/parallel.h"

namespace tidelock {

std::string MarkdownTable::text() const {
    std::string out;
    const auto line = [&](const std::vector<std::string>& cells) {
        out += "|";
        for (const auto& cell : cells) out += " " + cell + " |";
        out += "\n";
    };
    line(head);
    line(std::vector<std::string>(head.size(), "---"));
    for (const auto& row : rows) line(row);
    return out;
}

ReportFolder::ReportFolder(std::filesystem::path folder, Say say) : folder_(std::move(folder)), say_(std::move(say)) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) throw FileError(folder_, "cannot create the folder", error.value());
}

void ReportFolder::write(std::string_view name, std::string_view content) const {
    AtomicFile file(folder_ / name);
    file.write(content);
    file.commit();
}

void ReportFolder::write_plot(std::string_view name, const Plot& plot) const {
    tidelock::write_plot(plot, folder_ / name);
}

std::string short_number(double value) {
    if (!std::isfinite(value)) return "-";
    const double size = std::abs(value);
    if (size >= 99.95 || value == std::round(value)) return fmt::format("{:.0f}", value);
    if (size >= 9.995) return fmt::format("{:.1f}", value);
    if (size >= 0.0995) return fmt::format("{:.2f}", value);
    return fmt::format("{:.2g}", value);
}

std::string machine_line() {
    std::ifstream info("/proc/cpuinfo");
    std::string line, model = "unknown processor";
    while (std::getline(info, line))
        if (line.starts_with("model name") && line.find(": ") != std::string::npos) {
            model = line.substr(line.find(": ") + 2);
            break;
        }
    return fmt::format("{}, {} threads", model, thread_count());
}

}  // namespace tidelock
