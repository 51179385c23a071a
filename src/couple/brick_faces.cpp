#include "couple/brick_faces.h"

#include <algorithm>
#include <cmath>

#include "couple/half_lattice.h"
#include "geometry/fractions.h"

namespace tidelock {

namespace {

constexpr double thickness_cells = 1e-3;  ///< a centre this near a surface counts as touching it (numerics/interface 1)

constexpr double most_opposed = -0.5;  ///< cosine between the normals of a wall's sides, and of a wedge of 60 degrees

/// What solids do at one face.
struct FaceFindings {
    double solid = 0;   ///< share of the dual cell that they fill together
    bool hit = false;   ///< one stands between the centres of the face's cells
    bool thin = false;  ///< and holds neither
};

template <int D>
class FaceFinder {
  public:
    FaceFinder(const Grid<D>& grid, const SolidSurfaces<D>& surfaces, InterfaceScheme scheme, const Coord<D>& brick)
        : grid_(grid),
          surfaces_(surfaces),
          scheme_(scheme),
          brick_(brick),
          first_(first_cell<D>(brick)),
          touch_(thickness_cells * grid.dx) {}

    void find(std::ptrdiff_t slot, const BrickMarks<D>& marks) {
        const std::vector<std::size_t> near = near_parts();
        if (out_.full >= 0) {
            std::fill_n(marks.solid, Brick<D>::cells, MaskValue{1});
            std::fill_n(marks.dry, Brick<D>::cells, MaskValue{1});
            for (MaskValue* kind : marks.kind)
                std::fill_n(kind, Brick<D>::cells, static_cast<MaskValue>(FaceKind::buried));
            return;
        }
        if (near.empty()) return;
        lattices_.reserve(near.size());
        for (const std::size_t part : near) lattices_.emplace_back(grid_, first_, surfaces_, part);
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = local_coord<D>(i);
            if (grid_.contains(Coord<D>(first_ + cell)) && is_solid(cell)) marks.solid[i] = 1;
        }
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> here = first_ + local_coord<D>(i);
                // Faces on the sides of the domain are walls or openings, not the bodies' business.
                if (!grid_.contains(here) || here[a] == 0) continue;
                BodyFace face;
                face.slot = static_cast<std::int32_t>(slot);
                face.local = i;
                face.axis = static_cast<std::int16_t>(a);
                if (build(face)) marks.kind[static_cast<std::size_t>(a)][i] = static_cast<MaskValue>(face.kind);
            }
    }
    [[nodiscard]] BrickFaces take() { return std::move(out_); }

  private:
    /// Parts that can matter to the brick; `full` is set if one of them fills it and its surroundings.
    std::vector<std::size_t> near_parts() {
        const Vec<D> centre = grid_.brick_centre(brick_);
        const double reach = grid_.brick_half_diagonal() + 2 * grid_.dx;
        std::vector<std::size_t> near;
        for (std::size_t n = 0; n < surfaces_.parts(); ++n) {
            const Ball<D> ball = surfaces_.ball(n, Moment::end);
            if ((centre - ball.centre).norm() > ball.radius + reach) continue;
            const double d = surfaces_.distance(n, Moment::end, centre);
            if (d > reach) continue;
            if (d < -reach && out_.full < 0) out_.full = static_cast<int>(n);
            near.push_back(n);
        }
        return near;
    }

    /// Cells just below the brick count too.
    bool is_solid(const Coord<D>& cell) {
        return std::any_of(lattices_.begin(), lattices_.end(),
                           [&](HalfLattice<D>& psi) { return psi(psi.centre_of(cell)) < 0; });
    }

    /// Sets what the face is and lists it, unless it is free.
    bool build(BodyFace& face) {
        const Coord<D> cell = local_coord<D>(face.local);
        face.first = static_cast<std::int32_t>(out_.shares.size());
        const FaceFindings found = look(cell, face.axis);
        face.count = static_cast<std::int32_t>(out_.shares.size()) - face.first;
        if (face.count == 0) return false;
        const double rest = std::max(0.0, 1 - found.solid);
        face.kind = kind_of(cell, face.axis, found, rest);
        (face.kind == FaceKind::cut ? face.open : face.fluid) = rest;
        if (face.kind == FaceKind::free) {  // a sliver, too small to matter to this face
            out_.shares.resize(static_cast<std::size_t>(face.first));
            return false;
        }
        out_.faces.push_back(face);
        return true;
    }

