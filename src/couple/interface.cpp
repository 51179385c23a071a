#include "couple/interface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/math.h"
#include "geometry/fractions.h"
#include "geometry/trace.h"

namespace tidelock {

namespace {

/// A bound face moves with at least this share of fluid: the impulse on a face without is unbounded
/// (numerics/interface 2; with 0.01 the paper's preconditioner takes a fifth more iterations). What is added here
/// the balance takes off again elsewhere. The factor is what it leaves at least, where a body is so small for its cells
/// that nothing is left.
constexpr double least_fluid = 0.1, least_factor = 0.01;

constexpr double thickness_cells = 1e-3;  ///< a centre this near a surface counts as touching it (numerics/interface 1)
constexpr double largest_change = 0.9;    ///< of s (1 - s): keeps shares between 0 and 1

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
    /// At the centre of any cell, stored or not.
    [[nodiscard]] double at_centre(const Coord<D>& cell) const {
        return body_.distance(pose_.to_body(position(Coord<D>(2 * cell + Coord<D>::Ones()))));
    }
    /// Whether the body lies between two points.
    [[nodiscard]] bool blocks(const Coord<D>& from, const Coord<D>& to, double touch) const {
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
    std::vector<BodyFace> faces;
    std::vector<FaceShare> shares;
};

/// A brick wholly inside one body: all its faces are buried and hold no fluid.
struct FullBrick {
    std::int32_t body = -1;
};

template <int D>
class Builder {
  public:
    Builder(const Grid<D>& grid, const BrickSetPtr<D>& set, const std::vector<RigidBody<D>>& bodies,
            InterfaceScheme scheme)
        : grid_(grid), set_(set), bodies_(bodies), scheme_(scheme), touch_(thickness_cells * grid.dx) {}

    Interface<D> build() {
        Interface<D> out;
        out.scheme = scheme_;
        out.solid = Mask<D>(set_, 0);
        out.dry = Mask<D>(set_, 0);
        out.kind = FaceMask<D>(set_, 0);
        const auto count = static_cast<std::size_t>(set_->count());
        std::vector<BrickFaces> found(count);
        std::vector<FullBrick> full(count);
        parallel_for("interface: bricks", set_->count(), [&](std::ptrdiff_t b) {
            build_brick(b, out, found[static_cast<std::size_t>(b)], full[static_cast<std::size_t>(b)]);
        });
        gather(found, full, out);
        find_dry_cells(out);
        if (scheme_ == InterfaceScheme::constraint)
            balance_lumped(out);
        else
            balance_open(out);
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
            std::fill_n(out.dry.brick(slot), Brick<D>::cells, MaskValue{1});
            for (int a = 0; a < D; ++a)
                std::fill_n(out.kind[a].brick(slot), Brick<D>::cells, static_cast<MaskValue>(FaceKind::buried));
            return;
        }
        if (near.empty()) return;
        const Coord<D> first = first_cell<D>(set_->brick(slot));
        std::vector<HalfLattice<D>> lattices;
        lattices.reserve(near.size());
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
        bool hit_any = false, thin_any = false;
        for (std::size_t n = 0; n < near.size(); ++n) {
            HalfLattice<D>& psi = lattices[n];
            const double at_low = psi(low), at_high = psi(high);
            if (at_low + at_high > 4 * dx) continue;  // too far to reach into the dual cell
            FaceShare share;
            share.body = near[n];
            const double at_middle = psi(middle);
            // Between two centres outside, only a body nearer than the way can hide.
            const bool thin = at_low >= 0 && at_high >= 0 && at_low + at_high <= 1.2 * dx + 2 * touch_ &&
                              psi.blocks(low, high, touch_);
            const bool hit = thin || at_low < 0 || at_high < 0;
            share.solid = at_middle > cut ? 0 : at_middle < -cut ? 1 : dual_fraction(psi, middle);
            if (!hit && share.solid <= 0) continue;
            thin_any = thin_any || thin;
            share.weight = hit || scheme_ == InterfaceScheme::fractional ? std::max(share.solid, 1e-6) : 0;
            hit_any = hit_any || hit;
            solid += share.solid;
            weights += share.weight;
            found.shares.push_back(share);
        }
        face.count = static_cast<std::int32_t>(found.shares.size()) - face.first;
        if (face.count == 0) return;
        for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
            FaceShare& share = found.shares[static_cast<std::size_t>(s)];
            share.weight = weights > 0 ? share.weight / weights : 0;
        }
        const double rest = std::max(0.0, 1 - solid);
        if (scheme_ == InterfaceScheme::constraint)
            face.kind = hit_any ? FaceKind::bound : FaceKind::free;
        else if (thin_any || rest <= least_open || (owner(cell) >= 0 && one_cell_thick(cell, lattices)) ||
                 (owner(below) >= 0 && one_cell_thick(below, lattices)))
            face.kind = FaceKind::bound;
        else
            face.kind = rest < 1 - least_open ? FaceKind::cut : FaceKind::free;
        (face.kind == FaceKind::cut ? face.open : face.fluid) = rest;
        if (face.kind == FaceKind::free) {  // a sliver, too small to matter to this face
            found.shares.resize(static_cast<std::size_t>(face.first));
            return;
        }
        out.kind[axis].brick(slot)[place] = static_cast<MaskValue>(face.kind);
        found.faces.push_back(face);
    }

