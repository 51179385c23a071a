#include <fmt/format.h>

#include <algorithm>

#include "base/math.h"
#include "scene/examine/parts.h"
#include "scene/fit_cells.h"
#include "scene/memory_estimate.h"

namespace tidelock::scene {

// An estimate does not refuse a run, which may take less and stops in good order if it takes more. What its state
// alone takes is no estimate.
template <int D>
void examine_memory(Examination& e) {
    const double allowed = e.limits.memory_bytes;
    if (allowed <= 0) return;
    const MemoryEstimate need = estimate_memory(e.scene, e.meshes);
    if (need.later <= allowed) return;
    const bool certain = need.certain() > allowed;
    const double share = allowed / (certain ? 4 * need.certain() : need.later);
    const double shrink = D == 2 ? std::sqrt(share) : cube_root(share);
    const Domain& d = e.scene.domain;
    const int longest = d.cells[static_cast<std::size_t>(longest_axis(d.size, D))];
    std::string text = fmt::format("{}, {} may be used; ", format(need, e.scene), size_text(allowed));
    if (!certain && e.limits.memory_is_bound)
        text += "a run that comes to need more stops and saves, and can go on with more (--resume --memory); ";
    if (!certain && !e.limits.memory_is_bound)
        text += "with --memory SIZE a run stops and saves before it takes more than that; ";
    text += fmt::format("about {} cells along the longest axis would fit, instead of {}",
                        std::max(1, static_cast<int>(longest * shrink)), longest);
    if (certain)
        e.error("domain.cells", text);
    else
        e.warning("domain.cells", text);
}

template void examine_memory<2>(Examination&);
template void examine_memory<3>(Examination&);

}  // namespace tidelock::scene
