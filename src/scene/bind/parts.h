/// What the files of this folder, one a subject, take from a checked tree; bind_scene() puts it together.
#pragma once

#include "scene/block.h"
#include "scene/problem.h"
#include "scene/reader.h"
#include "scene/scene.h"

namespace tidelock::scene {

/// What binding needs besides the tree.
struct Context {
    const ReadOptions& options;
    const Places& places;
    Problems& problems;

    void error(const std::string& path, std::string text) const {
        problems.error(places.find(path), path, std::move(text));
    }
    void warning(const std::string& path, std::string text) const {
        problems.warning(places.find(path), path, std::move(text));
    }
};

[[nodiscard]] Domain bind_domain(const Block& b, const Context& context);
[[nodiscard]] Time bind_time(const Block& b);
[[nodiscard]] ShapeSpec bind_shape(const Block& b, const Context& context);
[[nodiscard]] Fluid bind_fluid(const Block& b, const Context& context);
/// `index` of the solid chooses its colour.
[[nodiscard]] Solid bind_solid(const Block& b, std::size_t index, const Context& context);
[[nodiscard]] Joint bind_joint(const Block& b, const std::vector<Solid>& solids, const Context& context);
[[nodiscard]] Coupling bind_coupling(const Block& b);
[[nodiscard]] Output bind_output(const Block& b);
/// For a scene of which all but the picture is bound.
[[nodiscard]] Render bind_render(const Block& b, const Scene& scene, const Context& context);

/// The vector at unit length.
[[nodiscard]] Vector bind_unit(const Block& b, std::string_view key, const Vector& fallback, const Context& context);

/// "[1, 2]" for a message.
[[nodiscard]] std::string list_text(const Vector& v, int dimension);

}  // namespace tidelock::scene