    /// Lists the shares of the parts that are at the lower face of a cell. What stands between the centres and holds
    /// neither parts the fluids on both sides: it alone moves the face, else what comes near a shell would press on
    /// the fluid in it.
    FaceFindings look(const Coord<D>& cell, int axis) {
        const double dx = grid_.dx, cut = 0.5 * std::sqrt(double{D}) * dx;
        const Coord<D> high = HalfLattice<D>::centre_of(cell);
        Coord<D> low = high, middle = high;
        low[axis] -= 2;
        middle[axis] -= 1;
        const std::size_t first = out_.shares.size();
        FaceFindings found;
        for (HalfLattice<D>& psi : lattices_) {
            const double at_low = psi(low), at_high = psi(high);
            if (at_low + at_high > 4 * dx) continue;  // too far to reach into the dual cell
            FaceShare share;
            share.body = psi.part();
            const double at_middle = psi(middle);
            // Between two centres outside, only a body nearer than the way can hide.
            const bool thin = at_low >= 0 && at_high >= 0 && at_low + at_high <= 1.2 * dx + 2 * touch_ &&
                              psi.blocks(low, high, touch_);
            const bool hit = thin || at_low < 0 || at_high < 0;
            if (thin && !found.thin)
                for (std::size_t s = first; s < out_.shares.size(); ++s) out_.shares[s].weight = 0;
            share.solid = at_middle > cut ? 0 : at_middle < -cut ? 1 : dual_fraction(psi, middle);
            if (!hit && share.solid <= 0) continue;
            found.thin = found.thin || thin;
            found.hit = found.hit || hit;
            const bool moves = thin || (!found.thin && (hit || scheme_ == InterfaceScheme::fractional));
            share.weight = moves ? std::max(share.solid, 1e-6) : 0;
            found.solid += share.solid;
            out_.shares.push_back(share);
        }
        // Shares round the edges of solids off: where they meet, as in the corner of a cup made of boxes, that is no gap.
        if (out_.shares.size() > first + 1 && found.solid < 1 && is_full(middle)) found.solid = 1;
        share_out(first);
        return found;
    }

    /// Makes the weights of the shares from `first` on add up to 1.
    void share_out(std::size_t first) {
        double weights = 0;
        for (std::size_t s = first; s < out_.shares.size(); ++s) weights += out_.shares[s].weight;
        if (!(weights > 0)) return;
        for (std::size_t s = first; s < out_.shares.size(); ++s) out_.shares[s].weight /= weights;
    }

    FaceKind kind_of(const Coord<D>& cell, int axis, const FaceFindings& found, double rest) {
        if (scheme_ == InterfaceScheme::constraint) return found.hit ? FaceKind::bound : FaceKind::free;
        const Coord<D> below = cell - Coord<D>::Unit(axis);
        const bool solid = is_solid(cell), solid_below = is_solid(below);
        if (found.thin || rest <= least_open || (solid && one_cell_thick(cell)) ||
            (solid_below && one_cell_thick(below)) || (solid && solid_below && are_opposed(cell, below)))
            return FaceKind::bound;
        return rest < 1 - least_open ? FaceKind::cut : FaceKind::free;
    }

    /// Outward normal of the solid that holds a cell's centre deepest.
    [[nodiscard]] Vec<D> normal_at(const Coord<D>& cell) const {
        const auto deepest = std::min_element(
            lattices_.begin(), lattices_.end(),
            [&](const HalfLattice<D>& a, const HalfLattice<D>& b) { return a.at_centre(cell) < b.at_centre(cell); });
        const Vec<D> x = grid_.cell_centre(Coord<D>(first_ + cell));
        return (surfaces_.pushed_out(static_cast<std::size_t>(deepest->part()), x, grid_.dx) - x) / grid_.dx;
    }
    /// Whether cells with solid centres belong to two sides of a wall: what is left of the dual cell of the face between
    /// them then lies on either of them.
    [[nodiscard]] bool are_opposed(const Coord<D>& cell, const Coord<D>& below) const {
        return normal_at(cell).dot(normal_at(below)) < most_opposed;
    }

