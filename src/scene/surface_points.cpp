// Shape::surface_mesh() would serve too, but its number of points grows with the shape's proportions without bound;
// here it is bounded, whatever a scene asks for.
#include <cmath>
#include <numbers>

#include "base/math.h"
#include "scene/shapes.h"

namespace tidelock::scene {

namespace {

constexpr int around = 32;  ///< points around a full turn
constexpr int along = 8;    ///< pieces of a straight edge
constexpr std::size_t mesh_points = 2000;

Vec2 on_circle(int i) {
    const double t = 2 * std::numbers::pi * i / around;
    return {cosine(t), sine(t)};
}

/// Points of the cube [-1, 1]^D on a lattice, those on its surface only.
template <int D>
void append_box(std::vector<Vec<D>>& points, const Vec<D>& half) {
    int total = 1;
    for (int a = 0; a < D; ++a) total *= along + 1;
    for (int i = 0; i < total; ++i) {
        Vec<D> p;
        bool outside = false;
        for (int a = 0, rest = i; a < D; ++a, rest /= along + 1) {
            p[a] = half[a] * (2.0 * (rest % (along + 1)) / along - 1);
            outside = outside || rest % (along + 1) == 0 || rest % (along + 1) == along;
        }
        if (outside) points.push_back(p);
    }
}

/// Turns the point (distance from the axis, y) around y; in 2D mirrors it.
template <int D>
void append_ring(std::vector<Vec<D>>& points, double rho, double y) {
    if constexpr (D == 2) {
        points.emplace_back(rho, y);
        points.emplace_back(-rho, y);
    } else {
        for (int i = 0; i < around; ++i) points.emplace_back(rho * on_circle(i)[0], y, rho * on_circle(i)[1]);
    }
}

}  // namespace

template <int D>
std::vector<Vec<D>> surface_points(const ShapeSpec& s, MeshStore& meshes) {
    std::vector<Vec<D>> points;
    switch (s.kind) {
        case ShapeKind::sphere:
        case ShapeKind::capsule: {
            // A half circle, its upper and lower part moved apart by the capsule's straight part.
            const double half = s.kind == ShapeKind::capsule ? 0.5 * s.height : 0;
            for (int i = -around / 4; i <= around / 4; ++i) {
                const Vec2 c = s.radius * on_circle(i);
                append_ring<D>(points, c[0], c[1] + (i < 0 ? -half : half));
            }
            for (int i = 0; i <= along && half > 0; ++i) append_ring<D>(points, s.radius, half * (2.0 * i / along - 1));
            break;
        }
        case ShapeKind::box:
            append_box<D>(points, 0.5 * to_vec<D>(s.size));
            break;
        case ShapeKind::cylinder:
            for (int i = 0; i <= along; ++i) append_ring<D>(points, s.radius, 0.5 * s.height * (2.0 * i / along - 1));
            for (int i = 0; i < along; ++i)
                for (const double y : {-0.5 * s.height, 0.5 * s.height})
                    append_ring<D>(points, s.radius * i / along, y);
            break;
        case ShapeKind::torus:
            for (int i = 0; i < around; ++i)
                append_ring<D>(points, s.radius + s.tube * on_circle(i)[0], s.tube * on_circle(i)[1]);
            break;
        case ShapeKind::plane:
            break;
        case ShapeKind::mesh:
            if constexpr (D == 3) {
                const std::vector<Vec3>& all = meshes.get(s).mesh.points;
                const std::size_t stride = all.size() / mesh_points + 1;
                for (std::size_t i = 0; i < all.size(); i += stride) points.push_back(s.scale * all[i]);
            }
            break;
    }
    return points;
}

template std::vector<Vec<2>> surface_points<2>(const ShapeSpec&, MeshStore&);
template std::vector<Vec<3>> surface_points<3>(const ShapeSpec&, MeshStore&);

}  // namespace tidelock::scene
