#include "fluid/outflow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/math.h"
#include "base/parallel.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

constexpr int places_along =
    4;  ///< along each axis of a cell; surfaces and ends of ways are sharp to a tenth of their spacing

/// Farthest that each component of the velocity moves anything in the step [cells].
template <int D>
std::array<double, D> farthest_ways(const Wind<D>& wind) {
    std::array<double, D> far{};
    const auto& set = wind.velocity.set();
    for (int a = 0; a < D; ++a) {
        std::vector<double> most(static_cast<std::size_t>(set.count()), 0.0);
        parallel_for("outflow: farthest way", set.count(), [&](std::ptrdiff_t b) {
            double here = 0;
            const double* u = wind.velocity[a].brick(b);
            for (int i = 0; i < Brick<D>::cells; ++i) here = std::max(here, std::abs(u[i]));
            most[static_cast<std::size_t>(b)] = here;
        });
        for (const double v : most) far[static_cast<std::size_t>(a)] = std::max(far[static_cast<std::size_t>(a)], v);
        far[static_cast<std::size_t>(a)] *= wind.dt / wind.grid.dx;
    }
    return far;
}

/// Follows points of one thread.
template <int D>
class Leaving {
  public:
    Leaving(const Wind<D>& wind, const Field<D, double>& phi)
        : wind_(wind), phi_(phi, Centring<D>::cell(), wind.grid), flow_(wind.velocity, wind.grid) {}

    /// Share of a cell that is liquid and leaves.
    double share(const Coord<D>& cell) {
        double sum = 0;
        constexpr int all = D == 2 ? places_along * places_along : places_along * places_along * places_along;
        for (int n = 0; n < all; ++n) {
            Vec<D> x;
            for (int a = 0, rest = n; a < D; ++a, rest /= places_along)
                x[a] = cell[a] + (rest % places_along + 0.5) / places_along;
            const double wet = std::clamp(0.5 - places_along * phi_.linear(x) / wind_.grid.dx, 0.0, 1.0);
            if (wet <= 0 || (wind_.obstacles != nullptr && wind_.obstacles->distance_after(wind_.grid.to_world(x)) < 0))
                continue;
            sum += wet * gone(x);
        }
        return sum / all;
    }

  private:
    /// 1 if a point [cells] ends beyond an open side, from 0 to 1 near it.
    double gone(const Vec<D>& x) {
        const double scale = wind_.dt / wind_.grid.dx;
        const Vec<D> first = sample_velocity(flow_, x);
        const Vec<D> end = x + scale * sample_velocity(flow_, Vec<D>(x + 0.5 * scale * first));
        double beyond = -1;  // [cells]
        for (int a = 0; a < D; ++a) {
            if (wind_.sides.is_open(a, 0)) beyond = std::max(beyond, -end[a]);
            if (wind_.sides.is_open(a, 1)) beyond = std::max(beyond, end[a] - wind_.grid.cells[a]);
        }
        return std::clamp(0.5 + places_along * beyond, 0.0, 1.0);
    }

    const Wind<D>& wind_;
    Sampler<D, double> phi_;
    VelocitySampler<D, double> flow_;
};

}  // namespace

template <int D>
double outflow(const Wind<D>& wind, const Field<D, double>& phi) {
    if (!wind.sides.any_open()) return 0;
    const auto far = farthest_ways<D>(wind);
    const Grid<D>& grid = wind.grid;
    const auto may_leave = [&](const Coord<D>& cell) {
        for (int a = 0; a < D; ++a) {
            const double reach = far[static_cast<std::size_t>(a)] + 1;
            if (wind.sides.is_open(a, 0) && cell[a] < reach) return true;
            if (wind.sides.is_open(a, 1) && cell[a] + 1 > grid.cells[a] - reach) return true;
        }
        return false;
    };
    const auto& set = phi.set();
    const auto cells = ordered_sum<double>("outflow", set.count(), 0.0, [&](std::ptrdiff_t b) {
        Leaving<D> leaving(wind, phi);
        double sum = 0;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(set.brick(b)) + local_coord<D>(i);
            if (phi.brick(b)[i] < grid.dx && grid.contains(cell) && may_leave(cell)) sum += leaving.share(cell);
        }
        return sum;
    });
    return cells * power(grid.dx, D);
}

template double outflow<2>(const Wind<2>&, const Field<2, double>&);
template double outflow<3>(const Wind<3>&, const Field<3, double>&);

}  // namespace tidelock
