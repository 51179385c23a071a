#include "couple/interface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/fractions.h"
#include "geometry/trace.h"

namespace tidelock {

namespace {

constexpr double thickness_cells = 1e-3;  ///< a centre this near a surface counts as touching it (METHODS 2.1)

/// Signed distances of one body on the half-spaced lattice of a brick: index 2 i + 1 is the centre of cell i, even
/// indices are faces and corners. From the centre of cell -1 to the upper corner; computed when asked for.
template <int D>
class HalfLattice {
  public:
    HalfLattice(const Grid<D>& grid, const Coord<D>& first, const RigidBody<D>& body)
        : grid_(grid), first_(first), body_(body), pose_(body.pose()) {
        values_.assign(static_cast<std::size_t>(total), std::numeric_limits<double>::quiet_NaN());
    }
    /// Indices count from -1.
    double operator()(const Coord<D>& half) {
        std::size_t place = 0;
        for (int a = D - 1; a >= 0; --a)
            place = place * static_cast<std::size_t>(2 * Brick<D>::size[a] + 2) + static_cast<std::size_t>(half[a] + 1);
        double& v = values_[place];
        if (std::isnan(v)) v = body_.distance(pose_.to_body(position(half)));
        return v;
    }
    [[nodiscard]] Vec<D> position(const Coord<D>& half) const {
        return grid_.to_world(first_.template cast<double>() + 0.5 * half.template cast<double>());
    }
    /// Whether the body lies between two points.
    bool blocks(const Coord<D>& from, const Coord<D>& to, double touch) const {
        const auto distance = [&](const Vec<D>& x) { return body_.distance(x); };
        return first_contact<D>(distance, pose_.to_body(position(from)), pose_.to_body(position(to)), touch)
            .has_value();
    }

  private:
    static constexpr int total_of() {
        int n = 1;
        for (int a = 0; a < D; ++a) n *= 2 * Brick<D>::size[a] + 2;
        return n;
    }
    static constexpr int total = total_of();
    const Grid<D>& grid_;
    Coord<D> first_;
    const RigidBody<D>& body_;
    Pose<D> pose_;
    std::vector<double> values_;
};

/// What one brick finds.
struct BrickFaces {
    std::vector<BodyFace> faces;  ///< free ones too, where a solid reaches into their dual cell
    std::vector<FaceShare> shares;
};

/// A brick wholly inside one body: all its faces are buried and hold no fluid.
struct FullBrick {
    std::int32_t body = -1;
};

template <int D>
class Builder {
  public:
    Builder(const Grid<D>& grid, const BrickSetPtr<D>& set, const std::vector<RigidBody<D>>& bodies)
        : grid_(grid), set_(set), bodies_(bodies), touch_(thickness_cells * grid.dx) {}

    Interface<D> build() {
        Interface<D> out;
        out.solid = Mask<D>(set_, 0);
        out.kind = FaceMask<D>(set_, 0);
        const auto count = static_cast<std::size_t>(set_->count());
        std::vector<BrickFaces> found(count);
        std::vector<FullBrick> full(count);
        parallel_for("interface: bricks", set_->count(), [&](std::ptrdiff_t b) {
            build_brick(b, out, found[static_cast<std::size_t>(b)], full[static_cast<std::size_t>(b)]);
        });
        gather(found, full, out);
        count_volumes(out);
        hand_over(out);
        std::erase_if(out.faces, [](const BodyFace& f) { return f.kind == FaceKind::free; });
        return out;
    }

  private:
    /// Bodies that can matter to a brick; `full` if one of them fills it and its surroundings.
    std::vector<int> near_bodies(std::ptrdiff_t slot, FullBrick& full) const {
        const Vec<D> centre = grid_.brick_centre(set_->brick(slot));
        const double reach = grid_.brick_half_diagonal() + 2 * grid_.dx;
        std::vector<int> near;
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            if ((centre - bodies_[i].position).norm() > bodies_[i].radius + reach) continue;
            const double d = bodies_[i].distance(bodies_[i].pose().to_body(centre));
            if (d > reach) continue;
            if (d < -reach && full.body < 0) full.body = static_cast<int>(i);
            near.push_back(static_cast<int>(i));
        }
        return near;
    }

