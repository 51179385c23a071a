#include "couple/interface.h"

#include <algorithm>
#include <limits>
#include <span>

#include "couple/archimedes.h"
#include "couple/brick_faces.h"
#include "couple/shared_cells.h"

namespace tidelock {

namespace {

/// The bricks' findings as one list.
template <int D>
void gather(std::vector<BrickFaces>& found, Interface<D>& out) {
    out.first_face.assign(1, 0);
    for (std::size_t b = 0; b < found.size(); ++b) {
        BrickFaces& brick = found[b];
        if (brick.full >= 0) out.full.emplace_back(static_cast<std::int32_t>(b), brick.full);
        const auto shift = static_cast<std::int32_t>(out.shares.size());
        for (BodyFace& f : brick.faces) f.first += shift;
        out.faces.insert(out.faces.end(), brick.faces.begin(), brick.faces.end());
        out.shares.insert(out.shares.end(), brick.shares.begin(), brick.shares.end());
        out.first_face.push_back(static_cast<std::int32_t>(out.faces.size()));
    }
}

/// Which cells have a pressure: one with a face that fluid can pass (fractional), or with its centre in fluid
/// (constraint).
template <int D>
class DryCells {
  public:
    DryCells(const Grid<D>& grid, const SolidSurfaces<D>& surfaces, Interface<D>& out)
        : grid_(grid), surfaces_(surfaces), out_(out), set_(out.solid.set()) {}

    void find() {
        // A cell with a closed face, or one that is solid, lies on either side of a face in the list.
        for (const BodyFace& f : out_.faces)
            for (const Coord<D>& cell : {above(f), below(f)})
                if (is_dry(cell)) out_.dry.ref(cell) = 1;
        for (BodyFace& f : out_.faces) {
            f.low_fluid = out_.dry.at(below(f)) == 0;
            f.high_fluid = out_.dry.at(above(f)) == 0;
            if (f.kind == FaceKind::bound && !f.low_fluid && !f.high_fluid) {
                f.kind = FaceKind::buried;
                out_.kind[f.axis].brick(f.slot)[f.local] = static_cast<MaskValue>(FaceKind::buried);
            }
            if (out_.scheme != InterfaceScheme::fractional || f.kind != FaceKind::bound || movers_of(f) < 2) continue;
            if (f.low_fluid && f.high_fluid)
                give_to_blocking(f);
            else
                give_to_filling(f, f.low_fluid ? above(f) : below(f));
        }
    }

  private:
    [[nodiscard]] Coord<D> above(const BodyFace& face) const {
        return first_cell<D>(set_.brick(face.slot)) + local_coord<D>(face.local);
    }
    [[nodiscard]] Coord<D> below(const BodyFace& face) const { return above(face) - Coord<D>::Unit(face.axis); }
    std::span<FaceShare> shares_of(const BodyFace& face) {
        return std::span(out_.shares)
            .subspan(static_cast<std::size_t>(face.first), static_cast<std::size_t>(face.count));
    }
    /// One alone is a thin solid between the cells (couple/brick_faces.h).
    [[nodiscard]] int movers_of(const BodyFace& face) {
        int movers = 0;
        for (const FaceShare& share : shares_of(face)) movers += share.weight > 0 ? 1 : 0;
        return movers;
    }
    /// A face with a pressure on one side moves with the solid that fills the cell on the other: if those that only reach
    /// into its dual cell had a part in it, a body beside another could not move without changing how much room there is.
    void give_to_filling(const BodyFace& face, const Coord<D>& dry) {
        const Vec<D> centre = grid_.cell_centre(dry);
        double least = std::numeric_limits<double>::infinity();
        const FaceShare* owner = nullptr;
        for (const FaceShare& share : shares_of(face)) {
            const double d = surfaces_.distance(static_cast<std::size_t>(share.body), Moment::end, centre);
            if (d < least) least = d, owner = &share;
        }
        for (FaceShare& share : shares_of(face)) share.weight = &share == owner ? 1 : 0;
    }
    /// The same for a face with a pressure on both sides: it moves with the thin solids between them, if there are any.
    void give_to_blocking(const BodyFace& face) {
        const Vec<D> low = grid_.cell_centre(below(face)), high = grid_.cell_centre(above(face));
        const auto blocks = [&](const FaceShare& share) {
            return surfaces_.hit(static_cast<std::size_t>(share.body), Moment::end, low, high, 1e-3 * grid_.dx)
                .has_value();
        };
        double all = 0;
        for (const FaceShare& share : shares_of(face)) all += blocks(share) ? share.weight : 0;
        if (!(all > 0)) return;
        for (FaceShare& share : shares_of(face)) share.weight = blocks(share) ? share.weight / all : 0;
    }
    [[nodiscard]] bool is_dry(const Coord<D>& cell) const {
        if (out_.scheme == InterfaceScheme::constraint) return out_.solid.at(cell) != 0;
        for (int a = 0; a < D; ++a)
            if (!is_closed(cell, cell, a) || !is_closed(cell, cell + Coord<D>::Unit(a), a)) return false;
        return true;
    }
    [[nodiscard]] bool is_closed(const Coord<D>& cell, const Coord<D>& face, int axis) const {
        // Faces on the sides of the domain are in nobody's list.
        if (face[axis] == 0 || face[axis] == grid_.cells[axis]) return out_.solid.at(cell) != 0;
        const auto kind = static_cast<FaceKind>(out_.kind[axis].at(face));
        return kind == FaceKind::bound || kind == FaceKind::buried;
    }

