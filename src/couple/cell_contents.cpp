#include "couple/cell_contents.h"

namespace tidelock {

namespace {

/// Calls f(slot, i) for the cells of the domain that have a pressure if they hold fluid, and sets what it returns.
template <int D, class F>
CellContents<D> contents(const char* label, const Grid<D>& grid, const Interface<D>& interface, F&& f) {
    const auto& set = interface.dry.set();
    CellContents<D> out{Mask<D>(interface.dry.set_ptr(), 0)};
    parallel_for(label, set.count(), [&](std::ptrdiff_t b) {
        const Coord<D> corner = first_cell<D>(set.brick(b));
        const MaskValue* dry = interface.dry.brick(b);
        MaskValue* content = out.mask.brick(b);
        const bool inside = grid.contains(corner) && grid.contains(corner + local_coord<D>(Brick<D>::cells - 1));
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (dry[i] == 0 && (inside || grid.contains(corner + local_coord<D>(i))))
                content[i] = static_cast<MaskValue>(f(b, i));
    });
    return out;
}

}  // namespace

template <int D>
CellContents<D> gas_contents(const Grid<D>& grid, const Interface<D>& interface) {
    return contents<D>("cells of gas", grid, interface, [](std::ptrdiff_t, int) { return CellContent::liquid; });
}

template <int D>
CellContents<D> liquid_contents(const Grid<D>& grid, const Interface<D>& interface, const Field<D, double>& phi) {
    return contents<D>("liquid and air", grid, interface, [&](std::ptrdiff_t slot, int i) {
        return phi.brick(slot)[i] < 0 ? CellContent::liquid : CellContent::air;
    });
}

#define TIDELOCK_INSTANTIATE(D)                                                 \
    template CellContents<D> gas_contents(const Grid<D>&, const Interface<D>&); \
    template CellContents<D> liquid_contents(const Grid<D>&, const Interface<D>&, const Field<D, double>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
