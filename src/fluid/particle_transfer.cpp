#include "fluid/particle_transfer.h"

#include "base/error.h"
#include "base/scratch.h"
#include "fluid/visible_velocity.h"

namespace tidelock {
namespace {

constexpr std::ptrdiff_t block_size = 1024;  ///< particles that one task works on

/// What the faces of one brick receive.
template <int D>
struct BrickSums {
    double weight[D][Brick<D>::cells], momentum[D][Brick<D>::cells];
};

/// One particle's part of the sums of the brick whose first cell is `first`.
template <int D>
void spread(const Grid<D>& grid, const Particles<D>& particles, std::size_t p, const Coord<D>& first,
            const Obstacles<D>* obstacles, BrickSums<D>& sums) {
    const Vec<D> x = grid.to_cells(particles.position[p]);
    const bool careful = near_solid(grid, obstacles, particles.position[p]);
    for (int a = 0; a < D; ++a) {
        const auto centring = Centring<D>::face(a);
        const FaceStencil<D> stencil(centring, grid.last_index(centring), x);
        for (int n = 0; n < (1 << D); ++n) {
            const Coord<D> face = stencil.face(n), local = face - first;
            bool own = true;
            for (int b = 0; b < D; ++b) own = own && local[b] >= 0 && local[b] < Brick<D>::size[b];
            const double w = stencil.weight(n);
            if (!own || !(w > 0)) continue;
            if (careful && obstacles->hides_after(particles.position[p], grid.position(face, centring))) continue;
            double u = particles.velocity[p][a];
            if (particles.with_affine) {
                const Vec<D> arm = face.template cast<double>() + centring.offset - x;
                u += grid.dx * particles.affine[p].row(a).dot(arm);
            }
            const int place = local_index<D>(local);
            sums.weight[a][place] += w;
            sums.momentum[a][place] += w * u;
        }
    }
}

/// Calls f(first, end) for blocks of particles, in parallel.
template <class F>
void for_each_block(const char* label, std::ptrdiff_t particles, F&& f) {
    parallel_for(label, (particles + block_size - 1) / block_size, [&](std::ptrdiff_t k) {
        f(static_cast<std::size_t>(k * block_size),
          static_cast<std::size_t>(std::min((k + 1) * block_size, particles)));
    });
}

}  // namespace

template <int D>
void particles_to_grid(const Grid<D>& grid, const Particles<D>& particles, const ParticleCells<D>& cells,
                       const Obstacles<D>* obstacles, FaceField<D, double>& u, FaceMask<D>& known) {
    const auto& set = cells.set();
    TIDELOCK_ASSERT(u.set() == set && known.set() == set, "{} bricks, particles on {}", u.set().count(), set.count());
    parallel_for("particles to grid", set.count(), [&](std::ptrdiff_t b) {
        auto& sums = thread_scratch<BrickSums<D>>();
        std::memset(&sums, 0, sizeof sums);
        const Coord<D> first = first_cell<D>(set.brick(b));
        Coord<D> beyond;
        for (int a = 0; a < D; ++a) beyond[a] = Brick<D>::size[a];
        cells.for_each_run(b, Coord<D>::Constant(-1), beyond, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (auto p = begin; p < end; ++p)
                spread<D>(grid, particles, static_cast<std::size_t>(p), first, obstacles, sums);
        });
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const bool reached = sums.weight[a][i] > 0;
                u[a].brick(b)[i] = reached ? sums.momentum[a][i] / sums.weight[a][i] : 0.0;
                known[a].brick(b)[i] = reached ? 1 : 0;
            }
    });
}

template <int D>
void grid_to_particles(const Grid<D>& grid, const TransferOptions& options, const FaceField<D, double>& u,
                       const FaceField<D, double>* before, const Obstacles<D>* obstacles, Particles<D>& particles) {
    const bool flip = options.scheme == ParticleTransfer::flip, apic = options.scheme == ParticleTransfer::apic;
    TIDELOCK_ASSERT(!flip || before != nullptr, "flip needs the velocity before the forces");
    TIDELOCK_ASSERT(!apic || particles.with_affine, "apic needs affine rows");
    for_each_block("grid to particles", particles.size(), [&](std::size_t first, std::size_t end) {
        VisibleVelocity<D> now(grid, u, obstacles, Moment::end), then(grid, flip ? *before : u, obstacles, Moment::end);
        Mat<D> affine;
        for (std::size_t p = first; p < end; ++p) {
            const Vec<D>& x = particles.position[p];
            Vec<D>& v = particles.velocity[p];
            const Vec<D> read = now.read(x, affine);
            if (apic) particles.affine[p] = affine;
            v = flip ? Vec<D>(options.flip_share * (v + read - then.read(x, affine)) + (1 - options.flip_share) * read)
                     : read;
        }
    });
}

template <int D>
void read_velocity(const Grid<D>& grid, const FaceField<D, double>& u, Particles<D>& particles) {
    const auto scheme = particles.with_affine ? ParticleTransfer::apic : ParticleTransfer::pic;
    grid_to_particles<D>(grid, {.scheme = scheme}, u, nullptr, nullptr, particles);
}

#define TIDELOCK_INSTANTIATE(D)                                                                             \
    template void particles_to_grid<D>(const Grid<D>&, const Particles<D>&, const ParticleCells<D>&,        \
                                       const Obstacles<D>*, FaceField<D, double>&, FaceMask<D>&);           \
    template void grid_to_particles<D>(const Grid<D>&, const TransferOptions&, const FaceField<D, double>&, \
                                       const FaceField<D, double>*, const Obstacles<D>*, Particles<D>&);    \
    template void read_velocity<D>(const Grid<D>&, const FaceField<D, double>&, Particles<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
