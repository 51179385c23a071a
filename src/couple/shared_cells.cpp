#include "couple/shared_cells.h"

#include <algorithm>
#include <array>
#include <limits>

#include "couple/open_ways.h"
#include "grid/neighbour_cell.h"
#include "solve/poisson_operator.h"

namespace tidelock {
namespace {

constexpr double touch_of_points = 1e-3;  ///< [cells] a point so near to a solid is none of the fluid
/// So far below its centre [cells] a solid that goes on has no other side within reach of the cell's faces; distances
/// that fall by so much on the way there say that it does.
constexpr double depth_of_thick = 1.25, fall_of_thick = 1.0;

/// Points around a cell's centre, half a cell apart, and which of them the same fluid holds.
template <int D>
class FluidAround {
  public:
    FluidAround(const Grid<D>& grid, const SolidSurfaces<D>& surfaces, const std::vector<std::size_t>& parts,
                const Vec<D>& centre) {
        std::vector<Vec<D>> x;
        x.reserve(points);
        for (int n = 0; n < points; ++n) x.push_back(centre + 0.5 * grid.dx * offset_of(n).template cast<double>());
        psi_.fill(std::numeric_limits<double>::infinity());
        std::array<double, points> of_part;
        for (const std::size_t part : parts) {
            surfaces.distances(part, x, of_part);
            for (std::size_t n = 0; n < psi_.size(); ++n) psi_[n] = std::min(psi_[n], of_part[n]);
        }
        for (int n = 0; n < points; ++n)
            if (is_fluid(n, grid.dx) && group_[static_cast<std::size_t>(n)] == 0) fill(n, ++groups_, grid.dx);
    }

    /// Of the point in a face's dual cell that is farthest from the solids; 0: it has no fluid.
    [[nodiscard]] int group_of_face(int axis, int side) const {
        double most = -std::numeric_limits<double>::infinity();
        int group = 0;
        for (int n = 0; n < points; ++n) {
            Coord<D> at = offset_of(n);
            at[axis] -= 2 * side - 1;
            if (at.cwiseAbs().maxCoeff() > 1 || group_[static_cast<std::size_t>(n)] == 0) continue;
            if (psi_[static_cast<std::size_t>(n)] > most)
                most = psi_[static_cast<std::size_t>(n)], group = group_[static_cast<std::size_t>(n)];
        }
        return group;
    }
    [[nodiscard]] int groups() const { return groups_; }

  private:
    static constexpr int reach = 2, width = 2 * reach + 1, points = power(width, D);

    static Coord<D> offset_of(int n) {
        Coord<D> out;
        for (int a = 0; a < D; ++a, n /= width) out[a] = n % width - reach;
        return out;
    }
    [[nodiscard]] bool is_fluid(int n, double dx) const {
        return psi_[static_cast<std::size_t>(n)] > touch_of_points * dx;
    }
    /// Marks all points that are reached from this one, from neighbour to neighbour.
    void fill(int n, int group, double dx) {
        group_[static_cast<std::size_t>(n)] = group;
        const Coord<D> at = offset_of(n);
        for (int a = 0, stride = 1; a < D; ++a, stride *= width)
            for (const int step : {-1, 1}) {
                const int next = n + step * stride;
                if (std::abs(at[a] + step) > reach || group_[static_cast<std::size_t>(next)] != 0) continue;
                if (is_fluid(next, dx)) fill(next, group, dx);
            }
    }

    std::array<double, points> psi_;
    std::array<int, points> group_{};
    int groups_ = 0;
};

template <int D>
class SharedCells {
  public:
    SharedCells(const Grid<D>& grid, const SolidSurfaces<D>& surfaces, Interface<D>& out)
        : grid_(grid), surfaces_(surfaces), out_(out), set_(out.solid.set()), ways_(open_ways<D>(out)) {}

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
    [[nodiscard]] CellPlace next(const CellPlace& at, int axis, int step) const {
        const auto [slot, local] = neighbour_cell<D>(set_, at.slot, at.local, axis, step);
        return {slot, local};
    }
    [[nodiscard]] CellPlace below(const BodyFace& face) const { return next({face.slot, face.local}, face.axis, -1); }
    [[nodiscard]] bool is_open(const CellPlace& at, int n) const {
        return (ways_.brick(at.slot)[at.local] >> n & 1) != 0;
    }

