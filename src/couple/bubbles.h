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
///          Between solids alone it has no flow to go with, and is left as it is: nothing that a light shell carries.
///          What vanishes, without a cell's centre in it, is handed on in the same way: air is never lost but to the
///          atmosphere, and as long as there is a bubble.
/// Limits   Volumes of bubbles count the share of each cell above the level set that is not solid.
#pragma once

#include "couple/air_regions.h"
#include "couple/bubble.h"
#include "couple/flow_faces.h"
#include "fluid/liquid.h"
#include "solve/merged_cells.h"

namespace tidelock {

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

/// What a search for bubbles must know.
template <int D>
struct BubbleSearch {
    AirSearch<D> air;
    double dt;                                 ///< [s]
    const Field<D, double>* open;              ///< share of each cell that is not solid; null without solids
    const std::vector<PouredCell<D>>& poured;  ///< by sources in this step
};

/// The liquid around bubbles, which gives way to them: its surface is moved such that they have their volumes
/// (couple/bubble_surface.h), and markers with it.
template <int D>
struct LiquidAround {
    Field<D, double>& phi;      ///< on bricks that hold all cells of the domain [m]
    Markers<D>* markers;        ///< null where particles hold the surface (fluid/held_surface.h)
    CellContents<D>& contents;  ///< where cells of bubbles become trapped
};

/// Finds the regions of air and carries the targets over. An empty state: the first step.
template <int D>
Bubbles<D> find_bubbles(const BubbleSearch<D>& search, const LiquidAround<D>& liquid, BubbleState<D>& state);

}  // namespace tidelock
