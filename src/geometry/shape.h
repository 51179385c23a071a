/// Shapes with an exact signed distance, in their own (body) frame; a rigid body places them in the world.
///
/// Conventions: distance < 0 inside, gradient out of the solid, SI units. Every shape is centred at the origin;
/// cylinder and capsule stand along y, the torus lies around y, a plane is the half-space below its surface {x : n.x <=
/// 0}. Names and parameters are those of the scene file. In 2D there are sphere (a disc), box, capsule and plane.
/// Constructors throw InputError at `place` (the scene's path of the shape) for what is not positive and finite.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "geometry/bounds.h"
#include "geometry/core.h"
#include "geometry/mass_properties.h"
#include "geometry/polyline.h"
#include "geometry/triangle_mesh.h"

namespace tidelock {

/// The boundary of a D-dimensional solid: an outline in 2D, a mesh in 3D.
template <int D>
using Surface = std::conditional_t<D == 2, Polyline, TriangleMesh>;

/// Immutable after construction: any thread may call any member.
template <int D>
class Shape {
  public:
    virtual ~Shape() = default;

    /// Signed distance to the surface [m].
    [[nodiscard]] virtual double distance(const Vec<D>& x) const = 0;
    /// Unit vector along which the distance grows fastest. Where that is ambiguous (a centre, a medial axis) one of
    /// the candidates, never zero and never NaN.
    [[nodiscard]] virtual Vec<D> gradient(const Vec<D>& x) const = 0;
    [[nodiscard]] virtual Bounds<D> bounding_box() const = 0;
    /// Closed forms, at unit density. Throws InputError for a shape without a finite volume.
    [[nodiscard]] virtual MassProperties<D> mass_properties() const = 0;
    /// A closed surface inscribed in the shape, `resolution` >= 3 segments around a full turn: second order in
    /// 1 / resolution. Throws InputError for an unbounded shape.
    [[nodiscard]] virtual Surface<D> surface_mesh(int resolution) const = 0;
    /// For contact; none if the shape's surface is that of its mesh, or has no bounds.
    [[nodiscard]] virtual std::vector<Core<D>> cores() const { return {}; }
    /// Whether cores() and their radius are the whole shape.
    [[nodiscard]] virtual bool round() const { return false; }
    /// Whether the distance along any straight way has one lowest stretch.
    [[nodiscard]] virtual bool convex() const { return false; }
    /// distance() where it is needed to rounding, however long that takes.
    [[nodiscard]] virtual double exact_distance(const Vec<D>& x) const { return distance(x); }
    /// The gradient of exact_distance().
    [[nodiscard]] virtual Vec<D> exact_gradient(const Vec<D>& x) const { return gradient(x); }
    /// The same for the eye: flat and straight parts have no more points than they need.
    [[nodiscard]] virtual Surface<D> display_mesh(int resolution) const { return surface_mesh(resolution); }
};

template <int D>
class Sphere final : public Shape<D> {
  public:
    explicit Sphere(double radius, const std::string& place = "shape");
    [[nodiscard]] double distance(const Vec<D>& x) const override;
    [[nodiscard]] Vec<D> gradient(const Vec<D>& x) const override;
    [[nodiscard]] Bounds<D> bounding_box() const override;
    [[nodiscard]] MassProperties<D> mass_properties() const override;
    [[nodiscard]] Surface<D> surface_mesh(int resolution) const override;
    [[nodiscard]] std::vector<Core<D>> cores() const override;
    [[nodiscard]] bool round() const override { return true; }
    [[nodiscard]] bool convex() const override { return true; }

  private:
    double radius_;
};

/// `size`: full edge lengths.
template <int D>
class Box final : public Shape<D> {
  public:
    explicit Box(const Vec<D>& size, const std::string& place = "shape");
    [[nodiscard]] double distance(const Vec<D>& x) const override;
    [[nodiscard]] Vec<D> gradient(const Vec<D>& x) const override;
    [[nodiscard]] Bounds<D> bounding_box() const override;
    [[nodiscard]] MassProperties<D> mass_properties() const override;
    [[nodiscard]] Surface<D> surface_mesh(int resolution) const override;
    [[nodiscard]] std::vector<Core<D>> cores() const override;
    [[nodiscard]] bool convex() const override { return true; }
    [[nodiscard]] Surface<D> display_mesh(int resolution) const override;

