/// Words for the values of an enum: one table an enum, for reading, for writing and for messages.
///
///     template <>
///     inline constexpr auto words<Wall> = word_table<Wall>({{Wall::closed, "closed"}, {Wall::open, "open"}});
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace tidelock {

template <class E>
struct Word {
    E value;
    std::string_view word;
};

template <class E, std::size_t N>
[[nodiscard]] constexpr std::array<Word<E>, N> word_table(const Word<E> (&table)[N]) {
    return std::to_array(table);
}

/// Specialised for every enum that has words, in the order in which messages list them.
template <class E>
inline constexpr std::nullptr_t words = nullptr;

/// Empty for a value without one.
template <class E>
[[nodiscard]] constexpr std::string_view word_of(E value) {
    for (const Word<E>& entry : words<E>)
        if (entry.value == value) return entry.word;
    return {};
}

template <class E>
[[nodiscard]] constexpr std::optional<E> with_word(std::string_view word) {
    for (const Word<E>& entry : words<E>)
        if (entry.word == word) return entry.value;
    return std::nullopt;
}

template <class E>
[[nodiscard]] std::vector<std::string_view> all_words() {
    std::vector<std::string_view> all;
    for (const Word<E>& entry : words<E>) all.push_back(entry.word);
    return all;
}

}  // namespace tidelock
