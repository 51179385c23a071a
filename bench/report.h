/// What the plain benchmark programs share: best-of timing, an aligned table, and the same figures as JSON.
#pragma once

#include <fmt/format.h>
#include <ctime>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "base/timer.h"

namespace tidelock::bench {

/// Seconds on the clock of the benchmark. `cpu_threads` > 0: the processor time of all threads over their number, which
/// stays meaningful on a machine that others use (waiting in the queue of the processor does not count); 0: wall time.
inline double bench_seconds(int cpu_threads) {
    if (cpu_threads == 0) return wall_seconds();
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)) / cpu_threads;
}

/// Shortest of `repeats` runs [s]; the first call, which touches the memory, is not counted.
template <class F>
double best_seconds(int repeats, int cpu_threads, F&& f) {
    f();
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repeats; ++i) {
        const double start = bench_seconds(cpu_threads);
        f();
        best = std::min(best, bench_seconds(cpu_threads) - start);
    }
    return best;
}

struct Row {
    std::string name;
    double value;
    std::string unit;
    std::string note;
};

class Report {
  public:
    explicit Report(std::string title) : title_(std::move(title)) {}

    /// Prints as it goes, so that a long run shows where it is.
    void add(std::string name, double value, std::string unit, std::string note = {}) {
        if (rows_.empty()) fmt::print("{}\n{:<44} {:>10} {:<13} {}\n", title_, "case", "value", "unit", "note");
        fmt::print("{:<44} {:>10.4g} {:<13} {}\n", name, value, unit, note);
        std::fflush(stdout);
        rows_.push_back({std::move(name), value, std::move(unit), std::move(note)});
    }

    void write_json(const std::string& file) const {
        std::ofstream out(file);
        out << fmt::format("{{\n  \"title\": \"{}\",\n  \"rows\": [\n", title_);
        for (std::size_t i = 0; i < rows_.size(); ++i)
            out << fmt::format("    {{\"name\": \"{}\", \"value\": {:.6g}, \"unit\": \"{}\", \"note\": \"{}\"}}{}\n",
                               rows_[i].name, rows_[i].value, rows_[i].unit, rows_[i].note,
                               i + 1 < rows_.size() ? "," : "");
        out << "  ]\n}\n";
    }

  private:
    std::string title_;
    std::vector<Row> rows_;
};

/// How large and how long.
struct BenchSize {
    int extent, repeats;
};

/// --json FILE, --quick, --threads N, --cpu-time.
struct BenchOptions {
    BenchSize size;
    int threads;
    bool quick = false, cpu_time = false;
    std::string json = {};
    [[nodiscard]] int clock() const { return cpu_time ? threads : 0; }

    static BenchOptions parse(int count, char** words, BenchOptions options, const BenchSize& quick_size) {
        for (int i = 1; i < count; ++i) {
            const std::string word = words[i];
            const auto value = [&] {
                if (++i >= count) throw InputError(word, "needs a value");
                return words[i];
            };
            if (word == "--json")
                options.json = value();
            else if (word == "--threads")
                options.threads = std::atoi(value());
            else if (word == "--cpu-time")
                options.cpu_time = true;
            else if (word == "--quick")
                options.size = quick_size, options.quick = true;
            else
                throw InputError(word, "is not an option; there are --json FILE, --quick, --threads N and --cpu-time");
        }
        if (options.threads < 1) throw InputError("--threads", "must be at least 1, got {}", options.threads);
        return options;
    }
};

/// The main function of a plain benchmark: run(options, report) on as many threads as were asked for.
template <class Run>
int run_bench(const char* name, const BenchOptions& options, const Run& run) {
    const ThreadLimit limit(options.threads);
    Report report(fmt::format("{}: {}^3 cells, {} threads, best of {}, {}", name, options.size.extent, options.threads,
                              options.size.repeats, options.cpu_time ? "processor time / threads" : "wall time"));
    run(options, report);
    if (!options.json.empty()) report.write_json(options.json);
    return 0;
}

/// What is thrown becomes a line on stderr and exit code `failure`.
template <class Main>
int guarded(int failure, const Main& main) {
    try {
        return main();
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return failure;
    }
}

}  // namespace tidelock::bench
