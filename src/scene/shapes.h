/// The shapes of a scene as geometry: built, measured, placed in the world.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "geometry/mesh_distance.h"
#include "geometry/mesh_doctor.h"
#include "geometry/shape.h"
#include "scene/scene.h"

namespace tidelock::scene {

/// A mesh file, read and examined once.
struct MeshEntry {
    TriangleMesh mesh;           ///< centre of mass at the origin, as it is in the file otherwise; empty if `error`
    Vec3 centre = Vec3::Zero();  ///< of mass, in the file's coordinates; of one that is not closed, 0
    MeshReport report;           ///< the doctor's findings
    std::string error;           ///< why it could not be read
    std::vector<std::string> repairs;  ///< what a repair changed, or would change
    bool repair_helps = false;         ///< of one that is not closed: a repair would close it
    [[nodiscard]] bool usable() const { return error.empty() && report.closed(); }
};

/// Mesh files by path, and the shapes made of them. Not for several threads at once.
class MeshStore {
  public:
    [[nodiscard]] const MeshEntry& get(const ShapeSpec& spec) { return get(spec.file, spec.repair); }
    [[nodiscard]] const MeshEntry& get(const std::string& file, bool repaired = false);
    /// The share of its surface where a mesh without faults is thinner than that, at the spec's scale.
    [[nodiscard]] double share_thinner(const ShapeSpec& spec, double width);
    /// What a mesh without faults holds within it, over the volume of its solid (geometry/mesh_pockets.h).
    [[nodiscard]] double share_held(const ShapeSpec& spec);
    /// Solids of the same mesh, size and sampling share one shape, which takes seconds to make.
    [[nodiscard]] std::shared_ptr<const Shape<3>> shape(const ShapeSpec& spec, const std::string& place,
                                                        const MeshDistanceOptions& options);

  private:
    std::map<std::pair<std::string, bool>, std::unique_ptr<MeshEntry>> entries_;
    std::map<std::pair<std::string, bool>, std::vector<double>> thickness_;
    std::map<std::pair<std::string, bool>, double> held_;
    std::map<std::tuple<std::string, bool, double, double, double>, std::shared_ptr<const Shape<3>>> shapes_;
};

/// Throws InputError at `place` for parameters that are not positive and finite, and for a mesh that cannot be read or
/// is not closed, with the doctor's findings. The body frame has its origin at the centre of mass, for meshes too.
template <int D>
[[nodiscard]] std::shared_ptr<const Shape<D>> make_shape(const ShapeSpec& spec, MeshStore& meshes,
                                                         const std::string& place,
                                                         const MeshDistanceOptions& options = {});

/// Whether make_shape() would succeed, without building anything: parameters positive and finite, mesh closed.
[[nodiscard]] bool is_sound(const ShapeSpec& spec, int dimension, MeshStore& meshes);

/// Exact, at unit density. Not for planes.
template <int D>
[[nodiscard]] MassProperties<D> shape_mass(const ShapeSpec& spec, MeshStore& meshes);

/// Where the shape ends along a unit vector of its own frame: the largest n.x of its points [m]; infinite for a plane.
template <int D>
[[nodiscard]] double extent_along(const ShapeSpec& spec, const Vec<D>& n, MeshStore& meshes);

/// The smallest width of the shape along its own axes (of a torus: of its tube) [m]; infinite for a plane.
[[nodiscard]] double thinnest_width(const ShapeSpec& spec, int dimension, MeshStore& meshes);

/// A few hundred points spread over the surface, corners and rims among them, in the shape's own frame. None of a
/// plane.
template <int D>
[[nodiscard]] std::vector<Vec<D>> surface_points(const ShapeSpec& spec, MeshStore& meshes);

/// Position and orientation: world = rotation * local + position.
template <int D>
struct Pose {
    Mat<D> rotation;
    Vec<D> position;
};
template <int D>
[[nodiscard]] Pose<D> pose_of(const Vector& position, const Rotation& rotation);

/// The box around a placed shape; exact.
template <int D>
[[nodiscard]] Bounds<D> placed_bounds(const ShapeSpec& spec, const Pose<D>& pose, MeshStore& meshes);

template <int D>
[[nodiscard]] Vec<D> to_vec(const Vector& v) {
    Vec<D> r;
    for (int a = 0; a < D; ++a) r[a] = v[static_cast<std::size_t>(a)];
    return r;
}

}  // namespace tidelock::scene