    /// Whether a solid is a wall of one cell at a cell: its centre is solid, those on both sides along one axis are
    /// not, and along the others it goes on. The fluid on the two sides of the wall would meet in such a cell.
    [[nodiscard]] bool one_cell_thick(const Coord<D>& cell) const {
        const auto solid = [&](const Coord<D>& at) {
            return std::any_of(lattices_.begin(), lattices_.end(),
                               [&](const HalfLattice<D>& psi) { return psi.at_centre(at) < 0; });
        };
        if (!solid(cell)) return false;
        for (int a = 0; a < D; ++a)
            if (!solid(cell - Coord<D>::Unit(a)) && !solid(cell + Coord<D>::Unit(a))) return true;
        return false;
    }

    /// Whether solids fill the dual cell around a face's centre: every point of the lattice is in some solid, and where the
    /// surface of that solid lies in the dual cell, another one covers it.
    bool is_full(const Coord<D>& middle) {
        for (int i = 0; i < (D == 2 ? 9 : 27); ++i) {
            const Coord<D> at = dual_point(middle, i);
            if (std::none_of(lattices_.begin(), lattices_.end(),
                             [&](HalfLattice<D>& psi) { return psi(at) <= touch_; }))
                return false;
        }
        for (int i = 0; i < (D == 2 ? 9 : 27); ++i)
            for (HalfLattice<D>& psi : lattices_)
                if (const Coord<D> at = dual_point(middle, i); psi(at) < 0 && is_bare(psi, at, middle)) return false;
        return true;
    }
    /// Whether the point of a solid's surface next to a point in it lies in the dual cell, not only on its side, and nothing
    /// covers it.
    [[nodiscard]] bool is_bare(HalfLattice<D>& psi, const Coord<D>& at, const Coord<D>& middle) {
        const double depth = -psi(at);
        if (depth > std::sqrt(double{D}) * grid_.dx) return false;
        const auto part = static_cast<std::size_t>(psi.part());
        const Vec<D> wall = surfaces_.pushed_out(part, psi.position(at), depth);
        if ((wall - psi.position(middle)).cwiseAbs().maxCoeff() > 0.5 * grid_.dx - touch_) return false;
        return std::none_of(lattices_.begin(), lattices_.end(), [&](const HalfLattice<D>& other) {
            return other.part() != psi.part() &&
                   surfaces_.distance(static_cast<std::size_t>(other.part()), Moment::end, wall) <= touch_;
        });
    }
    static Coord<D> dual_point(const Coord<D>& middle, int i) {
        Coord<D> at = middle;
        at[0] += i % 3 - 1;
        at[1] += i / 3 % 3 - 1;
        if constexpr (D == 3) at[2] += i / 9 - 1;
        return at;
    }
    /// Solid share of the dual cell around a face's centre.
    static double dual_fraction(HalfLattice<D>& psi, const Coord<D>& middle) {
        double values[D == 2 ? 9 : 27];
        for (int i = 0; i < (D == 2 ? 9 : 27); ++i) values[i] = psi(dual_point(middle, i));
        return cell_fraction(values);
    }

    const Grid<D>& grid_;
    const SolidSurfaces<D>& surfaces_;
    InterfaceScheme scheme_;
    Coord<D> brick_, first_;
    double touch_;
    std::vector<HalfLattice<D>> lattices_;
    BrickFaces out_;
};

}  // namespace

template <int D>
BrickFaces find_brick_faces(const Grid<D>& grid, const BrickSet<D>& set, const SolidSurfaces<D>& surfaces,
                            InterfaceScheme scheme, std::ptrdiff_t slot, const BrickMarks<D>& marks) {
    FaceFinder<D> finder(grid, surfaces, scheme, set.brick(slot));
    finder.find(slot, marks);
    return finder.take();
}

template BrickFaces find_brick_faces(const Grid<2>&, const BrickSet<2>&, const SolidSurfaces<2>&, InterfaceScheme,
                                     std::ptrdiff_t, const BrickMarks<2>&);
template BrickFaces find_brick_faces(const Grid<3>&, const BrickSet<3>&, const SolidSurfaces<3>&, InterfaceScheme,
                                     std::ptrdiff_t, const BrickMarks<3>&);

}  // namespace tidelock
