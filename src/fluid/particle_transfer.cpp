#include "fluid/particle_transfer.h"

#include "base/error.h"
#include "base/scratch.h"
#include "fluid/face_mass.h"
#include "fluid/particle_blocks.h"
#include "fluid/visible_velocity.h"

namespace tidelock {
namespace {

/// What the particles of one brick give to its faces and to the ring of faces around.
template <int D>
struct BrickSums {
    static constexpr int width(int axis) { return Brick<D>::size[axis] + 2; }
    static constexpr int stride(int axis) { return axis == 0 ? 1 : axis == 1 ? width(0) : width(0) * width(1); }
    static constexpr int places = D == 2 ? width(0) * width(1) : width(0) * width(1) * width(D - 1);
    /// Of a face in coordinates of the brick, from -1 on.
    static int place(const Coord<D>& local) {
        int out = 0;
        for (int a = 0; a < D; ++a) out += (local[a] + 1) * stride(a);
        return out;
    }

    struct Face {
        double weight, momentum;
    };
    Face face[D][places];
};

/// One particle's part of the sums of its brick, whose first cell is `first`.
template <int D>
void spread(const Grid<D>& grid, const Particles<D>& particles, std::size_t p, const Coord<D>& first,
            const Obstacles<D>* obstacles, BrickSums<D>& sums) {
    const Vec<D> x = grid.to_cells(particles.position[p]);
    const Clearance clearance = solid_clearance(grid, obstacles, particles.position[p]);
    const bool careful = near_solid(grid, clearance);
    for (int a = 0; a < D; ++a) {
        const auto centring = Centring<D>::face(a);
        const LinearStencil<D> stencil(centring, grid.last_index(centring), x);
        double u = particles.velocity[p][a];  // at the lowest face
        Vec<D> slope = Vec<D>::Zero();        // from face to face
        if (particles.with_affine) {
            slope = grid.dx * particles.affine[p].row(a).transpose();
            u += slope.dot(stencil.low.template cast<double>() + centring.offset - x);
        }
        auto* faces = sums.face[a] + BrickSums<D>::place(stencil.low - first);
        const unsigned hidden =
            careful ? obstacles->hidden(particles.position[p], clearance[Moment::end], Moment::end, {a, stencil.low})
                    : 0;
        for (int n = 0; n < (1 << D); ++n) {
            if ((hidden >> n & 1) != 0) continue;
            const double w = stencil.weight(n);
            double there = u;
            int place = 0;
            for (int b = 0; b < D; ++b)
                if ((n >> b & 1) != 0) there += slope[b], place += BrickSums<D>::stride(b);
            faces[place].weight += w;
            faces[place].momentum += w * there;
        }
    }
}

/// Adds the sums of a brick to its faces and those of its neighbours.
template <int D>
void add_sums(const BrickSums<D>& sums, const BrickSet<D>& set, std::ptrdiff_t slot, FaceField<D, double>& weight,
              FaceField<D, double>& momentum) {
    for (int n = 0; n < Brick<D>::neighbours; ++n) {
        const auto there = set.neighbours(slot)[static_cast<std::size_t>(n)];
        if (there == set.void_slot()) continue;
        Coord<D> shift, low, high;  // of the neighbour; the faces of this brick's ring that are its own
        for (int a = 0, rest = n; a < D; ++a, rest /= 3) {
            const int size = Brick<D>::size[a], side = rest % 3 - 1;
            shift[a] = side * size;
            low[a] = side < 0 ? -1 : side == 0 ? 0 : size;
            high[a] = side < 0 ? -1 : side == 0 ? size - 1 : size;
        }
        for (int a = 0; a < D; ++a)
            for (int z = D == 3 ? low[D - 1] : 0; z <= (D == 3 ? high[D - 1] : 0); ++z)
                for (int y = low[1]; y <= high[1]; ++y) {
                    Coord<D> row;
                    row[0] = low[0], row[1] = y;
                    if constexpr (D == 3) row[2] = z;
                    const auto* from = sums.face[a] + BrickSums<D>::place(row);
                    const int local = local_index<D>(Coord<D>(row - shift));
                    double* w = weight[a].brick(there) + local;
                    double* m = momentum[a].brick(there) + local;
                    for (int i = 0; i <= high[0] - low[0]; ++i) w[i] += from[i].weight, m[i] += from[i].momentum;
                }
    }
}

/// Bricks that hold particles, by the parity of their coordinates: no two of a list have a neighbour's face in common.
template <int D>
std::array<std::vector<std::ptrdiff_t>, 1 << D> bricks_by_parity(const ParticleCells<D>& cells) {
    std::array<std::vector<std::ptrdiff_t>, 1 << D> lists;
    for (std::ptrdiff_t slot = 0; slot < cells.set().count(); ++slot) {
        if (cells.empty(slot)) continue;
        std::size_t parity = 0;
        for (int a = 0; a < D; ++a) parity |= static_cast<std::size_t>(cells.set().brick(slot)[a] & 1) << a;
        lists[parity].push_back(slot);
    }
    return lists;
}

}  // namespace

template <int D>
FaceField<D, double> weighed_particles_to_grid(const Grid<D>& grid, const Particles<D>& particles,
                                               const ParticleCells<D>& cells, const Obstacles<D>* obstacles,
                                               FaceField<D, double>& u, FaceMask<D>& known) {
    const auto& set = cells.set();
    TIDELOCK_ASSERT(u.set() == set && known.set() == set, "{} bricks, particles on {}", u.set().count(), set.count());
    FaceField<D, double> weight(cells.set_ptr(), 0.0);
    for (int a = 0; a < D; ++a)
        parallel_for("particles to grid: clear", set.count(),
                     [&](std::ptrdiff_t b) { std::fill_n(u[a].brick(b), Brick<D>::cells, 0.0); });
    for (const auto& bricks : bricks_by_parity<D>(cells))
        parallel_for("particles to grid", static_cast<std::ptrdiff_t>(bricks.size()), [&](std::ptrdiff_t k) {
            const auto slot = bricks[static_cast<std::size_t>(k)];
            auto& sums = thread_scratch<BrickSums<D>>();
            std::memset(&sums, 0, sizeof sums);
            for (auto p = cells.first(slot, 0); p < cells.end(slot, Brick<D>::cells - 1); ++p)
                spread<D>(grid, particles, static_cast<std::size_t>(p), first_cell<D>(set.brick(slot)), obstacles,
                          sums);
            add_sums<D>(sums, set, slot, weight, u);
        });
    parallel_for("particles to grid: velocity", set.count(), [&](std::ptrdiff_t b) {
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                double& w = weight[a].brick(b)[i];
                double& value = u[a].brick(b)[i];
                value = w > 0 ? value / w : 0.0;
                known[a].brick(b)[i] = w > 0 ? 1 : 0;
                w /= particles_per_cell<D>;
            }
    });
    return weight;
}

