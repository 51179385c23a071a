/// What a transport scheme must know of the solids in the fluid, and no more.
///
/// A sample that arrives at x at the end of the step came from some point at its beginning; the solids have moved in
/// between. Everything is asked in world coordinates [m]. All members are const and may be called from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "base/vec.h"

namespace tidelock {

/// When solids are looked at: at the beginning or at the end of the step.
enum class Moment { beginning, end };

/// Lower bounds of the distance from a point to any solid [m]; may be negative.
struct Clearance {
    double least = std::numeric_limits<double>::infinity();  ///< at any time in the step
    std::array<double, 2> at{least, least};                  ///< at each Moment

    [[nodiscard]] double operator[](Moment moment) const { return at[static_cast<std::size_t>(moment)]; }
};

/// A solid's surface as the fluid beside it feels it.
template <int D>
struct Wall {
    Vec<D> normal = Vec<D>::Zero();    ///< outwards; zero: none
    Vec<D> velocity = Vec<D>::Zero();  ///< [m/s]

    /// The velocity of a fluid that slips along it: the wall's across, the fluid's own along.
    [[nodiscard]] Vec<D> slip(const Vec<D>& fluid) const { return fluid + normal.dot(velocity - fluid) * normal; }
};

/// One of the grid's places.
template <int D>
struct GridSample {
    int axis;  ///< of its face; cell: its centre
    Coord<D> at;

    static constexpr int cell = D;
    /// Sample n of the 2^D of which this is the lowest.
    [[nodiscard]] GridSample upper(int n) const {
        GridSample out = *this;
        for (int a = 0; a < D; ++a) out.at[a] += n >> a & 1;
        return out;
    }
};

template <int D>
class Obstacles {
  public:
    virtual ~Obstacles() = default;

    /// False if no sample of this brick can be touched by a solid, wherever it comes from within this step.
    [[nodiscard]] virtual bool near_brick(std::ptrdiff_t slot) const = 0;
    /// A clearance that is `enough` [m] or more need not be known better.
    [[nodiscard]] virtual Clearance clearance(const Vec<D>& x, double enough) const = 0;
    /// Shortens the way from `departure` (at the beginning) to `arrival` (at the end), in the frame of the moving
    /// solids, so that no solid lies on it: `departure` is moved next to the solid, on the side of `arrival`. False if
    /// there is no such way: the arrival lies in a solid, or solids meet there.
    [[nodiscard]] virtual bool clip(const Vec<D>& arrival, Vec<D>& departure) const = 0;
    /// The way of a particle, from `departure` (at the beginning, outside of all solids) to `arrival` (at the end):
    /// where it would meet a solid, in the frame of the moving solid, it goes on along its surface or stops, so that it
    /// ends on the side where it began, about `gap` [m] away. False if there is no room: solids meet there.
    [[nodiscard]] virtual bool carry(const Vec<D>& departure, Vec<D>& arrival, double gap) const = 0;
    /// Signed distance from x to the nearest solid at the end of the step [m]; solids that cannot be reached in the
    /// step count as far away.
    [[nodiscard]] virtual double distance_after(const Vec<D>& x) const = 0;
    /// Whether a solid hides y from x at the beginning of the step; then its velocity where the view ends.
    [[nodiscard]] virtual bool hides(const Vec<D>& x, const Vec<D>& y, Vec<D>& velocity) const = 0;
    /// The same at the end of the step.
    [[nodiscard]] virtual bool hides_after(const Vec<D>& x, const Vec<D>& y) const = 0;
    /// Bit n: a solid stands between x, whose clearance at a moment is known, and the sample n of the 2^D of which
    /// `low` is the lowest (bit a of n: the upper along axis a). What hides() and hides_after() say, at less cost.
    [[nodiscard]] virtual unsigned hidden(const Vec<D>& x, double clearance, Moment moment,
                                          const GridSample<D>& low) const = 0;
    /// Of the solid whose surface is nearest to y: its wall next to x.
    [[nodiscard]] virtual Wall<D> wall(const Vec<D>& x, const Vec<D>& y, Moment moment) const = 0;
    /// Velocity of the nearest solid at x [m/s].
    [[nodiscard]] virtual Vec<D> solid_velocity(const Vec<D>& x) const = 0;
};

}  // namespace tidelock
