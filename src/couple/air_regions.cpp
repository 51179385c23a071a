#include "couple/air_regions.h"

#include <algorithm>

#include "grid/neighbour_cell.h"

namespace tidelock {

namespace {

template <int D>
class RegionFinder {
  public:
    RegionFinder(const AirSearch<D>& search, const CellContents<D>& contents)
        : search_(search), contents_(contents), seen_(contents.mask.set_ptr(), 0) {}

    std::vector<AirRegion> find() {
        const auto& set = contents_.mask.set();
        std::vector<AirRegion> regions;
        for (std::ptrdiff_t b = 0; b < set.count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i)
                if (contents_.at(b, i) == CellContent::air && seen_.brick(b)[i] == 0)
                    regions.push_back(fill({static_cast<std::int32_t>(b), i}));
        return regions;
    }

  private:
    AirRegion fill(const CellPlace& start) {
        const auto& set = contents_.mask.set();
        AirRegion region;
        region.cells.push_back(start);
        seen_.brick(start.slot)[start.local] = 1;
        for (std::size_t next = 0; next < region.cells.size(); ++next) {
            const CellPlace at = region.cells[next];
            const Coord<D> cell = first_cell<D>(set.brick(at.slot)) + local_coord<D>(at.local);
            for (int a = 0; a < D; ++a)
                for (const int step : {-1, 1}) {
                    if (cell[a] == (step < 0 ? 0 : search_.grid.cells[a] - 1)) {
                        region.open = region.open || search_.sides.is_open(a, step < 0 ? 0 : 1);
                        continue;
                    }
                    const auto [slot, local] = neighbour_cell<D>(set, at.slot, at.local, a, step);
                    const CellContent content = contents_.at(slot, local);
                    const bool more = content == CellContent::air && seen_.brick(slot)[local] == 0;
                    if (!more && (region.wet || content != CellContent::liquid)) continue;
                    const double open = step < 0 ? open_share<D>(search_.interface, at.slot, at.local, a)
                                                 : open_share<D>(search_.interface, slot, local, a);
                    if (open <= 0) continue;
                    region.wet = region.wet || !more;
                    if (!more) continue;
                    seen_.brick(slot)[local] = 1;
                    region.cells.push_back({slot, local});
                }
        }
        std::sort(region.cells.begin(), region.cells.end());
        return region;
    }

    const AirSearch<D>& search_;
    const CellContents<D>& contents_;
    Mask<D> seen_;
};

template <int D>
void open_vents(const std::vector<CellPlace>& vents, const BrickSetPtr<D>& set, std::vector<AirRegion>& regions) {
    Mask<D> vent(set, 0);
    for (const CellPlace& at : vents) vent.brick(at.slot)[at.local] = 1;
    for (AirRegion& region : regions)
        region.open = region.open || std::any_of(region.cells.begin(), region.cells.end(), [&](const CellPlace& at) {
                          return vent.brick(at.slot)[at.local] != 0;
                      });
}

}  // namespace

template <int D>
std::vector<AirRegion> find_air(const AirSearch<D>& search, const CellContents<D>& contents) {
    std::vector<AirRegion> regions = RegionFinder<D>(search, contents).find();
    if (!regions.empty() && std::none_of(regions.begin(), regions.end(), [](const AirRegion& r) { return r.open; }))
        std::max_element(regions.begin(), regions.end(), [](const AirRegion& a, const AirRegion& b) {
            return a.cells.size() < b.cells.size();
        })->open = true;
    if (!search.vents.empty()) open_vents<D>(search.vents, contents.mask.set_ptr(), regions);
    return regions;
}

template std::vector<AirRegion> find_air(const AirSearch<2>&, const CellContents<2>&);
template std::vector<AirRegion> find_air(const AirSearch<3>&, const CellContents<3>&);

}  // namespace tidelock