    /// Whether a solid is a wall of one cell at a cell: its centre is solid, those on both sides along one axis are
    /// not, and along the others it goes on. The fluid on the two sides of the wall would meet in such a cell.
    [[nodiscard]] static bool one_cell_thick(const Coord<D>& cell, const std::vector<HalfLattice<D>>& lattices) {
        const auto solid = [&](const Coord<D>& at) {
            return std::any_of(lattices.begin(), lattices.end(),
                               [&](const HalfLattice<D>& psi) { return psi.at_centre(at) < 0; });
        };
        if (!solid(cell)) return false;
        for (int a = 0; a < D; ++a) {
            Coord<D> below = cell, above = cell;
            below[a] -= 1;
            above[a] += 1;
            if (!solid(below) && !solid(above)) return true;
        }
        return false;
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

    /// A cell has a pressure if fluid can pass one of its faces (fractional), or if its centre is fluid (constraint).
    void find_dry_cells(Interface<D>& out) const {
        out.first_face.assign(static_cast<std::size_t>(set_->count()) + 1, 0);
        for (const BodyFace& f : out.faces) ++out.first_face[static_cast<std::size_t>(f.slot) + 1];
        for (std::size_t b = 0; b + 1 < out.first_face.size(); ++b) out.first_face[b + 1] += out.first_face[b];
        const auto closed = [&](const Coord<D>& cell, const Coord<D>& face, int axis) {
            // Faces on the sides of the domain are in nobody's list.
            if (face[axis] == 0 || face[axis] == grid_.cells[axis]) return out.solid.at(cell) != 0;
            const auto kind = static_cast<FaceKind>(out.kind[axis].at(face));
            return kind == FaceKind::bound || kind == FaceKind::buried;
        };
        const auto is_dry = [&](const Coord<D>& cell) {
            if (scheme_ == InterfaceScheme::constraint) return out.solid.at(cell) != 0;
            for (int a = 0; a < D; ++a) {
                Coord<D> above = cell;
                above[a] += 1;
                if (!closed(cell, cell, a) || !closed(cell, above, a)) return false;
            }
            return true;
        };
        // A cell with a closed face, or one that is solid, lies on either side of a face in the list.
        for (const BodyFace& f : out.faces) {
            const Coord<D> high = cell_of(f);
            Coord<D> low = high;
            low[f.axis] -= 1;
            for (const Coord<D>& cell : {low, high})
                if (is_dry(cell)) out.dry.ref(cell) = 1;
        }
        for (BodyFace& f : out.faces) {
            const Coord<D> high = cell_of(f);
            Coord<D> low = high;
            low[f.axis] -= 1;
            f.low_fluid = out.dry.at(low) == 0;
            f.high_fluid = out.dry.at(high) == 0;
            if (f.kind == FaceKind::bound && !f.low_fluid && !f.high_fluid) {
                f.kind = FaceKind::buried;
                out.kind[f.axis].brick(f.slot)[f.local] = static_cast<MaskValue>(FaceKind::buried);
            }
        }
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
        return std::all_of(body.samples->points().begin(), body.samples->points().end(), [&](const Vec<D>& x) {
            const Vec<D> c = grid_.to_cells(pose.to_world(x));
            return (c.array() >= 0.5).all() && (c.array() <= grid_.cells.array().template cast<double>() - 0.5).all();
        });
    }

    /// Whether a part of a bounded body lies beyond the sides of the domain.
    [[nodiscard]] bool reaches_out(const RigidBody<D>& body) const {
        if (!(body.volume > 0)) return false;
        const Pose<D> pose = body.pose();
        return std::any_of(body.samples->points().begin(), body.samples->points().end(), [&](const Vec<D>& x) {
            const Vec<D> c = grid_.to_cells(pose.to_world(x));
            return (c.array() < 0).any() || (c.array() > grid_.cells.array().template cast<double>()).any();
        });
    }
    /// Faces of an axis in a brick that lie inside the domain, and the mean of their positions.
    [[nodiscard]] std::pair<double, Vec<D>> inner_faces(std::ptrdiff_t slot, int axis) const {
        const Coord<D> first = first_cell<D>(set_->brick(slot));
        double count = 1;
        Vec<D> low, high;
        for (int a = 0; a < D; ++a) {
            const int from = std::max(first[a], a == axis ? 1 : 0);
            const int to = std::min(first[a] + Brick<D>::size[a], grid_.cells[a]);
            count *= std::max(0, to - from);
            low[a] = from + (a == axis ? 0.0 : 0.5);
            high[a] = to - 1 + (a == axis ? 0.0 : 0.5);
        }
        return {count, grid_.to_world(0.5 * (low + high))};
    }

    /// Sums over the faces of one body and axis, in dual cells.
    struct Balance {
        double room = 0;                 ///< what the body and the fluid with it can fill
        double fluid = 0;                ///< what the fluid fills
        double solid = 0;                ///< what the body is counted with in the end
        Vec<D> moment = Vec<D>::Zero();  ///< of the counted solid about the centre of mass [m]
    };

    /// Makes force and torque of a fluid at rest those of Archimedes: the fluid shares are scaled so that the solid
    /// counted in the dual cells of each axis has the body's volume, and arms are shifted so that it has no moment
    /// about the centre of mass.
    void balance_lumped(Interface<D>& out) const {
        const double cell_volume = power(grid_.dx, D);
        std::vector<std::array<Balance, D>> sums(bodies_.size());
        for (const auto& [slot, body] : out.full)
            for (int a = 0; a < D; ++a)
                sums[static_cast<std::size_t>(body)][static_cast<std::size_t>(a)].room += inner_faces(slot, a).first;
        for (BodyFace& f : out.faces) {
            Balance& sum = sums[out.owner_of(f)][static_cast<std::size_t>(f.axis)];
            sum.room += room_of(f, out);
            if (f.kind == FaceKind::bound) f.fluid = std::max(f.fluid, least_fluid);
            sum.fluid += f.fluid;
        }
        start_balance(out);
        std::vector<std::array<double, D>> factor(bodies_.size());
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            factor[i].fill(1);
            if (!inside(bodies_[i])) continue;
            for (std::size_t a = 0; a < D; ++a) {
                const double fluid = sums[i][a].room - bodies_[i].volume / cell_volume;
                factor[i][a] = sums[i][a].fluid > 0 ? std::max(least_factor, fluid / sums[i][a].fluid) : 0;
                out.uncounted[i][a] = std::max(0.0, factor[i][a] * sums[i][a].fluid - fluid) * cell_volume;
            }
        }
        for (BodyFace& f : out.faces) {
            const std::size_t body = out.owner_of(f);
            Balance& sum = sums[body][static_cast<std::size_t>(f.axis)];
            f.fluid *= factor[body][static_cast<std::size_t>(f.axis)];
            const double solid = room_of(f, out) - f.fluid;
            sum.solid += solid;
            sum.moment += solid * (grid_.position(cell_of(f), Centring<D>::face(f.axis)) - bodies_[body].position);
        }
        shift_arms(sums, out);
    }

