#include "couple/flow_operator.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "grid/neighbour_cell.h"

namespace tidelock {

namespace {

template <int D>
class Coefficients {
  public:
    Coefficients(const FlowFaces<D>& flow, const Interface<D>& interface)
        : flow_(flow),
          interface_(interface),
          set_(interface.solid.set()),
          c_(power(flow.medium.grid.dx, D - 2) / flow.medium.density) {}

    [[nodiscard]] double of_free_face() const { return c_; }

    void fill(std::ptrdiff_t slot, PoissonBrick<D>& out) const {
        if (is_plain(slot)) {
            for (int a = 0; a < D; ++a) std::fill_n(out.conductance[a], Brick<D>::cells, c_);
            std::fill_n(out.unknown, Brick<D>::cells, std::uint8_t{1});
            return;
        }
        const bool air = fill_cells(slot, out);
        for (std::int32_t n = interface_.first_face[at(slot)]; n < interface_.first_face[at(slot) + 1]; ++n) {
            const BodyFace& face = interface_.faces[static_cast<std::size_t>(n)];
            if (face.kind == FaceKind::cut)
                out.conductance[face.axis][face.local] = c_ * flow_.faces[static_cast<std::size_t>(n)].open;
        }
        if (!air && !has_links(slot)) return;
        add_links(slot, out);
        close_to_air(slot, out);
    }

  private:
    static std::size_t at(std::ptrdiff_t slot) { return static_cast<std::size_t>(slot); }
    [[nodiscard]] bool has_links(std::ptrdiff_t slot) const {
        return flow_.first_link[at(slot)] != flow_.first_link[at(slot) + 1];
    }
    /// Wholly inside the domain, and no cell or face touched by a solid or by air.
    [[nodiscard]] bool is_plain(std::ptrdiff_t slot) const {
        if (interface_.first_face[at(slot)] != interface_.first_face[at(slot) + 1] || has_links(slot)) return false;
        const Coord<D> corner = first_cell<D>(set_.brick(slot));
        for (int a = 0; a < D; ++a)
            if (corner[a] <= 0 || corner[a] + Brick<D>::size[a] >= flow_.medium.grid.cells[a]) return false;
        const MaskValue* content = flow_.contents.mask.brick(slot);
        return std::all_of(content, content + Brick<D>::cells,
                           [](MaskValue v) { return v == static_cast<MaskValue>(CellContent::liquid); });
    }
    /// Unknowns and their free faces; true if there is air.
    bool fill_cells(std::ptrdiff_t slot, PoissonBrick<D>& out) const {
        const Coord<D> corner = first_cell<D>(set_.brick(slot));
        bool air = false;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const CellContent content = flow_.contents.at(slot, i);
            air = air || content == CellContent::air || content == CellContent::trapped;
            if (!flow_.contents.has_pressure(slot, i)) continue;
            const Coord<D> cell = corner + local_coord<D>(i);
            out.unknown[i] = 1;
            for (int a = 0; a < D; ++a)
                if (cell[a] > 0 && interface_.kind[a].brick(slot)[i] == 0) out.conductance[a][i] = c_;
        }
        return air;
    }
    /// Faces of the brick's fluid to air and open sides.
    void add_links(std::ptrdiff_t slot, PoissonBrick<D>& out) const {
        for (std::int32_t n = flow_.first_link[at(slot)]; n < flow_.first_link[at(slot) + 1]; ++n) {
            const SurfaceLink& link = flow_.links[static_cast<std::size_t>(n)];
            if (link.end != LinkEnd::bubble)
                out.excess[link.local] += c_ * link.open / link.theta;
            else if (link.step < 0)
                out.conductance[link.axis][link.local] = c_ * link.open / link.theta;
        }
    }
    /// The operator wants conductances only between unknowns; those up to a bubble are the links' of the cell below.
    void close_to_air(std::ptrdiff_t slot, PoissonBrick<D>& out) const {
        for (int i = 0; i < Brick<D>::cells; ++i)
            for (int a = 0; a < D; ++a) {
                if (out.conductance[a][i] == 0) continue;
                const auto [below, local] = neighbour_cell<D>(set_, slot, i, a, -1);
                if (!flow_.contents.has_pressure(below, local) || !flow_.contents.has_pressure(slot, i))
                    out.conductance[a][i] = 0;
                else if (flow_.contents.at(below, local) == CellContent::liquid &&
                         flow_.contents.at(slot, i) == CellContent::trapped)
                    out.conductance[a][i] /= flow_.theta_above(below, local, a);
            }
    }

    const FlowFaces<D>& flow_;
    const Interface<D>& interface_;
    const BrickSet<D>& set_;
    double c_;
};

}  // namespace

template <int D>
PoissonOperator<D> flow_operator(const FlowFaces<D>& flow, const Interface<D>& interface) {
    const Coefficients<D> coefficients(flow, interface);
    return PoissonOperator<D>(interface.solid.set_ptr(), coefficients.of_free_face(),
                              [&](std::ptrdiff_t slot, PoissonBrick<D>& out) { coefficients.fill(slot, out); });
}

template PoissonOperator<2> flow_operator(const FlowFaces<2>&, const Interface<2>&);
template PoissonOperator<3> flow_operator(const FlowFaces<3>&, const Interface<3>&);

}  // namespace tidelock
