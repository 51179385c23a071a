/// The solids of a step as the grid, transport and surfaces see them: parts with a surface each, where they were at the
/// beginning of the step and where they are at its end. What a part is made of is its own business.
///
/// All members are const and may be called from any thread. Positions are in world coordinates [m].
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "couple/contact_films.h"
#include "fluid/obstacles.h"
#include "geometry/bounds.h"
#include "geometry/trace.h"
#include "grid/activation.h"
#include "solid/rigid_body.h"

namespace tidelock {

/// What holds a part: nothing of it lies farther from the centre.
template <int D>
struct Ball {
    Vec<D> centre = Vec<D>::Zero();  ///< what moments are taken about: the centre of mass
    double radius = 0;               ///< may be infinite
};

/// What clip() found.
enum class Clip { clear, clipped, inside };

/// How a particle is held off a part.
struct HoldOff {
    double gap;  ///< between the particle and the surface [m]
    bool slide;  ///< it goes on along the surface
};

template <int D>
class SolidSurfaces {
  public:
    virtual ~SolidSurfaces() = default;

    [[nodiscard]] virtual std::size_t parts() const = 0;
    [[nodiscard]] virtual Ball<D> ball(std::size_t part, Moment moment) const = 0;
    /// What a part displaces [m^D]; 0: it is thin, or without bounds.
    [[nodiscard]] virtual double volume(std::size_t part) const = 0;
    /// Whether its surface may hold less than that, as some of it counts as fluid.
    [[nodiscard]] virtual bool trimmed(std::size_t part) const = 0;
    /// A box around the surface of a part with a volume, at the end of the step.
    [[nodiscard]] virtual Bounds<D> bounds(std::size_t part) const = 0;

    /// Signed distance, negative inside [m].
    [[nodiscard]] virtual double distance(std::size_t part, Moment moment, const Vec<D>& x) const = 0;
    /// A lower bound of it; far away the ball around the part will do.
    [[nodiscard]] virtual double bound(std::size_t part, Moment moment, const Vec<D>& x) const = 0;
    /// Distances of many points at the end of the step.
    virtual void distances(std::size_t part, std::span<const Vec<D>> x, std::span<double> out) const = 0;
    /// Outward normal of the surface nearest to x.
    [[nodiscard]] virtual Vec<D> normal(std::size_t part, Moment moment, const Vec<D>& x) const = 0;
    /// The point that lies `way` [m] from x along the surface's outward normal there, at the end of the step.
    [[nodiscard]] virtual Vec<D> pushed_out(std::size_t part, const Vec<D>& x, double way) const = 0;
    /// Lower bounds of the distance in the step.
    [[nodiscard]] virtual Clearance clearance(std::size_t part, const Vec<D>& x) const = 0;
    [[nodiscard]] virtual Vec<D> velocity(std::size_t part, Moment moment, const Vec<D>& x) const = 0;

    /// Where a part first stands on the straight way from x to y, the part of the way, or nothing. What is nearer than
    /// `touch` [m] counts as standing on it.
    [[nodiscard]] virtual std::optional<double> hit(std::size_t part, Moment moment, const Vec<D>& x, const Vec<D>& y,
                                                    double touch) const = 0;
    /// The same, quick where the way is clear: a part that ends about as near to y as `touch` may be missed.
    [[nodiscard]] virtual std::optional<double> hit_in_sight(std::size_t part, Moment moment, const Vec<D>& x,
                                                             const Vec<D>& y, double touch) const = 0;
    /// Whether hit_in_sight() finds anything, from lower bounds of the distance at the ends of the way.
    [[nodiscard]] virtual bool hides(std::size_t part, Moment moment, const SightLine<D>& line, double touch) const = 0;
    /// Whether all parts are where those of the other are, at both ends of a step in which nothing moves.
    [[nodiscard]] virtual bool stands_as(const SolidSurfaces& other) const = 0;
    /// By how much a clearance may fall along a way, at most, as a share of the way's length.
    [[nodiscard]] virtual double steepness(std::size_t part) const = 0;
    /// Obstacles::clip() for one part.
    virtual Clip clip(std::size_t part, const Vec<D>& arrival, Vec<D>& departure, double touch) const = 0;
    /// Obstacles::carry() for one part: true if `arrival` was moved.
    virtual bool hold_off(std::size_t part, const Vec<D>& departure, Vec<D>& arrival, const HoldOff& how) const = 0;
};

/// Rigid bodies, which move from one pose to the next: ways are followed in their own frames, where they rest.
template <int D>
class RigidSurfaces final : public SolidSurfaces<D> {
  public:
    /// `bodies` at the end of the step (kept by reference), `before` their poses at its beginning and `twists` their
    /// motion in between.
    RigidSurfaces(const std::vector<RigidBody<D>>& bodies, std::vector<Pose<D>> before, std::vector<Twist<D>> twists);
    /// A step in which they stay where they are, whatever their velocities.
    explicit RigidSurfaces(const std::vector<RigidBody<D>>& bodies);
    /// With films where they touch.
    RigidSurfaces(const std::vector<RigidBody<D>>& bodies, std::vector<Pose<D>> before, std::vector<Twist<D>> twists,
                  std::shared_ptr<const ContactFilms<D>> films);

