#include "scene/examine/parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace tidelock::scene {

namespace {

/// Of initial fluid, a source or a drain, which `what` names.
template <int D, class Region>
void region(Examination& e, const Region& r, const std::string& path, const char* what) {
    if (!examine_shape<D>(e, r.shape, path + ".shape") || e.at_fault(path + ".position") ||
        e.at_fault(path + ".rotation") || !e.domain_sound)
        return;
    if (!finite(r.position)) return e.error(path + ".position", "must be finite");
    if (r.shape.kind == ShapeKind::plane) return;
    const Bounds<D> box = placed_bounds<D>(r.shape, pose_of<D>(r.position, r.rotation), e.meshes);
    const Bounds<D> all = domain_box<D>(e.scene);
    if ((box.high.array() <= 0).any() || (box.low.array() >= all.high.array()).any())
        e.error(path + ".position",
                fmt::format("{} lies outside of the domain, which reaches from 0 to {}", what, list_text<D>(all.high)));
    else if (thinnest_width(r.shape, D, e.meshes) < e.scene.domain.cell_size())
        e.warning(path + ".shape",
                  fmt::format("{} is {:.3g} m thin, less than a cell of {:.3g} m: it may fall between the cells", what,
                              thinnest_width(r.shape, D, e.meshes), e.scene.domain.cell_size()));
}

void starts_in_time(Examination& e, double start, const std::string& path, const char* what) {
    if (!e.at_fault("time") && !e.at_fault(path + ".start") && start >= e.scene.time.duration)
        e.warning(path + ".start",
                  fmt::format("{} starts at {} s, but the run ends at {} s", what, start, e.scene.time.duration));
}

/// Gas that comes in must go out somewhere, and gas that is only moved does not come in.
template <int D>
void flows_somewhere(Examination& e, const Source& s, const std::string& path) {
    if (e.scene.fluid.kind != FluidKind::smoke || !s.velocity || *s.velocity == Vector{} || e.at_fault(path)) return;
    const auto& walls = e.scene.domain.walls;
    const bool room = std::all_of(walls.begin(), walls.begin() + 2 * D, [](Wall w) { return w == Wall::closed; });
    if (!room) return;
    if (s.inflow)
        e.error(path + ".inflow",
                "blows gas into a domain whose walls are all closed: nothing can leave it. Open one "
                "(domain.walls)");
    else
        e.warning(path + ".velocity",
                  "moves the gas that is there: all walls are closed, and nothing comes in. A vent has "
                  "\"inflow\": true and an open wall to leave by");
}

}  // namespace

template <int D>
void examine_regions(Examination& e) {
    for (std::size_t i = 0; i < e.scene.fluid.initial.size() && !e.problems.full(); ++i) {
        const InitialFluid& s = e.scene.fluid.initial[i];
        region<D>(e, s, fmt::format("fluid.initial[{}]", i),
                  e.scene.fluid.kind == FluidKind::smoke ? "the initial smoke" : "the initial liquid");
    }
    for (std::size_t i = 0; i < e.scene.fluid.sources.size() && !e.problems.full(); ++i) {
        const Source& s = e.scene.fluid.sources[i];
        const std::string path = fmt::format("fluid.sources[{}]", i);
        region<D>(e, s, path, "the source");
        starts_in_time(e, s.start, path, "the source");
        flows_somewhere<D>(e, s, path);
    }
    for (std::size_t i = 0; i < e.scene.fluid.liquid.drains.size() && !e.problems.full(); ++i) {
        const Drain& s = e.scene.fluid.liquid.drains[i];
        const std::string path = fmt::format("fluid.drains[{}]", i);
        region<D>(e, s, path, "the drain");
        starts_in_time(e, s.start, path, "the drain");
    }
    if (e.scene.fluid.kind == FluidKind::liquid && e.scene.fluid.initial.empty() && e.scene.fluid.sources.empty() &&
        !e.at_fault("fluid"))
        e.warning("fluid.initial", "there is no liquid, neither at the start nor from a source");
}

template void examine_regions<2>(Examination&);
template void examine_regions<3>(Examination&);

}  // namespace tidelock::scene
