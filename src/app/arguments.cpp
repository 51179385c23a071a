#include "app/arguments.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "base/error.h"

namespace tidelock::app {

namespace {

constexpr double mebibyte = 1048576;

/// Power of 1024 of a unit ("GB", "gib", "G"); -1 for what is none.
int power_of(std::string unit) {
    for (char& c : unit) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    static constexpr std::array<const char*, 5> letters{"", "k", "m", "g", "t"};
    for (int power = 0; power < 5; ++power) {
        const std::string letter = letters[static_cast<std::size_t>(power)];
        for (const char* ending : {"", "b", "ib"})
            if (unit == letter + ending) return power;
    }
    return -1;
}

}  // namespace

double parse_memory(const std::string& text, const std::string& option) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    std::string unit(rest, end);
    unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? unit.size() : unit.find_first_not_of(' '));
    const int power = error == std::errc() ? power_of(unit) : -1;
    const double bytes = std::ldexp(number, 10 * power);
    if (power < 0 || !std::isfinite(number) || bytes < mebibyte)
        throw InputError(option, "must be a size of at least 1MB, such as 4GB or 500MB, not {}", text);
    return bytes;
}

std::string fault_of_count(const std::string& text, long long most) {
    long long number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && rest == end && number >= 0 && number <= most) return {};
    return fmt::format("must be a whole number from 0 to {}, not {}", most, text);
}

}  // namespace tidelock::app
