#include "fluid/particle_motion.h"

#include "fluid/particle_blocks.h"
#include "fluid/visible_velocity.h"

namespace tidelock {
namespace {

constexpr int rounds = 4;  ///< a way held off by a wall can meet a solid, and the other way round

/// The way of one particle after another. One per thread.
template <int D>
class Mover {
  public:
    Mover(const Wind<D>& wind, const MotionOptions& options)
        : wind_(wind),
          clearance_(options.clearance),
          straight_(options.straight * wind.grid.dx),
          seen_(options.visible ? wind.obstacles : nullptr),
          flow_(wind.grid, wind.velocity, seen_, Moment::beginning) {}

    /// The next points are in this brick.
    void enter(std::ptrdiff_t slot, std::size_t count) { flow_.enter(slot, count); }

    /// Moves x [m] over the step.
    Fate move(Vec<D>& x) {
        const Vec<D> start = x;
        const Clearance around = solid_clearance(wind_.grid, wind_.obstacles, start);
        x = downstream(start, around);
        if (beyond_open_side(x)) return Fate::gone;
        hold_inside(x);
        if (wind_.obstacles == nullptr) return Fate::stays;
        const double gap = clearance_ * wind_.grid.dx;
        if (around.least > (x - start).norm() + gap) return Fate::stays;
        for (int round = 0; round < rounds; ++round) {
            if (!wind_.obstacles->carry(start, x, gap)) return Fate::squeezed;
            // A solid may have pushed it out of the domain.
            if (beyond_open_side(x)) return Fate::gone;
            const Vec<D> free = x;
            hold_inside(x);
            if (x == free) return Fate::stays;
        }
        return Fate::squeezed;
    }

  private:
    [[nodiscard]] Vec<D> downstream(const Vec<D>& x, const Clearance& around) {
        const double dt = wind_.dt;
        const Vec<D> k1 = flow_.read(x, seen_ != nullptr ? around : Clearance{});
        if (dt * k1.norm() <= straight_) return x + dt * k1;
        // The first stands for the slope at a place that solids hide from x.
        const auto slope = [&](const Vec<D>& stage) {
            Vec<D> solid;
            if (seen_ != nullptr && around.least <= (stage - x).norm() && seen_->hides(x, stage, solid)) return k1;
            return flow_.read(stage);
        };
        const Vec<D> k2 = slope(x + 0.5 * dt * k1);
        const Vec<D> k3 = slope(x + 0.75 * dt * k2);
        return x + dt * ((2. / 9) * k1 + (1. / 3) * k2 + (4. / 9) * k3);
    }
    [[nodiscard]] bool beyond_open_side(const Vec<D>& world) const {
        const Vec<D> x = wind_.grid.to_cells(world);
        for (int a = 0; a < D; ++a)
            if ((x[a] < 0 && wind_.sides.is_open(a, 0)) || (x[a] > wind_.grid.cells[a] && wind_.sides.is_open(a, 1)))
                return true;
        return false;
    }
    /// Closed sides are kept clear of, and at open ones nothing changes.
    void hold_inside(Vec<D>& world) const {
        for (int a = 0; a < D; ++a) {
            const double gap = clearance_ * wind_.grid.dx;
            const double low = wind_.grid.origin[a] + (wind_.sides.is_open(a, 0) ? 0 : gap);
            const double high = wind_.grid.upper()[a] - (wind_.sides.is_open(a, 1) ? 0 : gap);
            world[a] = world[a] > low ? std::min(world[a], high) : low;  // also for what is not a number
        }
    }

    const Wind<D>& wind_;
    double clearance_, straight_;
    const Obstacles<D>* seen_;  ///< by velocities; null: none
    VisibleVelocity<D> flow_;
};

}  // namespace

template <int D>
std::vector<Fate> move_points(const Wind<D>& wind, const MotionOptions& options, std::vector<Vec<D>>& points) {
    std::vector<Fate> fates(points.size());
    const auto n = static_cast<std::ptrdiff_t>(points.size());
    for_each_particle_block("move particles", n, [&](std::size_t, std::size_t first, std::size_t end) {
        Mover<D> mover(wind, options);
        for_each_run_of_brick<D>(
            wind.grid, wind.velocity.set(), points, {first, end},
            [&](std::ptrdiff_t slot, std::size_t count) { mover.enter(slot, count); },
            [&](std::size_t p) { fates[p] = mover.move(points[p]); });
    });
    return fates;
}

template <int D>
MotionReport move_particles(const Wind<D>& wind, const MotionOptions& options, Particles<D>& particles) {
    const auto fates = move_points<D>(wind, options, particles.position);
    std::vector<char> removed(fates.size());
    std::transform(fates.begin(), fates.end(), removed.begin(), [](Fate f) { return f != Fate::stays; });
    remove_particles(particles, removed);
    return {std::count(fates.begin(), fates.end(), Fate::gone), std::count(fates.begin(), fates.end(), Fate::squeezed)};
}

template std::vector<Fate> move_points<2>(const Wind<2>&, const MotionOptions&, std::vector<Vec2>&);
template std::vector<Fate> move_points<3>(const Wind<3>&, const MotionOptions&, std::vector<Vec3>&);
template MotionReport move_particles<2>(const Wind<2>&, const MotionOptions&, Particles<2>&);
template MotionReport move_particles<3>(const Wind<3>&, const MotionOptions&, Particles<3>&);

}  // namespace tidelock
