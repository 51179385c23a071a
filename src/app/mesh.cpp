/// `tidelock mesh`: what a mesh is, what is wrong with it, and the same mesh repaired.
#include <fmt/format.h>

#include "app/commands.h"
#include "geometry/mesh_doctor.h"
#include "geometry/mesh_io.h"
#include "geometry/mesh_queries.h"
#include "geometry/mesh_repair.h"
#include "geometry/mesh_thickness.h"
#include "scene/mesh_files.h"
#include "scene/mesh_folders.h"

namespace tidelock::app {

namespace {

namespace fs = std::filesystem;

std::string point_text(const Vec3& x) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", x[0], x[1], x[2]); }

/// Sizes are in the file's units, which a scene's "scale" turns into metres.
void print_size(const TriangleMesh& mesh, const MeshReport& report) {
    const Bounds<3> box = bounds(mesh);
    const Vec3 size = box.size();
    fmt::print("  {} points, {} triangles, {} parts\n", report.points, report.triangles, report.components);
    fmt::print("  size {:.6g} x {:.6g} x {:.6g}, from {} to {}\n", size[0], size[1], size[2], point_text(box.low),
               point_text(box.high));
    fmt::print("  area {:.6g}\n", report.area);
    if (!report.closed()) return;
    fmt::print("  volume {:.6g}\n  centre of mass {}\n", report.signed_volume,
               point_text(mass_properties(mesh).centre));
    constexpr int samples = 1000;
    const auto walls = wall_thickness(MeshQueries(mesh), samples);
    if (walls.empty()) return;
    fmt::print("  thickness {:.4g} (half of the surface has more behind it, a twentieth less than {:.4g})\n",
               walls[walls.size() / 2], walls[walls.size() / 20]);
}

void print_faults(const MeshReport& report) {
    for (const MeshFault& fault : report.faults)
        fmt::print("  {}: {}\n", fault.prevents_solid ? "fault" : "note", fault.text);
    fmt::print("  {}\n", report.closed() ? "a solid: it encloses its volume" : "no solid: it encloses no volume");
}

/// The mesh after a repair, told as `will`: what it did or would do.
TriangleMesh repaired(TriangleMesh mesh, const char* will) {
    for (const std::string& change : repair(mesh)) fmt::print("  a repair {}: {}\n", will, change);
    return mesh;
}

}  // namespace

int mesh_command(const MeshOptions& options) {
    const scene::MeshSearch found = scene::find_mesh(options.file, ".", scene::mesh_folders());
    if (found.file.empty()) throw UsageError(found.text);
    std::error_code ignored;
    if (!options.repair.empty() && fs::exists(options.repair, ignored))
        throw UsageError(fmt::format("{}: is already there and was left as it is", options.repair.string()));
    const TriangleMesh mesh = read_mesh(found.file);
    const MeshReport report = diagnose(mesh);
    fmt::print("{}\n", found.file);
    print_size(mesh, report);
    print_faults(report);
    if (options.repair.empty()) {
        if (report.closed()) return ExitCode::done;
        const bool helps = diagnose(repaired(mesh, "would have")).closed();
        fmt::print("  {}\n", helps
                                 ? "it would be a solid then: --repair OUT.ply, or \"repair\": true in a scene's shape"
                                 : "it would be no solid then either: mend it in a modelling program");
        return ExitCode::refused;
    }
    const TriangleMesh better = repaired(mesh, "has");
    const MeshReport after = diagnose(better);
    write_mesh(options.repair, better);
    fmt::print("{}\n", options.repair.string());
    print_size(better, after);
    print_faults(after);
    return after.closed() ? ExitCode::done : ExitCode::refused;
}

}  // namespace tidelock::app
