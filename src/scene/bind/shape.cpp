#include "scene/bind/parts.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/mesh_files.h"

namespace tidelock::scene {

namespace {

std::string mesh_file(const Block& b, const Context& context) {
    const std::string file = b.text("file");
    const MeshSearch found = find_mesh(file, context.options.folder, context.options.mesh_folders);
    if (found.file.empty()) context.error(b.path("file"), found.text);
    return found.file;
}

}  // namespace

Vector bind_unit(const Block& b, std::string_view key, const Vector& fallback, const Context& context) {
    Vector v = b.vector(key, fallback);
    const double sum = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if (!(sum > 1e-12)) {
        context.error(b.path(key), fmt::format("{} has no direction; its length must be more than 1e-6",
                                               list_text(v, b.dimension())));
        return fallback;
    }
    // Unit to rounding already: left alone, so that what was written is read back unchanged.
    if (std::abs(sum - 1) < 4e-15) return v;
    for (double& x : v) x /= std::sqrt(sum);
    return v;
}

ShapeSpec bind_shape(const Block& b, const Context& context) {
    ShapeSpec s;
    if (!b.variant()) return s;
    s.kind = b.chosen<ShapeKind>();
    s.radius = b.number("radius", 0);
    s.height = b.number("height", 0);
    s.tube = b.number("tube", 0);
    s.size = b.vector("size", {});
    if (s.kind == ShapeKind::plane) s.normal = bind_unit(b, "normal", {0, 1, 0}, context);
    if (s.kind == ShapeKind::torus && b.get("radius") && b.get("tube") && s.tube >= s.radius)
        context.error(b.path("tube"), fmt::format("must be smaller than radius {} m, not {}", s.radius, s.tube));
    if (s.kind == ShapeKind::mesh) {
        s.scale = b.number("scale");
        s.origin = b.word<MeshOrigin>("origin");
        s.repair = b.boolean("repair");
        if (b.get("file")) s.file = mesh_file(b, context);
    }
    return s;
}

}  // namespace tidelock::scene
