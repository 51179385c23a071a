#include "scene/examine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "scene/coupling/method_keys.h"
#include "scene/fit_cells.h"
#include "scene/grid_size.h"
#include "scene/overlap.h"

namespace tidelock::scene {

namespace {

bool positive(double v) { return std::isfinite(v) && v > 0; }
bool finite(const Vector& v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

template <int D>
class Examiner {
  public:
    Examiner(const Scene& scene, const Limits& limits, MeshStore& meshes, const Places& places,
             const std::vector<Problem>& known)
        : scene_(scene), limits_(limits), meshes_(meshes), places_(places), known_(known) {}

    std::vector<Problem> run() {
        domain_sound_ =
            !at_fault("domain.size") && !at_fault("domain.cells") && !at_fault("domain.cell_size") && domain();
        if (!at_fault("time")) time();
        if (!at_fault("fluid.density") && !positive(scene_.fluid.density))
            error("fluid.density", fmt::format("must be positive and finite, not {}", scene_.fluid.density));
        regions();
        solids();
        if (!at_fault("coupling")) coupling();
        return problems_.take();
    }

  private:
    void error(const std::string& path, std::string text) {
        problems_.error(places_.find(path), path, std::move(text));
    }
    void warning(const std::string& path, std::string text) {
        problems_.warning(places_.find(path), path, std::move(text));
    }

    /// Whether the reading found an error in this value, in something inside of it, or in what it would be a part of.
    [[nodiscard]] bool at_fault(const std::string& path) const {
        const auto is_inside = [](std::string_view inner, std::string_view outer) {
            if (!inner.starts_with(outer)) return false;
            return inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[';
        };
        return std::any_of(known_.begin(), known_.end(), [&](const Problem& p) {
            return p.severity == Severity::error && !p.path.empty() &&
                   (is_inside(p.path, path) || is_inside(path, p.path));
        });
    }

    /// What the method itself has to say.
    void coupling() {
        const MethodKeys* method = find_method(scene_.coupling.method);
        if (!method) return error("coupling.method", fmt::format("there is no method \"{}\"", scene_.coupling.method));
        if (!method->check) return;
        method->check(scene_, [&](Severity severity, const std::string& path, std::string text) {
            problems_.add({severity, places_.find(path), path, std::move(text)});
        });
    }

    bool domain() {
        const Domain& d = scene_.domain;
        bool sound = true;
        for (std::size_t a = 0; a < D; ++a) {
            if (!positive(d.size[a])) {
                error("domain.size", fmt::format("must be positive and finite, not {} along axis {}", d.size[a], a));
                sound = false;
            }
            if (d.cells[a] < 1) {
                error("domain.cells", fmt::format("must be at least 1, not {} along axis {}", d.cells[a], a));
                sound = false;
            }
        }
        if (!sound) return false;
        if (!are_cubes(d.size, D, d.cells)) {
            error("domain.cells", "the cells are not cubes: size / cells differs between axes");
            return false;
        }
        const GridSize grid = grid_size(scene_, limits_.bytes_per_cell);
        if (limits_.memory_bytes > 0 && grid.bytes > limits_.memory_bytes) {
            const double share = limits_.memory_bytes / grid.bytes;
            const double shrink = D == 2 ? std::sqrt(share) : cube_root(share);
            const double longest = d.cells[static_cast<std::size_t>(longest_axis(d.size, D))];
            error("domain.cells",
                  fmt::format("{:.4g} cells in {:.4g} bricks need about {:.1f} MiB, {:.1f} MiB are allowed; about {} "
                              "cells along the longest "
                              "axis would fit, instead of {}",
                              grid.cells, grid.bricks, grid.bytes / 1048576, limits_.memory_bytes / 1048576,
                              std::max(1, static_cast<int>(longest * shrink)), longest));
        }
        return true;
    }

    void time() {
        const Time& t = scene_.time;
        for (const auto& [name, value] :
             {std::pair{"duration", t.duration}, {"fps", t.fps}, {"cfl", t.cfl}, {"step", t.step.value_or(1)}})
            if (!positive(value))
                return error(fmt::format("time.{}", name), fmt::format("must be positive and finite, not {}", value));
        if (t.duration * t.fps < 1 - 1e-9)
            warning("time.duration",
                    fmt::format("{} s is less than one frame at {} frames a second", t.duration, t.fps));
        if (t.duration * t.fps > 1e6)
            warning("time.fps", fmt::format("{:.3g} frames will be written", t.duration * t.fps));
        if (t.step && *t.step > t.duration * (1 + 1e-9))
            warning("time.step", fmt::format("{} s is longer than the whole run of {} s", *t.step, t.duration));
        else if (t.step && *t.step * t.fps > 1 + 1e-9)
            warning("time.step", fmt::format("{} s is longer than a frame of {:.4g} s; steps end where frames do",
                                             *t.step, 1 / t.fps));
        if (t.step && t.duration / *t.step > 1e8)
            error("time.step",
                  fmt::format("{} s makes {:.3g} steps; at most 1e8 are allowed", *t.step, t.duration / *t.step));
    }

    /// The shape's own faults. False if nothing more can be said about it.
    bool shape(const ShapeSpec& s, const std::string& path) {
        if (at_fault(path)) return false;
        if (s.kind == ShapeKind::mesh && D == 3 && !s.file.empty()) return mesh(s, path);
        if (is_sound(s, D, meshes_)) return true;
        error(path, "sizes must be positive and finite, and the shape must exist in this dimension");
        return false;
    }

    bool mesh(const ShapeSpec& s, const std::string& path) {
        const MeshEntry& entry = meshes_.get(s.file);
        if (!entry.error.empty()) {
            error(path + ".file", entry.error);
            return false;
        }
        for (const MeshFault& fault : entry.report.faults) {
            const std::string text = fmt::format("the mesh \"{}\" has {}", s.file, fault.text);
            if (fault.prevents_solid)
                error(path + ".file", text);
            else
                warning(path + ".file", text);
        }
        if (entry.report.closed() && !positive(s.scale))
            error(path + ".scale", fmt::format("must be positive and finite, not {}", s.scale));
        return is_sound(s, D, meshes_);
    }

    [[nodiscard]] Bounds<D> domain_box() const { return {Vec<D>::Zero(), to_vec<D>(scene_.domain.size)}; }

    void region(const ShapeSpec& s, const Vector& position, const Rotation& rotation, const std::string& path,
                const char* what) {
        if (!shape(s, path + ".shape") || at_fault(path + ".position") || at_fault(path + ".rotation") ||
            !domain_sound_)
            return;
        if (!finite(position)) return error(path + ".position", "must be finite");
        if (s.kind == ShapeKind::plane) return;
        const Bounds<D> box = placed_bounds<D>(s, pose_of<D>(position, rotation), meshes_);
        const Bounds<D> all = domain_box();
        if ((box.high.array() <= 0).any() || (box.low.array() >= all.high.array()).any())
            error(path + ".position",
                  fmt::format("{} lies outside of the domain, which reaches from 0 to {}", what, list(all.high)));
        else if (thinnest_width(s, D, meshes_) < scene_.domain.cell_size())
            warning(path + ".shape",
                    fmt::format("{} is {:.3g} m thin, less than a cell of {:.3g} m: it may fall between the cells",
                                what, thinnest_width(s, D, meshes_), scene_.domain.cell_size()));
    }

    void regions() {
        for (std::size_t i = 0; i < scene_.fluid.initial.size() && !problems_.full(); ++i) {
            const InitialFluid& s = scene_.fluid.initial[i];
            region(s.shape, s.position, s.rotation, fmt::format("fluid.initial[{}]", i),
                   scene_.fluid.kind == FluidKind::smoke ? "the initial smoke" : "the initial liquid");
        }
        for (std::size_t i = 0; i < scene_.fluid.sources.size() && !problems_.full(); ++i) {
            const Source& s = scene_.fluid.sources[i];
            const std::string path = fmt::format("fluid.sources[{}]", i);
            region(s.shape, s.position, s.rotation, path, "the source");
            starts_in_time(s.start, path, "the source");
        }
        for (std::size_t i = 0; i < scene_.fluid.liquid.drains.size() && !problems_.full(); ++i) {
            const Drain& s = scene_.fluid.liquid.drains[i];
            const std::string path = fmt::format("fluid.drains[{}]", i);
            region(s.shape, s.position, s.rotation, path, "the drain");
            starts_in_time(s.start, path, "the drain");
        }
        if (scene_.fluid.kind == FluidKind::liquid && scene_.fluid.initial.empty() && scene_.fluid.sources.empty() &&
            !at_fault("fluid"))
            warning("fluid.initial", "there is no liquid, neither at the start nor from a source");
    }

    void starts_in_time(double start, const std::string& path, const char* what) {
        if (!at_fault("time") && !at_fault(path + ".start") && start >= scene_.time.duration)
            warning(path + ".start",
                    fmt::format("{} starts at {} s, but the run ends at {} s", what, start, scene_.time.duration));
    }

    void solids() {
        std::vector<bool> placed(scene_.solids.size(), false);
        for (std::size_t i = 0; i < scene_.solids.size() && !problems_.full(); ++i) {
            const Solid& s = scene_.solids[i];
            const std::string path = fmt::format("solids[{}]", i);
            if (s.type == SolidType::rigid && !at_fault(path + ".density") && !at_fault(path + ".type") &&
                !positive(s.density))
                error(path + ".density", fmt::format("must be positive and finite, not {}", s.density));
            if (!shape(s.shape, path + ".shape") || at_fault(path + ".position") || at_fault(path + ".rotation"))
                continue;
            if (!finite(s.position)) {
                error(path + ".position", "must be finite");
                continue;
            }
            placed[i] = !at_fault(path + ".type");
            if (domain_sound_) place(s, path);
        }
        const double tolerance = domain_sound_ ? 1e-3 * scene_.domain.cell_size() : 1e-9;
        const OverlapSearch found = find_overlaps(scene_, placed, tolerance, Problems::limit, meshes_);
        for (const Overlap& o : found.overlaps)
            error(fmt::format("solids[{}].position", o.second),
                  fmt::format(R"("{}" overlaps "{}" (solids[{}]) by {:.3g} m; move them apart)", short_name(o.second),
                              short_name(o.first), o.first, o.depth));
        if (!found.complete)
            warning("solids", "too many solids are close to each other: not all pairs were examined for overlaps");
    }

    [[nodiscard]] std::string short_name(std::size_t i) const { return scene_.solids[i].name.substr(0, 60); }

    static std::string list(const Vec<D>& v) {
        std::string text = "[";
        for (int a = 0; a < D; ++a) text += fmt::format("{}{:.6g}", a > 0 ? ", " : "", v[a]);
        return text + "] m";
    }

    void place(const Solid& s, const std::string& path) {
        const double h = scene_.domain.cell_size();
        if (s.shape.kind == ShapeKind::plane) return plane(s, path);
        const Pose<D> pose = pose_of<D>(s.position, s.rotation);
        const Bounds<D> box = placed_bounds<D>(s.shape, pose, meshes_);
        const Bounds<D> all = domain_box();
        if ((box.high.array() <= 0).any() || (box.low.array() >= all.high.array()).any())
            error(path + ".position",
                  fmt::format(
                      "the solid reaches from {} to {} and lies outside of the domain, which reaches from 0 to {}",
                      list(box.low), list(box.high), list(all.high)));
        else
            walls(s, box, path);
        const double width = thinnest_width(s.shape, D, meshes_);
        if (!s.shell && width < 2 * h * (1 - 1e-9))
            warning(path + ".shape",
                    fmt::format("{:.4g} m is {:.2g} cells thin; the grid resolves what has at least 2 cells, {:.4g} m",
                                width, width / h, 2 * h));
        if (s.type == SolidType::kinematic) motion(s, path);
    }

    /// A wall is closed or open; a rigid body must not start in a closed one.
    void walls(const Solid& s, const Bounds<D>& box, const std::string& path) {
        const double slack = 1e-3 * scene_.domain.cell_size();
        for (int a = 0; a < D; ++a) {
            for (int side = 0; side < 2; ++side) {
                const std::size_t wall = 2 * static_cast<std::size_t>(a) + static_cast<std::size_t>(side);
                const double beyond =
                    side == 0 ? -box.low[a] : box.high[a] - scene_.domain.size[static_cast<std::size_t>(a)];
                if (beyond <= slack) continue;
                const bool closed = scene_.domain.walls[wall] == Wall::closed;
                const std::string text = fmt::format("the solid reaches {:.3g} m through the {} wall {}", beyond,
                                                     closed ? "closed" : "open", wall_names[wall]);
                if (closed && s.type == SolidType::rigid)
                    error(path + ".position", text + "; move it inside");
                else
                    warning(path + ".position", text);
            }
        }
    }

    void plane(const Solid& s, const std::string& path) {
        const Pose<D> pose = pose_of<D>(s.position, s.rotation);
        const Vec<D> normal = (pose.rotation * to_vec<D>(s.shape.normal)).normalized();
        bool open = false;
        for (int corner = 0; corner < (1 << D); ++corner) {
            Vec<D> x;
            for (int a = 0; a < D; ++a)
                x[a] = (corner >> a & 1) != 0 ? scene_.domain.size[static_cast<std::size_t>(a)] : 0;
            open = open || normal.dot(x - pose.position) > 0;
        }
        if (!open)
            error(path + ".position",
                  "the plane leaves no room for fluid: the whole domain lies behind it; turn its normal around?");
    }

    void motion(const Solid& s, const std::string& path) {
        const Bounds<D> all = domain_box();
        const auto look = [&](const Vector& centre, const std::string& at) {
            if (!all.contains(to_vec<D>(centre)))
                warning(at, fmt::format("the solid's centre leaves the domain, at {}", list(to_vec<D>(centre))));
        };
        const Motion& m = s.motion;
        for (std::size_t k = 0; k < m.keyframes.size() && !problems_.full(); ++k) {
            const std::string at = fmt::format("{}.motion.keyframes[{}]", path, k);
            if (at_fault(at)) continue;
            if (k > 0 && !(m.keyframes[k].time > m.keyframes[k - 1].time))
                error(at + ".time", fmt::format("{} s does not come after the keyframe before, at {} s",
                                                m.keyframes[k].time, m.keyframes[k - 1].time));
            look(m.keyframes[k].position, at + ".position");
        }
        if (m.type != MotionType::oscillate || at_fault(path + ".motion")) return;
        for (const double sign : {-1.0, 1.0}) {
            Vector end = s.position;
            for (std::size_t a = 0; a < D; ++a) end[a] += sign * m.amplitude[a];
            look(end, path + ".motion.amplitude");
        }
    }

    const Scene& scene_;
    const Limits& limits_;
    MeshStore& meshes_;
    const Places& places_;
    const std::vector<Problem>& known_;
    Problems problems_;
    bool domain_sound_ = false;
};

}  // namespace

std::vector<Problem> examine(const Scene& scene, const Limits& limits, MeshStore& meshes, const Places& places,
                             const std::vector<Problem>& known) {
    return scene.dimension == 2 ? Examiner<2>(scene, limits, meshes, places, known).run()
                                : Examiner<3>(scene, limits, meshes, places, known).run();
}

std::vector<Problem> all_problems(const Reading& reading, const Limits& limits, MeshStore& meshes) {
    std::vector<Problem> problems = reading.problems;
    if (!reading.parsed) return problems;
    for (Problem& p : examine(reading.scene, limits, meshes, reading.places, reading.problems))
        problems.push_back(std::move(p));
    sort_by_place(problems);
    return problems;
}

}  // namespace tidelock::scene
