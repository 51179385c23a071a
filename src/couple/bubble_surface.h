/// The surface of each bubble: the liquid cells around it, how much air they and its own cells hold, and how to move it
/// so that it is as much as it should be.
///
/// Source   numerics/bubbles 4. A level set loses and gains volume step by step, small bubbles a large share of theirs.
///          Here phi around a bubble is raised or lowered by one value, such that the volume is that which it should
///          be; the change fades out from two to three cells away from the surface. Markers go along.
/// Limits   A step moves the surface by a fifth of a cell at most. What is left stays for the bubble's source
///          (couple/bubbles.h). Cells beside the atmosphere or another bubble stay as they are.
#pragma once

#include "couple/bubble.h"
#include "couple/cell_contents.h"
#include "fluid/liquid.h"

namespace tidelock {

/// Sets the shells: the liquid cells up to three faces away, without those that another bubble has already.
template <int D>
void find_shells(const Interface<D>& interface, const Field<D, std::int32_t>& label, const CellContents<D>& contents,
                 std::vector<Bubble>& bubbles);

/// The air in a bubble's cells and its shell [m^D].
template <int D>
double air_volume(const Grid<D>& grid, const Field<D, double>& phi, const Field<D, double>* open, const Bubble& bubble);

/// What moves when surfaces do.
template <int D>
struct AirFields {
    Field<D, double>& phi;          ///< [m]
    Field<D, double>& rise;         ///< gets what phi has gained [m]
    Field<D, std::int32_t>& label;  ///< of cells that change sides
    CellContents<D>& contents;      ///< the same
};

/// Moves the surfaces of the bubbles, whose volumes are measured; foam is left alone. Cells that change sides do so in
/// the bubbles' lists, too.
template <int D>
void restore_volumes(const Grid<D>& grid, const Field<D, double>* open, const AirFields<D>& air,
                     std::vector<Bubble>& bubbles);

/// Moves markers with their surface, so that they are as far from it as before: phi has gained `rise`.
template <int D>
void move_markers(const Grid<D>& grid, const Field<D, double>& phi, const Field<D, double>& rise, Markers<D>& markers);

}  // namespace tidelock