    /// The same for faces that are cut: the solid share s becomes s + e s (1 - s), with one e per body and axis.
    void balance_open(Interface<D>& out) const {
        const double cell_volume = power(grid_.dx, D);
        const auto solid = [](const BodyFace& f) { return 1 - f.open - f.fluid; };
        std::vector<std::array<Balance, D>> sums(bodies_.size());
        for (const auto& [slot, body] : out.full)
            for (int a = 0; a < D; ++a)
                sums[static_cast<std::size_t>(body)][static_cast<std::size_t>(a)].room += inner_faces(slot, a).first;
        for (const BodyFace& f : out.faces) {
            Balance& sum = sums[out.owner_of(f)][static_cast<std::size_t>(f.axis)];
            sum.room += solid(f);
            sum.fluid += solid(f) * (1 - solid(f));
        }
        start_balance(out);
        auto& change = out.share_change;
        change.assign(bodies_.size(), {});
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            for (std::size_t a = 0; a < D; ++a) {
                if (!inside(bodies_[i])) continue;
                const double missing = bodies_[i].volume / cell_volume - sums[i][a].room;
                if (!(sums[i][a].fluid > 0)) {
                    out.uncounted[i][a] = std::max(0.0, missing) * cell_volume;
                    continue;
                }
                const double wanted = missing / sums[i][a].fluid;
                change[i][a] = std::clamp(wanted, -largest_change, largest_change);
                out.uncounted[i][a] = std::max(0.0, wanted - change[i][a]) * sums[i][a].fluid * cell_volume;
            }
        for (BodyFace& f : out.faces) {
            const std::size_t body = out.owner_of(f);
            const auto axis = static_cast<std::size_t>(f.axis);
            (f.open > 0 ? f.open : f.fluid) -= change[body][axis] * solid(f) * (1 - solid(f));
            sums[body][axis].solid += solid(f);
            sums[body][axis].moment +=
                solid(f) * (grid_.position(cell_of(f), Centring<D>::face(f.axis)) - bodies_[body].position);
        }
        shift_arms(sums, out);
    }

