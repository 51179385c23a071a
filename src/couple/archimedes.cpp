#include "couple/archimedes.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace tidelock {

namespace {

/// A bound face moves with at least this share of fluid: the impulse on a face without is unbounded
/// (numerics/interface 2; with 0.01 the paper's preconditioner takes a fifth more iterations). What is added here
/// the balance takes off again elsewhere. The factor is what it leaves at least, where a body is so small for its cells
/// that nothing is left.
constexpr double least_fluid = 0.1, least_factor = 0.01;
constexpr double least_carried = 0.02;  ///< of the volume that no face counts
constexpr double largest_change = 0.9;  ///< of s (1 - s): keeps shares between 0 and 1

/// Sums over the faces of one body and axis, in dual cells.
template <int D>
struct Balance {
    double room = 0;                 ///< what the body and the fluid with it can fill
    double fluid = 0;                ///< what the fluid fills
    double solid = 0;                ///< what the body is counted with in the end
    Vec<D> moment = Vec<D>::Zero();  ///< of the counted solid about the centre of mass [m]
};

/// Where a body's surface is, in cells.
struct Extent {
    bool inside = false;   ///< wholly in the domain, so that its volume can be counted on the grid
    bool reaches = false;  ///< out of the domain
};

template <int D>
class Balancer {
  public:
    Balancer(const Grid<D>& grid, const SolidSurfaces<D>& surfaces, Interface<D>& out)
        : grid_(grid),
          surfaces_(surfaces),
          out_(out),
          set_(out.solid.set()),
          cell_volume_(power(grid.dx, D)),
          sums_(surfaces.parts()) {
        for (std::size_t i = 0; i < surfaces.parts(); ++i) extents_.push_back(extent_of(i));
        out.uncounted.assign(surfaces.parts(), {});
        out.arm_shift.assign(surfaces.parts(), {});
        out.uncounted_moment.assign(surfaces.parts(), {});
        out.carrying.assign(surfaces.parts(), {});
        for (auto& shifts : out.arm_shift) shifts.fill(Vec<D>::Zero());
        for (auto& moments : out.uncounted_moment) moments.fill(Vec<D>::Zero());
        for (const auto& [slot, body] : out.full)
            for (int a = 0; a < D; ++a) sum(static_cast<std::size_t>(body), a).room += inner_faces(slot, a).first;
    }

    void balance_lumped() {
        for (BodyFace& f : out_.faces) {
            Balance<D>& all = sum(out_.owner_of(f), f.axis);
            all.room += room_of(f);
            if (f.kind == FaceKind::bound) f.fluid = std::max(f.fluid, least_fluid);
            all.fluid += f.fluid;
        }
        std::vector<std::array<double, D>> factor(surfaces_.parts());
        for (std::size_t i = 0; i < surfaces_.parts(); ++i) {
            factor[i].fill(1);
            if (!extents_[i].inside) continue;
            for (std::size_t a = 0; a < D; ++a) {
                const double fluid = sums_[i][a].room - surfaces_.volume(i) / cell_volume_;
                factor[i][a] = sums_[i][a].fluid > 0 ? std::max(least_factor, fluid / sums_[i][a].fluid) : 0;
                out_.uncounted[i][a] = std::max(0.0, factor[i][a] * sums_[i][a].fluid - fluid) * cell_volume_;
            }
        }
        for (BodyFace& f : out_.faces) {
            const std::size_t body = out_.owner_of(f);
            f.fluid *= factor[body][static_cast<std::size_t>(f.axis)];
            count(f, body, room_of(f) - f.fluid);
        }
        shift_arms();
    }

    void balance_open() {
        const auto solid = [](const BodyFace& f) { return 1 - f.open - f.fluid; };
        for (const BodyFace& f : out_.faces) {
            Balance<D>& all = sum(out_.owner_of(f), f.axis);
            all.room += solid(f);
            all.fluid += solid(f) * (1 - solid(f));
        }
        auto& change = out_.share_change;
        change.assign(surfaces_.parts(), {});
        for (std::size_t i = 0; i < surfaces_.parts(); ++i)
            for (std::size_t a = 0; a < D; ++a) {
                if (!extents_[i].inside) continue;
                const double missing = surfaces_.volume(i) / cell_volume_ - sums_[i][a].room;
                if (!(sums_[i][a].fluid > 0)) {
                    out_.uncounted[i][a] = std::max(0.0, missing) * cell_volume_;
                    continue;
                }
                const double wanted = missing / sums_[i][a].fluid;
                change[i][a] = std::clamp(wanted, -largest_change, largest_change);
                out_.uncounted[i][a] = std::max(0.0, wanted - change[i][a]) * sums_[i][a].fluid * cell_volume_;
            }
        for (BodyFace& f : out_.faces) {
            const std::size_t body = out_.owner_of(f);
            (f.open > 0 ? f.open : f.fluid) -=
                change[body][static_cast<std::size_t>(f.axis)] * solid(f) * (1 - solid(f));
            count(f, body, solid(f));
        }
        shift_arms();
    }

