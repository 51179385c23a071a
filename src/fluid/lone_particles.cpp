#include "fluid/lone_particles.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/math.h"
#include "base/parallel.h"
#include "fluid/particle_blocks.h"
#include "grid/halo.h"
#include "grid/neighbour_cell.h"

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

namespace {

/// Particles of each cell.
template <int D>
Field<D, std::int32_t> count_particles(const Grid<D>& grid, const BrickSetPtr<D>& set,
                                       const std::vector<Vec<D>>& position) {
    Field<D, std::int32_t> counts(set, 0);
    for_each_particle_block("count particles", static_cast<std::ptrdiff_t>(position.size()),
                            [&](std::size_t, std::size_t first, std::size_t end) {
                                for (std::size_t p = first; p < end; ++p) {
                                    const Coord<D> cell = particle_cell<D>(grid, position[p]);
                                    auto& count = counts.brick(set->find(brick_of<D>(cell)))[local_index<D>(cell)];
                                    std::atomic_ref<std::int32_t>(count).fetch_add(1, std::memory_order_relaxed);
                                }
                            });
    return counts;
}

/// On the faces of a cell, per component.
template <int D>
double fastest_face(const FaceField<D, double>& u, std::ptrdiff_t slot, int local) {
    double most = 0;
    for (int a = 0; a < D; ++a) {
        const auto [above, there] = neighbour_cell<D>(u.set(), slot, local, a, 1);
        most = std::max({most, std::abs(u[a].brick(slot)[local]), std::abs(u[a].brick(above)[there])});
    }
    return most;
}

template <int D>
CarryingSpeeds speeds_in_brick(const Field<D, std::int32_t>& counts, const FaceField<D, double>& velocity,
                               std::ptrdiff_t slot) {
    using Buffer = HaloBuffer<D, 1, std::int32_t>;
    const std::int32_t* own = counts.brick(slot);
    CarryingSpeeds out;
    if (std::all_of(own, own + Brick<D>::cells, [](std::int32_t n) { return n == 0; })) return out;
    Buffer around;
    around.load(counts.data(), counts.set().neighbours(slot).data());
    for (int i = 0; i < Brick<D>::cells; ++i) {
        if (own[i] == 0) continue;
        const Coord<D> local = local_coord<D>(i);
        const int place = Buffer::at(local[0], local[1], D == 3 ? local[D - 1] : 0);
        std::int32_t sum = 0;
        for (int n = 0; n < power(3, D) && sum < particles_per_cell<D>; ++n) {
            int at = place;
            for (int a = 0, rest = n; a < D; ++a, rest /= 3) at += (rest % 3 - 1) * Buffer::stride(a);
            sum += around.v[at];
        }
        double& most = sum < particles_per_cell<D> ? out.alone : out.together;
        most = std::max(most, fastest_face<D>(velocity, slot, i));
    }
    return out;
}

}  // namespace

template <int D>
CarryingSpeeds carrying_speeds(const Grid<D>& grid, const FaceField<D, double>& velocity,
                               const Particles<D>& particles) {
    const auto counts = count_particles<D>(grid, velocity[0].set_ptr(), particles.position);
    std::vector<CarryingSpeeds> found(static_cast<std::size_t>(velocity.set().count()));
    parallel_for("carrying speeds", velocity.set().count(), [&](std::ptrdiff_t b) {
        found[static_cast<std::size_t>(b)] = speeds_in_brick<D>(counts, velocity, b);
    });
    CarryingSpeeds out;
    for (const CarryingSpeeds& part : found) {
        out.together = std::max(out.together, part.together);
        out.alone = std::max(out.alone, part.alone);
    }
    return out;
}

template <int D>
double fastest_particle(const Particles<D>& particles) {
    double most = 0;
    for (const Vec<D>& v : particles.velocity) most = std::max(most, v.squaredNorm());
    return std::sqrt(most);
}

#define TIDELOCK_INSTANTIATE(D)                                                                                   \
    template void forget_lone_gradients<D>(const ParticleCells<D>&, Particles<D>&);                               \
    template CarryingSpeeds carrying_speeds<D>(const Grid<D>&, const FaceField<D, double>&, const Particles<D>&); \
    template double fastest_particle<D>(const Particles<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
