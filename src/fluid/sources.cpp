#include "fluid/sources.h"

#include "geometry/fractions.h"

namespace tidelock {

template <int D>
void apply_source(const Grid<D>& grid, const SmokeSource<D>& source, const Mask<D>& solid, Smoke<D>& smoke,
                  FaceField<D, double>& velocity) {
    const auto& set = *smoke.set();
    const double half = 0.5 * grid.dx;
    const auto distance = [&](const Vec<D>& x) { return source.shape->distance(source.pose.to_body(x)); };
    const double diagonal = std::sqrt(double{D}) * half;
    /// Share of the cube around x that the shape covers.
    const auto covered = [&](const Vec<D>& x) {
        const double d = distance(x);
        if (d > diagonal) return 0.0;
        if (d < -diagonal) return 1.0;
        return cell_fraction<D>(distance, Vec<D>(x - Vec<D>::Constant(half)), grid.dx);
    };
    parallel_for("source", set.count(), [&](std::ptrdiff_t b) {
        if (distance(grid.brick_centre(set.brick(b))) > grid.brick_half_diagonal() + grid.dx) return;
        const Coord<D> corner = first_cell<D>(set.brick(b));
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = corner + local_coord<D>(i);
            if (grid.contains(cell) && solid.brick(b)[i] == 0) {
                const double share = covered(grid.cell_centre(cell));
                if (share > 0) {
                    double& s = smoke.density.brick(b)[i];
                    double& t = smoke.temperature.brick(b)[i];
                    s += share * (source.smoke - s);
                    t += share * (source.temperature - t);
                }
            }
            if (!source.velocity) continue;
            for (int a = 0; a < D; ++a) {
                if (!(cell.array() <= grid.last_index(Centring<D>::face(a)).array()).all()) continue;
                const double share = covered(grid.position(cell, Centring<D>::face(a)));
                double& u = velocity[a].brick(b)[i];
                u += share * ((*source.velocity)[a] - u);
            }
        }
    });
}

template void apply_source(const Grid<2>&, const SmokeSource<2>&, const Mask<2>&, Smoke<2>&, FaceField<2, double>&);
template void apply_source(const Grid<3>&, const SmokeSource<3>&, const Mask<3>&, Smoke<3>&, FaceField<3, double>&);

}  // namespace tidelock
