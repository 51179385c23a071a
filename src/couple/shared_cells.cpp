#include "couple/shared_cells.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "couple/open_ways.h"
#include "grid/neighbour_cell.h"
#include "solve/poisson_operator.h"

namespace tidelock {
namespace {

template <int D>
class SharedCells {
  public:
    explicit SharedCells(Interface<D>& out) : out_(out), set_(out.solid.set()), ways_(open_ways<D>(out)) {}

    void divide() {
        std::vector<CellPlace> cells;
        for (const BodyFace& face : out_.faces)
            if (face.kind == FaceKind::cut)
                for (const CellPlace& at : {CellPlace{face.slot, face.local}, below(face)})
                    if (at.slot != set_.void_slot() && out_.solid.brick(at.slot)[at.local] != 0) cells.push_back(at);
        std::sort(cells.begin(), cells.end());
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
        std::vector<unsigned> lost(cells.size());
        parallel_for("shared cells", static_cast<std::ptrdiff_t>(cells.size()), [&](std::ptrdiff_t k) {
            lost[static_cast<std::size_t>(k)] = faces_of_others(cells[static_cast<std::size_t>(k)]);
        });
        for (std::size_t k = 0; k < cells.size(); ++k)
            for (int n = 0; n < 2 * D; ++n)
                if ((lost[k] >> n & 1u) != 0) close(n % 2 == 0 ? cells[k] : next(cells[k], n / 2, 1), n / 2);
    }

  private:
    static constexpr int ring = D == 2 ? 9 : 27;  ///< the cell in the middle of it

    [[nodiscard]] CellPlace next(const CellPlace& at, int axis, int step) const {
        const auto [slot, local] = neighbour_cell<D>(set_, at.slot, at.local, axis, step);
        return {slot, local};
    }
    [[nodiscard]] CellPlace below(const BodyFace& face) const { return next({face.slot, face.local}, face.axis, -1); }
    [[nodiscard]] bool is_open(const CellPlace& at, int axis, int side) const {
        return (ways_.brick(at.slot)[at.local] >> (2 * axis + side) & 1) != 0;
    }
    /// Bits 2 axis + side of the open faces of a cell that lead to another side of the solid than most.
    [[nodiscard]] unsigned faces_of_others(const CellPlace& cell) const {
        std::array<int, ring> group{};  // of the cells around, by where their walk began; 0: not reached
        unsigned others = 0, kept = 0;
        double most = 0;
        int count = 0;
        for (int n = 0; n < 2 * D; ++n) {
            if (!is_open(cell, n / 2, n % 2)) continue;
            Coord<D> offset = Coord<D>::Zero();
            offset[n / 2] = 2 * (n % 2) - 1;
            const CellPlace start = next(cell, n / 2, offset[n / 2]);
            if (start.slot == set_.void_slot() || group[place(offset)] != 0) continue;
            walk(start, offset, ++count, group);
        }
        if (count < 2) return 0;
        for (int g = 1; g <= count; ++g) {
            double open = 0;
            unsigned bits = 0;
            for (int n = 0; n < 2 * D; ++n) {
                Coord<D> offset = Coord<D>::Zero();
                offset[n / 2] = 2 * (n % 2) - 1;
                if (!is_open(cell, n / 2, n % 2) || group[place(offset)] != g) continue;
                const CellPlace face = n % 2 == 0 ? cell : next(cell, n / 2, 1);
                open += open_share<D>(out_, face.slot, face.local, n / 2);
                bits |= 1u << n;
            }
            if (open > most)
                others |= kept, most = open, kept = bits;
            else
                others |= bits;
        }
        return others;
    }
    static std::size_t place(const Coord<D>& offset) {
        int out = 0;
        for (int a = D - 1; a >= 0; --a) out = 3 * out + offset[a] + 1;
        return static_cast<std::size_t>(out);
    }
    /// Marks what is reached from one of the cells around, around the middle one.
    void walk(const CellPlace& at, const Coord<D>& offset, int number, std::array<int, ring>& group) const {
        group[place(offset)] = number;
        for (int n = 0; n < 2 * D; ++n) {
            Coord<D> to = offset;
            to[n / 2] += 2 * (n % 2) - 1;
            if (std::abs(to[n / 2]) > 1 || to == Coord<D>::Zero() || group[place(to)] != 0 ||
                !is_open(at, n / 2, n % 2))
                continue;
            const CellPlace there = next(at, n / 2, 2 * (n % 2) - 1);
            if (there.slot != set_.void_slot()) walk(there, to, number, group);
        }
    }
    void close(const CellPlace& at, int axis) {
        const std::ptrdiff_t n = face_at<D>(out_, at.slot, at.local, axis);
        if (n < 0) return;
        BodyFace& face = out_.faces[static_cast<std::size_t>(n)];
        if (face.kind != FaceKind::cut) return;
        face.kind = FaceKind::bound;
        std::swap(face.open, face.fluid);
        out_.kind[axis].brick(at.slot)[at.local] = static_cast<MaskValue>(FaceKind::bound);
    }

    Interface<D>& out_;
    const BrickSet<D>& set_;
    Mask<D> ways_;
};

}  // namespace

template <int D>
void divide_shared_cells(Interface<D>& interface) {
    SharedCells<D>(interface).divide();
}

template void divide_shared_cells(Interface<2>&);
template void divide_shared_cells(Interface<3>&);

}  // namespace tidelock
