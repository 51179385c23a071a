/// What a user chose for one part of the program, by name: the rooms in between pass it on without knowing what it
/// means.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/words.h"

namespace tidelock {

class Settings {
  public:
    using Value = std::variant<bool, int, double, std::string>;

    /// Replaces what has that name, else comes last.
    void set(std::string_view name, Value value);

    /// These throw InputError if nothing of that name and type is set.
    [[nodiscard]] bool boolean(std::string_view name) const;
    [[nodiscard]] int integer(std::string_view name) const;
    [[nodiscard]] double number(std::string_view name) const;
    [[nodiscard]] const std::string& word(std::string_view name) const;
    /// A word as the value that it stands for.
    template <class E>
    [[nodiscard]] E choice(std::string_view name) const {
        if (const auto value = with_word<E>(word(name))) return *value;
        throw InputError(std::string(name), "\"{}\" is none of its words", word(name));
    }

    /// In the order in which they were set.
    [[nodiscard]] const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }
    bool operator==(const Settings&) const = default;

  private:
    template <class T>
    [[nodiscard]] const T& get(std::string_view name, std::string_view type) const;

    std::vector<std::pair<std::string, Value>> entries_;
};

}  // namespace tidelock
