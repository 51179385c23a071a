#include "scene/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace tidelock::scene {

namespace {

/// Longer words are not compared: nobody meant a key by them, and the distance costs the product of the lengths.
constexpr std::size_t longest_word = 40;

std::string plain(std::string_view word) {
    std::string result;
    for (const char c : word) {
        if (c == '-' || c == '_' || c == ' ') continue;
        result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return result;
}

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace

Place Places::find(std::string_view path) const {
    while (true) {
        const auto it = places_.find(path);
        if (it != places_.end()) return it->second;
        if (path.empty()) return {};
        const std::size_t cut = path.find_last_of(".[");
        path = cut == std::string_view::npos ? std::string_view{} : path.substr(0, cut);
    }
}

void Problems::add(Problem problem) {
    std::size_t& count = problem.severity == Severity::error ? errors_ : warnings_;
    if (++count <= limit) list_.push_back(std::move(problem));
}

std::vector<Problem> Problems::take() {
    std::vector<Problem> result = std::exchange(list_, {});
    sort_by_place(result);
    for (const auto& [severity, count] : {std::pair(Severity::warning, warnings_), std::pair(Severity::error, errors_)})
        if (count > limit) result.push_back({severity, {}, "", fmt::format("and {} more, not shown", count - limit)});
    errors_ = warnings_ = 0;
    return result;
}

bool has_errors(const std::vector<Problem>& problems) {
    return std::any_of(problems.begin(), problems.end(),
                       [](const Problem& p) { return p.severity == Severity::error; });
}

void sort_by_place(std::vector<Problem>& problems) {
    const auto key = [](const Problem& p) { return std::tuple(p.place.set, p.place.line, p.place.column); };
    std::stable_sort(problems.begin(), problems.end(),
                     [&](const Problem& a, const Problem& b) { return key(a) < key(b); });
}

std::string format(const Problem& problem, const std::string& file, const std::vector<std::string>& sets) {
    std::string place = file;
    if (problem.place.set > 0 && static_cast<std::size_t>(problem.place.set) <= sets.size())
        place = fmt::format("--set {}", sets[static_cast<std::size_t>(problem.place.set) - 1]);
    else if (problem.place.line > 0)
        place = fmt::format("{}:{}:{}", file, problem.place.line, problem.place.column);
    return fmt::format("{}: {}: {}{}{}", place, problem.severity == Severity::error ? "error" : "warning", problem.path,
                       problem.path.empty() ? "" : ": ", problem.text);
}

std::string nearest_word(std::string_view word, const std::vector<std::string_view>& allowed) {
    if (word.empty() || word.size() > longest_word) return {};
    std::string_view best;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const std::string_view candidate : allowed) {
        std::size_t d = plain(word) == plain(candidate) ? 0 : edit_distance(plain(word), plain(candidate));
        // A piece of the word, or a word that it starts: "colour" for "colours", "cell" for "cells".
        if (d > 0 && word.size() >= 3 && (candidate.starts_with(word) || word.starts_with(candidate))) d = 1;
        if (d < least) {
            least = d;
            best = candidate;
        }
    }
    // Up to a third of the letters wrong is a slip of the fingers; more is another word.
    const std::size_t length = std::max(word.size(), best.size());
    return least <= std::max<std::size_t>(1, length / 3) ? std::string(best) : std::string();
}

std::string meant_text(const std::string& near) {
    return near.empty() ? std::string() : fmt::format(" (did you mean \"{}\"?)", near);
}

std::string join_words(const std::vector<std::string_view>& words) {
    std::string result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) result += i + 1 == words.size() ? " or " : ", ";
        result += words[i];
    }
    return result;
}

}  // namespace tidelock::scene
