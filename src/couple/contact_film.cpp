#include "couple/contact_film.h"

#include <algorithm>
#include <cmath>

#include "geometry/trace.h"
#include "solid/near_pairs.h"

namespace tidelock {

namespace {

/// Thickness of the film at a wall, and between two bodies for each unit of |n|_1, n the film's normal: cells whose
/// centres lie in a layer of thickness |n|_1 h hang together by faces, in a thinner one they are pockets; a quarter is
/// to spare for corners.
constexpr double wall_film_cells = 0.51, film_cells = 1.25;
constexpr double behind_cells = 0.8;   ///< behind its film a solid must be found
constexpr double beside_cells = 0.25;  ///< no farther than this

}  // namespace

template <int D>
Film<D> find_film(const std::vector<RigidBody<D>>& bodies, double dx, const std::vector<std::pair<int, int>>& joined) {
    Film<D> film;
    film.beside.resize(bodies.size());
    for (const auto& body : bodies) film.walls.push_back(body.dynamic() ? 1 : 0);
    for (const auto& pair : near_pairs<D>(bodies, std::vector<double>(bodies.size(), film_cells * dx))) {
        if (std::binary_search(joined.begin(), joined.end(), pair)) continue;
        const auto i = static_cast<std::size_t>(pair.first), j = static_cast<std::size_t>(pair.second);
        film.beside[i].push_back(j);
        film.beside[j].push_back(i);
    }
    return film;
}

template <int D>
FilmedSurfaces<D>::FilmedSurfaces(const SolidSurfaces<D>& solids, const Grid<D>& grid, const Sides<D>& sides,
                                  Film<D> film)
    : solids_(solids), grid_(grid), sides_(sides), film_(std::move(film)) {}

template <int D>
double FilmedSurfaces<D>::opened(std::size_t part, const Vec<D>& x, double d, double missing, const Vec<D>& n) const {
    if (missing <= d) return d;
    const double way = missing + behind_cells * grid_.dx;
    // Beside a solid too: its surface must not come nearer to the film's end than the film's own.
    return solids_.distance(part, Moment::end, x + way * n) < beside_cells * grid_.dx ? missing : d;
}

template <int D>
double FilmedSurfaces<D>::with_film(std::size_t part, const Vec<D>& x, double d) const {
    const double film = film_cells * grid_.dx, most = film * std::sqrt(double{D});
    const double wall_film = wall_film_cells * grid_.dx;
    if (d >= most || d < -4 * grid_.dx) return d;  // film enough, or none that could reach here
    double open = d;
    for (const std::size_t other : film_.beside[part]) {
        const double room = solids_.distance(other, Moment::end, x);
        if (0.5 * (most - room + d) <= open) continue;
        const Vec<D> n = solids_.pushed_out(other, x, 1) - x;
        const double missing = 0.5 * (film * n.cwiseAbs().sum() - room + d);  // each gives half of it
        if (missing > open) open = std::max(open, opened(part, x, d, missing, n));
    }
    for (int a = 0; a < D && film_.walls[part] != 0; ++a)
        for (int side = 0; side < 2; ++side) {
            if (sides_.is_open(a, side)) continue;
            const double sign = side == 0 ? 1 : -1;
            const double room = sign * (x[a] - (side == 0 ? grid_.origin[a] : grid_.upper()[a]));
            if (wall_film - room > open)
                open = std::max(open, opened(part, x, d, wall_film - room, sign * Vec<D>::Unit(a)));
        }
    return open;
}

template <int D>
void FilmedSurfaces<D>::distances(std::size_t part, std::span<const Vec<D>> x, std::span<double> out) const {
    solids_.distances(part, x, out);
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = with_film(part, x[i], out[i]);
}

template <int D>
Bounds<D> FilmedSurfaces<D>::bounds(std::size_t part) const {
    Bounds<D> box = solids_.bounds(part);
    if (film_.walls[part] == 0) return box;
    const double film = wall_film_cells * grid_.dx;
    for (int a = 0; a < D; ++a) {
        const double low = grid_.origin[a], high = grid_.upper()[a];
        if (!sides_.is_open(a, 0) && box.low[a] >= low) box.low[a] = std::max(box.low[a], low + film);
        if (!sides_.is_open(a, 1) && box.high[a] <= high) box.high[a] = std::min(box.high[a], high - film);
    }
    return box;
}

template <int D>
std::optional<double> FilmedSurfaces<D>::hit(std::size_t part, Moment moment, const Vec<D>& x, const Vec<D>& y,
                                             double touch) const {
    const auto whole = solids_.hit(part, moment, x, y, touch);
    if (!whole) return whole;
    return first_contact<D>([&](const Vec<D>& z) { return distance(part, moment, z); }, x, y, touch);
}

#define TIDELOCK_INSTANTIATE(D)                                                                                    \
    template Film<D> find_film(const std::vector<RigidBody<D>>&, double, const std::vector<std::pair<int, int>>&); \
    template class FilmedSurfaces<D>;
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
