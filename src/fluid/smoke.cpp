#include "fluid/smoke.h"

namespace tidelock {

template <int D>
BrickSetPtr<D> smoke_bricks(const Grid<D>& grid, const Sides<D>& sides) {
    const Coord<D> inner = lattice_for<D>(grid.cells);
    return make_where<D>(lattice_for_faces<D>(grid.cells), [&](const Coord<D>& brick) {
        int beyond = 0;
        for (int a = 0; a < D; ++a)
            if (brick[a] >= inner[a]) {
                if (!sides.is_open(a, 1)) return false;
                ++beyond;
            }
        return beyond <= 1;
    });
}

template <int D>
Smoke<D> make_smoke(const Grid<D>& grid, const Sides<D>& sides, double ambient_temperature) {
    const auto set = smoke_bricks<D>(grid, sides);
    Smoke<D> smoke;
    smoke.velocity = FaceField<D, double>(set, 0.0);
    smoke.density = Field<D, double>(set, 0.0);
    smoke.temperature = Field<D, double>(set, ambient_temperature);
    smoke.pressure = Field<D, double>(set, 0.0);
    return smoke;
}

template <int D>
std::ptrdiff_t clear_solids(const Mask<D>& solid, Smoke<D>& smoke) {
    const double ambient = smoke.temperature.background();
    return ordered_sum<std::ptrdiff_t>("clear solids", solid.set().count(), std::ptrdiff_t{0}, [&](std::ptrdiff_t b) {
        std::ptrdiff_t cleared = 0;
        const MaskValue* marked = solid.brick(b);
        double *s = smoke.density.brick(b), *t = smoke.temperature.brick(b);
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (marked[i] == 0) continue;
            if (s[i] != 0 || t[i] != ambient) ++cleared;
            s[i] = 0, t[i] = ambient;
        }
        return cleared;
    });
}

template BrickSetPtr<2> smoke_bricks(const Grid<2>&, const Sides<2>&);
template BrickSetPtr<3> smoke_bricks(const Grid<3>&, const Sides<3>&);
template Smoke<2> make_smoke(const Grid<2>&, const Sides<2>&, double);
template Smoke<3> make_smoke(const Grid<3>&, const Sides<3>&, double);
template std::ptrdiff_t clear_solids(const Mask<2>&, Smoke<2>&);
template std::ptrdiff_t clear_solids(const Mask<3>&, Smoke<3>&);

}  // namespace tidelock
