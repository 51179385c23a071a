/// What a study leaves behind: tables in Markdown, the same numbers as JSON, plots.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "render/plot.h"

namespace tidelock {

/// Tells the user what is going on, a line at a time.
using Say = std::function<void(const std::string& line)>;

struct MarkdownTable {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;  ///< as many cells each as the head

    [[nodiscard]] std::string text() const;
};

/// The folder of a study. Every file appears whole or not at all.
class ReportFolder {
  public:
    /// Creates the folder. Throws FileError.
    ReportFolder(std::filesystem::path folder, Say say);

    void write(std::string_view name, std::string_view content) const;
    /// NAME.svg and NAME.png.
    void write_plot(std::string_view name, const Plot& plot) const;
    void say(const std::string& line) const { say_(line); }
    [[nodiscard]] const std::filesystem::path& path() const { return folder_; }

  private:
    std::filesystem::path folder_;
    Say say_;
};

/// "3.1", "47", "0.013": three digits at most, no exponent where none is needed.
[[nodiscard]] std::string short_number(double value);
/// Name of the processor and number of threads in use.
[[nodiscard]] std::string machine_line();

}  // namespace tidelock
