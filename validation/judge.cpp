#include "judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "render/report_folder.h"

namespace tidelock::validation {

namespace {

std::string text_of(const Band& band) { return fmt::format("{:.4g} to {:.4g}", band.low, band.high); }

}  // namespace

Band around(double expected, double by, std::string because) {
    return {expected - by, expected + by, std::move(because)};
}

Band at_most(double limit, std::string because) { return {0, limit, std::move(because)}; }

bool Judge::has(const std::string& figure) const {
    return std::any_of(verdicts_.begin(), verdicts_.end(),
                       [&](const auto& verdict) { return verdict.figure == figure; });
}

void Judge::expect(const std::string& figure, double found, const Band& band) {
    TIDELOCK_ASSERT(!has(figure), "{} is judged twice", figure);
    Verdict verdict{figure, found, band};
    if (const auto other = others_.find(figure); other != others_.end()) {
        std::tie(verdict.band.low, verdict.band.high) = other->second;
        verdict.band.because = "the command line asks for it";
    }
    verdicts_.push_back(std::move(verdict));
}

void Judge::know(const std::string& figure, double found, double bar, const std::string& because) {
    known_.push_back({figure, found, at_most(bar, because)});
}

std::vector<std::string> Judge::complaints() const {
    std::vector<std::string> out;
    if (verdicts_.empty()) out.push_back(fmt::format("{}: no figure was judged", item_));
    for (const Verdict& verdict : verdicts_)
        if (!verdict.kept())
            out.push_back(fmt::format("{}: {}: {:.4g}, must be {} ({})", item_, verdict.figure, verdict.found,
                                      text_of(verdict.band), verdict.band.because));
    return out;
}

std::vector<std::string> Judge::known() const {
    std::vector<std::string> out;
    for (const auto& [figure, found, band] : known_)
        out.push_back(fmt::format("{}: {}: {:.4g}, the bar is {:.4g}: not judged by it: {}", item_, figure, found,
                                  band.high, band.because));
    return out;
}

std::string Judge::page() const {
    MarkdownTable table;
    table.head = {"judged", "found", "must be", "", "because"};
    for (const Verdict& verdict : verdicts_)
        table.rows.push_back({verdict.figure, fmt::format("{:.4g}", verdict.found), text_of(verdict.band),
                              verdict.kept() ? "yes" : "**no**", verdict.band.because});
    for (const auto& [figure, found, band] : known_)
        table.rows.push_back(
            {figure, fmt::format("{:.4g}", found), fmt::format("bar {:.4g}", band.high), "not judged", band.because});
    return table.text();
}

}  // namespace tidelock::validation
