#include "scene/examine/parts.h"

#include <fmt/format.h>

#include "scene/fit_cells.h"

namespace tidelock::scene {

template <int D>
bool examine_domain(Examination& e) {
    const Domain& d = e.scene.domain;
    bool sound = true;
    for (std::size_t a = 0; a < D; ++a) {
        if (!positive(d.size[a])) {
            e.error("domain.size", fmt::format("must be positive and finite, not {} along axis {}", d.size[a], a));
            sound = false;
        }
        if (d.cells[a] < 1) {
            e.error("domain.cells", fmt::format("must be at least 1, not {} along axis {}", d.cells[a], a));
            sound = false;
        }
    }
    if (!sound) return false;
    if (!are_cubes(d.size, D, d.cells)) {
        e.error("domain.cells", "the cells are not cubes: size / cells differs between axes");
        return false;
    }
    return true;
}

void examine_time(Examination& e) {
    const Time& t = e.scene.time;
    for (const auto& [name, value] :
         {std::pair{"duration", t.duration}, {"fps", t.fps}, {"cfl", t.cfl}, {"step", t.step.value_or(1)}})
        if (!positive(value))
            return e.error(fmt::format("time.{}", name), fmt::format("must be positive and finite, not {}", value));
    if (t.duration * t.fps < 1 - 1e-9)
        e.warning("time.duration", fmt::format("{} s is less than one frame at {} frames a second", t.duration, t.fps));
    if (t.duration * t.fps > 1e6)
        e.warning("time.fps", fmt::format("{:.3g} frames will be written", t.duration * t.fps));
    if (t.step && *t.step > t.duration * (1 + 1e-9))
        e.warning("time.step", fmt::format("{} s is longer than the whole run of {} s", *t.step, t.duration));
    else if (t.step && *t.step * t.fps > 1 + 1e-9)
        e.warning("time.step", fmt::format("{} s is longer than a frame of {:.4g} s; steps end where frames do",
                                           *t.step, 1 / t.fps));
    if (t.step && t.duration / *t.step > 1e8)
        e.error("time.step",
                fmt::format("{} s makes {:.3g} steps; at most 1e8 are allowed", *t.step, t.duration / *t.step));
}

template bool examine_domain<2>(Examination&);
template bool examine_domain<3>(Examination&);

}  // namespace tidelock::scene
