#include "stage/liquid_volume.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "fluid/drops.h"
#include "stage/seen_surfaces.h"

namespace tidelock {

template <int D>
VolumeMeter<D> liquid_meter(const World<D>& world, StandingObstacles<D>& standing) {
    return {world.domain.grid, world.liquid().set(), seen_surfaces<D>(world), standing};
}

template <int D>
double present_volume(const LiquidParameters<D>& p, const World<D>& world, VolumeMeter<D>& meter) {
    const Liquid<D>& liquid = world.liquid();
    if (p.surface != LiquidSurface::particles || p.transport == LiquidTransport::narrow_band_flip)
        return meter.measure(liquid.phi);
    Field<D, double> phi = liquid.phi.remapped(liquid.set());
    const double drops = take_out_drops<D>(world.domain.grid, liquid.particles, phi);
    return drops + meter.measure(phi);
}

template <int D>
double trim_level(const LiquidParameters<D>& p, const Trim<D>& trim, double present, World<D>& world,
                  VolumeMeter<D>& meter) {
    constexpr double tolerance = 1e-3, most = 0.25;  // [-], [cells]
    constexpr int rounds = 3;
    Liquid<D>& liquid = world.liquid();
    const double expected = liquid.ledger.expected, dx = world.domain.grid.dx;
    const auto is_right = [&](double volume) { return std::abs(volume - expected) <= tolerance * expected; };
    if (is_right(present) || !(trim.area > 0) || present <= 0) return present;
    const Field<D, double> before = liquid.phi.remapped(liquid.set());
    const double far = before.background();
    // By how much phi is lowered, and what that gives.
    double last_shift = 0, last_volume = present;
    double area = trim.area;
    for (int round = 0; round < rounds; ++round) {
        const double shift = std::clamp(last_shift + (expected - last_volume) / area, -most * dx, most * dx);
        parallel_for("trim level", before.set().count(), [&](std::ptrdiff_t b) {
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const double value = before.brick(b)[i];
                const double moved = std::clamp(value - shift * trim.share.brick(b)[i], -far, far);
                liquid.phi.brick(b)[i] = std::abs(value) < far ? moved : value;
            }
        });
        const double volume = present_volume<D>(p, world, meter);
        if (is_right(volume) || shift == last_shift) return volume;
        if (const double slope = (volume - last_volume) / (shift - last_shift); slope > 0) area = slope;
        last_shift = shift, last_volume = volume;
    }
    return last_volume;
}

#define TIDELOCK_INSTANTIATE(D)                                                                   \
    template VolumeMeter<D> liquid_meter(const World<D>&, StandingObstacles<D>&);                 \
    template double present_volume(const LiquidParameters<D>&, const World<D>&, VolumeMeter<D>&); \
    template double trim_level(const LiquidParameters<D>&, const Trim<D>&, double, World<D>&, VolumeMeter<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
