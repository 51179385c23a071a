#include <algorithm>
#include <optional>

#include "geometry/trace.h"
#include "solid/contact_candidates.h"
#include "solid/meetings.h"

namespace tidelock {

namespace {

constexpr double sunk_share = 1e-3;    ///< of the contact distance: what counts as equally near
constexpr double allowed_share = 0.1;  ///< of the contact distance: how much nearer than that bodies may come in a move
constexpr double short_way = 0.5;      ///< of the radius around a core: what moves less does not pass anything unseen

/// Where a body was and is.
template <int D>
struct Way {
    Pose<D> start, end;
};

/// Follows the surface of a body in the frame of a target that may move as well, and keeps what ends deepest of all
/// that comes nearer than allowed, or goes through.
template <int D, class Target>
class Follower {
  public:
    Follower(const RigidBody<D>& body, const Target& target, const Way<D>& own, const Way<D>& of_target,
             double touching)
        : body_(body),
          target_(target),
          own_(own),
          of_target_(of_target),
          at_start_(own.start, of_target.start),
          at_end_(own.end, of_target.end),
          touching_(touching),
          half_skin_(0.5 * body.shell_thickness) {}

    /// The contact at the beginning of the way.
    std::optional<Passage<D>> find(const Meeting& meeting, bool of_b) {
        if (!body_.cores.empty()) follow_cores();
        if (!moves_little()) follow_samples();
        if (!found_) return std::nullopt;
        ContactCandidate<D>& c = *found_;
        c.of_b = of_b;
        c.normal = of_target_.start.matrix * c.normal;
        c.point = of_target_.start.to_world(c.point) - (radius_ + 0.5 * c.distance) * c.normal;
        if (of_b) c.normal = -c.normal;
        return Passage<D>{contact_of<D>(c, meeting, touching_), through_};
    }

  private:
    [[nodiscard]] double allowed() const { return (1 - allowed_share) * touching_; }
    /// What is round and moves by less than its inside shows at the end of the way what it ran into.
    [[nodiscard]] bool moves_little() const {
        if (!body_.shape->round() || body_.shell_thickness > 0) return false;
        const Vec<D> way = at_end_.shift - at_start_.shift;
        return way.norm() + (at_end_.turn - at_start_.turn).norm() * body_.radius < short_way * body_.cores[0].radius;
    }

    /// A point of the body's frame, `radius` from its surface, that ends at `left` from the target, with the normal
    /// `n` there (frame of the target). `foot` is where it would touch.
    void keep(const Vec<D>& start, const Vec<D>& foot, const Vec<D>& n, double left, double at_foot) {
        found_.emplace();
        depth_ = left;
        found_->normal = n;
        found_->point = start;
        found_->distance = n.dot(start - foot) + at_foot;
    }

    void follow_cores() {
        const Target exact = target_.exactly();
        std::vector<ContactCandidate<D>> near;
        CandidateSearch<D, Target>(body_, target_, of_target_.end, {allowed(), sunk_share * touching_})
            .search_cores(near);
        for (const auto& c : near) {
            if (found_ && c.distance >= depth_) continue;
            const Core<D>& core = body_.cores[static_cast<std::size_t>(c.sample / places_of_core)];
            const double radius = core.radius + half_skin_;
            const Vec<D> x = own_.end.to_body(c.point + (radius + 0.5 * c.distance) * c.normal);
            const Vec<D> start = at_start_(x);
            const double begin = exact.distance(start) - radius;
            const bool passed = c.distance < std::min(begin, 0.0) - sunk_share * touching_;
            // What was as near before has not come nearer.
            if (c.distance >= begin - allowed_share * touching_ && !passed) continue;
            keep(start, at_end_(x), of_target_.end.matrix.transpose() * c.normal, c.distance, c.distance);
            found_->sample = c.sample;
            radius_ = radius;
            through_ = passed;
        }
    }

