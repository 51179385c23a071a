#include "bench_common.h"

#include <fmt/format.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "base/big_array.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/timer.h"

namespace tidelock::bench {
namespace {

constexpr std::size_t array_doubles = (std::size_t{512} << 20) / sizeof(double);
constexpr std::ptrdiff_t chunk = 1 << 16;  // doubles per item of a bandwidth loop

template <class F>
void for_chunks(F&& f) {
    parallel_for("bandwidth", static_cast<std::ptrdiff_t>(array_doubles) / chunk,
                 [&](std::ptrdiff_t i) { f(i * chunk, (i + 1) * chunk); });
}

/// The figure of a line such as "VmHWM:   1234 kB" in /proc/self/status.
std::size_t status_bytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind(key, 0) == 0) return std::stoul(line.substr(key.size() + 1)) * 1024;
    return 0;
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out + '"';
}

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown";
}

}  // namespace

std::string Options::get(const std::string& name, const std::string& fallback) const {
    const auto at = named.find(name);
    return at == named.end() ? fallback : at->second;
}

Options parse_options(int argc, char** argv, const std::vector<std::string>& more) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--quick") {
            options.quick = true;
            continue;
        }
        const bool known =
            name == "--json" || name == "--threads" ||
            (name.rfind("--", 0) == 0 && std::find(more.begin(), more.end(), name.substr(2)) != more.end());
        if (!known)
            throw InputError("command line", "unknown option {}. Known: --quick --json FILE --threads N, --{}", name,
                             fmt::join(more, " --"));
        if (i + 1 == argc) throw InputError("command line", "{} needs a value", name);
        const std::string value = argv[++i];
        if (name == "--json")
            options.json = value;
        else if (name == "--threads")
            options.threads = std::stoi(value);
        else
            options.named[name.substr(2)] = value;
    }
    return options;
}

double best_of(int repeats, const std::function<void()>& f) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < repeats; ++i) {
        const double start = wall_seconds();
        f();
        best = std::min(best, wall_seconds() - start);
    }
    return best;
}

std::size_t peak_memory() { return status_bytes("VmHWM:"); }
std::size_t resident_memory() { return status_bytes("VmRSS:"); }
void reset_peak_memory() {
#if defined(__GLIBC__)
    malloc_trim(0);  // else memory that the last solver freed counts as resident already
#endif
    std::ofstream("/proc/self/clear_refs") << "5";
}

std::string Table::text() const {
    std::vector<std::size_t> width;
    for (const auto& row : rows_)
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c == width.size()) width.push_back(0);
            width[c] = std::max(width[c], row[c].size());
        }
    std::string out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        for (std::size_t c = 0; c < rows_[r].size(); ++c)
            out +=
                c == 0 ? fmt::format("{:<{}}", rows_[r][c], width[c]) : fmt::format("  {:>{}}", rows_[r][c], width[c]);
        out += '\n';
        if (r > 0) continue;
        for (std::size_t c = 0; c < width.size(); ++c) out += std::string(width[c] + (c == 0 ? 0 : 2), '-');
        out += '\n';
    }
    return out;
}

Json& Json::raw(const std::string& key, std::string value) {
    members_.emplace_back(key, std::move(value));
    return *this;
}
Json& Json::set(const std::string& key, const std::string& value) { return raw(key, quoted(value)); }
Json& Json::set(const std::string& key, double value) {
    return raw(key, std::isfinite(value) ? fmt::format("{:.9g}", value) : "null");
}

std::string Json::text() const {
    std::string out = "{";
    for (const auto& [key, value] : members_) out += (out.size() > 1 ? ", " : "") + quoted(key) + ": " + value;
    return out + "}";
}

std::string json_value(const std::string& object, const std::string& key) {
    const std::string mark = quoted(key) + ": ";
    auto at = object.find(mark);
    if (at == std::string::npos) return {};
    at += mark.size();
    if (object[at] == '"') return object.substr(at + 1, object.find('"', at + 1) - at - 1);
    return object.substr(at, object.find_first_of(",}", at) - at);
}

void write_json(const std::string& file, const std::vector<Json>& results) {
    std::ofstream out(file);
    out << "[\n  " << Json().set("machine", processor()).set("threads", thread_count()).text();
    for (const auto& result : results) out << ",\n  " << result.text();
    out << "\n]\n";
    if (!out) throw InputError(file, "cannot be written");
}

double read_bandwidth(int repeats) {
    const BigArray<double> a(array_doubles);
    double sum = 0;
    const double seconds = best_of(repeats, [&] {
        sum += ordered_sum("bandwidth", static_cast<std::ptrdiff_t>(array_doubles) / chunk, 0.0,
                           [&](std::ptrdiff_t block) {
                               double lanes[32] = {};
                               const double* from = a.data() + block * chunk;
                               for (std::ptrdiff_t i = 0; i < chunk; i += 32)
                                   for (int l = 0; l < 32; ++l) lanes[l] += from[i + l];
                               double part = 0;
                               for (const double lane : lanes) part += lane;
                               return part;
                           });
    });
    if (sum != 0) throw Error("the arrays must be zero");  // also keeps the reads from being optimised away
    return static_cast<double>(a.bytes()) / seconds;
}

double triad_bandwidth(int repeats) {
    BigArray<double> a(array_doubles);
    const BigArray<double> b(array_doubles), c(array_doubles);
    const double seconds = best_of(repeats, [&] {
        for_chunks([&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (std::ptrdiff_t i = begin; i < end; ++i) a.data()[i] = b.data()[i] + 3.0 * c.data()[i];
        });
    });
    return 3.0 * static_cast<double>(a.bytes()) / seconds;
}

}  // namespace tidelock::bench
