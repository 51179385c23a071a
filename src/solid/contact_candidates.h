/// Where the surface of one body is near another solid: what find_contacts() and find_passages() choose from.
///
/// Analytic shapes   by their cores, exactly (core_spots.h). A target that is not convex may be near in several places,
///                   while its distance tells of the nearest only: there points all over the surface look as well, and
///                   the lowest of them slide down the target's distance along the surface. On a round shape such a
///                   place is then moved to where the core is right behind it, so that a ball is pushed through its
///                   centre.
/// Meshes            by their own vertices, and in space by where their edges are lowest between them.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "solid/contact_target.h"
#include "solid/core_spots.h"
#include "solid/manifold.h"

namespace tidelock {

/// Slides a point of a surface down the distance of the target, by projected gradient steps with Barzilai-Borwein
/// lengths, at most two spacings far.
template <int D, class Target>
Vec<D> slide_down(const RigidBody<D>& body, const SeenTarget<D, Target>& target, const Vec<D>& start, double spacing) {
    constexpr int steps = 12, halvings = 4;
    const auto& shape = *body.shape;
    const auto onto_surface = [&](const Vec<D>& x) {
        const Vec<D> y = x + body.shape_offset;
        return Vec<D>(x - shape.distance(y) * shape.gradient(y));
    };
    const auto downhill = [&](const Vec<D>& x) {
        const Vec<D> n = shape.gradient(x + body.shape_offset), g = target.normal(x);
        return Vec<D>(-(g - g.dot(n) * n));
    };
    Vec<D> x = start, t = downhill(x);
    double value = target.distance(x), length = spacing;
    for (int i = 0; i < steps && t.norm() > 1e-10; ++i) {
        double step = std::min(length, spacing / t.norm());
        std::optional<Vec<D>> next;
        for (int k = 0; k < halvings && !next; ++k, step *= 0.25) {
            const Vec<D> y = onto_surface(x + step * t);
            const double there = target.distance(y);
            if (there < value) next = y, value = there;
        }
        if (!next || (*next - start).norm() > 2 * spacing) break;
        const Vec<D> moved = *next - x, before = t;
        x = *next;
        t = downhill(x);
        const double bend = moved.dot(before - t);
        length = bend > 0 ? moved.squaredNorm() / bend : 4 * length;
    }
    return x;
}

/// One body's search in one target.
template <int D, class Target>
class CandidateSearch {
  public:
    /// `frame`: of the target. `within`: what is farther does not matter; `tie`: distances that count as equal [m].
    CandidateSearch(const RigidBody<D>& body, const Target& target, const Pose<D>& frame, const CoreReach& reach)
        : body_(body),
          target_(target),
          pose_(body.pose()),
          frame_(frame),
          transfer_(pose_, frame),
          seen_{target_, transfer_},
          reach_(reach),
          half_skin_(0.5 * body.shell_thickness) {}

    /// Appends what is found.
    void find(bool of_b, std::vector<ContactCandidate<D>>& out) {
        const std::size_t first = out.size();
        if (body_.cores.empty()) {
            search_samples([&](int i, double d, bool lowest) { look_around(i, d, lowest, out); });
        } else {
            search_cores(out);
            if (!target_.convex()) {
                const std::size_t exact = out.size();
                search_samples([&](int i, double d, bool lowest) { slide(i, d, lowest, first, exact, out); });
            }
        }
        for (std::size_t i = first; i < out.size(); ++i) {
            out[i].of_b = of_b;
            if (of_b) out[i].normal = -out[i].normal;
        }
    }
    /// The same for cores alone.
    void search_cores(std::vector<ContactCandidate<D>>& out) const {
        const Target exact = target_.exactly();
        const SeenTarget<D, Target> seen{exact, transfer_};
        for (std::size_t k = 0; k < body_.cores.size(); ++k) {
            Core<D> core = body_.cores[k];
            const bool round = core.radius > 0;
            core.radius += half_skin_;
            for (const auto& spot : core_spots<D>(core, seen, reach_)) {
                // Around what lies wholly inside of a shell its cores say nothing.
                if (half_skin_ > 0 && round && spot.distance < core.radius - 2 * half_skin_) continue;
                out.push_back(candidate(exact, spot.at, spot.distance, core.radius));
                out.back().sample = static_cast<int>(k) * places_of_core + spot.place;
                out.back().lowest = spot.lowest;
            }
        }
    }

