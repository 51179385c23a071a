#include "fluid/inflow.h"

#include <cmath>

#include "geometry/fractions.h"

namespace tidelock {

namespace {

/// Axes square to a direction.
std::array<Vec<2>, 1> across(const Vec<2>& n) { return {Vec<2>(-n[1], n[0])}; }
std::array<Vec<3>, 2> across(const Vec<3>& n) {
    const Vec<3> u = n.unitOrthogonal();
    return {u, n.cross(u)};
}

/// How far the shape's box reaches along an axis of the shape's own frame, on both sides of its middle [m].
template <int D>
double half_width(const Bounds<D>& box, const Vec<D>& axis) {
    return 0.5 * (box.high - box.low).dot(axis.cwiseAbs());
}

/// Whether a line through the box meets the shape: steps as long as the distance allows.
template <int D>
bool meets(const Shape<D>& shape, const Vec<D>& from, const Vec<D>& direction, double length, double near) {
    for (double t = 0; t <= length;) {
        const double d = shape.distance(from + t * direction);
        if (d <= near) return true;
        t += d;
    }
    return false;
}

/// Calls f(cell) for all that a ball touches, domain or not.
template <int D, class F>
void for_cells_around(const Grid<D>& grid, const Vec<D>& middle, double radius, F&& f) {
    Coord<D> low, high;
    for (int a = 0; a < D; ++a) {
        low[a] = static_cast<int>(std::floor((middle[a] - radius - grid.origin[a]) / grid.dx));
        high[a] = static_cast<int>(std::ceil((middle[a] + radius - grid.origin[a]) / grid.dx));
    }
    for (Coord<D> cell = low;;) {
        f(cell);
        int a = 0;
        while (a < D && ++cell[a] > high[a]) {
            cell[a] = low[a];
            ++a;
        }
        if (a == D) return;
    }
}

}  // namespace

template <int D>
double seen_area(const Shape<D>& shape, const Pose<D>& pose, const Vec<D>& direction) {
    const Vec<D> n = (pose.matrix.transpose() * direction).normalized();
    const auto axes = across(n);
    const Bounds<D> box = shape.bounding_box();
    const Vec<D> middle = 0.5 * (box.low + box.high);
    const double depth = half_width<D>(box, n);
    constexpr int lines = D == 2 ? 20000 : 400;  // along an axis; in space an edge is missed by less than half a line
    double area = 1;
    std::array<double, D - 1> half{};  // of the shadow's box
    for (std::size_t k = 0; k < axes.size(); ++k) {
        half[k] = half_width<D>(box, axes[k]);
        area *= 2 * half[k];
    }
    const double near = 1e-6 * (box.high - box.low).norm();
    const auto hits = ordered_sum<double>("seen area", lines, 0.0, [&](std::ptrdiff_t i) {
        const auto place = [&](std::ptrdiff_t k, std::size_t axis) {
            return ((2.0 * static_cast<double>(k) + 1) / lines - 1) * half[axis];
        };
        const Vec<D> row = middle - depth * n + place(i, 0) * axes[0];
        if constexpr (D == 2) return meets<D>(shape, row, n, 2 * depth, near) ? 1.0 : 0.0;
        double count = 0;
        for (int j = 0; j < lines; ++j)
            if (meets<D>(shape, Vec<D>(row + place(j, D - 2) * axes[D - 2]), n, 2 * depth, near)) ++count;
        return count / lines;
    });
    return area * hits / lines;
}

template <int D>
Inflow<D>::Inflow(const Grid<D>& grid, const SmokeSource<D>& source)
    : grid_(grid),
      velocity_(*source.velocity),
      rate_(source.velocity->norm() * seen_area<D>(*source.shape, source.pose, *source.velocity)) {
    const double dx = grid.dx, diagonal = 0.5 * std::sqrt(double{D}) * dx;
    const auto distance = [&](const Vec<D>& x) { return source.shape->distance(source.pose.to_body(x)); };
    /// Share of the cube around x that the shape covers.
    const auto covered = [&](const Vec<D>& x) {
        const double d = distance(x);
        if (d > diagonal) return 0.0;
        if (d < -diagonal) return 1.0;
        return cell_fraction<D>(distance, Vec<D>(x - Vec<D>::Constant(0.5 * dx)), dx);
    };
    const Bounds<D> box = source.shape->bounding_box();
    const Vec<D> middle = source.pose.to_world(0.5 * (box.low + box.high));
    double seen = 0;
    for_cells_around<D>(grid, middle, 0.5 * (box.high - box.low).norm() + dx, [&](const Coord<D>& place) {
        const double d = distance(grid.cell_centre(place));
        if (d > diagonal + 0.5 * dx) return;
        Cell cell{place, {}};
        cell.covered.fill(1);
        for (int f = 0; d > -diagonal - 0.5 * dx && f < 2 * D; ++f) {
            Coord<D> face = place;
            face[f / 2] += f % 2;
            cell.covered[static_cast<std::size_t>(f)] =
                static_cast<float>(covered(grid.position(face, Centring<D>::face(f / 2))));
        }
        cells_.push_back(cell);
        seen += begins_in(cell, nullptr);
    });
    gain_ = seen > 0 ? rate_ / seen : 0;
}

/// What flows out of a cell less what flows in, if that is more than nothing [m^D/s]. No solids: as if the shape stood free.
template <int D>
double Inflow<D>::begins_in(const Cell& cell, const Mask<D>* solid) const {
    double out = 0;
    for (int f = 0; f < 2 * D; ++f) {
        Coord<D> next = cell.place;
        next[f / 2] += f % 2 == 0 ? -1 : 1;
        if (solid != nullptr && (!grid_.contains(next) || solid->at(next) != 0)) continue;
        out += (f % 2 == 0 ? -1 : 1) * velocity_[f / 2] * cell.covered[static_cast<std::size_t>(f)];
    }
    return out > 0 ? out * power(grid_.dx, D - 1) : 0;
}

template <int D>
std::vector<InflowCell> Inflow<D>::cells(const Mask<D>& solid) const {
    std::vector<InflowCell> out;
    const auto& set = *solid.set_ptr();
    for (const Cell& cell : cells_) {
        if (!grid_.contains(cell.place) || solid.at(cell.place) != 0) continue;
        const double flux = gain_ * begins_in(cell, &solid);
        if (flux > 0) out.push_back({set.find(brick_of<D>(cell.place)), local_index<D>(cell.place), flux});
    }
    return out;
}

#define TIDELOCK_INSTANTIATE(D)                                                   \
    template double seen_area<D>(const Shape<D>&, const Pose<D>&, const Vec<D>&); \
    template class Inflow<D>;
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
