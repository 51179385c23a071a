/// What the benchmark programs share: options, timing, tables, JSON, and the machine's memory bandwidth.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tidelock::bench {

/// --json FILE, --quick, --threads N, and any further --name VALUE that the program names in `more`.
struct Options {
    std::string json;  ///< file for the results; empty: none
    bool quick = false;
    int threads = 0;                           ///< 0: all
    std::map<std::string, std::string> named;  ///< the program's own options, without the dashes

    [[nodiscard]] std::string get(const std::string& name, const std::string& fallback) const;
};
/// Throws InputError on an unknown option or a missing value.
Options parse_options(int argc, char** argv, const std::vector<std::string>& more = {});

/// Least seconds of `repeats` calls.
double best_of(int repeats, const std::function<void()>& f);

/// Peak resident memory since the last reset_peak_memory(), and what is resident now [bytes]; 0 where /proc has none.
std::size_t peak_memory();
std::size_t resident_memory();
void reset_peak_memory();

/// Rows of text under a header; numbers to the right, the first column to the left.
class Table {
  public:
    explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    [[nodiscard]] std::string text() const;

  private:
    std::vector<std::vector<std::string>> rows_;
};

/// One flat JSON object, keys in the order of set().
class Json {
  public:
    Json& set(const std::string& key, const std::string& value);
    Json& set(const std::string& key, const char* value) { return set(key, std::string(value)); }
    Json& set(const std::string& key, double value);  ///< null if not finite
    Json& set(const std::string& key, int value) { return raw(key, std::to_string(value)); }
    Json& set(const std::string& key, bool value) { return raw(key, value ? "true" : "false"); }
    [[nodiscard]] std::string text() const;

  private:
    Json& raw(const std::string& key, std::string value);
    std::vector<std::pair<std::string, std::string>> members_;
};
/// The value of a key in a flat object written by Json: a string's text, or a number as written; empty if absent.
std::string json_value(const std::string& object, const std::string& key);
/// Writes an array of objects, preceded by one that describes the machine.
void write_json(const std::string& file, const std::vector<Json>& results);

/// Bytes per second of a pass that only reads, and of a[i] = b[i] + s c[i] counted as three streams (the write's own
/// read is not counted, as in McCalpin's STREAM). Arrays of 512 MiB on huge pages, far beyond any cache; best of
/// `repeats`.
double read_bandwidth(int repeats = 5);
double triad_bandwidth(int repeats = 5);

}  // namespace tidelock::bench
