/// Whether what `validate` found is what it must be: every figure has a band, and every band a reason.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tidelock::validation {

/// Where a figure must lie, ends included, and why there.
struct Band {
    double low = 0, high = 0;
    std::string because;
};
[[nodiscard]] Band around(double expected, double by, std::string because);
/// For what cannot be negative.
[[nodiscard]] Band at_most(double limit, std::string because);

/// Bands that take the place of the judged figures' own, by the figure's name.
using OtherBands = std::map<std::string, std::pair<double, double>>;

/// Holds the figures of one item against their bands.
class Judge {
  public:
    explicit Judge(std::string item, OtherBands others = {}) : item_(std::move(item)), others_(std::move(others)) {}

    /// `figure` says what was found, with its unit in brackets; no other of the item is called the same. What is not
    /// a number lies in no band.
    void expect(const std::string& figure, double found, const Band& band);
    /// A figure that is known to miss the bar, and why it is not held to it: shown beside the others.
    void know(const std::string& figure, double found, double bar, const std::string& because);

    [[nodiscard]] int judged() const { return static_cast<int>(verdicts_.size()); }
    /// A line for each figure outside its band, with item, figure and band; one if nothing was judged at all.
    [[nodiscard]] std::vector<std::string> complaints() const;
    /// A line for each bar that is known to be missed.
    [[nodiscard]] std::vector<std::string> known() const;
    /// Everything as Markdown.
    [[nodiscard]] std::string page() const;
    [[nodiscard]] bool has(const std::string& figure) const;

  private:
    struct Verdict {
        std::string figure;
        double found;
        Band band;
        [[nodiscard]] bool kept() const { return found >= band.low && found <= band.high; }
    };
    std::string item_;
    OtherBands others_;
    std::vector<Verdict> verdicts_;
    std::vector<Verdict> known_;  ///< up to the bar
};

}  // namespace tidelock::validation
