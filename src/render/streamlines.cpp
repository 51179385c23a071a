#include "render/streamlines.h"

#include <cmath>
#include <deque>

#include "base/error.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

/// Points of all lines so far, in square cells one separation wide.
class PointGrid {
  public:
    PointGrid(const Grid<2>& grid, double separation) : low_(grid.origin), cell_(separation) {
        size_ = ((grid.upper() - low_) / cell_).array().ceil().cast<int>().max(1);
        points_.resize(static_cast<std::size_t>(size_[0]) * static_cast<std::size_t>(size_[1]));
    }
    void add(const Vec2& x, int line) { points_[index(place(x))].push_back({x, line}); }
    /// Distance to the nearest point of another line, at most the separation.
    [[nodiscard]] double nearest(const Vec2& x, int line) const {
        double best = cell_;
        const Coord2 c = place(x);
        for (int j = std::max(0, c[1] - 1); j <= std::min(size_[1] - 1, c[1] + 1); ++j)
            for (int i = std::max(0, c[0] - 1); i <= std::min(size_[0] - 1, c[0] + 1); ++i)
                for (const Entry& e : points_[index({i, j})])
                    if (e.line != line) best = std::min(best, (e.x - x).norm());
        return best;
    }

  private:
    struct Entry {
        Vec2 x;
        int line;
    };
    [[nodiscard]] Coord2 place(const Vec2& x) const {
        const Coord2 c = ((x - low_) / cell_).array().floor().cast<int>();
        return c.cwiseMax(Coord2::Zero()).cwiseMin(size_ - Coord2::Ones());
    }
    [[nodiscard]] std::size_t index(const Coord2& c) const {
        return static_cast<std::size_t>(c[1]) * static_cast<std::size_t>(size_[0]) + static_cast<std::size_t>(c[0]);
    }
    Vec2 low_;
    double cell_;
    Coord2 size_;
    std::vector<std::vector<Entry>> points_;
};

struct Tracer {
    const Grid<2>& grid;
    const StreamlineOptions& options;
    const std::function<bool(const Vec2&)>& blocked;
    VelocitySampler<2, double> velocity;
    double least_speed, step;

    [[nodiscard]] bool open(const Vec2& x) const {
        return (x.array() > grid.origin.array()).all() && (x.array() < grid.upper().array()).all() &&
               !(blocked && blocked(x));
    }
    /// Unit direction of the flow; zero where it stands still.
    Vec2 direction(const Vec2& x) {
        const Vec2 u = sample_velocity(velocity, grid.to_cells(x));
        const double speed = u.norm();
        return speed > least_speed ? Vec2(u / speed) : Vec2::Zero();
    }
    /// One step of the classical Runge-Kutta method along unit directions; false where the line ends.
    bool advance(Vec2& x, double h) {
        const Vec2 a = direction(x), b = direction(x + 0.5 * h * a), c = direction(x + 0.5 * h * b),
                   d = direction(x + h * c);
        if (a.isZero() || b.isZero() || c.isZero() || d.isZero()) return false;
        x += h / 6 * (a + 2 * b + 2 * c + d);
        return open(x);
    }
    /// From a seed both ways, until the flow stops, the domain ends, or another line or its own beginning is near.
    std::vector<Vec2> trace(const Vec2& seed, int line, const PointGrid& others) {
        std::deque<Vec2> points{seed};
        const int most = static_cast<int>(4 * (grid.upper() - grid.origin).sum() / step);
        for (const int way : {1, -1}) {
            Vec2 x = seed;
            for (int n = 0; n < most; ++n) {
                if (!advance(x, way * step)) break;
                if (others.nearest(x, line) < options.closest * options.separation) break;
                const auto apart = static_cast<std::size_t>(2 * options.separation / step);
                bool closes = false;  // a closed orbit goes round once
                for (std::size_t k = 0; k + apart < points.size() && !closes; k += 2)
                    closes = ((way > 0 ? points[k] : points[points.size() - 1 - k]) - x).norm() <
                             0.5 * options.closest * options.separation;
                if (closes) break;
                way > 0 ? points.push_back(x) : points.push_front(x);
            }
        }
        return {points.begin(), points.end()};
    }
};

double fastest(const FaceField<2, double>& velocity, const Grid<2>& grid) {
    VelocitySampler<2, double> sampler(velocity, grid);
    double most = 0;
    for (int j = 0; j < grid.cells[1]; ++j)
        for (int i = 0; i < grid.cells[0]; ++i)
            most = std::max(most, sample_velocity(sampler, Vec2(i + 0.5, j + 0.5)).norm());
    return most;
}

}  // namespace

std::vector<Streamline> streamlines(const FaceField<2, double>& velocity, const Grid<2>& grid,
                                    const StreamlineOptions& options, const std::function<bool(const Vec2&)>& blocked) {
    const double sep = options.separation;
    if (!(sep > 0) || !std::isfinite(sep)) throw InputError("streamlines", "separation must be > 0 m, got {}", sep);
    const double most = fastest(velocity, grid);
    std::vector<Streamline> lines;
    if (!(most > 0) || !std::isfinite(most)) return lines;
    Tracer tracer{grid,
                  options,
                  blocked,
                  VelocitySampler<2, double>(velocity, grid),
                  options.least_speed * most,
                  std::min(0.5 * grid.dx, 0.125 * sep)};
    PointGrid placed(grid, sep);

    const auto try_seed = [&](const Vec2& seed) {
        const int line = static_cast<int>(lines.size());
        if (!tracer.open(seed) || placed.nearest(seed, line) < 0.999 * sep) return;
        std::vector<Vec2> points = tracer.trace(seed, line, placed);
        if (static_cast<double>(points.size()) * tracer.step < options.least_length * sep) return;
        Vec2 low = seed, high = seed;  // orbits around a vortex's very middle are long and small
        for (const Vec2& x : points) low = low.cwiseMin(x), high = high.cwiseMax(x);
        if ((high - low).norm() < sep) return;
        for (const Vec2& x : points) placed.add(x, line);
        lines.push_back({std::move(points), {}});
    };
    // Seeds beside the lines already drawn; when they are used up, a coarse lattice finds what is still empty.
    const Vec2 size = grid.upper() - grid.origin;
    const Coord2 lattice = (size / sep).array().floor().cast<int>().max(1);
    std::size_t next = 0;
    try_seed(grid.origin + 0.5 * size);
    for (int n = 0; n <= lattice.prod(); ++n) {
        for (; next < lines.size(); ++next) {
            const auto stride = static_cast<std::size_t>(std::max(1.0, sep / tracer.step));
            for (std::size_t k = 0; k < lines[next].points.size(); k += stride) {
                const Vec2 x = lines[next].points[k], d = tracer.direction(x);
                for (const int side : {1, -1}) try_seed(x + side * sep * Vec2(-d[1], d[0]));
            }
        }
        if (n < lattice.prod()) {
            const int column = n % lattice[0], row = n / lattice[0];
            try_seed(grid.origin + Vec2((column + 0.5) / lattice[0] * size[0], (row + 0.5) / lattice[1] * size[1]));
        }
    }
    for (std::size_t n = 0; n < lines.size(); ++n)
        for (const Vec2& x : lines[n].points) lines[n].nearest.push_back(placed.nearest(x, static_cast<int>(n)));
    return lines;
}

}  // namespace tidelock
