#include "couple/open_ways.h"

#include "grid/neighbour_cell.h"

namespace tidelock {

template <int D>
Mask<D> open_ways(const Interface<D>& interface) {
    const auto& set = interface.solid.set();
    Mask<D> ways(interface.solid.set_ptr(), 0);
    parallel_for("open ways", set.count(), [&](std::ptrdiff_t b) {
        std::fill_n(ways.brick(b), Brick<D>::cells, static_cast<MaskValue>((1u << (2 * D)) - 1));
    });
    const auto close = [&](std::ptrdiff_t slot, int local, unsigned bit) {
        MaskValue& at = ways.brick(slot)[local];
        at = static_cast<MaskValue>(at & ~(1u << bit));
    };
    for (const BodyFace& face : interface.faces) {
        if (face.kind == FaceKind::cut) continue;
        const auto axis = static_cast<unsigned>(face.axis);
        close(face.slot, face.local, 2 * axis);
        const auto [slot, local] = neighbour_cell<D>(set, face.slot, face.local, face.axis, -1);
        if (slot != set.void_slot()) close(slot, local, 2 * axis + 1);
    }
    parallel_for("open ways: dry cells", set.count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (interface.dry.brick(b)[i] != 0) ways.brick(b)[i] = 0;
    });
    return ways;
}

template Mask<2> open_ways(const Interface<2>&);
template Mask<3> open_ways(const Interface<3>&);

}  // namespace tidelock
