#include "geometry/mesh_doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "geometry/mesh_topology.h"

namespace tidelock {
namespace {

struct KindInfo {
    const char* name;
    bool prevents_solid;
    const char* remedy;
};

const KindInfo& info(MeshFaultKind kind) {
    static constexpr KindInfo table[] = {
        {"missing triangles", true, "export the mesh with faces"},
        {"triangles with indices out of range", true, "export the mesh again, the file is damaged"},
        {"points with coordinates that are not finite", true, "export the mesh again, the file is damaged"},
        {"open edges", true, "there are holes, which a repair can fill"},
        {"non-manifold edges", false, "parts of the surface touch there; separate them if the parts should come apart"},
        {"inconsistently oriented edges", true, "a repair can turn triangles to agree"},
        {"flipped triangles", true, "a repair can turn them"},
        {"one-sided patches", true, "cut and rebuild the surface so that it has an inside; no repair can choose one"},
        {"inside-out components", true, "the normals point inward; a repair can turn them"},
        {"degenerate triangles", false, "harmless for distance and volume; remesh if contacts there look wrong"},
        {"duplicate triangles", false, "a repair can remove them"},
        {"unreferenced points", false, "harmless; a repair can remove them"},
    };
    return table[static_cast<int>(kind)];
}

/// Collects faults of one kind; call found() for each.
class Finding {
  public:
    explicit Finding(MeshFaultKind kind) : kind_(kind) {}
    void found(const Vec3& where, int how_many = 1) {
        if (count_ == 0) where_ = where;
        count_ += how_many;
    }
    void report(MeshReport& out) const {
        if (count_ == 0) return;
        const auto& [name, prevents, remedy] = info(kind_);
        out.faults.push_back({kind_, count_, where_,
                              fmt::format("{} {}, for example at [{:.6g}, {:.6g}, {:.6g}]: {}", count_, name,
                                          where_.x(), where_.y(), where_.z(), remedy),
                              prevents});
    }

  private:
    MeshFaultKind kind_;
    int count_ = 0;
    Vec3 where_ = Vec3::Zero();
};

Vec3 middle(const TriangleMesh& mesh, int t) {
    const auto& [a, b, c] = mesh.triangles[t];
    return (mesh.points[a] + mesh.points[b] + mesh.points[c]) / 3;
}

/// Faults that make the rest of the examination impossible. True if there are any.
bool find_damage(const TriangleMesh& mesh, MeshReport& report) {
    Finding none(MeshFaultKind::no_triangles), index(MeshFaultKind::bad_index), finite(MeshFaultKind::not_finite);
    if (mesh.triangles.empty()) none.found(Vec3::Zero());
    const int n = static_cast<int>(mesh.points.size());
    for (const auto& triangle : mesh.triangles) {
        const bool good = std::all_of(triangle.begin(), triangle.end(), [n](int i) { return i >= 0 && i < n; });
        if (!good) index.found(Vec3::Zero());
    }
    for (const Vec3& x : mesh.points) {
        if (!x.allFinite()) finite.found(x);
    }
    for (const Finding& finding : {none, index, finite}) finding.report(report);
    return !report.faults.empty();
}

void find_edge_faults(const TriangleMesh& mesh, const MeshTopology& topology, MeshReport& report) {
    Finding open(MeshFaultKind::open_edge), many(MeshFaultKind::non_manifold_edge);
    Finding inconsistent(MeshFaultKind::inconsistent_edge);
    for (std::size_t e = 0; e < topology.edge_count(); ++e) {
        const auto uses = topology.uses(e);
        const Vec3 where = 0.5 * (mesh.points[uses[0].low] + mesh.points[uses[0].high]);
        if (uses.size() == 1) open.found(where);
        if (uses.size() > 2) many.found(where);
        if (uses.size() > 1 && topology.balance(e) != 0) inconsistent.found(where);
    }
    for (const Finding& finding : {open, many, inconsistent}) finding.report(report);
}

void find_orientation_faults(const TriangleMesh& mesh, const MeshTopology& topology, MeshReport& report) {
    const Orientation orientation = find_orientation(topology, mesh.triangles.size());
    Finding flipped(MeshFaultKind::flipped_triangle), one_sided(MeshFaultKind::one_sided_patch);
    Finding inside_out(MeshFaultKind::inside_out_component);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (orientation.turn[t]) flipped.found(middle(mesh, static_cast<int>(t)));
    }
    const auto first = std::find(orientation.one_sided.begin(), orientation.one_sided.end(), true);
    if (first != orientation.one_sided.end()) {
        one_sided.found(middle(mesh, static_cast<int>(first - orientation.one_sided.begin())),
                        orientation.one_sided_patches);
    }
    const auto closed = closed_components(topology);
    const auto volumes = component_volumes(mesh, topology);
    const auto signs = expected_signs(mesh, topology, closed, volumes);
    std::vector<bool> named(topology.component_count());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const int c = topology.component()[t];
        if (closed[c] && !named[c] && volumes[c] * signs[c] < 0) inside_out.found(middle(mesh, static_cast<int>(t)));
        named[c] = true;
    }
    for (const Finding& finding : {flipped, one_sided, inside_out}) finding.report(report);
}

