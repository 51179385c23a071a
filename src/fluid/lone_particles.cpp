#include "fluid/lone_particles.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace tidelock {

template <int D>
void forget_lone_gradients(const ParticleCells<D>& cells, Particles<D>& particles) {
    if (!particles.with_affine) return;
    const Coord<D> ring = Coord<D>::Ones();
    parallel_for("lone particles", cells.set().count(), [&](std::ptrdiff_t slot) {
        if (cells.empty(slot)) return;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const auto own = cells.count(slot, i);
            if (own == 0 || own >= particles_per_cell<D>) continue;
            const Coord<D> local = local_coord<D>(i);
            std::ptrdiff_t around = 0;
            cells.for_each_run(slot, local - ring, local + ring,
                               [&](std::ptrdiff_t begin, std::ptrdiff_t end) { around += end - begin; });
            if (around >= particles_per_cell<D>) continue;
            for (auto p = cells.first(slot, i); p < cells.end(slot, i); ++p)
                particles.affine[static_cast<std::size_t>(p)].setZero();
        }
    });
}

template <int D>
double fastest_particle(const Particles<D>& particles) {
    double most = 0;
    for (const Vec<D>& v : particles.velocity) most = std::max(most, v.squaredNorm());
    return std::sqrt(most);
}

#define TIDELOCK_INSTANTIATE(D)                                                     \
    template void forget_lone_gradients<D>(const ParticleCells<D>&, Particles<D>&); \
    template double fastest_particle<D>(const Particles<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