    const Grid<D>& grid_;
    const SolidSurfaces<D>& surfaces_;
    Interface<D>& out_;
    const BrickSet<D>& set_;
};

}  // namespace

template <int D>
Interface<D> build_interface(const Grid<D>& grid, const BrickSetPtr<D>& set, const SolidSurfaces<D>& surfaces,
                             InterfaceScheme scheme) {
    Interface<D> out;
    out.scheme = scheme;
    out.solid = Mask<D>(set, 0);
    out.dry = Mask<D>(set, 0);
    out.kind = FaceMask<D>(set, 0);
    std::vector<BrickFaces> found(static_cast<std::size_t>(set->count()));
    parallel_for("interface: bricks", set->count(), [&](std::ptrdiff_t b) {
        BrickMarks<D> marks{out.solid.brick(b), out.dry.brick(b), {}};
        for (int a = 0; a < D; ++a) marks.kind[static_cast<std::size_t>(a)] = out.kind[a].brick(b);
        found[static_cast<std::size_t>(b)] = find_brick_faces<D>(grid, *set, surfaces, scheme, b, marks);
    });
    gather<D>(found, out);
    if (scheme == InterfaceScheme::fractional) divide_shared_cells<D>(grid, surfaces, out);
    DryCells<D>(grid, surfaces, out).find();
    balance_lift<D>(grid, surfaces, out);
    return out;
}

template <int D>
std::ptrdiff_t face_at(const Interface<D>& interface, std::ptrdiff_t slot, int local, int axis) {
    const auto first = interface.faces.begin() + interface.first_face[static_cast<std::size_t>(slot)];
    const auto last = interface.faces.begin() + interface.first_face[static_cast<std::size_t>(slot) + 1];
    const auto place = std::pair(axis, local);
    const auto found = std::lower_bound(first, last, place, [](const BodyFace& face, const std::pair<int, int>& at) {
        return std::pair<int, int>(face.axis, face.local) < at;
    });
    return found != last && found->axis == axis && found->local == local ? found - interface.faces.begin() : -1;
}

template <int D>
double open_share(const Interface<D>& interface, std::ptrdiff_t slot, int local, int axis) {
    const auto kind = static_cast<FaceKind>(interface.kind[axis].brick(slot)[local]);
    if (kind == FaceKind::free) return 1;
    if (kind != FaceKind::cut) return 0;
    const std::ptrdiff_t face = face_at<D>(interface, slot, local, axis);
    return face >= 0 ? interface.faces[static_cast<std::size_t>(face)].open : 0.0;
}

template std::ptrdiff_t face_at(const Interface<2>&, std::ptrdiff_t, int, int);
template std::ptrdiff_t face_at(const Interface<3>&, std::ptrdiff_t, int, int);
template double open_share(const Interface<2>&, std::ptrdiff_t, int, int);
template double open_share(const Interface<3>&, std::ptrdiff_t, int, int);
template Interface<2> build_interface(const Grid<2>&, const BrickSetPtr<2>&, const SolidSurfaces<2>&, InterfaceScheme);
template Interface<3> build_interface(const Grid<3>&, const BrickSetPtr<3>&, const SolidSurfaces<3>&, InterfaceScheme);

}  // namespace tidelock
