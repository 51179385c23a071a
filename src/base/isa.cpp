#include "base/isa.h"

#include <fmt/format.h>
#include <hwy/highway.h>

#include <array>
#include <cstdint>
#include <cstdlib>

#include "base/error.h"

namespace tidelock {
namespace {

struct Tier {
    const char* name;
    std::int64_t target;
};

/// Lowest first.
#if HWY_ARCH_X86
constexpr std::array tiers{Tier{"v1", HWY_SCALAR}, Tier{"v2", HWY_SSE4}, Tier{"v3", HWY_AVX2}, Tier{"v4", HWY_AVX3}};
#else
constexpr std::array tiers{Tier{"plain", HWY_SCALAR}, Tier{"neon", HWY_NEON}};
#endif

/// Targets that are compiled in and that the processor has; what was compiled for the whole program counts as such.
std::int64_t usable_targets() { return (hwy::SupportedTargets() | HWY_STATIC_TARGET) & HWY_TARGETS; }

/// The best of some targets: lower bits are better ones.
std::int64_t best_of(std::int64_t targets) { return targets & -targets; }

const char* name_of(std::int64_t target) {
    for (const Tier& tier : tiers)
        if (tier.target == target) return tier.name;
    return "unknown";
}

/// Switches off all that is better than the tier that TIDELOCK_ISA names.
bool limit_targets() {
    const char* wanted = std::getenv("TIDELOCK_ISA");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    if (wanted == nullptr || *wanted == '\0') return true;
    const std::vector<std::string> available = available_isas();
    for (const Tier& tier : tiers) {
        if (std::string(wanted) != tier.name || (usable_targets() & tier.target) == 0) continue;
        hwy::DisableTargets(tier.target - 1);
        return true;
    }
    throw InputError("TIDELOCK_ISA", "must be one of {} on this machine, got '{}'", fmt::join(available, ", "), wanted);
}

}  // namespace

void use_isa() { [[maybe_unused]] static const bool done = limit_targets(); }

std::string isa_name() {
    use_isa();
    return name_of(best_of(usable_targets()));
}

std::vector<std::string> available_isas() {
    std::vector<std::string> out;
    for (const Tier& tier : tiers)
        if ((usable_targets() & tier.target) != 0) out.emplace_back(tier.name);
    return out;
}

}  // namespace tidelock
