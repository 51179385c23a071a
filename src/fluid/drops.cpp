#include "fluid/drops.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/math.h"
#include "base/parallel.h"
#include "grid/extrapolate.h"
#include "grid/halo.h"

namespace tidelock {
namespace {

/// [cells] 0.75 in the plane, as where particles hold a surface (fluid/held_surface.h); a little more than the radius of a
/// lone particle's ball.
template <int D>
inline const double depth_of_thick = 0.03 + 1.02 * 0.5 * std::sqrt(double{D});
constexpr int rings_of_thick = 3;

/// 1 for the cells of a brick with thick liquid near them.
template <int D>
void mark_near_thick(const Mask<D>& thick, std::ptrdiff_t slot, MaskValue* out) {
    using Buffer = HaloBuffer<D, rings_of_thick, MaskValue>;
    Buffer marks;
    marks.load(thick.data(), thick.set().neighbours(slot).data());
    constexpr int rings = rings_of_thick, z_rings = D == 3 ? rings : 0;
    for (int i = 0; i < Brick<D>::cells; ++i) {
        const Coord<D> c = local_coord<D>(i);
        const int place = Buffer::at(c[0], c[1], D == 3 ? c[D - 1] : 0);
        unsigned any = 0;
        for (int z = -z_rings; z <= z_rings; ++z)
            for (int y = -rings; y <= rings; ++y)
                for (int x = -rings; x <= rings; ++x) any |= marks.v[place + x + y * Buffer::sy + z * Buffer::sz];
        out[i] = any != 0 ? 1 : 0;
    }
}

}  // namespace

template <int D>
double take_out_drops(const Grid<D>& grid, const Particles<D>& particles, Field<D, double>& phi) {
    const auto& set = phi.set();
    Mask<D> thick(phi.set_ptr(), 0), near(phi.set_ptr(), 0);
    parallel_for("drops: thick liquid", set.count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            thick.brick(b)[i] = phi.brick(b)[i] < -depth_of_thick<D> * grid.dx ? 1 : 0;
    });
    parallel_for("drops: near it", set.count(), [&](std::ptrdiff_t b) {
        mark_near_thick<D>(thick, b, near.brick(b));
        const double dry = 2 * grid.dx;
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (near.brick(b)[i] == 0) phi.brick(b)[i] = std::max(phi.brick(b)[i], dry);
    });
    std::ptrdiff_t drops = 0;
    for (const Vec<D>& x : particles.position) drops += near.at(particle_cell<D>(grid, x)) == 0 ? 1 : 0;
    return static_cast<double>(drops) * power(grid.dx, D) / particles_per_cell<D>;
}

template double take_out_drops<2>(const Grid<2>&, const Particles<2>&, Field<2, double>&);
template double take_out_drops<3>(const Grid<3>&, const Particles<3>&, Field<3, double>&);

}  // namespace tidelock