    /// Parts that can reach into the dual cells around a cell.
    [[nodiscard]] std::vector<std::size_t> parts_near(const Vec<D>& centre) const {
        const double reach = std::sqrt(double{D}) * grid_.dx;
        std::vector<std::size_t> near;
        for (std::size_t n = 0; n < surfaces_.parts(); ++n) {
            const Ball<D> ball = surfaces_.ball(n, Moment::end);
            if ((centre - ball.centre).norm() <= ball.radius + reach &&
                surfaces_.distance(n, Moment::end, centre) <= reach)
                near.push_back(n);
        }
        return near;
    }
    /// Whether the solid that holds a point goes on below it.
    [[nodiscard]] bool is_thick(const std::vector<std::size_t>& parts, const Vec<D>& centre) const {
        std::size_t deepest = parts.front();
        double least = std::numeric_limits<double>::infinity();
        for (const std::size_t part : parts)
            if (const double d = surfaces_.distance(part, Moment::end, centre); d < least) least = d, deepest = part;
        const Vec<D> probe = surfaces_.pushed_out(deepest, centre, -depth_of_thick * grid_.dx);
        return std::any_of(parts.begin(), parts.end(), [&](std::size_t part) {
            return surfaces_.distance(part, Moment::end, probe) <= least - fall_of_thick * grid_.dx;
        });
    }

    /// Bits 2 axis + side of the open faces of a cell that lead to another side of the solid than most.
    [[nodiscard]] unsigned faces_of_others(const CellPlace& cell) const {
        int open = 0;
        for (int n = 0; n < 2 * D; ++n) open += is_open(cell, n) ? 1 : 0;
        if (open < 2) return 0;
        const Vec<D> centre =
            grid_.cell_centre(Coord<D>(first_cell<D>(set_.brick(cell.slot)) + local_coord<D>(cell.local)));
        const std::vector<std::size_t> parts = parts_near(centre);
        if (parts.empty() || is_thick(parts, centre)) return 0;
        const FluidAround<D> fluid(grid_, surfaces_, parts, centre);
        if (fluid.groups() < 2) return 0;
        std::vector<double> share(static_cast<std::size_t>(fluid.groups()) + 1);
        std::array<int, 2 * D> group{};
        for (int n = 0; n < 2 * D; ++n) {
            if (!is_open(cell, n)) continue;
            group[static_cast<std::size_t>(n)] = fluid.group_of_face(n / 2, n % 2);
            const CellPlace face = n % 2 == 0 ? cell : next(cell, n / 2, 1);
            share[static_cast<std::size_t>(group[static_cast<std::size_t>(n)])] +=
                open_share<D>(out_, face.slot, face.local, n / 2);
        }
        const auto kept = static_cast<int>(std::max_element(share.begin() + 1, share.end()) - share.begin());
        unsigned others = 0;
        for (int n = 0; n < 2 * D; ++n)
            if (is_open(cell, n) && group[static_cast<std::size_t>(n)] != kept) others |= 1u << n;
        return others;
    }

    void close(const CellPlace& at, int axis) {
        if (at.slot == set_.void_slot()) return;  // beyond the bricks nothing is listed
        const std::ptrdiff_t n = face_at<D>(out_, at.slot, at.local, axis);
        if (n < 0) return;
        BodyFace& face = out_.faces[static_cast<std::size_t>(n)];
        if (face.kind != FaceKind::cut) return;
        face.kind = FaceKind::bound;
        std::swap(face.open, face.fluid);
        out_.kind[axis].brick(at.slot)[at.local] = static_cast<MaskValue>(FaceKind::bound);
    }

    const Grid<D>& grid_;
    const SolidSurfaces<D>& surfaces_;
    Interface<D>& out_;
    const BrickSet<D>& set_;
    Mask<D> ways_;
};

}  // namespace

template <int D>
void divide_shared_cells(const Grid<D>& grid, const SolidSurfaces<D>& surfaces, Interface<D>& interface) {
    SharedCells<D>(grid, surfaces, interface).divide();
}

template void divide_shared_cells(const Grid<2>&, const SolidSurfaces<2>&, Interface<2>&);
template void divide_shared_cells(const Grid<3>&, const SolidSurfaces<3>&, Interface<3>&);

}  // namespace tidelock
