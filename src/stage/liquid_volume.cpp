#include "stage/liquid_volume.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "couple/open_cells.h"
#include "fluid/drops.h"
#include "stage/seen_surfaces.h"

namespace tidelock {

template <int D>
double present_volume(const LiquidParameters<D>& p, const World<D>& world) {
    const Liquid<D>& liquid = world.liquid();
    const Grid<D>& grid = world.domain.grid;
    const auto surfaces = seen_surfaces<D>(world);
    if (p.surface != LiquidSurface::particles || p.transport == LiquidTransport::narrow_band_flip)
        return measured_volume<D>(grid, liquid.phi, surfaces);
    Field<D, double> phi = liquid.phi.remapped(liquid.set());
    const double drops = take_out_drops<D>(grid, liquid.particles, phi);
    return drops + measured_volume<D>(grid, phi, surfaces);
}

template <int D>
double trim_level(const LiquidParameters<D>& p, std::size_t surface_faces, double present, World<D>& world) {
    constexpr double tolerance = 1e-3, most = 0.25;  // [-], [cells]
    constexpr int rounds = 3;
    Liquid<D>& liquid = world.liquid();
    const double expected = liquid.ledger.expected, dx = world.domain.grid.dx;
    const auto is_right = [&](double volume) { return std::abs(volume - expected) <= tolerance * expected; };
    if (is_right(present) || surface_faces == 0 || present <= 0) return present;
    const Field<D, double> before = liquid.phi.remapped(liquid.set());
    const double far = before.background();
    // By how much phi is lowered, and what that gives.
    double last_shift = 0, last_volume = present;
    double area = static_cast<double>(surface_faces) * power(dx, D - 1);
    for (int round = 0; round < rounds; ++round) {
        const double shift = std::clamp(last_shift + (expected - last_volume) / area, -most * dx, most * dx);
        parallel_for("trim level", before.set().count(), [&](std::ptrdiff_t b) {
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const double value = before.brick(b)[i];
                liquid.phi.brick(b)[i] = std::abs(value) < far ? std::clamp(value - shift, -far, far) : value;
            }
        });
        const double volume = present_volume<D>(p, world);
        if (is_right(volume) || shift == last_shift) return volume;
        if (const double slope = (volume - last_volume) / (shift - last_shift); slope > 0) area = slope;
        last_shift = shift, last_volume = volume;
    }
    return last_volume;
}

#define TIDELOCK_INSTANTIATE(D)                                                  \
    template double present_volume(const LiquidParameters<D>&, const World<D>&); \
    template double trim_level(const LiquidParameters<D>&, std::size_t, double, World<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
