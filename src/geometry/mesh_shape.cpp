#include "geometry/mesh_shape.h"

#include "base/error.h"
#include "geometry/mesh_doctor.h"

namespace tidelock {
namespace {

const TriangleMesh& require_closed(const TriangleMesh& mesh, const std::string& place) {
    const MeshReport report = diagnose(mesh);
    if (!report.closed()) throw InputError(place, "mesh is not a closed solid:\n{}", report.text());
    return mesh;
}

}  // namespace

MeshShape::MeshShape(const TriangleMesh& mesh, const MeshDistanceOptions& options, const std::string& place)
    : distance_(require_closed(mesh, place), options), mass_(tidelock::mass_properties(mesh)) {}

}  // namespace tidelock
