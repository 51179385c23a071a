#include "couple/way_out.h"

#include <algorithm>
#include <vector>

#include "grid/neighbour_cell.h"

namespace tidelock {
namespace {

template <int D>
class WayOut {
  public:
    explicit WayOut(const WayOutSearch<D>& search)
        : search_(search), set_(search.phi.set()), seen_(search.phi.set_ptr(), 0) {
        for (const CellPlace& vent : search.vents) seen_.brick(vent.slot)[vent.local] = vented;
    }

    JoinedCells<D> from(const std::vector<CellPlace>& start) {
        for (const CellPlace& at : start) reach(at);
        for (std::size_t k = 0; k < reached_.size() && !found_.way_out; ++k) spread(reached_[k]);
        found_.cells = static_cast<std::ptrdiff_t>(reached_.size());
        return found_;
    }

  private:
    static constexpr MaskValue visited = 1, vented = 2;

    [[nodiscard]] Coord<D> coord(const CellPlace& at) const {
        return first_cell<D>(set_.brick(at.slot)) + local_coord<D>(at.local);
    }
    void reach(const CellPlace& at) {
        // Beyond the bricks there is air; cells without a pressure are solid.
        if (at.slot == set_.void_slot()) {
            found_.way_out = found_.way_out || search_.air_yields;
            return;
        }
        MaskValue& seen = seen_.brick(at.slot)[at.local];
        if (seen == visited || search_.interface.dry.brick(at.slot)[at.local] != 0) return;
        if (seen == vented || (search_.air_yields && search_.phi.brick(at.slot)[at.local] >= 0)) found_.way_out = true;
        seen = visited;
        const Coord<D> cell = coord(at);
        found_.low = reached_.empty() ? cell : Coord<D>(found_.low.cwiseMin(cell));
        found_.high = reached_.empty() ? cell : Coord<D>(found_.high.cwiseMax(cell));
        reached_.push_back(at);
    }
    void spread(CellPlace at) {  // a copy: the list grows
        const Coord<D> cell = coord(at);
        for (int a = 0; a < D; ++a)
            for (const int step : {-1, 1}) {
                if (cell[a] + step < 0 || cell[a] + step >= search_.grid.cells[a]) {
                    found_.way_out = found_.way_out || search_.sides.is_open(a, step < 0 ? 0 : 1);
                    continue;
                }
                const auto [slot, local] = neighbour_cell<D>(set_, at.slot, at.local, a, step);
                const CellPlace to{slot, local}, face = step < 0 ? at : to;
                if (face.slot != set_.void_slot() && open_share<D>(search_.interface, face.slot, face.local, a) <= 0)
                    continue;
                reach(to);
            }
    }

    const WayOutSearch<D>& search_;
    const BrickSet<D>& set_;
    Mask<D> seen_;
    std::vector<CellPlace> reached_;
    JoinedCells<D> found_;
};

}  // namespace

template <int D>
JoinedCells<D> find_way_out(const WayOutSearch<D>& search, const std::vector<CellPlace>& start) {
    return WayOut<D>(search).from(start);
}

template JoinedCells<2> find_way_out(const WayOutSearch<2>&, const std::vector<CellPlace>&);
template JoinedCells<3> find_way_out(const WayOutSearch<3>&, const std::vector<CellPlace>&);

}  // namespace tidelock
