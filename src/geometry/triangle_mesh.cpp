#include "geometry/triangle_mesh.h"

#include <Eigen/LU>

#include <utility>

#include "base/error.h"

namespace tidelock {

Bounds<3> bounds(const TriangleMesh& mesh) {
    Bounds<3> box;
    for (const Vec3& x : mesh.points) box.include(x);
    return box;
}

Vec3 area_normal(const TriangleMesh& mesh, int triangle) {
    const auto& [a, b, c] = mesh.triangles[triangle];
    return (mesh.points[b] - mesh.points[a]).cross(mesh.points[c] - mesh.points[a]);
}

double area(const TriangleMesh& mesh) {
    double sum = 0;
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) sum += 0.5 * area_normal(mesh, t).norm();
    return sum;
}

double signed_volume(const TriangleMesh& mesh) {
    if (mesh.points.empty()) return 0;
    const Vec3 origin = bounds(mesh).centre();  // near the mesh: less cancellation
    double sum = 0;
    for (const auto& [i, j, k] : mesh.triangles) {
        sum += (mesh.points[i] - origin).dot((mesh.points[j] - origin).cross(mesh.points[k] - origin));
    }
    return sum / 6;
}

MassProperties<3> mass_properties(const TriangleMesh& mesh) {
    const double volume = signed_volume(mesh);
    if (!(volume > 0)) {
        throw InputError("mesh", "encloses a volume of {} m^3, must be > 0: a closed mesh with outward normals",
                         volume);
    }
    // Tetrahedra (origin, a, b, c), s = a + b + c, d = a . (b x c):
    // integral of x = d/24 s, of x x^T = d/120 (s s^T + a a^T + b b^T + c c^T).
    const Vec3 origin = bounds(mesh).centre();
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    for (const auto& [i, j, k] : mesh.triangles) {
        const Vec3 a = mesh.points[i] - origin, b = mesh.points[j] - origin, c = mesh.points[k] - origin;
        const Vec3 s = a + b + c;
        const double d = a.dot(b.cross(c));
        first += d / 24 * s;
        second += d / 120 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
    return from_moments<3>(volume, first, second, origin);
}

void transform(TriangleMesh& mesh, const Mat3& linear, const Vec3& offset) {
    for (Vec3& x : mesh.points) x = (linear * x + offset).eval();
    if (linear.determinant() < 0) flip(mesh);
}

void flip(TriangleMesh& mesh) {
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

}  // namespace tidelock
