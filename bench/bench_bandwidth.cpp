/// Memory bandwidth of this machine by number of threads: what any grid sweep can reach at best.
///
/// bench_bandwidth [--quick] [--threads N] [--json FILE]
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/error.h"
#include "base/parallel.h"
#include "bench_common.h"

namespace tidelock::bench {
namespace {

void run(const Options& options) {
    const int repeats = options.quick ? 2 : 7;
    const int most = options.threads > 0 ? options.threads : thread_count();
    Table table({"threads", "read GB/s", "triad GB/s"});
    std::vector<Json> results;
    for (int threads = 1; threads <= most; ++threads) {
        const ThreadLimit limit(threads);
        const double read = read_bandwidth(repeats) * 1e-9, triad = triad_bandwidth(repeats) * 1e-9;
        table.add({std::to_string(threads), fmt::format("{:.2f}", read), fmt::format("{:.2f}", triad)});
        results.push_back(Json().set("threads", threads).set("read_gb_per_s", read).set("triad_gb_per_s", triad));
    }
    fmt::print("{}", table.text());
    if (!options.json.empty()) write_json(options.json, results);
}

}  // namespace
}  // namespace tidelock::bench

int main(int argc, char** argv) {
    try {
        tidelock::bench::run(tidelock::bench::parse_options(argc, argv));
    } catch (const tidelock::Error& error) {
        fmt::print(stderr, "bench_bandwidth: {}\n", error.what());
        return 1;
    }
    return 0;
}
