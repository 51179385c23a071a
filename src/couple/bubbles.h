/// Air that the liquid encloses: which cells it fills, how much there is, and that it stays as much.
///
/// Source   [A18] section 5; numerics/bubbles. Every region of air that does not reach an open side of the domain
///          has one pressure, such that as much liquid and solid moves in through its surface as out. Its cells are
///          unknowns of the pressure solve that share a value (solve/merged_cells.h).
/// Closed   If no region reaches an open side, the largest one is the reference with the pressure 0: that it keeps its
///          volume follows from all the others (numerics/bubbles 2).
/// Targets  numerics/bubbles 3. A bubble hands its volume to the regions that its cells belong to a step later, by the
///          shares of the cells; so merging adds volumes and splitting shares them. What is cut off from the atmosphere
///          begins with what is measured; air that comes from nowhere should not be there, and is given no volume.
/// Drift    The surface is moved until bubbles have their volumes (couple/bubble_surface.h). What that leaves a source
///          per bubble takes back, with d = target - volume: s = d / T + integral of d / (4 T^2), T four steps
///          (fluid/volume.h), at most a tenth of a cell per step all over its surface. The integral stands against
///          what drifts step after step: drops that a bubble swallows and that are lost. Where particles hold
///          the surface they are not lost, but a lone one counts for a cell or more: a bubble with spray in it seems to
///          lack what it has, and an integral would blow it up. There s = d / T.
/// Sources  What is poured into a bubble takes its place: it pushes as much liquid away, in the same step.
/// Foam     Air of less than 3^D cells has no pressure of its own: the solve takes it for liquid, so that it goes with
///          the flow, which keeps volumes, too. What it gains or loses nevertheless a bubble near it is given.
///          What vanishes, without a cell's centre in it, is handed on in the same way: air is never lost but to the
///          atmosphere, and as long as there is a bubble.
/// Limits   Volumes of bubbles count the share of each cell above the level set that is not solid.
#pragma once

#include "couple/flow_faces.h"
#include "fluid/liquid.h"
#include "solve/merged_cells.h"

namespace tidelock {

struct Bubble {
    double volume = 0;             ///< measured [m^D]
    double target = 0;             ///< that it should have [m^D]
    double missing = 0;            ///< integral of what the surface lacks over time so far [m^D s]
    double poured = 0;             ///< into it in this step [m^D]
    bool foam = false;             ///< too small to have a pressure of its own
    std::vector<CellPlace> cells;  ///< whose centres are in it
    std::vector<CellPlace> shell;  ///< liquid cells around it

    /// That its surface does not have for its own errors: what was poured into it the flow makes room for.
    [[nodiscard]] double lacks() const { return target - poured - volume; }
};

/// Liquid that a source has put into a cell where air was.
template <int D>
struct PouredCell {
    Coord<D> cell;
    double volume;  ///< [m^D]
};

template <int D>
struct Bubbles {
    std::vector<Bubble> list;     ///< in the order of their first cells
    bool from_particles = false;  ///< they hold the surface, and spray makes it

    /// Flux out of bubble i through its surface that takes its drift back over `dt` [m^D/s]: B_i(u) of [A18] eq. (18).
    [[nodiscard]] double source(std::size_t bubble, double dx, double dt) const;
    /// That of every bubble.
    [[nodiscard]] std::vector<FlowSource> sources(double dx, double dt) const;
    [[nodiscard]] MergedCells<D> merged() const;
};

/// Finds the regions of air, marks the cells of bubbles as trapped in `contents`, and carries the targets over. `open`: the share of each cell that is not solid, or null. `vents`: cells that reach the atmosphere by
/// other ways than a side, as drains do. `poured`: by sources in this step. The surface is moved such that bubbles have
/// their volumes (couple/bubble_surface.h), and `markers` with it; null where particles hold it (fluid/held_surface.h).
/// The bricks must hold all cells of the domain. An empty state: the first step.
template <int D>
Bubbles<D> find_bubbles(const Grid<D>& grid, double dt, const Sides<D>& sides, const Interface<D>& interface,
                        const Field<D, double>* open, const std::vector<CellPlace>& vents,
                        const std::vector<PouredCell<D>>& poured, Markers<D>* markers, Field<D, double>& phi,
                        BubbleState<D>& state, CellContents<D>& contents);

}  // namespace tidelock
