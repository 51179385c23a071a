#include "scene/memory_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/math.h"
#include "fluid/liquid_bricks.h"
#include "grid/domain.h"

namespace tidelock::scene {

namespace {

// From the peaks of a few runs of 32^3 to 128^3 and of 512^2 cells with pools, drops and plumes.
constexpr double mebibyte = 1048576;
constexpr double program_bytes = 50 * mebibyte;  // before there is any cell
constexpr double gas_cell = 170;                 // [bytes] a cell of a brick in use, solver included
template <int D>
constexpr double output_bytes = (D == 3 ? 60 : 10) * mebibyte;  // of pictures and volumes
template <int D>
constexpr double liquid_brick_cell = D == 3 ? 500 : 350;
template <int D>
constexpr double particle_bytes = D == 3 ? 200 : 130;
constexpr double marker_bytes_per_cell = 600;
constexpr double band_share = 0.4;  // of a liquid's cells that a narrow band of particles fills

/// A part of what needs bricks, as the estimate looks at it.
template <int D>
struct Part {
    std::shared_ptr<const Shape<D>> shape;
    Pose<D> pose;
    Bounds<D> box;        ///< clipped to the domain, with the margin
    double fill = 1;      ///< share of the shape that is full: less for a mesh, which its box stands for
    bool liquid = false;  ///< full of it at the start
    bool air = false;     ///< takes away what parts before have put there
    [[nodiscard]] double distance(const Vec<D>& x) const {
        return shape->distance(pose.rotation.transpose() * (x - pose.position));
    }
};

/// Where a plane across an axis leaves room for its half-space.
template <int D>
void clip_to_plane(const ShapeSpec& s, const Pose<D>& pose, double margin, Bounds<D>& box) {
    const Vec<D> normal = pose.rotation * to_vec<D>(s.normal);
    for (int a = 0; a < D; ++a) {
        if (normal[a] > 1 - 1e-9) box.high[a] = std::min(box.high[a], pose.position[a] + margin);
        if (normal[a] < -1 + 1e-9) box.low[a] = std::max(box.low[a], pose.position[a] - margin);
    }
}

/// None if it lies outside of the domain.
template <int D>
std::optional<Part<D>> part_of(const ShapeSpec& s, const Vector& position, const Rotation& rotation, const Scene& scene,
                               double margin, MeshStore& meshes) {
    Part<D> part;
    part.pose = pose_of<D>(position, rotation);
    part.box = {Vec<D>::Zero(), to_vec<D>(scene.domain.size)};
    if (s.kind == ShapeKind::plane) {
        clip_to_plane<D>(s, part.pose, margin, part.box);
    } else {
        const Bounds<D> own = placed_bounds<D>(s, part.pose, meshes);
        part.box.low = part.box.low.cwiseMax(own.low - Vec<D>::Constant(margin));
        part.box.high = part.box.high.cwiseMin(own.high + Vec<D>::Constant(margin));
    }
    if ((part.box.high.array() <= part.box.low.array()).any()) return std::nullopt;
    if (s.kind != ShapeKind::mesh) {
        part.shape = make_shape<D>(s, meshes, "shape");
        return part;
    }
    // The box around it: a mesh's distances take seconds to make.
    Vec<D> half, centre;
    for (int a = 0; a < D; ++a) {
        const double high = extent_along<D>(s, Vec<D>::Unit(a), meshes);
        const double low = -extent_along<D>(s, -Vec<D>::Unit(a), meshes);
        half[a] = 0.5 * (high - low), centre[a] = 0.5 * (high + low);
    }
    part.shape = std::make_shared<Box<D>>(2 * half, "shape");
    part.pose.position += part.pose.rotation * centre;
    part.fill = std::min(1.0, shape_mass<D>(s, meshes).volume / (2 * half).prod());
    return part;
}

template <int D>
std::vector<Part<D>> parts_of(const Scene& scene, double margin, MeshStore& meshes) {
    std::vector<Part<D>> parts;
    const auto add = [&](const auto& region, bool liquid, bool air) {
        if (auto part = part_of<D>(region.shape, region.position, region.rotation, scene, margin, meshes)) {
            part->liquid = liquid, part->air = air;
            parts.push_back(std::move(*part));
        }
    };
    for (const InitialFluid& i : scene.fluid.initial) add(i, !i.air, i.air);
    for (const Source& s : scene.fluid.sources) add(s, s.start <= 0, false);
    for (const Solid& s : scene.solids)
        if (s.type == SolidType::rigid) add(s, false, false);
    return parts;
}

/// Samples along each axis of a part's box: fewer where many parts are asked about each.
template <int D>
int samples_for(std::size_t parts) {
    constexpr int most = D == 3 ? 20 : 64;
    constexpr double budget = 3e7;  // a fraction of a second
    const double each = budget / static_cast<double>(parts * parts);
    return std::clamp(static_cast<int>(D == 3 ? cube_root(each) : std::sqrt(each)), 1, most);
}

/// Cells near any of the parts, and of liquid, from samples in the box of each. Where several are near the first one
/// counts; where several hold a point the last one says whether it is full.
template <int D>
void count_cells(const std::vector<Part<D>>& parts, double margin, double cell_volume, MemoryEstimate& out) {
    const int n = samples_for<D>(std::max<std::size_t>(1, parts.size())), total = D == 3 ? n * n * n : n * n;
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        if (part->air) continue;
        double near = 0, full = 0;
        for (int i = 0; i < total; ++i) {
            Vec<D> x;
            for (int a = 0, rest = i; a < D; ++a, rest /= n)
                x[a] = part->box.low[a] + (rest % n + 0.5) / n * part->box.size()[a];
            const auto within = [&](const Part<D>& other, double reach) {
                return other.box.contains(x) && other.distance(x) <= reach;
            };
            if (!within(*part, margin)) continue;
            const auto is_near = [&](const Part<D>& other) { return !other.air && within(other, margin); };
            near += std::none_of(parts.begin(), part, is_near);
            if (!part->liquid || !within(*part, 0)) continue;
            const auto decides = [&](const Part<D>& other) { return (other.liquid || other.air) && within(other, 0); };
            full += std::none_of(part + 1, parts.end(), decides) ? part->fill : 0;
        }
        const double cells = part->box.size().prod() / cell_volume;
        out.active_at_start += near / total * cells;
        out.liquid_at_start += full / total * cells;
    }
}

/// What flows out of a source's box over the run [m^D].
template <int D>
double poured_by(const Source& s, const Scene& scene, MeshStore& meshes) {
    if (!s.velocity) return 0;
    const Vec<D> size = placed_bounds<D>(s.shape, pose_of<D>(s.position, s.rotation), meshes).size();
    double rate = 0;
    for (int a = 0; a < D; ++a) rate += std::abs((*s.velocity)[static_cast<std::size_t>(a)]) * size.prod() / size[a];
    return size.prod() + rate * std::max(0.0, std::min(s.end, scene.time.duration) - s.start);
}

template <int D>
double liquid_cell_bytes(const LiquidOptions& l) {
    constexpr double particles = D == 3 ? 8 : 4;  // a cell
    double bytes = l.transport == LiquidTransport::semi_lagrangian    ? 0
                   : l.transport == LiquidTransport::narrow_band_flip ? band_share * particles * particle_bytes<D>
                                                                      : particles * particle_bytes<D>;
    if (l.surface == LiquidSurface::particle_level_set) bytes += marker_bytes_per_cell;
    return bytes;
}

template <int D>
void estimate_liquid(const Scene& scene, MeshStore& meshes, MemoryEstimate& out) {
    const double h = scene.domain.cell_size(), cell_volume = D == 3 ? h * h * h : h * h;
    // A brick is in use when anything in it is near: on average it reaches half of its own size further.
    constexpr double half_brick = D == 3 ? 5 : 16;
    const double reach = scene.time.cfl + liquid_rim + half_brick;
    const double all = out.bricks * Brick<D>::cells;
    count_cells<D>(parts_of<D>(scene, reach * h, meshes), reach * h, cell_volume, out);
    double poured = 0;
    for (const Source& s : scene.fluid.sources) poured += poured_by<D>(s, scene, meshes) / cell_volume;
    if (scene.fluid.liquid.bubbles == Bubbles::constraint) out.active_at_start = all;
    out.liquid_later = std::min(out.cells, out.liquid_at_start + poured);
    // What falls apart has a rim about as large as itself.
    out.active_later = std::min(all, out.active_at_start + out.liquid_later + poured);
    const double wet = liquid_cell_bytes<D>(scene.fluid.liquid), any = liquid_brick_cell<D>;
    out.at_start += out.active_at_start * any + out.liquid_at_start * wet;
    out.later += out.active_later * any + out.liquid_later * wet;
}

template <int D>
MemoryEstimate estimate(const Scene& scene, MeshStore& meshes) {
    Coord<D> cells;
    MemoryEstimate out;
    out.cells = out.bricks = 1;
    for (int a = 0; a < D; ++a) cells[a] = scene.domain.cells[static_cast<std::size_t>(a)];
    const Coord<D> bricks = lattice_for_faces<D>(cells);
    for (int a = 0; a < D; ++a) out.cells *= cells[a], out.bricks *= bricks[a];
    const Output& o = scene.output;
    out.at_start = out.later = program_bytes + (o.vdb || o.preview ? output_bytes<D> : 0);
    if (scene.fluid.kind == FluidKind::liquid) {
        estimate_liquid<D>(scene, meshes, out);
        return out;
    }
    out.active_at_start = out.active_later = out.bricks * Brick<D>::cells;
    out.at_start += out.active_at_start * gas_cell;
    out.later = out.at_start;
    return out;
}

}  // namespace

