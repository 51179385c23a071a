#include "base/process_memory.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace tidelock {

double resident_memory() {
    std::ifstream in("/proc/self/statm");
    double whole = 0, resident = 0;
    in >> whole >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
}

double peak_memory() {
    std::ifstream in("/proc/self/status");
    for (std::string word; in >> word;) {
        double kibibytes = 0;
        if (word == "VmHWM:" && in >> kibibytes) return 1024 * kibibytes;
    }
    return resident_memory();
}

bool reset_peak_memory() {
    std::ofstream out("/proc/self/clear_refs");
    out << 5 << std::flush;  // proc(5)
    return out.good();
}

}  // namespace tidelock
