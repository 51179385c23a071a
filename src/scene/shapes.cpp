#include "scene/shapes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "geometry/mesh_io.h"
#include "geometry/mesh_pockets.h"
#include "geometry/mesh_repair.h"
#include "geometry/mesh_shape.h"
#include "geometry/mesh_thickness.h"
#include "geometry/pose.h"

namespace tidelock::scene {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool positive(double v) { return std::isfinite(v) && v > 0; }

TriangleMesh scaled_mesh(const ShapeSpec& spec, MeshStore& meshes, const std::string& place) {
    const MeshEntry& entry = meshes.get(spec);
    if (!entry.error.empty()) throw InputError(place, "{}", entry.error);
    TriangleMesh mesh = entry.mesh;
    transform(mesh, spec.scale * Mat3::Identity(), Vec3::Zero());
    return mesh;
}

/// Makes a shape of whichever kind; a mesh only in 3D.
template <int D>
std::unique_ptr<Shape<D>> make_analytic(const ShapeSpec& s, const std::string& place) {
    switch (s.kind) {
        case ShapeKind::sphere:
            return std::make_unique<Sphere<D>>(s.radius, place);
        case ShapeKind::box:
            return std::make_unique<Box<D>>(to_vec<D>(s.size), place);
        case ShapeKind::cylinder:
            return make_cylinder<D>(s.radius, s.height, place);
        case ShapeKind::capsule:
            return std::make_unique<Capsule<D>>(s.radius, s.height, place);
        case ShapeKind::torus:
            return make_torus<D>(s.radius, s.tube, place);
        case ShapeKind::plane:
            return std::make_unique<Plane<D>>(to_vec<D>(s.normal), place);
        case ShapeKind::mesh:
            break;
    }
    throw InputError(place, "a mesh exists in 3D only");
}

}  // namespace

const MeshEntry& MeshStore::get(const std::string& file, bool repaired) {
    std::unique_ptr<MeshEntry>& entry = entries_[{file, repaired}];
    if (entry) return *entry;
    entry = std::make_unique<MeshEntry>();
    try {
        entry->mesh = read_mesh(file);
        if (repaired) entry->repairs = repair(entry->mesh);
        entry->report = diagnose(entry->mesh);
        if (entry->report.closed()) {
            entry->centre = mass_properties(entry->mesh).centre;
            transform(entry->mesh, Mat3::Identity(), -entry->centre);
        } else if (!repaired) {
            TriangleMesh trial = entry->mesh;
            entry->repairs = repair(trial);
            entry->repair_helps = diagnose(trial).closed();
        }
    } catch (const InputError& error) {
        entry->mesh = {};
        entry->error = error.what();
    }
    return *entry;
}

double MeshStore::share_thinner(const ShapeSpec& spec, double width) {
    constexpr int samples = 1000;
    std::vector<double>& known = thickness_[{spec.file, spec.repair}];
    if (known.empty()) known = wall_thickness(MeshQueries(get(spec).mesh), samples);
    if (known.empty()) return 0;
    const auto thinner = std::lower_bound(known.begin(), known.end(), width / spec.scale) - known.begin();
    return static_cast<double>(thinner) / static_cast<double>(known.size());
}

double MeshStore::share_held(const ShapeSpec& spec) {
    constexpr int points = 20;
    const auto [known, first] = held_.try_emplace({spec.file, spec.repair}, 0.0);
    const MeshEntry& entry = get(spec);
    if (first) known->second = pocket_volume(MeshQueries(entry.mesh), points) / entry.report.signed_volume;
    return known->second;
}

std::shared_ptr<const Shape<3>> MeshStore::shape(const ShapeSpec& spec, const std::string& place,
                                                 const MeshDistanceOptions& options) {
    auto& shape = shapes_[{spec.file, spec.repair, spec.scale, options.voxel_size, options.band}];
    if (!shape) shape = std::make_shared<MeshShape>(scaled_mesh(spec, *this, place), options, place);
    return shape;
}

template <int D>
std::shared_ptr<const Shape<D>> make_shape(const ShapeSpec& spec, MeshStore& meshes, const std::string& place,
                                           const MeshDistanceOptions& options) {
    if constexpr (D == 3)
        if (spec.kind == ShapeKind::mesh) return meshes.shape(spec, place, options);
    return make_analytic<D>(spec, place);
}

