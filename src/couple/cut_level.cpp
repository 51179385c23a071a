#include "couple/cut_level.h"

#include <algorithm>
#include <cmath>

namespace tidelock {

namespace {

constexpr double off_surface = 0.02;  ///< [cells] a point on a solid sees what is this far in front of it

constexpr double thin_overlap = 0.4;  ///< of a thin wall's thickness, at most: both sides may have one

}  // namespace

template <int D>
CutLevel<D>::CutLevel(const Grid<D>& grid, const Field<D, double>& phi,
                      std::shared_ptr<const SolidSurfaces<D>> surfaces, const Options& options)
    : grid_(grid),
      phi_(phi),
      surfaces_(surfaces),
      obstacles_(standing_obstacles<D>(grid, phi.set(), std::move(surfaces))),
      options_(options) {}

template <int D>
std::vector<int> CutLevel<D>::near(const Vec<D>& centre, double radius) const {
    std::vector<int> out;
    for (std::size_t n = 0; n < surfaces_->parts(); ++n)
        if (surfaces_->bound(n, Moment::end, centre) <= radius) out.push_back(static_cast<int>(n));
    return out;
}

template <int D>
typename CutLevel<D>::Nearest CutLevel<D>::nearest(const Vec<D>& x, const std::vector<int>& parts) const {
    Nearest out;
    for (const int n : parts) {
        const auto part = static_cast<std::size_t>(n);
        const double psi = surfaces_->distance(part, Moment::end, x);
        if (psi < out.psi) out = {psi, part};
    }
    return out;
}

template <int D>
double CutLevel<D>::missing(const Vec<D>& x, const Nearest& solid, const std::vector<int>& parts) const {
    const double diagonal = std::sqrt(double{D}) * options_.spacing;
    if (std::abs(solid.psi) > 0.5 * diagonal) return 0;
    const Vec<D> behind = surfaces_->pushed_out(solid.part, x, -(solid.psi + diagonal));
    return std::max(nearest(behind, parts).psi, 0.0);
}

template <int D>
double CutLevel<D>::level(const Vec<D>& x, const Nearest& solid, VisibleSurface<D>& view) const {
    const double room = off_surface * grid_.dx;
    const double there = view.read(solid.psi < room ? surfaces_->pushed_out(solid.part, x, room - solid.psi) : x);
    return std::isfinite(there) ? there : grid_.dx;  // nothing is in sight: no liquid is known of
}

template <int D>
LevelSample<D> CutLevel<D>::sample(const Vec<D>& x, const std::vector<int>& parts, VisibleSurface<D>& view) const {
    const Nearest solid = nearest(x, parts);
    const double cut = solid.psi + options_.overlap;
    if (const double lacks = missing(x, solid, parts); lacks > 0 && solid.psi < 0.5 * lacks)
        return {lacks - std::max(solid.psi, 0.0), SampleMedium::solid};
    if (cut <= 0) return {-cut, SampleMedium::solid};
    const double phi = level(x, solid, view);
    return {std::max(phi, -cut), phi < 0 ? SampleMedium::liquid : SampleMedium::air};
}

template <int D>
Vec<D> CutLevel<D>::moved(const Vec<D>& start, bool air, const std::array<bool, D>& held, const std::vector<int>& parts,
                          VisibleSurface<D>& view) const {
    constexpr int rounds = 4;  // where solids meet, and where a surface meets them at a slant
    Vec<D> x = start;
    for (int round = 0; round < rounds; ++round) {
        const Nearest solid = nearest(x, parts);
        const double lacks = missing(x, solid, parts);
        const double thickness = std::sqrt(double{D}) * options_.spacing - lacks;
        const double overlap = lacks > 0 ? std::min(options_.overlap, thin_overlap * thickness) : options_.overlap;
        const Vec<D> normal = surfaces_->pushed_out(solid.part, x, 1) - x;
        Vec<D> way_out = normal;
        for (int a = 0; a < D; ++a)
            if (held[static_cast<std::size_t>(a)]) way_out[a] = 0;
        constexpr double least_way = 0.1;  // a solid that lies along the side: stay
        if (way_out.squaredNorm() > least_way) x -= (solid.psi + overlap) / way_out.squaredNorm() * way_out;
        if (!air || round + 1 == rounds) continue;
        // Along the solid to the liquid's surface.
        const double e = 0.25 * options_.spacing;
        const double here = level(x, nearest(x, parts), view);
        Vec<D> slope;
        for (int a = 0; a < D; ++a) {
            Vec<D> y = x;
            y[a] += e;
            slope[a] = held[static_cast<std::size_t>(a)] ? 0 : (level(y, nearest(y, parts), view) - here) / e;
        }
        slope -= slope.dot(way_out) / std::max(way_out.squaredNorm(), least_way) * way_out;
        const double square = slope.squaredNorm();
        constexpr double least_slope = 0.25;  // nearly along the solid, or no distance: stay
        if (square < least_slope || square > 1 / least_slope) continue;
        const double way = std::clamp(-here / square, -0.5 * options_.spacing, 0.5 * options_.spacing);
        x += way * slope;
    }
    constexpr double farthest = 1.5;  // [spacings]
    const double far = (x - start).norm() / (farthest * options_.spacing);
    return far > 1 ? Vec<D>(start + (x - start) / far) : x;
}

template class CutLevel<2>;
template class CutLevel<3>;

}  // namespace tidelock
