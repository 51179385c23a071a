/// A closed triangle mesh as a shape: distance by mesh_distance.h, mass properties exact for the polyhedron.
#pragma once

#include <string>

#include "geometry/mesh_distance.h"
#include "geometry/shape.h"

namespace tidelock {

/// The body frame is the mesh's own: the centre of mass need not be at the origin.
class MeshShape final : public Shape<3> {
  public:
    /// Throws InputError at `place` with the doctor's findings unless the mesh is closed().
    explicit MeshShape(const TriangleMesh& mesh, const MeshDistanceOptions& options = {},
                       const std::string& place = "shape");

    /// Approximate, unlike the analytic shapes': mesh_distance.h says how far.
    [[nodiscard]] double distance(const Vec3& x) const override { return distance_.distance(x); }
    [[nodiscard]] Vec3 gradient(const Vec3& x) const override { return distance_.gradient(x); }
    [[nodiscard]] Bounds<3> bounding_box() const override { return bounds(mesh()); }
    [[nodiscard]] MassProperties<3> mass_properties() const override { return mass_; }
    /// The mesh itself, at any resolution.
    [[nodiscard]] TriangleMesh surface_mesh(int) const override { return mesh(); }

    [[nodiscard]] double exact_distance(const Vec3& x) const override { return distance_.exact_distance(x); }
    [[nodiscard]] Vec3 exact_gradient(const Vec3& x) const override { return distance_.exact_gradient(x); }

    [[nodiscard]] const TriangleMesh& mesh() const { return distance_.queries().mesh(); }
    [[nodiscard]] const MeshDistance& mesh_distance() const { return distance_; }

  private:
    MeshDistance distance_;
    MassProperties<3> mass_;
};

}  // namespace tidelock