  private:
    Vec<D> half_;
};

/// All points within `radius` of a segment of length `height` along y: the whole is height + 2 radius long.
template <int D>
class Capsule final : public Shape<D> {
  public:
    Capsule(double radius, double height, const std::string& place = "shape");
    [[nodiscard]] double distance(const Vec<D>& x) const override;
    [[nodiscard]] Vec<D> gradient(const Vec<D>& x) const override;
    [[nodiscard]] Bounds<D> bounding_box() const override;
    [[nodiscard]] MassProperties<D> mass_properties() const override;
    [[nodiscard]] Surface<D> surface_mesh(int resolution) const override;
    [[nodiscard]] std::vector<Core<D>> cores() const override;
    [[nodiscard]] bool round() const override { return true; }
    [[nodiscard]] bool convex() const override { return true; }
    [[nodiscard]] Surface<D> display_mesh(int resolution) const override;

  private:
    [[nodiscard]] Vec<D> from_axis(const Vec<D>& x) const;
    /// The straight part in pieces of at most `step` [m].
    [[nodiscard]] Surface<D> mesh(int resolution, double step) const;
    double radius_, half_;
};

/// Half-space through the origin; `normal` (any length) points out of the solid.
template <int D>
class Plane final : public Shape<D> {
  public:
    explicit Plane(const Vec<D>& normal, const std::string& place = "shape");
    [[nodiscard]] double distance(const Vec<D>& x) const override;
    [[nodiscard]] Vec<D> gradient(const Vec<D>& x) const override;
    [[nodiscard]] Bounds<D> bounding_box() const override;
    [[nodiscard]] MassProperties<D> mass_properties() const override;
    [[nodiscard]] Surface<D> surface_mesh(int resolution) const override;
    [[nodiscard]] bool convex() const override { return true; }

  private:
    Vec<D> normal_;
    std::string place_;
};

class Cylinder final : public Shape<3> {
  public:
    Cylinder(double radius, double height, const std::string& place = "shape");
    [[nodiscard]] double distance(const Vec3& x) const override;
    [[nodiscard]] Vec3 gradient(const Vec3& x) const override;
    [[nodiscard]] Bounds<3> bounding_box() const override;
    [[nodiscard]] MassProperties<3> mass_properties() const override;
    [[nodiscard]] TriangleMesh surface_mesh(int resolution) const override;
    [[nodiscard]] std::vector<Core<3>> cores() const override;
    [[nodiscard]] bool convex() const override { return true; }
    [[nodiscard]] TriangleMesh display_mesh(int resolution) const override;

  private:
    double radius_, half_;
};

/// A tube of radius `minor_radius` around a circle of radius `major_radius` > minor_radius in the plane y = 0.
class Torus final : public Shape<3> {
  public:
    Torus(double major_radius, double minor_radius, const std::string& place = "shape");
    [[nodiscard]] double distance(const Vec3& x) const override;
    [[nodiscard]] Vec3 gradient(const Vec3& x) const override;
    [[nodiscard]] Bounds<3> bounding_box() const override;
    [[nodiscard]] MassProperties<3> mass_properties() const override;
    [[nodiscard]] TriangleMesh surface_mesh(int resolution) const override;
    [[nodiscard]] std::vector<Core<3>> cores() const override;
    [[nodiscard]] bool round() const override { return true; }

  private:
    double major_, minor_;
};

/// For code written for any D: in 2D these throw InputError, because the shape exists in 3D only.
template <int D>
std::unique_ptr<Shape<D>> make_cylinder(double radius, double height, const std::string& place = "shape");
template <int D>
std::unique_ptr<Shape<D>> make_torus(double major_radius, double minor_radius, const std::string& place = "shape");

}  // namespace tidelock
