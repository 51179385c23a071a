/// Smoke: a gas of constant density that fills the domain and carries soot and heat.
///
/// Boussinesq: the density varies only in the weight of the gas, a = g (1 + alpha s - beta (T - T_ambient)), with s the
/// amount of smoke and T the temperature ([FSJ01] eq. (8), written with the full weight, so that the pressure is the
/// true one and bodies float by it).
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "fluid/schemes.h"
#include "fluid/sides.h"
#include "geometry/pose.h"
#include "geometry/shape.h"
#include "grid/domain.h"
#include "grid/extrapolate.h"

namespace tidelock {

/// Where smoke, heat and motion come from: a shape that sets what is inside it (fluid/sources.h).
template <int D>
struct SmokeSource {
    std::shared_ptr<const Shape<D>> shape;
    Pose<D> pose;                                          ///< of the shape's own frame
    double smoke = 1;                                      ///< [-]
    double temperature = 293.15;                           ///< [K]
    std::optional<Vec<D>> velocity;                        ///< [m/s]; none: motion is left alone
    bool inflow = false;                                   ///< it brings its gas along (fluid/inflow.h); has a velocity
    double start = 0;                                      ///< [s]
    double end = std::numeric_limits<double>::infinity();  ///< [s]

    [[nodiscard]] bool active(double time) const { return time >= start && time < end; }
};

template <int D>
struct SmokeParameters {
    double fluid_density = 1.2;  ///< [kg/m^3]
    Transport transport = Transport::maccormack;
    double ambient_temperature = 293.15;  ///< [K]
    double lift_per_kelvin = 1 / 293.15;  ///< beta [1/K]
    double weight_of_smoke = 0;           ///< alpha, per unit of smoke [-]
    double vorticity_confinement = 0;     ///< epsilon [-]
    double cooling = 0;                   ///< rate at which T returns to ambient [1/s]
    double dissipation = 0;               ///< rate at which smoke fades [1/s]
    std::vector<SmokeSource<D>> sources;
};

/// The state of the gas.
template <int D>
struct Smoke {
    FaceField<D, double> velocity;  ///< [m/s]; known on every face of the domain, inside solids too
    Field<D, double> density;       ///< amount of smoke [-], 0 in solids
    Field<D, double> temperature;   ///< [K], ambient in solids
    Field<D, double> pressure;      ///< [Pa], 0 in solids

    [[nodiscard]] const BrickSetPtr<D>& set() const { return density.set_ptr(); }
};

/// The bricks of a gas that fills the domain: all that hold a cell, and those beyond open upper sides, whose faces
/// belong to the next row of bricks. Closed upper sides need none: the background of a velocity is 0, as on the wall.
template <int D>
BrickSetPtr<D> smoke_bricks(const Grid<D>& grid, const Sides<D>& sides);

template <int D>
Smoke<D> make_smoke(const Grid<D>& grid, const Sides<D>& sides, double ambient_temperature);

/// Cells that `solid` marks hold no smoke and no heat of their own: takes out what is there, from how many cells.
template <int D>
std::ptrdiff_t clear_solids(const Mask<D>& solid, Smoke<D>& smoke);

/// Bytes of state per brick, for estimates.
template <int D>
inline constexpr std::size_t smoke_bytes_per_brick = (D + 3) * sizeof(double) * Brick<D>::cells;

}  // namespace tidelock
