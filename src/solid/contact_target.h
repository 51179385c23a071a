/// Solids that points of others are looked up in, and the way into their frames.
#pragma once

#include <cmath>

#include "solid/rigid_body.h"

namespace tidelock {

/// A body in its own frame. `exact`: by exact_distance(), which takes a mesh much longer.
template <int D>
struct BodyTarget {
    const RigidBody<D>& body;
    bool exact = false;

    [[nodiscard]] BodyTarget exactly() const { return {body, true}; }
    [[nodiscard]] bool convex() const { return body.shape->convex() && !(body.shell_thickness > 0); }
    [[nodiscard]] double bound(const Vec<D>& y) const { return body.distance(y); }
    [[nodiscard]] double distance(const Vec<D>& y) const {
        if (!exact) return body.distance(y);
        const double d = body.shape->exact_distance(y + body.shape_offset);
        return body.shell_thickness > 0 ? std::abs(d) - 0.5 * body.shell_thickness : d;
    }
    [[nodiscard]] Vec<D> normal(const Vec<D>& y) const {
        if (!exact) return body.normal(y);
        const Vec<D> x = y + body.shape_offset, n = body.shape->exact_gradient(x);
        return body.shell_thickness > 0 && body.shape->exact_distance(x) < 0 ? Vec<D>(-n) : n;
    }
};

/// A side of the domain, in the world's frame.
template <int D>
struct WallTarget {
    int axis;
    double sign, at;

    [[nodiscard]] WallTarget exactly() const { return *this; }
    [[nodiscard]] static bool convex() { return true; }
    [[nodiscard]] double bound(const Vec<D>& y) const { return distance(y); }
    [[nodiscard]] double distance(const Vec<D>& y) const { return sign * (y[axis] - at); }
    [[nodiscard]] Vec<D> normal(const Vec<D>&) const { return sign * Vec<D>::Unit(axis); }
};

/// From the frame of one body to that of another.
template <int D>
struct Transfer {
    Mat<D> turn;
    Vec<D> shift;
    Transfer(const Pose<D>& from, const Pose<D>& to)
        : turn(to.matrix.transpose() * from.matrix), shift(to.matrix.transpose() * (from.position - to.position)) {}
    [[nodiscard]] Vec<D> operator()(const Vec<D>& x) const { return turn * x + shift; }
};

/// A target as it is seen from the frame of the body that is looked up in it.
template <int D, class Target>
struct SeenTarget {
    const Target& target;
    const Transfer<D>& transfer;

    [[nodiscard]] bool convex() const { return target.convex(); }
    [[nodiscard]] double bound(const Vec<D>& x) const { return target.bound(transfer(x)); }
    [[nodiscard]] double distance(const Vec<D>& x) const { return target.distance(transfer(x)); }
    [[nodiscard]] Vec<D> normal(const Vec<D>& x) const {
        return transfer.turn.transpose() * target.normal(transfer(x));
    }
};

}  // namespace tidelock