MemoryEstimate estimate_memory(const Scene& scene, MeshStore& meshes) {
    return scene.dimension == 2 ? estimate<2>(scene, meshes) : estimate<3>(scene, meshes);
}

std::string size_text(double bytes) {
    return bytes < 10240 * mebibyte ? fmt::format("{:.0f} MiB", std::ceil(bytes / mebibyte))
                                    : fmt::format("{:.4g} GiB", bytes / (1024 * mebibyte));
}

std::string format(const MemoryEstimate& e, const Scene& scene) {
    if (scene.fluid.kind == FluidKind::smoke)
        return fmt::format("about {} of memory: gas is in every cell", size_text(e.at_start));
    const double volume = e.liquid_at_start * power(scene.domain.cell_size(), scene.dimension);
    std::string text = fmt::format(
        "about {} of memory at the start ({:.3g} cells of liquid, {:.3g} m^{}, {:.3g} kg{}; {:.3g} cells in use)",
        size_text(e.at_start), std::round(e.liquid_at_start), volume, scene.dimension, volume * scene.fluid.density,
        scene.dimension == 2 ? "/m" : "", std::round(e.active_at_start));
    if (e.later > e.at_start)
        text += fmt::format(
            ", later up to {} ({})", size_text(e.later),
            scene.fluid.sources.empty() ? "if the liquid spreads" : "if it spreads and what the sources pour stays");
    return text;
}

}  // namespace tidelock::scene
