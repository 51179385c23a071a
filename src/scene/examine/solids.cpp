#include "scene/examine/parts.h"

#include <fmt/format.h>

#include "scene/overlap.h"

namespace tidelock::scene {

namespace {

std::string short_name(const Scene& scene, std::size_t i) { return scene.solids[i].name.substr(0, 60); }

/// A wall is closed or open; a rigid body must not start in a closed one.
template <int D>
void walls(Examination& e, const Solid& s, const Bounds<D>& box, const std::string& path) {
    const double slack = 1e-3 * e.scene.domain.cell_size();
    std::string through;  // which a solid that does not move freely may be
    for (int a = 0; a < D; ++a) {
        for (int side = 0; side < 2; ++side) {
            const std::size_t wall = 2 * static_cast<std::size_t>(a) + static_cast<std::size_t>(side);
            const double beyond =
                side == 0 ? -box.low[a] : box.high[a] - e.scene.domain.size[static_cast<std::size_t>(a)];
            if (beyond <= slack) continue;
            const bool closed = e.scene.domain.walls[wall] == Wall::closed;
            const std::string text =
                fmt::format("{:.3g} m through the {} wall {}", beyond, closed ? "closed" : "open", wall_names[wall]);
            if (closed && s.type == SolidType::rigid)
                e.error(path + ".position",
                        fmt::format("the solid reaches {}; move it inside{}", text, scale_hint<D>(e, s.shape)));
            else
                through += (through.empty() ? "" : ", ") + text;
        }
    }
    if (!through.empty())
        e.warning(path + ".position", fmt::format("the solid reaches {}{}", through, scale_hint<D>(e, s.shape)));
}

template <int D>
void plane(Examination& e, const Solid& s, const std::string& path) {
    const Pose<D> pose = pose_of<D>(s.position, s.rotation);
    const Vec<D> normal = (pose.rotation * to_vec<D>(s.shape.normal)).normalized();
    bool open = false;
    for (int corner = 0; corner < (1 << D); ++corner) {
        Vec<D> x;
        for (int a = 0; a < D; ++a)
            x[a] = (corner >> a & 1) != 0 ? e.scene.domain.size[static_cast<std::size_t>(a)] : 0;
        open = open || normal.dot(x - pose.position) > 0;
    }
    if (!open)
        e.error(path + ".position",
                "the plane leaves no room for fluid: the whole domain lies behind it; turn its normal around?");
}

template <int D>
void motion(Examination& e, const Solid& s, const std::string& path) {
    const Bounds<D> all = domain_box<D>(e.scene);
    const auto look = [&](const Vector& centre, const std::string& at) {
        if (!all.contains(to_vec<D>(centre)))
            e.warning(at, fmt::format("the solid's centre leaves the domain, at {}", list_text<D>(to_vec<D>(centre))));
    };
    const Motion& m = s.motion;
    for (std::size_t k = 0; k < m.keyframes.size() && !e.problems.full(); ++k) {
        const std::string at = fmt::format("{}.motion.keyframes[{}]", path, k);
        if (e.at_fault(at)) continue;
        if (k > 0 && !(m.keyframes[k].time > m.keyframes[k - 1].time))
            e.error(at + ".time", fmt::format("{} s does not come after the keyframe before, at {} s",
                                              m.keyframes[k].time, m.keyframes[k - 1].time));
        look(m.keyframes[k].position, at + ".position");
    }
    if (m.type != MotionType::oscillate || e.at_fault(path + ".motion")) return;
    for (const double sign : {-1.0, 1.0}) {
        Vector end = s.position;
        for (std::size_t a = 0; a < D; ++a) end[a] += sign * m.amplitude[a];
        look(end, path + ".motion.amplitude");
    }
}

/// What the grid does not resolve of a solid.
template <int D>
void thinness(Examination& e, const ShapeSpec& s, const std::string& path) {
    const double h = e.scene.domain.cell_size(), width = thinnest_width(s, D, e.meshes);
    if (width < 2 * h * (1 - 1e-9))
        return e.warning(
            path + ".shape",
            fmt::format("{:.4g} m is {:.2g} cells thin; the grid resolves what has at least 2 cells, {:.4g} m{}", width,
                        width / h, 2 * h, scale_hint<D>(e, s)));
    constexpr double trimmings = 0.25;  // of the surface: ears, rims and corners of what is thick as a whole
    if (s.kind != ShapeKind::mesh) return;
    if (const double share = e.meshes.share_thinner(s, 2 * h); share > trimmings)
        e.warning(
            path + ".shape",
            fmt::format("{:.0f} % of the mesh's surface has less than 2 cells, {:.4g} m, of solid behind it, which "
                        "the grid does not resolve: take finer cells, or thicker walls",
                        100 * share, 2 * h));
}

template <int D>
void place(Examination& e, const Solid& s, const std::string& path) {
    if (s.shape.kind == ShapeKind::plane) return plane<D>(e, s, path);
    const Pose<D> pose = pose_of<D>(s.position, s.rotation);
    const Bounds<D> box = placed_bounds<D>(s.shape, pose, e.meshes);
    const Bounds<D> all = domain_box<D>(e.scene);
    if ((box.high.array() <= 0).any() || (box.low.array() >= all.high.array()).any())
        e.error(path + ".position",
                fmt::format(
                    "the solid reaches from {} to {} and lies outside of the domain, which reaches from 0 to {}{}",
                    list_text<D>(box.low), list_text<D>(box.high), list_text<D>(all.high), scale_hint<D>(e, s.shape)));
    else if (!s.shell && fills_domain<D>(e, s.shape, pose, box))
        return e.error(path + ".shape",
                       fmt::format("the solid fills the whole domain and leaves no room for fluid: it reaches from {} "
                                   "to {}, the domain from 0 to {}{}",
                                   list_text<D>(box.low), list_text<D>(box.high), list_text<D>(all.high),
                                   scale_hint<D>(e, s.shape)));
    else
        walls<D>(e, s, box, path);
    if (!s.shell) thinness<D>(e, s.shape, path);
    if (s.type == SolidType::kinematic) motion<D>(e, s, path);
}

}  // namespace

template <int D>
void examine_solids(Examination& e) {
    std::vector<bool> placed(e.scene.solids.size(), false);
    for (std::size_t i = 0; i < e.scene.solids.size() && !e.problems.full(); ++i) {
        const Solid& s = e.scene.solids[i];
        const std::string path = fmt::format("solids[{}]", i);
        if (s.type == SolidType::rigid && !e.at_fault(path + ".density") && !e.at_fault(path + ".type") &&
            !positive(s.density))
            e.error(path + ".density", fmt::format("must be positive and finite, not {}", s.density));
        if (!examine_shape<D>(e, s.shape, path + ".shape") || e.at_fault(path + ".position") ||
            e.at_fault(path + ".rotation"))
            continue;
        if (!finite(s.position)) {
            e.error(path + ".position", "must be finite");
            continue;
        }
        placed[i] = !e.at_fault(path + ".type");
        if (e.domain_sound) place<D>(e, s, path);
    }
    const double tolerance = e.domain_sound ? 1e-3 * e.scene.domain.cell_size() : 1e-9;
    const OverlapSearch found = find_overlaps(e.scene, placed, tolerance, Problems::limit, e.meshes);
    for (const Overlap& o : found.overlaps)
        e.error(fmt::format("solids[{}].position", o.second),
                fmt::format(R"("{}" overlaps "{}" (solids[{}]) by {:.3g} m; move them apart)",
                            short_name(e.scene, o.second), short_name(e.scene, o.first), o.first, o.depth));
    if (!found.complete)
        e.warning("solids", "too many solids are close to each other: not all pairs were examined for overlaps");
}

template void examine_solids<2>(Examination&);
template void examine_solids<3>(Examination&);

}  // namespace tidelock::scene
