// The plane's half of level_set_surface.h, and what both share: velocities at points.

#include <array>

#include "base/parallel.h"
#include "base/union_find.h"
#include "geometry/level_set_surface.h"
#include "geometry/padded_level_set.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

using Padded = PaddedLevelSet<2>;

/// Walks over squares of samples row by row; knows the points on the edges of two rows.
class Tracer {
  public:
    explicit Tracer(const Padded& phi) : phi_(phi), width_(phi.grid().cells[0] + 4) {}

    Polyline trace() {
        std::vector<double> lower = row(Padded::first), upper;
        std::vector<int> lower_points = along(lower, Padded::first), upper_points;
        for (int j = Padded::first; j < phi_.grid().cells[1] + 1; ++j) {
            upper = row(j + 1);
            upper_points = along(upper, j + 1);
            int left = -1;  // point on the square's left edge
            for (int n = 0; n + 1 < width_; ++n) {
                const auto k = static_cast<std::size_t>(n);
                const int right = crossing(Coord2(Padded::first + n + 1, j), 1, lower[k + 1], upper[k + 1]);
                square({lower[k], lower[k + 1], upper[k + 1], upper[k]},
                       {lower_points[k], right, upper_points[k], left});
                left = right;
            }
            lower.swap(upper);
            lower_points.swap(upper_points);
        }
        return welded();
    }

  private:
    [[nodiscard]] std::vector<double> row(int j) const {
        std::vector<double> values(static_cast<std::size_t>(width_));
        for (int n = 0; n < width_; ++n) values[static_cast<std::size_t>(n)] = phi_(Coord2(Padded::first + n, j));
        return values;
    }
    /// Points on the edges along x of a row of samples; -1 where the surface does not cross.
    std::vector<int> along(const std::vector<double>& values, int j) {
        std::vector<int> points(values.size(), -1);
        for (std::size_t n = 0; n + 1 < values.size(); ++n)
            points[n] = crossing(Coord2(Padded::first + static_cast<int>(n), j), 0, values[n], values[n + 1]);
        return points;
    }
    int crossing(const Coord2& from, int axis, double a, double b) {
        if ((a < 0) == (b < 0)) return -1;
        Vec2 sample = from.cast<double>();
        sample[axis] += a / (a - b);
        line_.points.push_back(phi_.place(sample));
        return static_cast<int>(line_.points.size()) - 1;
    }
    /// Corners and edges counter-clockwise from the lower left and from the lower edge; edge k follows corner k.
    void square(const std::array<double, 4>& corner, const std::array<int, 4>& point) {
        const auto inside = [&](std::size_t k) { return corner[k % 4] < 0; };
        const bool joined = corner[0] + corner[1] + corner[2] + corner[3] < 0;
        for (std::size_t k = 0; k < 4; ++k) {
            if (!inside(k) || inside(k + 1)) continue;
            // The surface leaves along edge k with the inside on its left, and ends where the inside begins: behind the
            // same corners, or, where two opposite corners are joined, before the next ones.
            const std::size_t step = joined ? 1 : 3;
            std::size_t end = (k + step) % 4;
            while (inside(end) || !inside(end + 1)) end = (end + step) % 4;
            line_.segments.push_back({point[k], point[end]});
        }
    }
    /// In a corner of the domain two points end in one place.
    Polyline welded() {
        UnionFind same(line_.points.size());
        for (const auto& [a, b] : line_.segments)
            if (line_.points[a] == line_.points[b]) same.join(a, b);
        Polyline out;
        std::vector<int> number(line_.points.size(), -1);
        const auto index = [&](int p) {
            int& n = number[same.root(p)];
            if (n < 0) {
                n = static_cast<int>(out.points.size());
                out.points.push_back(line_.points[same.root(p)]);
            }
            return n;
        };
        for (const auto& [a, b] : line_.segments) {
            if (same.root(a) == same.root(b)) continue;
            const int from = index(a), to = index(b);
            out.segments.push_back({from, to});
        }
        return out;
    }

    const Padded& phi_;
    int width_;
    Polyline line_;
};

}  // namespace

Polyline level_set_surface(const Grid<2>& grid, const Field<2, double>& phi, const LevelSetSurfaceOptions& /*none*/) {
    check_grid(grid, "level set");
    const Padded padded(grid, phi);
    padded.check();
    return Tracer(padded).trace();
}

template <int D>
std::vector<Vec<D>> velocity_at(std::span<const Vec<D>> points, const Grid<D>& grid,
                                const FaceField<D, double>& velocity) {
    std::vector<Vec<D>> out(points.size());
    constexpr std::size_t block = 1024;
    parallel_for("velocity at points", static_cast<std::ptrdiff_t>((points.size() + block - 1) / block),
                 [&](std::ptrdiff_t b) {
                     VelocitySampler<D, double> sampler(velocity, grid);
                     const std::size_t begin = static_cast<std::size_t>(b) * block;
                     for (std::size_t i = begin; i < std::min(begin + block, points.size()); ++i)
                         out[i] = sample_velocity(sampler, grid.to_cells(points[i]));
                 });
    return out;
}

template std::vector<Vec<2>> velocity_at(std::span<const Vec<2>>, const Grid<2>&, const FaceField<2, double>&);
template std::vector<Vec<3>> velocity_at(std::span<const Vec<3>>, const Grid<3>&, const FaceField<3, double>&);

}  // namespace tidelock
