/// Four error families, never mixed:
///   InputError            what a user gave is wrong: place, value, what is allowed (FileError: the disk refused);
///   SimulationError       a run cannot go on: names the step and the stage;
///   TIDELOCK_ASSERT       a broken precondition in our own code, checked in debug and audit builds;
///   reports ([[nodiscard]]) numerical outcomes, returned and never thrown (solve/report.h).
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace tidelock {

/// Anything tidelock throws.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A wrong file, value or option. `place` says where (a file, a file:line:column, an option's path).
class InputError : public Error {
  public:
    template <class... Args>
    InputError(std::string place, fmt::format_string<Args...> text, Args&&... args)
        : InputError(Formatted{}, std::move(place), fmt::format(text, std::forward<Args>(args)...)) {}

    [[nodiscard]] const std::string& place() const noexcept { return place_; }

  private:
    struct Formatted {};
    InputError(Formatted, std::string place, const std::string& message)
        : Error(place + ": " + message), place_(std::move(place)) {}
    std::string place_;
};

/// A simulation that broke down: numbers that are not finite.
class SimulationError : public Error {
  public:
    using Error::Error;
};

/// Thrown by a failed TIDELOCK_ASSERT, so that tests can see it; carries the condition, the place and the values.
class AssertionError : public Error {
  public:
    using Error::Error;
};

[[noreturn]] void fail_assertion(const char* condition, const char* file, int line, const std::string& values);

}  // namespace tidelock

/// TIDELOCK_ASSERT(n > 0, "n = {}", n): prints the values. Compiled out unless TIDELOCK_ASSERTIONS is set.
#if defined(TIDELOCK_ASSERTIONS)
#define TIDELOCK_ASSERT(condition, ...)                                                                           \
    do {                                                                                                          \
        if (!(condition)) ::tidelock::fail_assertion(#condition, __FILE__, __LINE__, ::fmt::format(__VA_ARGS__)); \
    } while (false)
#else
#define TIDELOCK_ASSERT(condition, ...) static_cast<void>(0)
#endif
