#include "couple/solid_surfaces.h"

namespace tidelock {

template <int D>
RigidSurfaces<D>::RigidSurfaces(const std::vector<RigidBody<D>>& bodies, std::vector<Pose<D>> before,
                                std::vector<Twist<D>> twists)
    : bodies_(bodies), before_(std::move(before)), twists_(std::move(twists)) {
    after_.reserve(bodies.size());
    for (const auto& body : bodies) {
        const Pose<D> pose = body.pose(), &start = before_[after_.size()];
        rests_.push_back(pose.position == start.position && pose.matrix == start.matrix);
        after_.push_back(pose);
    }
}

template <int D>
RigidSurfaces<D>::RigidSurfaces(const std::vector<RigidBody<D>>& bodies) : bodies_(bodies), rests_(bodies.size(), 1) {
    for (const auto& body : bodies) after_.push_back(body.pose()), twists_.push_back(body.twist());
    before_ = after_;
}

template <int D>
RigidSurfaces<D>::RigidSurfaces(const std::vector<RigidBody<D>>& bodies, std::vector<Pose<D>> before,
                                std::vector<Twist<D>> twists, std::shared_ptr<const ContactFilms<D>> films)
    : RigidSurfaces(bodies, std::move(before), std::move(twists)) {
    if (films != nullptr && films->any()) films_ = std::move(films);
}

template <int D>
Bounds<D> RigidSurfaces<D>::bounds(std::size_t part) const {
    Bounds<D> box;
    for (const Vec<D>& x : bodies_[part].samples->points()) box.include(after_[part].to_world(x));
    return box;
}

template <int D>
void RigidSurfaces<D>::distances(std::size_t part, std::span<const Vec<D>> x, std::span<double> out) const {
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = distance_in(part, Moment::end, after_[part].to_body(x[i]));
}

template <int D>
Vec<D> RigidSurfaces<D>::pushed_out(std::size_t part, const Vec<D>& x, double way) const {
    const Vec<D> place = after_[part].to_body(x);
    return after_[part].to_world(place + way * bodies_[part].normal(place));
}

template <int D>
Clearance RigidSurfaces<D>::clearance(std::size_t part, const Vec<D>& x) const {
    const double end = bound(part, Moment::end, x);
    if (rests_[part] != 0) return {end, {end, end}};
    const double beginning = bound(part, Moment::beginning, x);
    // In between, the solid can have been nearer by as far as it moves here.
    const double sway = (before_[part].to_world(after_[part].to_body(x)) - x).norm();
    return {std::min(beginning, end) - sway, {beginning, end}};
}

template <int D>
std::optional<double> RigidSurfaces<D>::hit(std::size_t part, Moment moment, const Vec<D>& x, const Vec<D>& y,
                                            double touch) const {
    const Pose<D>& frame = pose(part, moment);
    const auto distance = [&](const Vec<D>& z) { return distance_in(part, moment, z); };
    return first_contact<D>(distance, frame.to_body(x), frame.to_body(y), touch);
}

template <int D>
std::optional<double> RigidSurfaces<D>::hit_in_sight(std::size_t part, Moment moment, const Vec<D>& x, const Vec<D>& y,
                                                     double touch) const {
    const double length = (y - x).norm(), room = bound(part, moment, x);
    if (room > length) return std::nullopt;
    const Pose<D>& frame = pose(part, moment);
    const Vec<D> from = frame.to_body(x), to = frame.to_body(y);
    const auto distance = [&](const Vec<D>& z) { return distance_in(part, moment, z); };
    if (look_along<D>(distance, {from, to, room, distance(to)}, touch, steepest_distance) == Sight::clear)
        return std::nullopt;
    return first_contact<D>(distance, from, to, touch);
}

template <int D>
bool RigidSurfaces<D>::hides(std::size_t part, Moment moment, const SightLine<D>& line, double touch) const {
    const Pose<D>& frame = pose(part, moment);
    const SightLine<D> own{frame.to_body(line.from), frame.to_body(line.to), line.room_from, line.room_to};
    const auto distance = [&](const Vec<D>& z) { return distance_in(part, moment, z); };
    const Sight sight = look_along<D>(distance, own, touch, steepest_distance);
    if (sight != Sight::unsure) return sight == Sight::blocked;
    return first_contact<D>(distance, own.from, own.to, touch).has_value();
}

template <int D>
bool RigidSurfaces<D>::stands_as(const SolidSurfaces<D>& other) const {
    const auto* same = dynamic_cast<const RigidSurfaces*>(&other);
    if (same == nullptr || &same->bodies_ != &bodies_ || same->parts() != parts()) return false;
    if ((same->films_ == nullptr) != (films_ == nullptr)) return false;
    for (std::size_t n = 0; n < parts(); ++n)
        if (rests_[n] == 0 || same->rests_[n] == 0 || after_[n].position != same->after_[n].position ||
            after_[n].matrix != same->after_[n].matrix)
            return false;
    return true;
}

template <int D>
double RigidSurfaces<D>::steepness(std::size_t part) const {
    // How far a body moves at a point differs from there to the next by as much as its turn makes of the way.
    const double turn = rests_[part] != 0 ? 0 : (before_[part].matrix - after_[part].matrix).norm();
    return steepest_distance + turn;
}

template <int D>
bool RigidSurfaces<D>::in_film(std::size_t part, Moment moment, const Vec<D>& x) const {
    if (!trimmed(part)) return false;
    const Vec<D> y = pose(part, moment).to_body(x);
    return distance_in(part, moment, y) != bodies_[part].distance(y);
}

template <int D>
bool RigidSurfaces<D>::clear_way(std::size_t part, const Vec<D>& x, const Vec<D>& y, double touch) const {
    return !hit(part, Moment::end, x, y, touch) || !hit(part, Moment::beginning, x, y, touch);
}

template <int D>
Clip RigidSurfaces<D>::clip(std::size_t part, const Vec<D>& arrival, Vec<D>& departure, double touch) const {
    // The way as the solid sees it: its own motion counts.
    const Vec<D> to = after_[part].to_body(arrival), from = before_[part].to_body(departure);
    if (bound(part, Moment::end, arrival) > (to - from).norm() + touch) return Clip::clear;
    const auto distance = [&](const Vec<D>& y) { return distance_in(part, Moment::end, y); };
    const double room = distance(to);
    if (room <= 0) return Clip::inside;
    if (look_along<D>(distance, {to, from, room, distance(from)}, touch, steepest_distance) == Sight::clear)
        return Clip::clear;
    if (in_film(part, Moment::end, arrival) && this->distance(part, Moment::beginning, departure) > touch &&
        clear_way(part, arrival, departure, 0.5 * touch))
        return Clip::clear;
    const auto contact = find_contact<D>(distance, to, from, touch);
    if (!contact) return Clip::clear;
    // Farther from the solid than `touch`: the next round does not meet it again, and it does not hide the samples
    // around.
    departure = before_[part].to_world(to + contact->free * (from - to));
    return Clip::clipped;
}

template <int D>
bool RigidSurfaces<D>::hold_off(std::size_t part, const Vec<D>& departure, Vec<D>& arrival, const HoldOff& how) const {
    const Vec<D> from = before_[part].to_body(departure);
    Vec<D> to = after_[part].to_body(arrival);
    if (bound(part, Moment::end, arrival) > (to - from).norm() + how.gap) return false;
    if (in_film(part, Moment::end, arrival) && distance(part, Moment::end, arrival) >= how.gap &&
        distance(part, Moment::beginning, departure) > 0 && clear_way(part, arrival, departure, 0.5 * how.gap))
        return false;
    if (!hold_off_in_frame(part, from, to, how)) return false;
    arrival = after_[part].to_world(to);
    return true;
}

template <int D>
bool RigidSurfaces<D>::hold_off_in_frame(std::size_t part, const Vec<D>& from, Vec<D>& to, const HoldOff& how) const {
    const RigidBody<D>& body = bodies_[part];
    const auto distance = [&](const Vec<D>& y) { return distance_in(part, Moment::end, y); };
    const auto pushed = [&](const Vec<D>& y) {
        const double d = distance(y);
        return d < how.gap ? Vec<D>(y + (how.gap - d) * body.normal(y)) : y;
    };
    const double room = distance(from), room_there = distance(to);
    if (room <= 0) {  // only by rounding: a particle is outside when a step begins
        to = pushed(from);
        return true;
    }
    // Less than what it has now, so that what lies near a solid is not stuck there.
    const double touch = 0.5 * std::min(how.gap, room);
    const Sight sight = look_along<D>(distance, {from, to, room, room_there}, touch, steepest_distance);
    const auto contact = sight == Sight::clear ? std::nullopt : find_contact<D>(distance, from, to, touch);
    if (!contact) {
        if (!how.slide || room_there >= (1 - 1e-6) * how.gap) return false;
        to = pushed(to);
        return true;
    }
    Vec<D> stop = from + contact->free * (to - from);
    if (how.slide) {
        const Vec<D> normal = body.normal(stop);
        Vec<D> rest = to - stop;
        rest -= std::min(0.0, normal.dot(rest)) * normal;
        const auto next = find_contact<D>(distance, stop, Vec<D>(stop + rest), touch);
        stop = pushed(stop + (next ? next->free : 1.0) * rest);
    }
    to = stop;
    return true;
}

template class RigidSurfaces<2>;
template class RigidSurfaces<3>;

}  // namespace tidelock