  private:
    Balance<D>& sum(std::size_t body, int axis) { return sums_[body][static_cast<std::size_t>(axis)]; }
    [[nodiscard]] Coord<D> cell_of(const BodyFace& face) const {
        return first_cell<D>(set_.brick(face.slot)) + local_coord<D>(face.local);
    }
    [[nodiscard]] Vec<D> centre(std::size_t body) const { return surfaces_.ball(body, Moment::end).centre; }
    [[nodiscard]] double radius(std::size_t body) const { return surfaces_.ball(body, Moment::end).radius; }

    [[nodiscard]] Extent extent_of(std::size_t body) const {
        if (!(surfaces_.volume(body) > 0)) return {};
        const Bounds<D> box = surfaces_.bounds(body);
        const Vec<D> low = grid_.to_cells(box.low), high = grid_.to_cells(box.high);
        const auto cells = grid_.cells.array().template cast<double>();
        return {!surfaces_.trimmed(body) && (low.array() >= 0.5).all() && (high.array() <= cells - 0.5).all(),
                (low.array() < 0).any() || (high.array() > cells).any()};
    }
    /// Faces of an axis in a brick that lie inside the domain, and the mean of their positions.
    [[nodiscard]] std::pair<double, Vec<D>> inner_faces(std::ptrdiff_t slot, int axis) const {
        const Coord<D> first = first_cell<D>(set_.brick(slot));
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
    /// Share of a face's dual cell that other bodies than its owner leave.
    [[nodiscard]] double room_of(const BodyFace& face) const {
        const std::size_t body = out_.owner_of(face);
        double others = 0;
        for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
            const FaceShare& share = out_.shares[static_cast<std::size_t>(s)];
            if (static_cast<std::size_t>(share.body) != body) others += share.solid;
        }
        return std::max(0.0, 1 - others);
    }
    /// A face's solid as it is in the end.
    void count(const BodyFace& face, std::size_t body, double solid) {
        Balance<D>& all = sum(body, face.axis);
        all.solid += solid;
        all.moment += solid * (grid_.position(cell_of(face), Centring<D>::face(face.axis)) - centre(body));
    }
    /// From the moments of the counted solid; those of full bricks are added here.
    void shift_arms() {
        for (const auto& [slot, part] : out_.full)
            for (int a = 0; a < D; ++a) {
                const auto body = static_cast<std::size_t>(part);
                const auto [count, middle] = inner_faces(slot, a);
                sum(body, a).moment += count * (middle - centre(body));
                sum(body, a).solid += count;
            }
        for (std::size_t i = 0; i < surfaces_.parts(); ++i)
            for (std::size_t a = 0; a < D; ++a) {
                if (!extents_[i].inside && surfaces_.volume(i) > 0) {
                    // What is not counted balances what is about the centre of mass.
                    out_.uncounted[i][a] = surfaces_.volume(i) - sums_[i][a].solid * cell_volume_;
                    out_.uncounted_moment[i][a] = -sums_[i][a].moment * cell_volume_;
                }
                // Of what lies in a film or at a side, the rest of the body hides as much as it has itself. A little is
                // carried all the same: its lift would throw a body that weighs next to nothing out of the solve's reach.
                const bool hidden = !extents_[i].inside && !extents_[i].reaches;
                const double uncounted = out_.uncounted[i][a], turning = out_.uncounted_moment[i][a].norm();
                const double least = least_carried * std::max(std::abs(uncounted), turning / radius(i));
                out_.carrying[i][a] =
                    std::max(least, hidden ? 2 * uncounted - surfaces_.volume(i) : std::max(0.0, uncounted));
                if (!extents_[i].inside) continue;
                Vec<D>& shift = out_.arm_shift[i][a];
                shift =
                    -sums_[i][a].moment * cell_volume_ / std::max(surfaces_.volume(i) - out_.uncounted[i][a], 1e-300);
                // Along its own axis an arm has no lever.
                shift[static_cast<Eigen::Index>(a)] = 0;
                if (!shift.allFinite()) shift.setZero();
            }
    }

    const Grid<D>& grid_;
    const SolidSurfaces<D>& surfaces_;
    Interface<D>& out_;
    const BrickSet<D>& set_;
    double cell_volume_;
    std::vector<std::array<Balance<D>, D>> sums_;  ///< per body and axis
    std::vector<Extent> extents_;                  ///< per body
};

}  // namespace

template <int D>
void balance_lift(const Grid<D>& grid, const SolidSurfaces<D>& surfaces, Interface<D>& interface) {
    Balancer<D> balancer(grid, surfaces, interface);
    if (interface.scheme == InterfaceScheme::constraint)
        balancer.balance_lumped();
    else
        balancer.balance_open();
}

template void balance_lift(const Grid<2>&, const SolidSurfaces<2>&, Interface<2>&);
template void balance_lift(const Grid<3>&, const SolidSurfaces<3>&, Interface<3>&);

}  // namespace tidelock
