/// What is wrong with a scene: a sentence and its place. Problems are collected and shown together.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tidelock::scene {

/// A place in the text of a scene, or an override that replaced it.
struct Place {
    int line = 0;    ///< from 1; 0: not from the file
    int column = 0;  ///< from 1, in characters (code points)
    int set = 0;     ///< from 1: the value came with that --set; 0: from the file
    bool operator==(const Place&) const = default;
};

enum class Severity { error, warning };

struct Problem {
    Severity severity = Severity::error;
    Place place;
    std::string path;  ///< "solids[2].shape.radius"; empty for the whole scene
    std::string text;
};

/// Where every value of a scene stands, by path.
class Places {
  public:
    void add(const std::string& path, const Place& place) { places_.insert_or_assign(path, place); }
    /// Of the value itself or, if it is not in the file, of the nearest object around it that is.
    [[nodiscard]] Place find(std::string_view path) const;

  private:
    std::map<std::string, Place, std::less<>> places_;
};

/// Collects problems up to a number that a person can still read: so many errors, and as many warnings.
class Problems {
  public:
    static constexpr std::size_t limit = 100;

    void error(const Place& place, std::string path, std::string text) {
        add({Severity::error, place, std::move(path), std::move(text)});
    }
    void warning(const Place& place, std::string path, std::string text) {
        add({Severity::warning, place, std::move(path), std::move(text)});
    }
    void add(Problem problem);
    /// Nothing more need be looked for. Warnings alone never end the search for errors.
    [[nodiscard]] bool full() const { return errors_ >= limit; }
    [[nodiscard]] std::size_t size() const { return list_.size(); }
    /// In the order of the file (those of overrides last); says how many were left out.
    [[nodiscard]] std::vector<Problem> take();

  private:
    std::vector<Problem> list_;
    std::size_t errors_ = 0, warnings_ = 0;  ///< found
};

[[nodiscard]] bool has_errors(const std::vector<Problem>& problems);
void sort_by_place(std::vector<Problem>& problems);

/// "FILE:12:5: error: solids[2].shape.radius: ..."; `sets` are the overrides as the user wrote them.
[[nodiscard]] std::string format(const Problem& problem, const std::string& file, const std::vector<std::string>& sets);

/// The word of `allowed` that was probably meant: few edits away, or the same apart from case and separators; empty if
/// none is near.
[[nodiscard]] std::string nearest_word(std::string_view word, const std::vector<std::string_view>& allowed);
/// " (did you mean "x"?)", or nothing for an empty word.
[[nodiscard]] std::string meant_text(const std::string& near);
/// "a, b or c"
[[nodiscard]] std::string join_words(const std::vector<std::string_view>& words);

}  // namespace tidelock::scene
