/// Which cells hold liquid and which air, and where between their centres the liquid's surface lies.
///
/// Source   numerics/surface 4 (ghost fluid, [GFCK02]): between a liquid cell and an air cell the surface cuts the way
///          from centre to centre at theta = phi_l / (phi_l - phi_a), where the pressure is that of the air. The
///          conductance of such a face is c / theta, the velocity's update 1 / theta as large: one theta, clamped once,
///          for both.
/// Air      of the atmosphere has the pressure 0. Trapped air has one unknown pressure for each bubble
///          (couple/bubbles.h); its cells are unknowns that share a value.
/// Sides    Open sides of the domain are surfaces: the pressure on them is 0.
#pragma once

#include <vector>

#include "couple/interface.h"
#include "fluid/sides.h"
#include "fluid/surface_theta.h"

namespace tidelock {

enum class CellContent : std::uint8_t {
    none = 0,    ///< solid, or outside of the domain
    liquid = 1,  ///< has a pressure
    air = 2,     ///< of the atmosphere
    trapped = 3  ///< air of a bubble
};

/// From a liquid cell to an air cell beside it, or to an open side.
struct SurfaceLink {
    std::int32_t slot = 0, local = 0;  ///< of the liquid cell
    std::int16_t axis = 0, step = 0;   ///< to the air: -1 or +1 along the axis
    bool trapped = false;              ///< the air is that of a bubble
    double theta = 1;                  ///< [-] in [least_theta, 1]
    double open = 1;                   ///< share of the face that liquid passes with its own velocity [-]
};

template <int D>
struct FreeSurface {
    Mask<D> content;                       ///< CellContent of each cell
    std::vector<SurfaceLink> links;        ///< sorted by brick and cell; faces without an open share are left out
    std::vector<std::int32_t> first_link;  ///< per brick: its first link; one more at the end

    [[nodiscard]] CellContent at(std::ptrdiff_t slot, int local) const {
        return static_cast<CellContent>(content.brick(slot)[local]);
    }
    [[nodiscard]] bool has_pressure(std::ptrdiff_t slot, int local) const {
        const CellContent here = at(slot, local);
        return here == CellContent::liquid || here == CellContent::trapped;
    }
    /// The theta of the link that leads from a liquid cell up along an axis; there must be one.
    [[nodiscard]] double theta_above(std::ptrdiff_t slot, int local, int axis) const;
};

/// Share of the lower face of a cell along an axis that fluid passes with its own velocity.
template <int D>
double open_share(const Interface<D>& interface, std::ptrdiff_t slot, int local, int axis);

/// What cells hold, still without links. `phi` is the liquid's signed distance at cell centres [m], negative in the
/// liquid, on the interface's bricks, which must hold every neighbour of a liquid cell. All air is that of the
/// atmosphere.
template <int D>
FreeSurface<D> build_free_surface(const Grid<D>& grid, const Interface<D>& interface, const Field<D, double>& phi);

/// The links, when it is known which air is trapped. The interface's shares become those of what is wet
/// (couple/surface_shares.h): once for an interface.
template <int D>
void link_surface(const Grid<D>& grid, const Sides<D>& sides, const std::vector<RigidBody<D>>& bodies,
                  const Field<D, double>& phi, Interface<D>& interface, FreeSurface<D>& surface);

}  // namespace tidelock
