#include "app/machine.h"

#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace tidelock::app {

namespace {

namespace fs = std::filesystem;

/// The number after a word at the start of a line; `otherwise` if there is none. /proc and /sys only.
double number_after(const fs::path& file, const std::string& word, double otherwise) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string first;
        double value = 0;
        if (words >> first && first == word && words >> value) return value;
    }
    return otherwise;
}

/// The number that a file holds; infinite if it holds none ("max").
double number_in(const fs::path& file) {
    std::ifstream in(file);
    double value = 0;
    return in >> value ? value : std::numeric_limits<double>::infinity();
}

/// What a control group and those around it leave, by its files for the limit and the use. Pages of files that the
/// kernel can drop at once are not in use.
double left_in_group(const fs::path& root, fs::path group, const char* limit, const char* use, const char* dropped) {
    double left = std::numeric_limits<double>::infinity();
    for (;; group = group.parent_path()) {
        const fs::path folder = root / group.relative_path();
        const double used = number_in(folder / use) - number_after(folder / "memory.stat", dropped, 0);
        const double here = number_in(folder / limit) - used;
        if (here == here) left = std::min(left, std::max(0.0, here));
        if (!group.has_relative_path()) return left;
    }
}

/// What the limit of the address space (`ulimit -v`) leaves.
double left_in_address_space() {
    rlimit limit = {};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::numeric_limits<double>::infinity();
    const double used = number_in("/proc/self/statm") * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
    return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

}  // namespace

double available_memory() {
    double left = 1024 * number_after("/proc/meminfo", "MemAvailable:", 0);
    if (left == 0)
        left = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
    left = std::min(left, left_in_address_space());
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string kinds = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
        if (kinds.empty())
            left =
                std::min(left, left_in_group("/sys/fs/cgroup", path, "memory.max", "memory.current", "inactive_file"));
        else if (("," + kinds + ",").find(",memory,") != std::string::npos)
            left = std::min(left, left_in_group("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes",
                                                "memory.usage_in_bytes", "total_inactive_file"));
    }
    return left;
}

int terminal_columns(int descriptor) {
    if (::isatty(descriptor) == 0) return 0;
    winsize size = {};
    return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace tidelock::app
