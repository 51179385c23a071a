/// How much liquid there is, how much there should be, and how the difference is taken back.
///
/// Source   numerics/volume 1, 2. Volume: the part of each cell below phi = 0, cut in closed form on 2^D parts
///          (geometry/fractions.h). Correction: a divergence in every cell of the liquid, by the controller of
///          [KLLJR07], with x = (V - V0) / V0 and y its integral over time:
///            div u = -(k_p x + k_i y) / (1 + x),   k_p = 2.3 / (25 dt),   k_i = k_p^2 / 16
/// Deviates |div u| <= k_p: next to no liquid would have to become all of it at once. And dt is at least a tenth of the time in which water falls half a cell. Steps are short where the flow is
///          fast; pushing the harder for it would make it faster still, and steps shorter, without end.
#pragma once

#include <algorithm>
#include <cmath>

#include "grid/interpolate.h"

namespace tidelock {

/// Volume of {phi < 0} in the domain [m^3], in 2D [m^2]; with solids: couple/open_cells.h. Adds brick by brick: the same bits
/// on any number of threads.
template <int D>
[[nodiscard]] double liquid_volume(const Grid<D>& grid, const Field<D, double>& phi);

/// Share of a cell below phi = 0, in [0, 1]; `value` is phi at its centre.
template <int D>
[[nodiscard]] double liquid_share(const Grid<D>& grid, Sampler<D, double>& phi, const Coord<D>& cell, double value);

/// Time in which a controller works that should take `steps` steps [s]; see above.
[[nodiscard]] inline double control_time(double steps, double dx, double dt) {
    return steps * std::max(dt, 0.1 * std::sqrt(dx / 9.81));
}

/// The account of a liquid's volume. Plain numbers, part of the state: the controller remembers.
struct VolumeLedger {
    double expected = 0;  ///< what was there at the start, and poured less drained since [m^3]
    double present = 0;   ///< last measured, and poured less drained since [m^3]
    double integral = 0;  ///< y: of the relative drift over time [s]
    double poured = 0;    ///< by sources, in all [m^3]
    double drained = 0;   ///< by drains, in all [m^3]

    void start(double volume) { *this = {.expected = volume, .present = volume}; }
    void pour(double volume) { expected += volume, present += volume, poured += volume; }
    void drain(double volume) { expected -= volume, present -= volume, drained += volume; }
    /// Enters a measurement at the end of a step. While the controller is at its limit the integral waits, else it would
    /// go on pushing for as long afterwards.
    void measure(double volume, double dt) {
        present = volume;
        if (std::abs(drift()) < 0.5) integral += drift() * dt;
    }
    /// x: relative drift; 0 while nothing is expected.
    [[nodiscard]] double drift() const { return expected > 0 ? (present - expected) / expected : 0; }
    /// The divergence that the next projection should leave in the liquid [1/s].
    [[nodiscard]] double divergence(double dx, double dt) const {
        const double k_p = 2.3 / control_time(25, dx, dt), k_i = k_p * k_p / 16;
        const double pushes = k_p * drift() + k_i * integral, share = 1 + drift();
        return std::abs(pushes) < k_p * share ? -pushes / share : -std::copysign(k_p, pushes);
    }
};

}  // namespace tidelock
