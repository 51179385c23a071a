/// The front of a dam break, a column a wide and 2 a high: measured, simulated, and that of an ideal fluid.
/// T = t sqrt(2 g / a), Z = front / a.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "ideal_column.h"
#include "pool.h"

namespace tidelock::validation {

struct Front {
    std::string name;
    std::vector<double> t, z;

    [[nodiscard]] double at(double time) const {
        std::size_t i = 1;
        while (i + 1 < t.size() && t[i] < time) ++i;
        const double f = (time - t[i - 1]) / (t[i] - t[i - 1]);
        return z[i - 1] + f * (z[i] - z[i - 1]);
    }
    /// Largest error for T in 1 to 3, relative to the other, whose times are moved by `shift`.
    [[nodiscard]] double off(const Front& other, double shift = 0) const {
        double worst = 0;
        for (std::size_t i = 0; i < other.t.size(); ++i)
            if (other.t[i] >= 1 && other.t[i] <= 3)
                worst = std::max(worst, std::abs(at(other.t[i] + shift) / other.z[i] - 1));
        return worst;
    }
};

/// The shift of the other's times, of at most `largest` either way, with the smallest error.
inline double best_shift(const Front& front, const Front& other, double largest) {
    double best = 0;
    for (int k = -50; k <= 50; ++k)
        if (const double s = largest * k / 50; front.off(other, s) < front.off(other, best)) best = s;
    return best;
}

/// [MM52].
inline Front measured_front() {
    return {"Martin and Moyce 1952",
            {0.41, 0.84, 1.19, 1.43, 1.63, 1.83, 1.98, 2.20, 2.32, 2.51, 2.65, 2.83, 2.98, 3.11, 3.33},
            {1.11, 1.22, 1.44, 1.67, 1.89, 2.11, 2.33, 2.56, 2.78, 3.00, 3.22, 3.44, 3.67, 3.89, 4.11}};
}

inline Front ideal_front(double until) {
    IdealColumn column(2, 20, 0.01);
    Front out{"ideal fluid", {0}, {1}};
    while (out.t.back() < until) {
        column.step(std::min(0.01, 0.2 * (column.time() + 0.02)));  // it starts with an infinite acceleration
        out.t.push_back(column.time() * std::sqrt(2.0));
        out.z.push_back(column.front());
    }
    return out;
}

/// How far the liquid reaches along the floor [m]: in the lowest row of cells, in the middle of the tank.
template <int D>
double reach(const World<D>& world) {
    const Grid<D>& grid = world.domain.grid;
    const Liquid<D>& liquid = world.liquid();
    Coord<D> cell = Coord<D>::Zero();
    if constexpr (D == 3) cell[2] = grid.cells[2] / 2;
    for (cell[0] = grid.cells[0] - 1; cell[0] > 0; --cell[0]) {
        const double here = liquid.phi.at(cell);
        if (here >= 0) continue;
        Coord<D> next = cell;
        ++next[0];
        const double beyond = next[0] < grid.cells[0] ? liquid.phi.at(next) : -here;
        return grid.cell_centre(cell)[0] + grid.dx * std::min(1.0, -here / (beyond - here));
    }
    return 0;
}

/// `across`: cells in a, which is that of the experiment; in a tank 5 a long, whose walls and floor let water slip.
template <int D>
Front simulated_front(int across, LiquidTransport transport, LiquidSurface surface, double until, std::string name) {
    constexpr double a = 0.05715;  // [m]
    Coord<D> cells = Coord<D>::Constant(across);
    cells[0] = 5 * across;
    cells[1] = 5 * across / 2;
    Pool<D> pool(cells, a / across, transport, surface);
    pool.setup.cfl = 1;
    pool.world().domain.sides.open[1][1] = true;
    pool.fill([](const Vec<D>& x) { return std::max(x[0] - a, x[1] - 2 * a); });
    const double unit = std::sqrt(2 * Pool<D>::g / a);
    Front out{std::move(name), {0}, {1}};
    while (out.t.back() < until) {
        pool.step(0.005);
        out.t.push_back(pool.world().clock.time * unit);
        out.z.push_back(reach<D>(pool.world()) / a);
    }
    return out;
}

}  // namespace tidelock::validation