  private:
    /// From a point of the body's frame, at this distance from the target, with the solid `radius` around it.
    [[nodiscard]] ContactCandidate<D> candidate(const Target& target, const Vec<D>& x, double distance,
                                                double radius) const {
        ContactCandidate<D> c;
        c.normal = frame_.matrix * target.normal(transfer_(x));
        c.distance = distance - radius;
        c.point = pose_.to_world(x) - (radius + 0.5 * c.distance) * c.normal;
        return c;
    }

    /// Calls visit(sample, distance, lowest among its neighbours) for all that may lead to something near.
    template <class Visit>
    void search_samples(const Visit& visit) {
        const auto& samples = *body_.samples;
        const auto& points = samples.points();
        // Each sample is asked for by all its neighbours.
        known_.assign(points.size(), std::numeric_limits<double>::quiet_NaN());
        // The bottom of a curved or edged surface lies between samples, up to a spacing lower than the lowest of them.
        const auto least = [&](const Vec<D>& centre, double radius, double spacing) {
            return seen_.distance(centre) - steepest_distance * radius - reach_.within - half_skin_ - spacing;
        };
        samples.search(least, [&](int i) {
            const double d = distance_of(i);
            if (d - half_skin_ >= reach_.within + samples.spacing(i)) return;
            const double rounding = 1e-12 * body_.radius;
            const auto around = samples.neighbours(i);
            visit(i, d,
                  std::all_of(around.begin(), around.end(), [&](int j) { return d <= distance_of(j) + rounding; }));
        });
    }
    double distance_of(int sample) {
        const auto k = static_cast<std::size_t>(sample);
        if (std::isnan(known_[k])) known_[k] = seen_.distance(body_.samples->points()[k]);
        return known_[k];
    }
    void take(const Vec<D>& x, double distance, int sample, bool lowest, std::vector<ContactCandidate<D>>& out) const {
        out.push_back(candidate(target_, x, distance, half_skin_));
        out.back().sample = sample;
        out.back().spacing = body_.samples->spacing(sample);
        out.back().lowest = lowest;
    }

    /// A vertex, and the edges that are lower between it and a higher one than at both.
    void look_around(int i, double d, bool lowest, std::vector<ContactCandidate<D>>& out) {
        const auto& points = body_.samples->points();
        const Vec<D> x = points[static_cast<std::size_t>(i)];
        if (d - half_skin_ < reach_.within) take(x, d, i, lowest, out);
        if constexpr (D == 3) {
            for (const int j : body_.samples->neighbours(i)) {
                if (const double other = distance_of(j); other < d || (other == d && j < i)) continue;
                const Vec3 way = points[static_cast<std::size_t>(j)] - x;
                const auto slope = [&](double s) { return seen_.normal(Vec3(x + s * way)).dot(way); };
                const double here = slope(0), there = here < 0 ? slope(1) : 0.0;
                if (!(here < -1e-12 && there > 1e-12)) continue;
                const Vec3 y = x + zero_between(slope, 0, here, 1, there) * way;
                if (const double low = seen_.distance(y); low - half_skin_ < reach_.within) take(y, low, i, true, out);
            }
        }
    }
    /// A sample of a shape that has cores, beside what these have found: candidates [first, exact).
    void slide(int i, double d, bool lowest, std::size_t first, std::size_t exact,
               std::vector<ContactCandidate<D>>& out) {
        constexpr double same_normal = 0.95;
        if (!lowest && d - half_skin_ >= reach_.within) return;
        const bool round = body_.shape->round();
        if (round && !lowest) return;
        Vec<D> x = body_.samples->points()[static_cast<std::size_t>(i)];
        if (lowest) x = slide_down<D>(body_, seen_, x, body_.samples->spacing(i));
        if (round) {  // behind the target's normal there, not behind the nearest one of the core's, which cores found
            const Vec<D> core = x - body_.cores[0].radius * body_.shape->gradient(x + body_.shape_offset);
            x = core - body_.cores[0].radius * seen_.normal(x);
        }
        const double there = seen_.distance(x);
        if (there - half_skin_ >= reach_.within) return;
        const ContactCandidate<D> c = candidate(target_, x, there, half_skin_);
        for (std::size_t k = first; k < exact; ++k)
            if (round && out[k].normal.dot(c.normal) > same_normal) return;
        take(x, there, i, lowest, out);
        out.back().sample += static_cast<int>(body_.cores.size()) * places_of_core;
    }

    const RigidBody<D>& body_;
    const Target target_;
    const Pose<D> pose_, frame_;
    const Transfer<D> transfer_;
    const SeenTarget<D, Target> seen_;
    const CoreReach reach_;
    const double half_skin_;
    std::vector<double> known_;
};

}  // namespace tidelock
