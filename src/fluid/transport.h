/// Carries fields along a velocity: semi-Lagrangian and MacCormack (numerics/transport 1), leak-proof at solids
/// (numerics/transport 2).
///
/// Source   Back-tracing by Ralston's third-order Runge-Kutta rule; MacCormack after [SFKLR08]: the value found
///          upstream, less half of the error that a round trip makes, clamped to the samples around the upstream point.
///          Near solids: rays clipped in the frame of the moving solid, interpolation from visible samples only
///          [GSLF05]; first order there.
/// Outside  closed sides: the upstream point is held inside. Open sides: a cell value from beyond is the field's
///          background (ambient air); a velocity from beyond repeats the last face.
/// Contract in and out are different fields on one set of bricks. Same bits on any number of threads.
#pragma once

#include <span>

#include "fluid/obstacles.h"
#include "fluid/smoke.h"

namespace tidelock {

/// What carries: a staggered velocity over a time step, and the solids in its way.
template <int D>
struct Wind {
    const Grid<D>& grid;
    const Sides<D>& sides;
    const FaceField<D, double>& velocity;     ///< [m/s]
    double dt = 0;                            ///< [s]
    const Obstacles<D>* obstacles = nullptr;  ///< none if null
};

/// Carries the velocity itself, the left side of [A18] eq. (12): out[a] for all faces of the domain. Faces that lie in
/// a solid at the end of the step get the solid's velocity.
template <int D>
void advect_velocity(const Wind<D>& wind, Transport scheme, FaceField<D, double>& out);

/// Carries cell fields together (they share the traces). `hidden` lists the cells that no visible sample led to; they
/// hold the background and can be filled by fill_hidden. Cells inside a solid at the end are among them.
template <int D>
void advect_cells(const Wind<D>& wind, Transport scheme, std::span<const Field<D, double>* const> in,
                  std::span<Field<D, double>* const> out, std::vector<Coord<D>>& hidden);

/// Gives hidden cells that are fluid at the end of the step the mean of their face neighbours that are visible and
/// known, layer by layer. `solid` marks cells inside solids at the end. Returns the cells that see no neighbour (their
/// centre touches a solid, or solids are all around); they keep the background, which is for the caller to mend.
template <int D>
[[nodiscard]] std::vector<Coord<D>> fill_hidden(const Wind<D>& wind, const Field<D, std::uint8_t>& solid,
                                                std::vector<Coord<D>> hidden,
                                                std::span<Field<D, double>* const> fields);

}  // namespace tidelock