    void follow_samples() {
        const bool vertices = body_.cores.empty();  // others may come near, but not get through
        const double twist = (at_end_.turn - at_start_.turn).norm();
        const auto least = [&](const Vec<D>& centre, double radius, double) {
            const Vec<D> start = at_start_(centre), end = at_end_(centre);
            const double way = (end - start).norm() + twist * radius;
            return target_.distance(start) - steepest_distance * (radius + way) - allowed() - half_skin_;
        };
        const auto distance = [&](const Vec<D>& y) { return target_.distance(y) - half_skin_; };
        body_.samples->search(least, [&](int i) {
            const Vec<D>& sample = body_.samples->points()[static_cast<std::size_t>(i)];
            const Vec<D> start = at_start_(sample), end = at_end_(sample);
            const double way = (end - start).norm(), begin = distance(start), finish = distance(end);
            Vec<D> foot = end;
            double left = finish;
            bool passed = finish < std::min(begin, 0.0) - sunk_share * touching_;
            if (begin > 0 && begin < steepest_distance * way) {
                const double touch = std::min(0.01 * begin, allowed_share * touching_);
                if (const auto hit = find_contact<D>(distance, start, end, touch, steepest_distance)) {
                    foot = start + hit->free * (end - start);
                    left = std::min(left, -(1 - hit->at) * way);
                    passed = true;
                }
            }
            // What was as near before has not come nearer.
            if ((!vertices || left >= std::min(allowed(), begin - allowed_share * touching_)) && !passed) return;
            if (found_ && left >= depth_) return;
            keep(start, foot, target_.normal(foot), left, distance(foot));
            found_->sample = i + static_cast<int>(body_.cores.size()) * places_of_core;
            radius_ = half_skin_;
            through_ = passed;
        });
    }

    const RigidBody<D>& body_;
    const Target target_;
    const Way<D> own_, of_target_;
    const Transfer<D> at_start_, at_end_;
    const double touching_, half_skin_;
    std::optional<ContactCandidate<D>> found_;  ///< in the target's frame, at the beginning of the way
    double depth_ = 0, radius_ = 0;             ///< around the point that was followed
    bool through_ = false;
};

}  // namespace

template <int D>
std::vector<Passage<D>> find_passages(const std::vector<RigidBody<D>>& bodies, const std::vector<Placement<D>>& before,
                                      const WallBox<D>& walls, const ContactDistances& distances,
                                      const std::vector<std::pair<int, int>>& joined) {
    std::vector<double> reach(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        reach[i] = (bodies[i].position - before[i].position).norm() + std::max(distances.bodies, distances.walls);
    const auto way_of = [&](int i) {
        const auto& p = before[static_cast<std::size_t>(i)];
        return Way<D>{Pose<D>(p.position, p.rotation), bodies[static_cast<std::size_t>(i)].pose()};
    };
    return gather<Passage<D>>("follow bodies", meetings<D>(bodies, walls, reach, joined), [&](const Meeting& m) {
        const double touching = m.b >= 0 ? distances.bodies : distances.walls;
        std::vector<Passage<D>> out;
        const auto follow_one = [&](int i, const auto& target, const Way<D>& of_target) {
            const auto& body = bodies[static_cast<std::size_t>(i)];
            Follower<D, std::decay_t<decltype(target)>> follower(body, target, way_of(i), of_target, touching);
            if (auto passage = follower.find(m, i == m.b)) out.push_back(*passage);
        };
        if (m.b < 0) {
            follow_one(m.a, wall_target<D>(walls, m.b), {});
        } else {
            follow_one(m.a, BodyTarget<D>{bodies[static_cast<std::size_t>(m.b)]}, way_of(m.b));
            follow_one(m.b, BodyTarget<D>{bodies[static_cast<std::size_t>(m.a)]}, way_of(m.a));
        }
        return out;
    });
}

#define TIDELOCK_INSTANTIATE(D)                                                                                        \
    template std::vector<Passage<D>> find_passages(const std::vector<RigidBody<D>>&, const std::vector<Placement<D>>&, \
                                                   const WallBox<D>&, const ContactDistances&,                         \
                                                   const std::vector<std::pair<int, int>>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
