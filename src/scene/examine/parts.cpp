#include "scene/examine/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tidelock::scene {

namespace {

/// What a user can do about a mesh that is no solid.
std::string remedy(const ShapeSpec& s, const MeshEntry& entry) {
    if (s.repair) return "; a repair did not help, mend it in a modelling program";
    if (entry.repair_helps)
        return fmt::format(
            R"(; give the shape "repair": true, or a repaired file: tidelock mesh "{}" --repair OUT.ply)", s.file);
    return fmt::format("; a repair does not help, mend it in a modelling program (tidelock mesh \"{}\" says more)",
                       s.file);
}

bool mesh_is_sound(Examination& e, const ShapeSpec& s, const std::string& path) {
    const MeshEntry& entry = e.meshes.get(s);
    if (!entry.error.empty()) {
        e.error(path + ".file", entry.error);
        return false;
    }
    for (const MeshFault& fault : entry.report.faults) {
        const std::string text =
            fmt::format("the mesh \"{}\" has {}{}", s.file, fault.text, fault.prevents_solid ? remedy(s, entry) : "");
        if (fault.prevents_solid)
            e.error(path + ".file", text);
        else
            e.warning(path + ".file", text);
    }
    if (s.repair && entry.usable() && !entry.repairs.empty())
        e.warning(path + ".repair", fmt::format("as asked: {}", fmt::join(entry.repairs, ", ")));
    if (entry.report.closed() && !positive(s.scale))
        e.error(path + ".scale", fmt::format("must be positive and finite, not {}", s.scale));
    return is_sound(s, 3, e.meshes);
}

}  // namespace

bool Examination::at_fault(const std::string& path) const {
    const auto is_inside = [](std::string_view inner, std::string_view outer) {
        if (!inner.starts_with(outer)) return false;
        return inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[';
    };
    return std::any_of(known.begin(), known.end(), [&](const Problem& p) {
        return p.severity == Severity::error && !p.path.empty() && (is_inside(p.path, path) || is_inside(path, p.path));
    });
}

template <int D>
bool examine_shape(Examination& e, const ShapeSpec& s, const std::string& path) {
    if (e.at_fault(path)) return false;
    if (s.kind == ShapeKind::mesh && D == 3 && !s.file.empty()) return mesh_is_sound(e, s, path);
    if (is_sound(s, D, e.meshes)) return true;
    e.error(path, "sizes must be positive and finite, and the shape must exist in this dimension");
    return false;
}

template <int D>
std::string list_text(const Vec<D>& v) {
    std::string text = "[";
    for (int a = 0; a < D; ++a) text += fmt::format("{}{:.6g}", a > 0 ? ", " : "", v[a]);
    return text + "] m";
}

template bool examine_shape<2>(Examination&, const ShapeSpec&, const std::string&);
template bool examine_shape<3>(Examination&, const ShapeSpec&, const std::string&);
template std::string list_text<2>(const Vec<2>&);
template std::string list_text<3>(const Vec<3>&);

}  // namespace tidelock::scene