    [[nodiscard]] std::size_t parts() const override { return after_.size(); }
    [[nodiscard]] Ball<D> ball(std::size_t part, Moment moment) const override {
        return {pose(part, moment).position, bodies_[part].radius};
    }
    [[nodiscard]] double volume(std::size_t part) const override { return bodies_[part].volume; }
    [[nodiscard]] bool trimmed(std::size_t part) const override { return films_ != nullptr && films_->any(part); }
    [[nodiscard]] Bounds<D> bounds(std::size_t part) const override;
    [[nodiscard]] double distance(std::size_t part, Moment moment, const Vec<D>& x) const override {
        return distance_in(part, moment, pose(part, moment).to_body(x));
    }
    [[nodiscard]] double bound(std::size_t part, Moment moment, const Vec<D>& x) const override {
        const Pose<D>& frame = pose(part, moment);
        const double radius = bodies_[part].radius, room = (x - frame.position).norm() - radius;
        return room > radius ? room : distance_in(part, moment, frame.to_body(x));
    }
    void distances(std::size_t part, std::span<const Vec<D>> x, std::span<double> out) const override;
    [[nodiscard]] Vec<D> normal(std::size_t part, Moment moment, const Vec<D>& x) const override {
        const Pose<D>& frame = pose(part, moment);
        return frame.matrix * bodies_[part].normal(frame.to_body(x));
    }
    [[nodiscard]] Vec<D> pushed_out(std::size_t part, const Vec<D>& x, double way) const override;
    [[nodiscard]] Clearance clearance(std::size_t part, const Vec<D>& x) const override;
    [[nodiscard]] Vec<D> velocity(std::size_t part, Moment moment, const Vec<D>& x) const override {
        return velocity_at<D>(twists_[part], x - pose(part, moment).position);
    }
    [[nodiscard]] std::optional<double> hit(std::size_t part, Moment moment, const Vec<D>& x, const Vec<D>& y,
                                            double touch) const override;
    [[nodiscard]] std::optional<double> hit_in_sight(std::size_t part, Moment moment, const Vec<D>& x, const Vec<D>& y,
                                                     double touch) const override;
    [[nodiscard]] bool hides(std::size_t part, Moment moment, const SightLine<D>& line, double touch) const override;
    [[nodiscard]] double steepness(std::size_t part) const override;
    [[nodiscard]] bool stands_as(const SolidSurfaces<D>& other) const override;
    Clip clip(std::size_t part, const Vec<D>& arrival, Vec<D>& departure, double touch) const override;
    bool hold_off(std::size_t part, const Vec<D>& departure, Vec<D>& arrival, const HoldOff& how) const override;

  private:
    /// hold_off() in the frame of the body. True if `to` was moved.
    bool hold_off_in_frame(std::size_t part, const Vec<D>& from, Vec<D>& to, const HoldOff& how) const;
    /// Whether a film has moved the surface as x sees it.
    [[nodiscard]] bool in_film(std::size_t part, Moment moment, const Vec<D>& x) const;
    /// Whether the part leaves the way between x and y clear at one end of the step. Films do not move with the part, so
    /// that ways in them are not followed in its frame.
    [[nodiscard]] bool clear_way(std::size_t part, const Vec<D>& x, const Vec<D>& y, double touch) const;
    /// The distance at y in the frame of the part.
    [[nodiscard]] double distance_in(std::size_t part, Moment moment, const Vec<D>& y) const {
        const double d = bodies_[part].distance(y);
        if (films_ == nullptr || !films_->any(part)) return d;
        return films_->opened(moment == Moment::beginning ? before_ : after_, part, pose(part, moment).to_world(y), d);
    }
    [[nodiscard]] const Pose<D>& pose(std::size_t part, Moment moment) const {
        return moment == Moment::beginning ? before_[part] : after_[part];
    }

    const std::vector<RigidBody<D>>& bodies_;
    std::vector<Pose<D>> before_, after_;
    std::vector<char> rests_;  ///< per body: its pose does not change
    std::vector<Twist<D>> twists_;
    std::shared_ptr<const ContactFilms<D>> films_;  ///< may be null
};

/// The bodies where they are now: a step in which they do not move.
template <int D>
std::shared_ptr<const SolidSurfaces<D>> standing_surfaces(const std::vector<RigidBody<D>>& bodies) {
    return std::make_shared<const RigidSurfaces<D>>(bodies);
}

/// Signed distance to the nearest part at the end of the step [m], infinite without parts; `surfaces` must outlive it.
template <int D>
DistanceFunction<D> distance_to_solids(const SolidSurfaces<D>& surfaces) {
    return [&surfaces](const Vec<D>& x) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t n = 0; n < surfaces.parts(); ++n)
            least = std::min(least, surfaces.distance(n, Moment::end, x));
        return least;
    };
}

}  // namespace tidelock
