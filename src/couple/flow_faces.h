/// The fluid's side of a pressure solve: what every cell holds, how open each face is, what lies beyond the fluid. A
/// gas and a liquid are the same kind of thing here; once made, nothing changes it.
///
/// Surface  numerics/surface 4 (ghost fluid, [GFCK02]): between a liquid cell and an air cell the surface cuts the way
///          from centre to centre at theta = phi_l / (phi_l - phi_a), where the pressure is that of the air. The
///          conductance of such a face is c / theta, the velocity's update 1 / theta as large: one theta, clamped once,
///          for both.
/// Air      of the atmosphere has the pressure 0. Trapped air has one unknown pressure for each bubble
///          (couple/bubbles.h); its cells are unknowns that share a value.
/// Sides    Open sides of the domain are links too. Beyond that of a gas lies, one cell away, the gas at rest: its
///          pressure is rho (g . x + level), 0 half a cell above the highest open side. On that of a liquid the
///          pressure is 0.
#pragma once

#include <vector>

#include "base/math.h"
#include "couple/cell_contents.h"
#include "fluid/sides.h"
#include "solve/merged_cells.h"

namespace tidelock {

/// Which fluid, and where.
template <int D>
struct Medium {
    Grid<D> grid;
    Sides<D> sides;
    double density = 0;               ///< [kg/m^3]
    Vec<D> gravity = Vec<D>::Zero();  ///< [m/s^2]

    /// Mass of a dual cell full of fluid [kg].
    [[nodiscard]] double dual_mass() const { return density * power(grid.dx, D); }
};

/// A face that solids touch, as the fluid has it.
struct FlowFace {
    double open = 0;                                   ///< share that fluid passes with its own velocity [-]
    double mass = 0;                                   ///< of the fluid that moves with its solids [kg]
    bool low_pressure = false, high_pressure = false;  ///< the cells below and above it have a pressure
    bool low_fluid = false, high_fluid = false;        ///< and a mass: trapped air has none

    [[nodiscard]] int pressures() const { return (low_pressure ? 1 : 0) + (high_pressure ? 1 : 0); }
    [[nodiscard]] int fluids() const { return (low_fluid ? 1 : 0) + (high_fluid ? 1 : 0); }
};

/// What a link leads to.
enum class LinkEnd : std::uint8_t { atmosphere, bubble, side };

/// From a cell of the fluid to air beside it, or out of an open side.
struct SurfaceLink {
    std::int32_t slot = 0, local = 0;  ///< of the fluid's cell
    std::int16_t axis = 0, step = 0;   ///< to the other end: -1 or +1 along the axis
    LinkEnd end = LinkEnd::atmosphere;
    double theta = 1;     ///< how far away the known pressure is [cells]; at a surface in (0, 1]
    double open = 1;      ///< share of the face that fluid passes with its own velocity [-]
    double pressure = 0;  ///< there, unless it is a bubble's [Pa]
};

/// Fluid that wells up in some cells.
struct FlowSource {
    std::vector<CellPlace> cells;
    double flux = 0;                  ///< of all of them [m^D/s]
    std::vector<double> shares = {};  ///< of the flux, of each cell; none: each as much [-]

    /// In the cell of this place in the list [m^D/s].
    [[nodiscard]] double flux_of(std::size_t i) const {
        return shares.empty() ? flux / static_cast<double>(cells.size()) : flux * shares[i];
    }
};

/// The pressure of a fluid at rest [Pa]; without a density 0 everywhere.
template <int D>
struct RestPressure {
    double density = 0;
    Vec<D> gravity = Vec<D>::Zero();
    double level = 0;  ///< -g . x where it is 0

    [[nodiscard]] double at(const Vec<D>& x) const { return density * (gravity.dot(x) + level); }
};

template <int D>
struct FlowFaces {
    Medium<D> medium;
    CellContents<D> contents;
    std::vector<FlowFace> faces;           ///< of the same length as Interface::faces
    std::vector<double> weights;           ///< as Interface::shares: of a body's velocity in a face's solid part [-]
    std::vector<double> wet_share;         ///< per body: of its surface [-]
    std::vector<SurfaceLink> links;        ///< sorted by brick, cell, axis and step; closed faces are left out
    std::vector<std::int32_t> first_link;  ///< per brick: its first link; one more at the end
    RestPressure<D> beyond;                ///< open sides
    MergedCells<D> merged;                 ///< cells whose pressure is one unknown: bubbles
    std::vector<FlowSource> sources;
    double divergence = 0;  ///< that is wanted in every cell of fluid [1/s]

    /// One cell beyond an open side [Pa].
    [[nodiscard]] double pressure_beyond(int axis, int side, const Coord<D>& cell) const {
        Coord<D> out = cell;
        out[axis] += side == 0 ? -1 : 1;
        return beyond.at(medium.grid.cell_centre(out));
    }
    /// The theta of the link that leads from a cell up along an axis; there must be one.
    [[nodiscard]] double theta_above(std::ptrdiff_t slot, int local, int axis) const;
};

/// A gas fills all that solids leave of the domain.
template <int D>
FlowFaces<D> gas_faces(const Medium<D>& medium, const Interface<D>& interface);

/// A liquid as its surface bounds it.
template <int D>
struct LiquidBounds {
    const Field<D, double>& phi;  ///< signed distance at cell centres, negative in the liquid [m]
    CellContents<D> contents;     ///< of which air is trapped, the search for bubbles has said
    MergedCells<D> bubbles = {};
    std::vector<FlowSource> sources = {};
    double divergence = 0;  ///< [1/s]
};

/// The shares of faces beside solids are those of what is wet (couple/surface_shares.h).
template <int D>
FlowFaces<D> liquid_faces(const Medium<D>& medium, const Interface<D>& interface, const SolidSurfaces<D>& surfaces,
                          LiquidBounds<D> liquid);

}  // namespace tidelock
