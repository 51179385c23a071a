/// Moving solids as a transport scheme sees them (fluid/obstacles.h): by their signed distances, at both ends of a
/// step.
///
/// A point of the fluid and a solid are compared in the solid's own frame: there the solid rests, and what moves past
/// it is the straight way from the departure, seen from the solid's pose at the beginning, to the arrival, seen from
/// its pose at the end. A way that does not meet the solid in that frame does not cross it, however fast the solid
/// moves and however thin it is (METHODS 3.6).
#pragma once

#include <vector>

#include "fluid/obstacles.h"
#include "grid/domain.h"
#include "solid/rigid_body.h"

namespace tidelock {

template <int D>
class SolidObstacles final : public Obstacles<D> {
  public:
    /// `bodies` at the end of the step (kept by reference), `before` their poses at its beginning and `twists` their
    /// motion in between. `reach` [m]: how far a sample can come from.
    SolidObstacles(const Grid<D>& grid, const BrickSet<D>& set, const std::vector<RigidBody<D>>& bodies,
                   std::vector<Pose<D>> before, std::vector<Twist<D>> twists, double reach);

    [[nodiscard]] bool near_brick(std::ptrdiff_t slot) const override {
        return !near_[static_cast<std::size_t>(slot)].empty();
    }
    [[nodiscard]] double clearance(const Vec<D>& x) const override;
    [[nodiscard]] bool clip(const Vec<D>& arrival, Vec<D>& departure) const override;
    [[nodiscard]] bool carry(const Vec<D>& departure, Vec<D>& arrival, double gap) const override;
    [[nodiscard]] double distance_after(const Vec<D>& x) const override;
    [[nodiscard]] bool hides(const Vec<D>& x, const Vec<D>& y, Vec<D>& velocity) const override;
    [[nodiscard]] bool hides_after(const Vec<D>& x, const Vec<D>& y) const override;
    [[nodiscard]] Vec<D> solid_velocity(const Vec<D>& x) const override;

  private:
    /// A lower bound of the distance between a body, seen from a pose, and a point.
    [[nodiscard]] double bound(std::size_t body, const Pose<D>& pose, const Vec<D>& x) const;

    /// carry() for one body, in its frame: the way from `from` to `to`. True if `to` was moved.
    [[nodiscard]] bool hold_off(std::size_t body, const Vec<D>& from, Vec<D>& to, double gap, bool slide) const;

    /// Bodies that matter to a point: those near its brick. Points beyond the domain count to its last bricks, and in
    /// bricks that are not active all bodies matter.
    [[nodiscard]] const std::vector<int>& near(const Vec<D>& x) const;
    [[nodiscard]] double clearance_of(std::size_t body, const Vec<D>& x) const;

    const Grid<D>& grid_;
    const BrickSet<D>& set_;
    const std::vector<RigidBody<D>>& bodies_;
    std::vector<Pose<D>> before_, after_;
    std::vector<Twist<D>> twists_;
    double touch_;                        ///< how near counts as touching [m]
    double beyond_;                       ///< nothing that is not listed comes nearer to a brick's points than this [m]
    std::vector<std::vector<int>> near_;  ///< per brick; behind them, for the void brick: all
};

/// The solids where they are now: a step in which they do not move.
template <int D>
SolidObstacles<D> standing_obstacles(const Grid<D>& grid, const BrickSet<D>& set,
                                     const std::vector<RigidBody<D>>& bodies);

}  // namespace tidelock
