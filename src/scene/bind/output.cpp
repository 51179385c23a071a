#include "scene/bind/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tidelock::scene {

namespace {

/// About 0.7 million pixels in the domain's proportions (between 1:2 and 2:1); even, as film codecs want.
void picture_size(const Block& b, const Scene& s, Render& r, const Context& context) {
    const Vector& size = s.domain.size;
    const double ratio = std::clamp(size[1] / std::max(size[0], size[2]), 0.5, 2.0);
    const auto even = [](double pixels) { return std::clamp(2 * static_cast<int>(std::lround(pixels / 2)), 16, 8192); };
    const Json* width = b.get("width");
    const Json* height = b.get("height");
    constexpr double pixels = 700'000;
    r.width =
        width ? static_cast<int>(width->number) : even(height ? height->number / ratio : std::sqrt(pixels / ratio));
    r.height = height ? static_cast<int>(height->number) : even(r.width * ratio);
    for (const std::string_view key : {"width", "height"})
        if (const Json* v = b.get(key); v && static_cast<int>(v->number) % 2 != 0)
            context.error(b.path(key), fmt::format("must be even (film codecs want it), not {}; {} would do", v->number,
                                                   v->number + 1));
}

}  // namespace

Output bind_output(const Block& b) {
    return {b.boolean("vdb"),     b.boolean("particles"),    b.boolean("meshes"),          b.number("overlap"),
            b.boolean("preview"), b.number("preview_share"), b.integer("checkpoint_every")};
}

Render bind_render(const Block& b, const Scene& s, const Context& context) {
    Render r;
    if (b.given("camera") && b.get("camera")) {
        const Block camera = b.object("camera");
        Camera c;
        c.position = camera.vector("position", {});
        c.target = camera.vector("target", {0.5 * s.domain.size[0], 0.5 * s.domain.size[1], 0.5 * s.domain.size[2]});
        c.fov_degrees = camera.number("fov");
        if (camera.get("position") && c.position == c.target)
            context.error(camera.path("position"), "is the same point as the target; the camera needs a direction");
        r.camera = c;
    }
    r.background =
        b.colour("background", s.fluid.kind == FluidKind::smoke ? Colour{0.18, 0.22, 0.26} : Colour{0.5, 0.55, 0.6});
    r.smoke_colour = b.colour("smoke_colour");
    picture_size(b, s, r, context);
    r.field = b.word<RenderField>("field");
    r.streamlines = b.boolean("streamlines");
    return r;
}

}  // namespace tidelock::scene
