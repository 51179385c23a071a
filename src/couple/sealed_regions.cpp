#include "couple/sealed_regions.h"

#include <algorithm>
#include <cmath>

namespace tidelock {

namespace {

/// What all cells of each region add up to.
template <int D>
struct RegionTotals {
    std::vector<double> flow;        ///< sum of |b|
    std::vector<double> count;       ///< cells
    std::vector<Vec<D>> centre_sum;  ///< [m]
};

template <int D>
RegionTotals<D> totals_of(const Grid<D>& grid, const BrickSet<D>& set, const Regions<D>& regions, const double* b) {
    const auto n = static_cast<std::size_t>(regions.count());
    RegionTotals<D> out{std::vector<double>(n), std::vector<double>(n), std::vector<Vec<D>>(n, Vec<D>::Zero())};
    for (std::ptrdiff_t slot = 0; slot < set.count(); ++slot) {
        const Coord<D> corner = first_cell<D>(set.brick(slot));
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const int region = regions.region(slot, i);
            if (region < 0) continue;
            const auto r = static_cast<std::size_t>(region);
            out.flow[r] += std::abs(b[slot * Brick<D>::cells + i]);
            out.count[r] += 1;
            out.centre_sum[r] += grid.cell_centre(Coord<D>(corner + local_coord<D>(i)));
        }
    }
    return out;
}

/// The bodies with a motion of their own at faces of the region.
template <int D>
std::vector<std::size_t> pressing(const Interface<D>& interface, const SolidRows<D>& rows, const Regions<D>& regions,
                                  int region) {
    std::vector<std::size_t> out;
    for (std::size_t n = 0; n < interface.faces.size(); ++n) {
        const BodyFace& face = interface.faces[n];
        if (rows.prescribed(n) == 0) continue;
        const auto [slot, local] = neighbour_cell<D>(interface.solid.set(), face.slot, face.local, face.axis, -1);
        const bool below = slot != interface.solid.set().void_slot() && regions.region(slot, local) == region;
        if (!below && regions.region(face.slot, face.local) != region) continue;
        for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
            const auto body = static_cast<std::size_t>(interface.shares[static_cast<std::size_t>(s)].body);
            if (rows.layout().place_of(body) < 0) out.push_back(body);
        }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace

template <int D>
std::vector<SealedRegion<D>> find_sealed(const FlowSystem<D>& flow, const Interface<D>& interface,
                                         const SolidRows<D>& rows, const NullSpace<D>& null_space, const double* b,
                                         double least) {
    std::vector<SealedRegion<D>> out;
    const std::vector<double> losses = null_space.losses(b);
    if (std::all_of(losses.begin(), losses.end(), [](double loss) { return loss == 0; })) return out;
    const Grid<D>& grid = flow.flow().medium.grid;
    const Regions<D>& regions = null_space.regions();
    const RegionTotals<D> totals = totals_of<D>(grid, interface.solid.set(), regions, b);
    for (std::size_t r = 0; r < losses.size(); ++r) {
        if (!(std::abs(losses[r]) > least * totals.flow[r])) continue;
        out.push_back({losses[r], totals.count[r] * power(grid.dx, D), totals.centre_sum[r] / totals.count[r],
                       pressing<D>(interface, rows, regions, static_cast<int>(r))});
    }
    return out;
}

#define TIDELOCK_INSTANTIATE(D)                                                                                       \
    template std::vector<SealedRegion<D>> find_sealed(const FlowSystem<D>&, const Interface<D>&, const SolidRows<D>&, \
                                                      const NullSpace<D>&, const double*, double);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