void find_waste(const TriangleMesh& mesh, MeshReport& report) {
    Finding degenerate(MeshFaultKind::degenerate_triangle), duplicate(MeshFaultKind::duplicate_triangle);
    Finding unreferenced(MeshFaultKind::unreferenced_point);
    std::set<std::array<int, 3>> seen;
    std::vector<bool> used(mesh.points.size());
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
        std::array<int, 3> corners = mesh.triangles[t];
        for (const int i : corners) used[i] = true;
        if (is_degenerate(mesh, t)) degenerate.found(middle(mesh, t));
        std::sort(corners.begin(), corners.end());
        if (!seen.insert(corners).second) duplicate.found(middle(mesh, t));
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (!used[i]) unreferenced.found(mesh.points[i]);
    }
    for (const Finding& finding : {degenerate, duplicate, unreferenced}) finding.report(report);
}

}  // namespace

bool is_degenerate(const TriangleMesh& mesh, int triangle) {
    const auto& [a, b, c] = mesh.triangles[triangle];
    const Vec3 &x = mesh.points[a], &y = mesh.points[b], &z = mesh.points[c];
    const double longest = std::max({(y - x).squaredNorm(), (z - y).squaredNorm(), (x - z).squaredNorm()});
    return area_normal(mesh, triangle).norm() <= degenerate_height * longest;  // 2 area = height * edge
}

bool MeshReport::closed() const {
    return std::none_of(faults.begin(), faults.end(), [](const MeshFault& fault) { return fault.prevents_solid; });
}

int MeshReport::count(MeshFaultKind kind) const {
    for (const MeshFault& fault : faults) {
        if (fault.kind == kind) return fault.count;
    }
    return 0;
}

std::string MeshReport::text() const {
    if (faults.empty()) return "no faults";
    std::string out;
    for (const MeshFault& fault : faults) out += (out.empty() ? "" : "\n") + fault.text;
    return out;
}

MeshReport diagnose(const TriangleMesh& mesh) {
    MeshReport report;
    report.points = static_cast<int>(mesh.points.size());
    report.triangles = static_cast<int>(mesh.triangles.size());
    if (find_damage(mesh, report)) return report;
    const MeshTopology topology(mesh);
    report.edges = static_cast<int>(topology.edge_count());
    report.components = topology.component_count();
    report.area = area(mesh);
    report.signed_volume = signed_volume(mesh);
    find_edge_faults(mesh, topology, report);
    find_orientation_faults(mesh, topology, report);
    find_waste(mesh, report);
    return report;
}

}  // namespace tidelock