    void start_balance(Interface<D>& out) const {
        out.uncounted.assign(bodies_.size(), {});
        out.arm_shift.assign(bodies_.size(), {});
        out.uncounted_moment.assign(bodies_.size(), {});
        for (auto& shifts : out.arm_shift) shifts.fill(Vec<D>::Zero());
        for (auto& moments : out.uncounted_moment) moments.fill(Vec<D>::Zero());
    }

    /// From the moments of the counted solid; those of full bricks are added here.
    void shift_arms(std::vector<std::array<Balance, D>>& sums, Interface<D>& out) const {
        const double cell_volume = power(grid_.dx, D);
        for (const auto& [slot, body] : out.full)
            for (int a = 0; a < D; ++a) {
                const auto [count, middle] = inner_faces(slot, a);
                Balance& sum = sums[static_cast<std::size_t>(body)][static_cast<std::size_t>(a)];
                sum.moment += count * (middle - bodies_[static_cast<std::size_t>(body)].position);
                sum.solid += count;
            }
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            if (reaches_out(bodies_[i]))
                for (std::size_t a = 0; a < D; ++a) {
                    // What is outside balances what is inside about the centre of mass.
                    out.uncounted[i][a] = bodies_[i].volume - sums[i][a].solid * cell_volume;
                    out.uncounted_moment[i][a] = -sums[i][a].moment * cell_volume;
                }
            if (!inside(bodies_[i])) continue;
            for (std::size_t a = 0; a < D; ++a) {
                out.arm_shift[i][a] =
                    -sums[i][a].moment * cell_volume / std::max(bodies_[i].volume - out.uncounted[i][a], 1e-300);
                // Along its own axis an arm has no lever.
                out.arm_shift[i][a][static_cast<Eigen::Index>(a)] = 0;
                if (!out.arm_shift[i][a].allFinite()) out.arm_shift[i][a].setZero();
            }
        }
    }

    /// Share of a face's dual cell that other bodies than its owner leave.
    static double room_of(const BodyFace& face, const Interface<D>& out) {
        const std::size_t body = out.owner_of(face);
        double others = 0;
        for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
            const FaceShare& share = out.shares[static_cast<std::size_t>(s)];
            if (static_cast<std::size_t>(share.body) != body) others += share.solid;
        }
        return std::max(0.0, 1 - others);
    }

    [[nodiscard]] Coord<D> cell_of(const BodyFace& face) const {
        return first_cell<D>(set_->brick(face.slot)) + local_coord<D>(face.local);
    }

    const Grid<D>& grid_;
    const BrickSetPtr<D>& set_;
    const std::vector<RigidBody<D>>& bodies_;
    InterfaceScheme scheme_;
    double touch_;
};

}  // namespace

template <int D>
Interface<D> build_interface(const Grid<D>& grid, const BrickSetPtr<D>& set, const std::vector<RigidBody<D>>& bodies,
                             InterfaceScheme scheme) {
    return Builder<D>(grid, set, bodies, scheme).build();
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
template Interface<2> build_interface(const Grid<2>&, const BrickSetPtr<2>&, const std::vector<RigidBody<2>>&,
                                      InterfaceScheme);
template Interface<3> build_interface(const Grid<3>&, const BrickSetPtr<3>&, const std::vector<RigidBody<3>>&,
                                      InterfaceScheme);

}  // namespace tidelock