    void build_brick(std::ptrdiff_t slot, Interface<D>& out, BrickFaces& found, FullBrick& full) const {
        const std::vector<int> near = near_bodies(slot, full);
        if (full.body >= 0) {
            std::fill_n(out.solid.brick(slot), Brick<D>::cells, MaskValue{1});
            for (int a = 0; a < D; ++a)
                std::fill_n(out.kind[a].brick(slot), Brick<D>::cells, static_cast<MaskValue>(FaceKind::buried));
            return;
        }
        if (near.empty()) return;
        const Coord<D> first = first_cell<D>(set_->brick(slot));
        std::vector<HalfLattice<D>> lattices;
        for (int i : near) lattices.emplace_back(grid_, first, bodies_[static_cast<std::size_t>(i)]);
        // The deepest body owns a cell; -1: fluid. Cells just below the brick count too.
        const auto owner = [&](const Coord<D>& cell) {
            int best = -1;
            double least = 0;
            for (std::size_t n = 0; n < near.size(); ++n) {
                const double d = lattices[n](Coord<D>(2 * cell + Coord<D>::Ones()));
                if (d < least) least = d, best = near[n];
            }
            return best;
        };
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = local_coord<D>(i);
            if (grid_.contains(Coord<D>(first + cell)) && owner(cell) >= 0) out.solid.brick(slot)[i] = 1;
        }
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> cell = local_coord<D>(i), here = first + cell;
                // Faces on the sides of the domain are walls or openings, not the bodies' business.
                if (!grid_.contains(here) || here[a] == 0) continue;
                build_face(slot, i, a, cell, near, lattices, owner, out, found);
            }
    }

    template <class Owner>
    void build_face(std::ptrdiff_t slot, int place, int axis, const Coord<D>& cell, const std::vector<int>& near,
                    std::vector<HalfLattice<D>>& lattices, const Owner& owner, Interface<D>& out,
                    BrickFaces& found) const {
        const double dx = grid_.dx;
        const Coord<D> high = 2 * cell + Coord<D>::Ones();
        Coord<D> low = high, middle = high;
        low[axis] -= 2;
        middle[axis] -= 1;
        Coord<D> below = cell;
        below[axis] -= 1;
        BodyFace face;
        face.slot = static_cast<std::int32_t>(slot);
        face.local = place;
        face.axis = static_cast<std::int16_t>(axis);
        face.first = static_cast<std::int32_t>(found.shares.size());
        const double cut = 0.5 * std::sqrt(double{D}) * dx;
        double solid = 0, weights = 0;
        bool hit_any = false;
        for (std::size_t n = 0; n < near.size(); ++n) {
            HalfLattice<D>& psi = lattices[n];
            const double at_low = psi(low), at_high = psi(high);
            if (at_low + at_high > 4 * dx) continue;  // too far to reach into the dual cell
            FaceShare share;
            share.body = near[n];
            const double at_middle = psi(middle);
            share.solid = at_middle > cut ? 0 : at_middle < -cut ? 1 : dual_fraction(psi, middle);
            // Between two centres outside, only a body nearer than the way can hide.
            const bool hit = at_low < 0 || at_high < 0 ||
                             (at_low + at_high <= 1.2 * dx + 2 * touch_ && psi.blocks(low, high, touch_));
            if (!hit && share.solid <= 0) continue;
            share.weight = hit ? std::max(share.solid, 1e-6) : 0;
            hit_any = hit_any || hit;
            solid += share.solid;
            weights += share.weight;
            found.shares.push_back(share);
        }
        face.count = static_cast<std::int32_t>(found.shares.size()) - face.first;
        if (face.count == 0) return;
        face.low_fluid = owner(below) < 0;
        face.high_fluid = owner(cell) < 0;
        face.kind = !face.low_fluid && !face.high_fluid ? FaceKind::buried : hit_any ? FaceKind::bound : FaceKind::free;
        face.fluid = std::max(0.0, 1 - solid);
        for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
            FaceShare& share = found.shares[static_cast<std::size_t>(s)];
            share.weight = weights > 0 ? share.weight / weights : 0;
        }
        out.kind[axis].brick(slot)[place] = static_cast<MaskValue>(face.kind);
        found.faces.push_back(face);
    }

    /// Solid share of the dual cell around a face's centre.
    static double dual_fraction(HalfLattice<D>& psi, const Coord<D>& middle) {
        double values[D == 2 ? 9 : 27];
        for (int i = 0; i < (D == 2 ? 9 : 27); ++i) {
            Coord<D> at = middle;
            at[0] += i % 3 - 1;
            at[1] += i / 3 % 3 - 1;
            if constexpr (D == 3) at[2] += i / 9 - 1;
            values[i] = psi(at);
        }
        return cell_fraction(values);
    }

    static void gather(std::vector<BrickFaces>& found, const std::vector<FullBrick>& full, Interface<D>& out) {
        for (std::size_t b = 0; b < full.size(); ++b)
            if (full[b].body >= 0) out.full.emplace_back(static_cast<std::int32_t>(b), full[b].body);
        for (auto& brick : found) {
            const auto shift = static_cast<std::int32_t>(out.shares.size());
            for (BodyFace& f : brick.faces) f.first += shift;
            out.faces.insert(out.faces.end(), brick.faces.begin(), brick.faces.end());
            out.shares.insert(out.shares.end(), brick.shares.begin(), brick.shares.end());
        }
    }

    /// Whether the whole body lies in the domain, so that its volume can be counted on the grid.
    [[nodiscard]] bool inside(const RigidBody<D>& body) const {
        if (!(body.volume > 0)) return false;
        const Pose<D> pose = body.pose();
        return std::all_of(body.samples->begin(), body.samples->end(), [&](const Vec<D>& x) {
            const Vec<D> c = grid_.to_cells(pose.to_world(x));
            return (c.array() >= 0.5).all() && (c.array() <= grid_.cells.array().template cast<double>() - 0.5).all();
        });
    }

    /// Makes the volumes counted for each axis those of the bodies: s += e s (1 - s), with one e per body and axis.
    void count_volumes(Interface<D>& out) const {
        const double cell_volume = std::pow(grid_.dx, D);
        std::vector<std::array<double, D>> filled(bodies_.size()), slack(bodies_.size());
        for (const auto& [slot, body] : out.full)
            for (auto& v : filled[static_cast<std::size_t>(body)]) v += Brick<D>::cells;
        for (const BodyFace& f : out.faces)
            for (std::int32_t s = f.first; s < f.first + f.count; ++s) {
                const FaceShare& share = out.shares[static_cast<std::size_t>(s)];
                const auto body = static_cast<std::size_t>(share.body), axis = static_cast<std::size_t>(f.axis);
                filled[body][axis] += share.solid;
                slack[body][axis] += share.solid * (1 - share.solid);
            }
        std::vector<std::array<double, D>> correction(bodies_.size());
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            if (!inside(bodies_[i])) continue;
            for (std::size_t a = 0; a < D; ++a)
                if (slack[i][a] > 0)
                    correction[i][a] =
                        std::clamp((bodies_[i].volume / cell_volume - filled[i][a]) / slack[i][a], -1.0, 1.0);
        }
        for (BodyFace& f : out.faces) {
            double solid = 0;
            for (std::int32_t s = f.first; s < f.first + f.count; ++s) {
                FaceShare& share = out.shares[static_cast<std::size_t>(s)];
                share.solid += correction[static_cast<std::size_t>(share.body)][static_cast<std::size_t>(f.axis)] *
                               share.solid * (1 - share.solid);
                solid += share.solid;
            }
            f.fluid = std::max(0.0, 1 - solid);
        }
    }

    /// Counts slivers in the dual cells of free faces at the bound and buried faces of the same body and axis around
    /// them, in proportion to the fluid that these hold.
    void hand_over(Interface<D>& out) const {
        std::vector<std::size_t> start(static_cast<std::size_t>(set_->count()) + 1, 0);
        for (const BodyFace& f : out.faces) ++start[static_cast<std::size_t>(f.slot) + 1];
        for (std::size_t b = 0; b + 1 < start.size(); ++b) start[b + 1] += start[b];
        const auto find = [&](const Coord<D>& cell, int axis) -> std::optional<std::size_t> {
            const std::int32_t slot = set_->find(brick_of<D>(cell));
            if (slot == set_->void_slot()) return std::nullopt;
            const int local = local_index<D>(cell);
            const auto begin = out.faces.begin() + static_cast<std::ptrdiff_t>(start[static_cast<std::size_t>(slot)]);
            const auto end = out.faces.begin() + static_cast<std::ptrdiff_t>(start[static_cast<std::size_t>(slot) + 1]);
            const auto at = std::lower_bound(
                begin, end, std::pair(axis, local),
                [](const BodyFace& f, const auto& key) { return std::pair(int{f.axis}, int{f.local}) < key; });
            if (at == end || at->axis != axis || at->local != local) return std::nullopt;
            return static_cast<std::size_t>(at - out.faces.begin());
        };
        const double cell_volume = std::pow(grid_.dx, D);
        out.uncounted.assign(bodies_.size(), {});
        std::vector<double> taken(out.faces.size(), 0.0);
        std::vector<std::size_t> takers;
        for (const BodyFace& f : out.faces) {
            if (f.kind != FaceKind::free) continue;
            const Coord<D> cell = first_cell<D>(set_->brick(f.slot)) + local_coord<D>(f.local);
            for (std::int32_t s = f.first; s < f.first + f.count; ++s) {
                const FaceShare& sliver = out.shares[static_cast<std::size_t>(s)];
                takers.clear();
                double room = 0;
                for (int n = 0; n < (D == 2 ? 9 : 27); ++n) {
                    Coord<D> at = cell;
                    at[0] += n % 3 - 1;
                    at[1] += n / 3 % 3 - 1;
                    if constexpr (D == 3) at[2] += n / 9 - 1;
                    const auto other = find(at, f.axis);
                    if (!other || out.faces[*other].kind == FaceKind::free) continue;
                    const BodyFace& g = out.faces[*other];
                    const bool mine = std::any_of(
                        out.shares.begin() + g.first, out.shares.begin() + g.first + g.count,
                        [&](const FaceShare& share) { return share.body == sliver.body && share.weight > 0; });
                    if (!mine) continue;
                    takers.push_back(*other);
                    room += g.fluid;
                }
                if (room <= 0) {
                    out.uncounted[static_cast<std::size_t>(sliver.body)][static_cast<std::size_t>(f.axis)] +=
                        sliver.solid * cell_volume;
                    continue;
                }
                for (std::size_t t : takers) taken[t] += sliver.solid * out.faces[t].fluid / room;
            }
        }
        for (std::size_t t = 0; t < taken.size(); ++t)
            if (taken[t] > 0) {
                BodyFace& g = out.faces[t];
                const double left = std::max(0.0, g.fluid - taken[t]);
                const double missed = taken[t] - (g.fluid - left);
                if (missed > 0)
                    out.uncounted[owner_of(g, out)][static_cast<std::size_t>(g.axis)] += missed * cell_volume;
                g.fluid = left;
            }
        spread(out);
    }

    /// The body that moves a face most.
    static std::size_t owner_of(const BodyFace& face, const Interface<D>& out) {
        const auto first = out.shares.begin() + face.first;
        const auto most = std::max_element(first, first + face.count,
                                           [](const FaceShare& a, const FaceShare& b) { return a.weight < b.weight; });
        return static_cast<std::size_t>(most->body);
    }

    /// What found no room nearby is taken from all faces of the body in proportion to the fluid that they hold.
    void spread(Interface<D>& out) const {
        const double cell_volume = std::pow(grid_.dx, D);
        std::vector<std::array<double, D>> room(bodies_.size());
        for (const BodyFace& f : out.faces)
            if (f.kind != FaceKind::free)
                room[owner_of(f, out)][static_cast<std::size_t>(f.axis)] += f.fluid * cell_volume;
        for (BodyFace& f : out.faces) {
            if (f.kind == FaceKind::free) continue;
            const std::size_t body = owner_of(f, out);
            const auto axis = static_cast<std::size_t>(f.axis);
            if (room[body][axis] > 0) f.fluid *= std::max(0.0, 1 - out.uncounted[body][axis] / room[body][axis]);
        }
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            for (std::size_t a = 0; a < D; ++a) out.uncounted[i][a] = std::max(0.0, out.uncounted[i][a] - room[i][a]);
    }

    const Grid<D>& grid_;
    const BrickSetPtr<D>& set_;
    const std::vector<RigidBody<D>>& bodies_;
    double touch_;
};

}  // namespace

template <int D>
std::ptrdiff_t Interface<D>::bound_faces() const {
    return std::count_if(faces.begin(), faces.end(), [](const BodyFace& f) { return f.kind == FaceKind::bound; });
}

template <int D>
Interface<D> build_interface(const Grid<D>& grid, const BrickSetPtr<D>& set, const std::vector<RigidBody<D>>& bodies) {
    return Builder<D>(grid, set, bodies).build();
}

#define TIDELOCK_INSTANTIATE(D)   \
    template struct Interface<D>; \
    template Interface<D> build_interface(const Grid<D>&, const BrickSetPtr<D>&, const std::vector<RigidBody<D>>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
