#include "fluid/drops.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/math.h"
#include "base/parallel.h"
#include "grid/extrapolate.h"
#include "grid/uniform.h"

namespace tidelock {
namespace {

/// [cells] 0.75 in the plane, as where particles hold a surface (fluid/held_surface.h); a little more than the radius of a
/// lone particle's ball.
template <int D>
inline const double depth_of_thick = 0.03 + 1.02 * 0.5 * std::sqrt(double{D});
constexpr int rings_of_thick = 3;

/// 1 for the cells of a brick with thick liquid near them: along one axis after the other.
template <int D>
void mark_near_thick(const Mask<D>& thick, std::ptrdiff_t slot, MaskValue* out) {
    using Buffer = HaloBuffer<D, rings_of_thick, MaskValue>;
    constexpr int rings = rings_of_thick, z_rings = D == 3 ? rings : 0;
    Buffer marks, wide;
    marks.load(thick.data(), thick.set().neighbours(slot).data());
    if (holds_only(marks, MaskValue{0})) {
        std::fill_n(out, Brick<D>::cells, MaskValue{0});
        return;
    }
    for (int z = -z_rings; z < Buffer::nz + z_rings; ++z)
        for (int y = -rings; y < Buffer::ny + rings; ++y)
            for (int x = 0; x < Buffer::nx; ++x) {
                const int place = Buffer::at(x, y, z);
                MaskValue any = 0;
                for (int r = -rings; r <= rings; ++r) any |= marks.v[place + r];
                wide.v[place] = any;
            }
    for (int z = -z_rings; z < Buffer::nz + z_rings; ++z)
        for (int y = 0; y < Buffer::ny; ++y)
            for (int x = 0; x < Buffer::nx; ++x) {
                const int place = Buffer::at(x, y, z);
                MaskValue any = 0;
                for (int r = -rings; r <= rings; ++r) any |= wide.v[place + r * Buffer::sy];
                marks.v[place] = any;
            }
    for_each_row<D>([&](int y, int z, int first) {
        for (int x = 0; x < Buffer::nx; ++x) {
            const int place = Buffer::at(x, y, z);
            MaskValue any = 0;
            for (int r = -z_rings; r <= z_rings; ++r) any |= marks.v[place + r * Buffer::sz];
            out[first + x] = any;
        }
    });
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
