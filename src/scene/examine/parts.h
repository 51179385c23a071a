/// What the files of this folder, one a subject, examine; examine() puts it together.
#pragma once

#include <cmath>

#include "scene/examine.h"

namespace tidelock::scene {

/// What an examination looks at, and what it has found.
struct Examination {
    const Scene& scene;
    const Limits& limits;
    MeshStore& meshes;
    const Places& places;
    const std::vector<Problem>& known;
    Problems problems;
    bool domain_sound = false;  ///< places can be judged

    void error(const std::string& path, std::string text) { problems.error(places.find(path), path, std::move(text)); }
    void warning(const std::string& path, std::string text) {
        problems.warning(places.find(path), path, std::move(text));
    }
    /// Whether the reading found an error in this value, in something inside of it, or in what it would be a part of.
    [[nodiscard]] bool at_fault(const std::string& path) const;
};

/// Whether there is a domain in which places mean something.
template <int D>
[[nodiscard]] bool examine_domain(Examination& e);
void examine_time(Examination& e);
/// Initial fluid, sources and drains.
template <int D>
void examine_regions(Examination& e);
template <int D>
void examine_solids(Examination& e);

/// Of a scene without errors.
template <int D>
void examine_memory(Examination& e);

/// The shape's own faults. False if nothing more can be said about it.
template <int D>
[[nodiscard]] bool examine_shape(Examination& e, const ShapeSpec& s, const std::string& path);

template <int D>
[[nodiscard]] Bounds<D> domain_box(const Scene& scene) {
    return {Vec<D>::Zero(), to_vec<D>(scene.domain.size)};
}
/// "[1, 2] m".
template <int D>
[[nodiscard]] std::string list_text(const Vec<D>& v);

/// For a mesh that is larger than the domain or smaller than two cells: its size, and a scale that would fit; else
/// nothing.
template <int D>
[[nodiscard]] std::string scale_hint(Examination& e, const ShapeSpec& s);
/// Whether no cell of the domain has its centre outside of the placed shape, whose box is `box`.
template <int D>
[[nodiscard]] bool fills_domain(Examination& e, const ShapeSpec& s, const Pose<D>& pose, const Bounds<D>& box);

[[nodiscard]] inline bool positive(double v) { return std::isfinite(v) && v > 0; }
[[nodiscard]] inline bool finite(const Vector& v) {
    return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

}  // namespace tidelock::scene