template <int D>
void particles_to_grid(const Grid<D>& grid, const Particles<D>& particles, const ParticleCells<D>& cells,
                       const Obstacles<D>* obstacles, FaceField<D, double>& u, FaceMask<D>& known) {
    (void)weighed_particles_to_grid<D>(grid, particles, cells, obstacles, u, known);
}

template <int D>
void grid_to_particles(const Grid<D>& grid, const TransferOptions& options, const FaceField<D, double>& u,
                       const FaceField<D, double>* before, const Obstacles<D>* obstacles, Particles<D>& particles) {
    const bool flip = options.scheme == ParticleTransfer::flip, apic = options.scheme == ParticleTransfer::apic;
    TIDELOCK_ASSERT(!flip || before != nullptr, "flip needs the velocity before the forces");
    TIDELOCK_ASSERT(!apic || particles.with_affine, "apic needs affine rows");
    for_each_particle_block(
        "grid to particles", particles.size(), [&](std::size_t, std::size_t first, std::size_t end) {
            VisibleVelocity<D> now(grid, u, obstacles, Moment::end),
                then(grid, flip ? *before : u, obstacles, Moment::end);
            const auto enter = [&](std::ptrdiff_t slot, std::size_t count) {
                now.enter(slot, count);
                if (flip) then.enter(slot, count);
            };
            for_each_run_of_brick<D>(grid, u.set(), particles.position, {first, end}, enter, [&](std::size_t p) {
                const Vec<D>& x = particles.position[p];
                Vec<D>& v = particles.velocity[p];
                if (apic) {
                    v = now.read(x, particles.affine[p]);
                    return;
                }
                const Vec<D> read = now.read(x);
                v = flip ? Vec<D>(options.flip_share * (v + read - then.read(x)) + (1 - options.flip_share) * read)
                         : read;
            });
        });
}

template <int D>
void read_velocity(const Grid<D>& grid, const FaceField<D, double>& u, Particles<D>& particles) {
    const auto scheme = particles.with_affine ? ParticleTransfer::apic : ParticleTransfer::pic;
    grid_to_particles<D>(grid, {.scheme = scheme}, u, nullptr, nullptr, particles);
}

#define TIDELOCK_INSTANTIATE(D)                                                                              \
    template FaceField<D, double> weighed_particles_to_grid<D>(const Grid<D>&, const Particles<D>&,          \
                                                               const ParticleCells<D>&, const Obstacles<D>*, \
                                                               FaceField<D, double>&, FaceMask<D>&);         \
    template void particles_to_grid<D>(const Grid<D>&, const Particles<D>&, const ParticleCells<D>&,         \
                                       const Obstacles<D>*, FaceField<D, double>&, FaceMask<D>&);            \
    template void grid_to_particles<D>(const Grid<D>&, const TransferOptions&, const FaceField<D, double>&,  \
                                       const FaceField<D, double>*, const Obstacles<D>*, Particles<D>&);     \
    template void read_velocity<D>(const Grid<D>&, const FaceField<D, double>&, Particles<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
