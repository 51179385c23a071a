#include "scene/overlap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/mesh_shape.h"

namespace tidelock::scene {

namespace {

constexpr std::size_t most_pairs = 20'000;  // a few seconds

/// A solid in the world. Shape and points are made when they are first needed: for a mesh they take seconds.
template <int D>
struct Body {
    const Solid* solid = nullptr;
    Pose<D> pose;
    Bounds<D> box;
    std::shared_ptr<const Shape<D>> shape;
    std::vector<Vec<D>> points;  ///< on its surface, in the world
    double slack = 0;            ///< error of its distance [m]

    void build(MeshStore& meshes) {
        if (shape) return;
        shape = make_shape<D>(solid->shape, meshes, solid->name);
        for (const Vec<D>& p : surface_points<D>(solid->shape, meshes))
            points.push_back(pose.rotation * p + pose.position);
        if constexpr (D == 3)
            if (const auto* mesh = dynamic_cast<const MeshShape*>(shape.get()))
                slack = mesh->mesh_distance().voxel_size();
    }
    [[nodiscard]] double distance(const Vec<D>& x) const {
        const double d = shape->distance(pose.rotation.transpose() * (x - pose.position));
        return solid->shell ? std::abs(d) : d;  // of a shell only the skin is solid: its points tell
    }
};

template <int D>
double deepest(const std::vector<Vec<D>>& points, const Body<D>& body) {
    double depth = 0;
    for (const Vec<D>& p : points)
        if (body.box.contains(p)) depth = std::max(depth, -body.distance(p));
    return depth;
}

/// Twice the depth of the point that lies deepest in both, on a lattice in the box they share.
template <int D>
double deepest_in_both(const Body<D>& a, const Body<D>& b) {
    const Vec<D> low = a.box.low.cwiseMax(b.box.low), high = a.box.high.cwiseMin(b.box.high);
    if (!low.allFinite() || !high.allFinite()) return 0;  // a plane: its surface points do
    constexpr int n = 13;                                 // odd: the middle of the box is one of them
    double depth = 0;
    const int total = D == 2 ? n * n : n * n * n;
    for (int i = 0; i < total; ++i) {
        Vec<D> x;
        for (int axis = 0, rest = i; axis < D; ++axis, rest /= n)
            x[axis] = low[axis] + (rest % n + 0.5) / n * (high[axis] - low[axis]);
        const double in_a = a.distance(x);
        if (in_a < 0) depth = std::max(depth, -2 * std::max(in_a, b.distance(x)));
    }
    return depth;
}

template <int D>
double pair_depth(Body<D>& a, Body<D>& b, MeshStore& meshes) {
    a.build(meshes);
    b.build(meshes);
    return std::max({deepest(a.points, b), deepest(b.points, a), deepest_in_both(a, b)});
}

template <int D>
bool apart(const Bounds<D>& a, const Bounds<D>& b) {
    return (a.low.array() > b.high.array()).any() || (b.low.array() > a.high.array()).any();
}

template <int D>
OverlapSearch search(const Scene& scene, const std::vector<bool>& examined, double tolerance, std::size_t most,
                     MeshStore& meshes) {
    std::vector<Body<D>> bodies(scene.solids.size());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!examined[i]) continue;
        bodies[i].solid = &scene.solids[i];
        bodies[i].pose = pose_of<D>(scene.solids[i].position, scene.solids[i].rotation);
        bodies[i].box = placed_bounds<D>(scene.solids[i].shape, bodies[i].pose, meshes);
        order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return bodies[i].box.low[0] < bodies[j].box.low[0]; });
    OverlapSearch result;
    std::size_t pairs = 0, visits = 0;
    for (std::size_t p = 0; p < order.size(); ++p) {
        for (std::size_t q = p + 1; q < order.size() && bodies[order[q]].box.low[0] <= bodies[order[p]].box.high[0];
             ++q) {
            if (result.overlaps.size() >= most) return result;
            if (++visits > 1000 * most_pairs || pairs >= most_pairs) {
                result.complete = false;
                return result;
            }
            Body<D>&a = bodies[order[p]], &b = bodies[order[q]];
            if (a.solid->type != SolidType::rigid && b.solid->type != SolidType::rigid) continue;
            if (apart(a.box, b.box)) continue;
            ++pairs;
            const double depth = pair_depth(a, b, meshes);
            if (depth > tolerance + a.slack + b.slack)
                result.overlaps.push_back({std::min(order[p], order[q]), std::max(order[p], order[q]), depth});
        }
    }
    return result;
}

}  // namespace

OverlapSearch find_overlaps(const Scene& scene, const std::vector<bool>& examined, double tolerance, std::size_t most,
                            MeshStore& meshes) {
    return scene.dimension == 2 ? search<2>(scene, examined, tolerance, most, meshes)
                                : search<3>(scene, examined, tolerance, most, meshes);
}

}  // namespace tidelock::scene
