/// What each cell of the grid holds: fluid, air, or nothing.
///
/// A gas fills the domain: every cell that is not solid holds fluid. A liquid's level set says where it is; all else is
/// air, of the atmosphere until a search for bubbles (couple/bubbles.h) says that it is trapped.
#pragma once

#include "couple/interface.h"

namespace tidelock {

enum class CellContent : std::uint8_t {
    none = 0,    ///< solid, or outside of the domain
    liquid = 1,  ///< the fluid, a gas too: has a pressure and a mass
    air = 2,     ///< of the atmosphere: its pressure is known
    trapped = 3  ///< air of a bubble: has a pressure, but no mass
};

template <int D>
struct CellContents {
    Mask<D> mask;  ///< CellContent of each cell

    [[nodiscard]] CellContent at(std::ptrdiff_t slot, int local) const {
        return static_cast<CellContent>(mask.brick(slot)[local]);
    }
    void set(std::ptrdiff_t slot, int local, CellContent content) {
        mask.brick(slot)[local] = static_cast<MaskValue>(content);
    }
    [[nodiscard]] bool has_pressure(std::ptrdiff_t slot, int local) const {
        const CellContent here = at(slot, local);
        return here == CellContent::liquid || here == CellContent::trapped;
    }
};

template <int D>
CellContents<D> gas_contents(const Grid<D>& grid, const Interface<D>& interface);

/// `phi` is the liquid's signed distance at cell centres [m], negative in the liquid, on the interface's bricks, which
/// must hold every neighbour of a liquid cell. All air is that of the atmosphere.
template <int D>
CellContents<D> liquid_contents(const Grid<D>& grid, const Interface<D>& interface, const Field<D, double>& phi);

}  // namespace tidelock
