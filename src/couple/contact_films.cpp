#include "couple/contact_films.h"

#include <algorithm>

#include "solid/near_pairs.h"

namespace tidelock {

namespace {

/// So that the centre of a cell is open between a body and a side, and between two bodies.
constexpr double side_film_cells = 0.51, film_cells = 1.01;
constexpr double least_step_cells = 0.05;  ///< of a way through a body: what its length is known to

template <int D>
bool near_closed_side(const RigidBody<D>& body, const Grid<D>& grid, const Sides<D>& sides, double film) {
    if (!body.dynamic() || body.samples == nullptr) return false;
    const Pose<D> pose = body.pose();
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            const double sign = side == 0 ? 1 : -1, at = side == 0 ? grid.origin[a] : grid.upper()[a];
            if (sides.is_open(a, side) || sign * (body.position[a] - at) > body.radius + film) continue;
            for (const Vec<D>& x : body.samples->points())
                if (sign * (pose.to_world(x)[a] - at) < film) return true;
        }
    return false;
}

/// Whether a film of this thickness leaves more than half of a body wherever it lies.
template <int D>
bool is_thick(const RigidBody<D>& body, double film) {
    return body.shape->convex() && !(body.shell_thickness > 0) && body.distance(Vec<D>::Zero()) < -film;
}

/// Whether another solid comes so near to what holds a body.
template <int D>
bool within(const RigidBody<D>& body, const RigidBody<D>& other, double film) {
    return other.distance(other.pose().to_body(body.position)) < body.radius + film;
}

}  // namespace

template <int D>
ContactFilms<D>::ContactFilms(const std::vector<RigidBody<D>>& bodies, const Grid<D>& grid, const Sides<D>& sides,
                              const std::vector<std::pair<int, int>>& joined)
    : bodies_(bodies), grid_(grid), sides_(sides), beside_(bodies.size()) {
    const double film = film_cells * grid.dx;
    for (const auto& body : bodies) at_sides_.push_back(near_closed_side<D>(body, grid, sides, film) ? 1 : 0);
    for (const auto& pair : near_pairs<D>(bodies, std::vector<double>(bodies.size(), film))) {
        if (std::binary_search(joined.begin(), joined.end(), pair)) continue;
        const auto i = static_cast<std::size_t>(pair.first), j = static_cast<std::size_t>(pair.second);
        if (!within<D>(bodies[i], bodies[j], film) || !within<D>(bodies[j], bodies[i], film)) continue;
        if (bodies[i].dynamic()) beside_[i].push_back(j);
        if (bodies[j].dynamic()) beside_[j].push_back(i);
    }
}

template <int D>
bool ContactFilms<D>::any() const {
    for (std::size_t i = 0; i < beside_.size(); ++i)
        if (any(i)) return true;
    return false;
}

template <int D>
double ContactFilms<D>::opened(const std::vector<Pose<D>>& poses, std::size_t body, const Vec<D>& x, double d) const {
    const double film = film_cells * grid_.dx, side_film = side_film_cells * grid_.dx;
    if (d >= film || d < -4 * grid_.dx) return d;  // far enough, or none reaches here
    const bool whole = is_thick<D>(bodies_[body], film);
    double open = d;
    for (const std::size_t other : beside_[body]) {
        if ((x - poses[other].position).norm() - bodies_[other].radius > film) continue;
        const Vec<D> place = poses[other].to_body(x);
        const double room = bodies_[other].distance(place);
        const double wanted = bodies_[other].dynamic() ? 0.5 * (film - room + d) : film - room;
        if (wanted > open)
            open = std::max(
                open, within_half(poses[body], body, x, poses[other].matrix * bodies_[other].normal(place), d, wanted));
    }
    for (int a = 0; a < D && at_sides_[body] != 0; ++a)
        for (int side = 0; side < 2; ++side) {
            if (sides_.is_open(a, side)) continue;
            const double sign = side == 0 ? 1 : -1;
            const double wanted = side_film - sign * (x[a] - (side == 0 ? grid_.origin[a] : grid_.upper()[a]));
            if (wanted > open)
                open = whole ? wanted
                             : std::max(open, within_half(poses[body], body, x, sign * Vec<D>::Unit(a), d, wanted));
        }
    return open;
}

template <int D>
double ContactFilms<D>::within_half(const Pose<D>& pose, std::size_t body, const Vec<D>& x, const Vec<D>& n, double d,
                                    double wanted) const {
    const double step = least_step_cells * grid_.dx;
    const Vec<D> from = pose.to_body(x), along = pose.matrix.transpose() * n;
    const auto room = [&](double s) { return bodies_[body].distance(from + s * along); };
    const double most = 2 * wanted + film_cells * grid_.dx;
    double entry = 0, exit = 0;
    if (d > 0) {
        double at = d;
        while (at > 0 && entry < most) entry += std::max(step, at), at = room(entry);
        if (at > 0) return wanted;  // beside the body
        exit = entry;
    } else {
        double at = d;
        while (at <= 0 && -entry < most) entry -= std::max(step, -at), at = room(entry);
    }
    double at = -step;
    while (at <= 0 && exit + entry < 2 * wanted) exit += std::max(step, -at), at = room(exit);
    return std::max(d, std::min(wanted, 0.5 * (entry + exit)));
}

template class ContactFilms<2>;
template class ContactFilms<3>;

}  // namespace tidelock