bool is_sound(const ShapeSpec& s, int dimension, MeshStore& meshes) {
    switch (s.kind) {
        case ShapeKind::sphere:
            return positive(s.radius);
        case ShapeKind::box:
            return positive(s.size[0]) && positive(s.size[1]) && (dimension == 2 || positive(s.size[2]));
        case ShapeKind::cylinder:
            return dimension == 3 && positive(s.radius) && positive(s.height);
        case ShapeKind::capsule:
            return positive(s.radius) && positive(s.height);
        case ShapeKind::torus:
            return dimension == 3 && positive(s.radius) && positive(s.tube) && s.tube < s.radius;
        case ShapeKind::plane:
            return positive(to_vec<3>(s.normal).norm());
        case ShapeKind::mesh:
            return dimension == 3 && positive(s.scale) && !s.file.empty() && meshes.get(s).usable();
    }
    return false;
}

template <int D>
MassProperties<D> shape_mass(const ShapeSpec& spec, MeshStore& meshes) {
    if constexpr (D == 3)
        if (spec.kind == ShapeKind::mesh) return mass_properties(scaled_mesh(spec, meshes, spec.file));
    return make_analytic<D>(spec, "shape")->mass_properties();
}

template <int D>
double extent_along(const ShapeSpec& s, const Vec<D>& n, MeshStore& meshes) {
    // How much of the vector lies across the y axis.
    const double across = std::sqrt(std::max(0.0, n.squaredNorm() - n[1] * n[1]));
    switch (s.kind) {
        case ShapeKind::sphere:
            return s.radius;
        case ShapeKind::box:
            return 0.5 * to_vec<D>(s.size).dot(n.cwiseAbs());
        case ShapeKind::cylinder:
            return 0.5 * s.height * std::abs(n[1]) + s.radius * across;
        case ShapeKind::capsule:
            return s.radius + 0.5 * s.height * std::abs(n[1]);
        case ShapeKind::torus:
            return s.radius * across + s.tube;
        case ShapeKind::plane:
            return infinity;
        case ShapeKind::mesh:
            break;
    }
    double extent = -infinity;
    if constexpr (D == 3)
        for (const Vec3& p : meshes.get(s).mesh.points) extent = std::max(extent, s.scale * p.dot(n));
    return extent;
}

double thinnest_width(const ShapeSpec& s, int dimension, MeshStore& meshes) {
    switch (s.kind) {
        case ShapeKind::sphere:
        case ShapeKind::capsule:
            return 2 * s.radius;
        case ShapeKind::box:
            return dimension == 2 ? std::min(s.size[0], s.size[1]) : to_vec<3>(s.size).minCoeff();
        case ShapeKind::cylinder:
            return std::min(2 * s.radius, s.height);
        case ShapeKind::torus:
            return 2 * s.tube;
        case ShapeKind::plane:
            return infinity;
        case ShapeKind::mesh:
            break;
    }
    return s.scale * bounds(meshes.get(s).mesh).size().minCoeff();
}

template <int D>
Pose<D> pose_of(const Vector& position, const Rotation& rotation) {
    Pose<D> pose;
    pose.position = to_vec<D>(position);
    if constexpr (D == 2) {
        pose.rotation = tidelock::Rotation<2>(rotation.angle).matrix();
    } else {
        const auto& q = rotation.quaternion;
        pose.rotation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    }
    return pose;
}

template <int D>
Bounds<D> placed_bounds(const ShapeSpec& spec, const Pose<D>& pose, MeshStore& meshes) {
    Bounds<D> box;
    for (int a = 0; a < D; ++a) {
        const Vec<D> n = pose.rotation.transpose() * Vec<D>::Unit(a);
        box.high[a] = pose.position[a] + extent_along<D>(spec, n, meshes);
        box.low[a] = pose.position[a] - extent_along<D>(spec, -n, meshes);
    }
    return box;
}

template std::shared_ptr<const Shape<2>> make_shape<2>(const ShapeSpec&, MeshStore&, const std::string&,
                                                       const MeshDistanceOptions&);
template std::shared_ptr<const Shape<3>> make_shape<3>(const ShapeSpec&, MeshStore&, const std::string&,
                                                       const MeshDistanceOptions&);
template MassProperties<2> shape_mass<2>(const ShapeSpec&, MeshStore&);
template MassProperties<3> shape_mass<3>(const ShapeSpec&, MeshStore&);
template double extent_along<2>(const ShapeSpec&, const Vec<2>&, MeshStore&);
template double extent_along<3>(const ShapeSpec&, const Vec<3>&, MeshStore&);
template Pose<2> pose_of<2>(const Vector&, const Rotation&);
template Pose<3> pose_of<3>(const Vector&, const Rotation&);
template Bounds<2> placed_bounds<2>(const ShapeSpec&, const Pose<2>&, MeshStore&);
template Bounds<3> placed_bounds<3>(const ShapeSpec&, const Pose<3>&, MeshStore&);

}  // namespace tidelock::scene
