/// A cap bubble that rises, and the circle through its cap: numerics/cases 8.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "pool.h"

namespace tidelock::validation {

struct Cap {
    double top = 0, radius = 0;  ///< [m]
};

/// The cap of the largest bubble: a circle (sphere) about a point of the axis, through its upper surface by least
/// squares, as far out as 0.9 of its width. Through all of it, not its nose: without surface tension the nose is
/// unstable, to the shortest ripples first.
template <int D>
Cap fit_cap(const World<D>& world, const std::vector<BubbleReport>& bubbles, const Vec<D>& axis) {
    const Liquid<D>& liquid = world.liquid();
    const auto largest = std::max_element(bubbles.begin(), bubbles.end(),
                                          [](const auto& a, const auto& b) { return a.volume < b.volume; });
    const auto wanted = 2 + static_cast<std::int32_t>(largest - bubbles.begin());
    const auto& label = liquid.bubbles.label;
    const Grid<D>& grid = world.domain.grid;
    std::vector<std::pair<double, double>> points;  // distance from the axis, height
    double highest = 0, width = 0;
    for (std::ptrdiff_t b = 0; b < label.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (label.brick(b)[i] != wanted) continue;
            const Coord<D> cell = first_cell<D>(label.set().brick(b)) + local_coord<D>(i);
            const Coord<D> next = cell + Coord<D>::Unit(1);
            const double here = liquid.phi.at(cell), there = liquid.phi.at(next);
            if (there >= 0) continue;
            Vec<D> x = grid.cell_centre(cell);
            x[1] += grid.dx * here / (here - there);
            Vec<D> off = x - axis;
            off[1] = 0;
            points.emplace_back(off.norm(), x[1]);
            highest = std::max(highest, x[1]);
            width = std::max(width, off.norm());
        }
    // r^2 + y^2 = a y + b
    double s = 0, sy = 0, syy = 0, sq = 0, sqy = 0;
    for (const auto& [r, height] : points) {
        const double y = height - highest;
        if (r > 0.9 * width || y < -0.8 * width) continue;
        const double q = r * r + y * y;
        s += 1, sy += y, syy += y * y, sq += q, sqy += q * y;
    }
    const double det = s * syy - sy * sy;
    if (!(std::abs(det) > 0)) return {};
    const double a = (s * sqy - sy * sq) / det, b = (syy * sq - sy * sqy) / det;
    const double radius = std::sqrt(std::max(0.0, b + 0.25 * a * a));
    return {highest + 0.5 * a + radius, radius};
}

template <int D>
constexpr double closed_form = D == 2 ? 0.5 : 2.0 / 3;  ///< U / sqrt(g R)

struct Rise {
    std::vector<double> time, top, radius, froude;
    double mean_froude = 0, mean_radius = 0, mean_speed = 0, volume_error = 0;
};

/// The flow that Davies and Taylor think of: a cap of 50 degrees of a sphere, whose rest is wake; the sphere moves with
/// `speed`, and the liquid around it as a potential flow.
template <int D>
void set_flow(const Vec<D>& centre, double radius, double speed, World<D>& world) {
    auto& u = world.liquid().velocity;
    const Vec<D> up = Vec<D>::Unit(1);
    for (std::ptrdiff_t b = 0; b < u.set().count(); ++b)
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> face = first_cell<D>(u.set().brick(b)) + local_coord<D>(i);
                const Vec<D> x = world.domain.grid.position(face, Centring<D>::face(a)) - centre;
                const double r = x.norm();
                Vec<D> v = speed * up;
                if (r > radius) {
                    const Vec<D> n = x / r;
                    v = speed * std::pow(radius / r, D) / (D - 1) * (D * up.dot(n) * n - up);
                }
                u[a].brick(b)[i] = v[a];
            }
}

/// The mean of U / sqrt(g R) while its top rises from 0.1 to 0.9 R above where it began, in a tank 12 R wide. Later an
/// inviscid cap breaks up: its wake pierces it.
template <int D>
Rise rise_of_cap(int across) {
    constexpr double radius = 0.1, half_angle = 50 * std::numbers::pi / 180;
    const double dx = radius / across, width = 12 * radius, level = 11 * radius;
    Coord<D> cells = Coord<D>::Constant(12 * across);
    cells[1] = 13 * across;
    Pool<D> pool(cells, dx, LiquidTransport::semi_lagrangian, LiquidSurface::particle_level_set);
    pool.liquid.bubbles = true;
    pool.setup.cfl = 1;
    pool.world().domain.sides.open[1][1] = true;
    Vec<D> centre = Vec<D>::Constant(0.5 * width);
    centre[1] = 3 * radius;
    const double base = centre[1] + radius * std::cos(half_angle);
    pool.fill(
        [&](const Vec<D>& x) { return std::max(x[1] - level, -std::max((x - centre).norm() - radius, base - x[1])); });
    set_flow<D>(centre, radius, closed_form<D> * std::sqrt(Pool<D>::g * radius), pool.world());
    Rise out;
    double volume = 0;
    while (pool.world().clock.time < 3) {
        const auto report = pool.step(0.01);
        double now = 0;
        for (const auto& bubble : report.bubbles) now += bubble.volume;
        if (volume == 0) volume = now;
        if (report.bubbles.empty()) break;
        const Cap cap = fit_cap<D>(pool.world(), report.bubbles, centre);
        if (cap.top > centre[1] + 2 * radius) break;
        out.volume_error = std::max(out.volume_error, std::abs(now / volume - 1));
        out.time.push_back(pool.world().clock.time);
        out.top.push_back(cap.top);
        out.radius.push_back(cap.radius);
    }
    // Speed: a straight line through the heights of 0.1 s.
    double weight = 0;
    for (std::size_t i = 0; i < out.time.size(); ++i) {
        double n = 0, t = 0, y = 0, tt = 0, ty = 0;
        for (std::size_t j = 0; j < out.time.size(); ++j) {
            const double dt = out.time[j] - out.time[i];
            if (std::abs(dt) > 0.05) continue;
            n += 1, t += dt, y += out.top[j], tt += dt * dt, ty += dt * out.top[j];
        }
        const double speed = n > 2 ? (n * ty - t * y) / (n * tt - t * t) : 0;
        out.froude.push_back(speed / std::sqrt(Pool<D>::g * out.radius[i]));
        if (out.top[i] < centre[1] + 1.1 * radius || out.top[i] > centre[1] + 1.9 * radius) continue;
        out.mean_froude += out.froude.back(), out.mean_radius += out.radius[i], out.mean_speed += speed, weight += 1;
    }
    out.mean_froude /= weight, out.mean_radius /= weight, out.mean_speed /= weight;
    return out;
}

}  // namespace tidelock::validation
