#include "geometry/shape.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "base/length.h"
#include "geometry/shape_surface.h"

namespace tidelock {
namespace {

constexpr double pi = std::numbers::pi;

double positive(double value, const std::string& place, const char* name) {
    if (!(value > 0) || !std::isfinite(value)) {
        throw InputError(place + "." + name, "must be finite and > 0 m, got {}", value);
    }
    return value;
}

/// x / |x|, or `otherwise` at the origin.
template <int D>
Vec<D> direction(const Vec<D>& x, const Vec<D>& otherwise) {
    const double length = length_of<D>(x);
    return length > 0 ? Vec<D>(x / length) : otherwise;
}

template <int D>
Vec<D> up() {
    return Vec<D>::Unit(1);
}

template <int D>
double box_distance(const Vec<D>& x, const Vec<D>& half) {
    const Vec<D> q = x.cwiseAbs() - half;
    return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
}

template <int D>
Vec<D> box_gradient(const Vec<D>& x, const Vec<D>& half) {
    const Vec<D> q = x.cwiseAbs() - half;
    int nearest = 0;
    q.maxCoeff(&nearest);
    const Vec<D> local = direction<D>(q.cwiseMax(0.0), Vec<D>::Unit(nearest));
    return x.binaryExpr(local, [](double position, double g) { return position < 0 ? -g : g; });
}

/// Position in the half-plane (rho, y) of a solid of revolution.
Vec2 meridian(const Vec3& x) { return {length_of<2>(Vec2(x.x(), x.z())), x.y()}; }

/// Turns a direction of the half-plane through x back into space.
Vec3 from_meridian(const Vec2& g, const Vec3& x) {
    const Vec3 radial = direction<3>(Vec3(x.x(), 0, x.z()), Vec3::UnitX());
    return g.x() * radial + g.y() * Vec3::UnitY();
}

template <int D>
Bounds<D> symmetric(const Vec<D>& half) {
    return {-half, half};
}

/// A body that is symmetric about the y axis, with its inertia about the axis and across it.
MassProperties<3> around_y(double volume, double axial, double transverse) {
    MassProperties<3> result;
    result.volume = volume;
    result.inertia = Vec3(transverse, axial, transverse).asDiagonal();
    return result;
}

MassProperties<2> in_plane(double area, double inertia) {
    MassProperties<2> result;
    result.volume = area;
    result.inertia(0, 0) = inertia;
    return result;
}

}  // namespace

template <int D>
Sphere<D>::Sphere(double radius, const std::string& place) : radius_(positive(radius, place, "radius")) {}

template <int D>
double Sphere<D>::distance(const Vec<D>& x) const {
    return x.norm() - radius_;
}
template <int D>
Vec<D> Sphere<D>::gradient(const Vec<D>& x) const {
    return direction<D>(x, up<D>());
}
template <int D>
Bounds<D> Sphere<D>::bounding_box() const {
    return symmetric<D>(Vec<D>::Constant(radius_));
}
template <int D>
MassProperties<D> Sphere<D>::mass_properties() const {
    const double r2 = radius_ * radius_;
    if constexpr (D == 2) return in_plane(pi * r2, pi * r2 * r2 / 2);
    const double volume = 4.0 / 3 * pi * r2 * radius_;
    if constexpr (D == 3) return around_y(volume, 0.4 * volume * r2, 0.4 * volume * r2);
}
template <int D>
Surface<D> Sphere<D>::surface_mesh(int resolution) const {
    check_resolution(resolution);
    Profile profile;
    if constexpr (D == 2) {
        append_arc(profile, Vec2::Zero(), radius_, 0, 2 * pi, resolution);
        profile.pop_back();
        return close_outline(std::move(profile));
    } else {
        append_arc(profile, Vec2::Zero(), radius_, -pi / 2, pi / 2, std::max(2, resolution / 2));
        profile.front().x() = profile.back().x() = 0;
        return revolve(profile, resolution, false);
    }
}

template <int D>
std::vector<Core<D>> Sphere<D>::cores() const {
    return {{.radius = radius_}};
}

template <int D>
Box<D>::Box(const Vec<D>& size, const std::string& place) {
    static constexpr const char* names[] = {"size[0]", "size[1]", "size[2]"};
    for (int a = 0; a < D; ++a) half_[a] = 0.5 * positive(size[a], place, names[a]);
}

template <int D>
double Box<D>::distance(const Vec<D>& x) const {
    return box_distance<D>(x, half_);
}
template <int D>
Vec<D> Box<D>::gradient(const Vec<D>& x) const {
    return box_gradient<D>(x, half_);
}
template <int D>
Bounds<D> Box<D>::bounding_box() const {
    return symmetric<D>(half_);
}
template <int D>
MassProperties<D> Box<D>::mass_properties() const {
    const Vec<D> size = 2 * half_, squares = size.cwiseAbs2();
    const double volume = size.prod();
    if constexpr (D == 2) {
        return in_plane(volume, volume / 12 * squares.sum());
    } else {
        MassProperties<3> result;
        result.volume = volume;
        result.inertia = (volume / 12 * (Vec3::Constant(squares.sum()) - squares)).asDiagonal();
        return result;
    }
}
template <int D>
Surface<D> Box<D>::surface_mesh(int resolution) const {
    check_resolution(resolution);
    const int steps = std::max(1, resolution / 4);  // a quarter of a turn around each side
    if constexpr (D == 3) {
        return box_mesh(half_, steps);
    } else {
        std::vector<Vec2> points;
        const Vec2 corners[] = {{-half_.x(), -half_.y()}, {half_.x(), -half_.y()}, half_, {-half_.x(), half_.y()}};
        for (int side = 0; side < 4; ++side) {
            const Vec2 a = corners[side], b = corners[(side + 1) % 4];
            for (int i = 0; i < steps; ++i) points.emplace_back(a + (b - a) * (static_cast<double>(i) / steps));
        }
        return close_outline(std::move(points));
    }
}

template <int D>
std::vector<Core<D>> Box<D>::cores() const {
    std::vector<Core<D>> out;
    for (int corner = 0; corner < 1 << D; ++corner) {
        Vec<D> x = half_;
        for (int a = 0; a < D; ++a)
            if ((corner >> a & 1) == 0) x[a] = -half_[a];
        out.push_back({.at = x});
        for (int a = 0; a < D && D == 3; ++a)  // in the plane, edges are faces
            if ((corner >> a & 1) == 0)
                out.push_back(
                    {.kind = CoreKind::segment, .at = x, .way = 2 * half_[a] * Vec<D>::Unit(a), .ends = false});
    }
    return out;
}

template <int D>
Surface<D> Box<D>::display_mesh(int resolution) const {
    check_resolution(resolution);
    return surface_mesh(4);  // each side in one piece
}

template <int D>
Capsule<D>::Capsule(double radius, double height, const std::string& place)
    : radius_(positive(radius, place, "radius")), half_(0.5 * positive(height, place, "height")) {}

template <int D>
Vec<D> Capsule<D>::from_axis(const Vec<D>& x) const {
    Vec<D> offset = x;
    offset.y() -= std::min(std::max(x.y(), -half_), half_);
    return offset;
}
template <int D>
double Capsule<D>::distance(const Vec<D>& x) const {
    return from_axis(x).norm() - radius_;
}
template <int D>
Vec<D> Capsule<D>::gradient(const Vec<D>& x) const {
    return direction<D>(from_axis(x), Vec<D>::UnitX());
}
template <int D>
Bounds<D> Capsule<D>::bounding_box() const {
    Vec<D> half = Vec<D>::Constant(radius_);
    half.y() += half_;
    return symmetric<D>(half);
}
template <int D>
MassProperties<D> Capsule<D>::mass_properties() const {
    // The middle part, and two caps whose centroids are `c` beyond the segment's ends: about the middle a cap pair
    // has its own inertia about the full disc's (ball's) centre, plus mass * (half^2 + 2 half c).
    const double r2 = radius_ * radius_, height = 2 * half_;
    if constexpr (D == 2) {
        const double middle = 2 * radius_ * height, caps = pi * r2, c = 4 * radius_ / (3 * pi);
        return in_plane(middle + caps,
                        middle * (4 * r2 + height * height) / 12 + caps * (r2 / 2 + half_ * half_ + 2 * half_ * c));
    } else {
        const double middle = pi * r2 * height, caps = 4.0 / 3 * pi * r2 * radius_, c = 3 * radius_ / 8;
        return around_y(middle + caps, middle * r2 / 2 + caps * 0.4 * r2,
                        middle * (r2 / 4 + height * height / 12) + caps * (0.4 * r2 + half_ * half_ + 2 * half_ * c));
    }
}
template <int D>
Surface<D> Capsule<D>::surface_mesh(int resolution) const {
    return mesh(resolution, 2 * pi * radius_ / resolution);
}

template <int D>
Surface<D> Capsule<D>::display_mesh(int resolution) const {
    return mesh(resolution, std::numeric_limits<double>::infinity());
}

template <int D>
Surface<D> Capsule<D>::mesh(int resolution, double step) const {
    check_resolution(resolution);
    Profile profile;
    if constexpr (D == 2) {
        append_arc(profile, {0, -half_}, radius_, pi, 2 * pi, std::max(2, resolution / 2));
        append_arc(profile, {0, half_}, radius_, 0, pi, std::max(2, resolution / 2));
        return close_outline(std::move(profile));
    } else {
        const int steps = std::max(1, resolution / 4);
        append_arc(profile, {0, -half_}, radius_, -pi / 2, 0, steps);
        append_line(profile, {radius_, half_}, step);
        profile.pop_back();  // the arc starts there
        append_arc(profile, {0, half_}, radius_, 0, pi / 2, steps);
        profile.front().x() = profile.back().x() = 0;
        return revolve(profile, resolution, false);
    }
}

template <int D>
std::vector<Core<D>> Capsule<D>::cores() const {
    const Vec<D> up = half_ * Vec<D>::UnitY();
    return {{.kind = CoreKind::segment, .at = -up, .way = 2 * up, .radius = radius_}};
}

template <int D>
Plane<D>::Plane(const Vec<D>& normal, const std::string& place) : place_(place) {
    const double length = length_of<D>(normal);
    if (!normal.allFinite() || !(length > 0)) {
        throw InputError(place + ".normal", "must be finite and not zero, got [{}]", fmt::join(normal, ", "));
    }
    normal_ = normal / length;
}

template <int D>
double Plane<D>::distance(const Vec<D>& x) const {
    return normal_.dot(x);
}
template <int D>
Vec<D> Plane<D>::gradient(const Vec<D>&) const {
    return normal_;
}
template <int D>
Bounds<D> Plane<D>::bounding_box() const {
    Bounds<D> box = symmetric<D>(Vec<D>::Constant(std::numeric_limits<double>::infinity()));
    for (int a = 0; a < D; ++a) {
        if (normal_[a] == 1) box.high[a] = 0;
        if (normal_[a] == -1) box.low[a] = 0;
    }
    return box;
}
template <int D>
MassProperties<D> Plane<D>::mass_properties() const {
    throw InputError(place_, "a plane has infinite volume and no mass; allowed for static and kinematic solids only");
}
template <int D>
Surface<D> Plane<D>::surface_mesh(int) const {
    throw InputError(place_,
                     "a plane has no finite surface mesh; allowed are the bounded shapes, for example a thin box");
}

Cylinder::Cylinder(double radius, double height, const std::string& place)
    : radius_(positive(radius, place, "radius")), half_(0.5 * positive(height, place, "height")) {}

double Cylinder::distance(const Vec3& x) const { return box_distance<2>(meridian(x), {radius_, half_}); }
Vec3 Cylinder::gradient(const Vec3& x) const {
    return from_meridian(box_gradient<2>(meridian(x), {radius_, half_}), x);
}
Bounds<3> Cylinder::bounding_box() const { return symmetric<3>({radius_, half_, radius_}); }
MassProperties<3> Cylinder::mass_properties() const {
    const double r2 = radius_ * radius_, volume = 2 * half_ * pi * r2;
    return around_y(volume, volume * r2 / 2, volume * (r2 / 4 + half_ * half_ / 3));
}
TriangleMesh Cylinder::surface_mesh(int resolution) const {
    check_resolution(resolution);
    const double step = 2 * pi * radius_ / resolution;
    Profile profile{{0, -half_}};
    append_line(profile, {radius_, -half_}, step);
    append_line(profile, {radius_, half_}, step);
    append_line(profile, {0, half_}, step);
    return revolve(profile, resolution, false);
}

std::vector<Core<3>> Cylinder::cores() const {
    const Vec3 up = half_ * Vec3::UnitY();
    std::vector<Core<3>> out{{.kind = CoreKind::segment, .at = -up, .way = 2 * up, .radius = radius_, .ends = false}};
    for (const Vec3& end : {Vec3(-up), up})
        out.push_back({.kind = CoreKind::ring, .at = end, .way = Vec3::UnitY(), .ring = radius_});
    return out;
}

TriangleMesh Cylinder::display_mesh(int resolution) const {
    check_resolution(resolution);
    return revolve({{0, -half_}, {radius_, -half_}, {radius_, half_}, {0, half_}}, resolution, false);
}

Torus::Torus(double major_radius, double minor_radius, const std::string& place)
    : major_(positive(major_radius, place, "major_radius")), minor_(positive(minor_radius, place, "minor_radius")) {
    if (minor_ >= major_) {
        throw InputError(place + ".minor_radius", "must be < major_radius = {} m, got {}", major_, minor_);
    }
}

double Torus::distance(const Vec3& x) const { return (meridian(x) - Vec2(major_, 0)).norm() - minor_; }
Vec3 Torus::gradient(const Vec3& x) const {
    return from_meridian(direction<2>(meridian(x) - Vec2(major_, 0), up<2>()), x);
}
Bounds<3> Torus::bounding_box() const { return symmetric<3>({major_ + minor_, minor_, major_ + minor_}); }
MassProperties<3> Torus::mass_properties() const {
    const double R2 = major_ * major_, r2 = minor_ * minor_, volume = 2 * pi * pi * major_ * r2;
    return around_y(volume, volume * (R2 + 0.75 * r2), volume * (R2 / 2 + 0.625 * r2));
}
TriangleMesh Torus::surface_mesh(int resolution) const {
    check_resolution(resolution);
    Profile profile;
    append_arc(profile, {major_, 0}, minor_, 0, 2 * pi, resolution);
    profile.pop_back();
    return revolve(profile, resolution, true);
}

std::vector<Core<3>> Torus::cores() const {
    return {{.kind = CoreKind::ring, .way = Vec3::UnitY(), .ring = major_, .radius = minor_}};
}

template <int D>
std::unique_ptr<Shape<D>> make_cylinder(double radius, double height, const std::string& place) {
    if constexpr (D == 3) return std::make_unique<Cylinder>(radius, height, place);
    throw InputError(place + ".type", "'cylinder' exists in 3D only; allowed in 2D: sphere, box, capsule, plane");
}

template <int D>
std::unique_ptr<Shape<D>> make_torus(double major_radius, double minor_radius, const std::string& place) {
    if constexpr (D == 3) return std::make_unique<Torus>(major_radius, minor_radius, place);
    throw InputError(place + ".type", "'torus' exists in 3D only; allowed in 2D: sphere, box, capsule, plane");
}

#define TIDELOCK_INSTANTIATE(D)                                                              \
    template class Sphere<D>;                                                                \
    template class Box<D>;                                                                   \
    template class Capsule<D>;                                                               \
    template class Plane<D>;                                                                 \
    template std::unique_ptr<Shape<D>> make_cylinder<D>(double, double, const std::string&); \
    template std::unique_ptr<Shape<D>> make_torus<D>(double, double, const std::string&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
