#include "fluid/held_surface.h"

#include <cmath>

#include "base/error.h"
#include "grid/halo.h"

namespace tidelock {
namespace {

/// What is below the surface by this is part of thick liquid [cells].
constexpr double thick_depth = 0.75;
/// So near to it a surface is that of thick liquid [cells]: from a cell of air beside it, past a row that may be off by
/// half a cell, to one that is below thick_depth in any case.
constexpr int thick_reach = 3;

/// Liquid that particles make so high above what was carried is a drop of its own [cells]: no calm surface is as rough.
constexpr double drop_height = 0.5;

template <int D>
using Marks = HaloBuffer<D, thick_reach, MaskValue>;

/// Whether a cell within so many rings is marked.
template <int D>
bool any_near(const Marks<D>& marks, const Coord<D>& c, int rings) {
    const int place = Marks<D>::at(c[0], c[1], D == 3 ? c[D - 1] : 0);
    const int z_rings = D == 3 ? rings : 0;
    unsigned any = 0;
    for (int z = -z_rings; z <= z_rings; ++z)
        for (int y = -rings; y <= rings; ++y)
            for (int x = -rings; x <= rings; ++x) any |= marks.v[place + x + y * Marks<D>::sy + z * Marks<D>::sz];
    return any != 0;
}

/// Cells at the domain's sides or at walls.
template <int D>
class Walls {
  public:
    /// Null without solids.
    Walls(const Grid<D>& grid, const Mask<D>* solid, const Mask<D>* ways) : grid_(grid), solid_(solid), ways_(ways) {}

    [[nodiscard]] bool is_solid(std::ptrdiff_t b, int i) const { return solid_ != nullptr && solid_->brick(b)[i] != 0; }
    [[nodiscard]] bool at_side(const Coord<D>& cell) const {
        return (cell.array() == 0).any() || (cell.array() == grid_.cells.array() - 1).any();
    }
    /// A wall may lie between centres.
    [[nodiscard]] bool at_closed_face(std::ptrdiff_t b, int i) const {
        constexpr auto all_ways = static_cast<MaskValue>((1u << (2 * D)) - 1);
        return ways_ != nullptr && ways_->brick(b)[i] != all_ways;
    }
    /// Whether what lies on a wall or side beside the cell is thickest there: liquid goes on below.
    [[nodiscard]] bool covers(const Field<D, double>& of_particles, std::ptrdiff_t b, int i,
                              const Coord<D>& cell) const {
        for (int a = 0; a < D; ++a)
            for (const int inwards : {1, -1}) {
                const bool at_end = cell[a] == (inwards > 0 ? 0 : grid_.cells[a] - 1);
                const int bit = 2 * a + (inwards > 0 ? 0 : 1);
                if (!at_end && (ways_ == nullptr || (ways_->brick(b)[i] >> bit & 1) != 0)) continue;
                Coord<D> next = cell;
                next[a] += inwards;
                if (of_particles.at(next) > of_particles.brick(b)[i] + 0.5 * grid_.dx) return true;
            }
        return false;
    }

  private:
    const Grid<D>& grid_;
    const Mask<D>* solid_;
    const Mask<D>* ways_;
};

/// Marks thick liquid. What a film covers adds to its thickness: phi in solids, half a cell at walls between cells and at
/// the domain's sides.
template <int D>
Mask<D> thick_liquid(const Grid<D>& grid, const Field<D, double>& of_particles, const Walls<D>& walls,
                     const Field<D, double>& phi) {
    Mask<D> thick(phi.set_ptr(), 0);
    parallel_for("held surface: thick liquid", phi.set().count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(phi.set().brick(b)) + local_coord<D>(i);
            const bool solid = walls.is_solid(b, i);
            double level = solid ? phi.brick(b)[i] : of_particles.brick(b)[i];
            const bool walled = !solid && (walls.at_side(cell) || walls.at_closed_face(b, i));
            if (walled && walls.covers(of_particles, b, i, cell)) level -= 0.5 * grid.dx;
            thick.brick(b)[i] = level < -thick_depth * grid.dx ? 1 : 0;
        }
    });
    return thick;
}

}  // namespace

template <int D>
void hold_surface(const Grid<D>& grid, const Field<D, double>& of_particles, const Field<D, std::uint8_t>* solid,
                  const Mask<D>* ways, const HoldOptions& options, Field<D, double>& phi) {
    const auto& set = phi.set();
    TIDELOCK_ASSERT(of_particles.set() == set, "{} bricks, phi has {}", of_particles.set().count(), set.count());
    const double dx = grid.dx;
    const Walls<D> walls(grid, solid, ways);
    const Mask<D> thick = thick_liquid<D>(grid, of_particles, walls, phi);
    parallel_for("held surface: hold", set.count(), [&](std::ptrdiff_t b) {
        Marks<D> near_thick, near_solid;
        const auto* neighbours = set.neighbours(b).data();
        near_thick.load(thick.data(), neighbours);
        if (solid != nullptr) near_solid.load(solid->data(), neighbours);
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> local = local_coord<D>(i);
            const Coord<D> cell = first_cell<D>(set.brick(b)) + local;
            if (!grid.contains(cell) || walls.is_solid(b, i)) continue;
            double& value = phi.brick(b)[i];
            const double target = of_particles.brick(b)[i];
            // What is far from the surface has no need to look around.
            const bool in_air = target >= of_particles.background();
            const bool drop = target < 0 && value > drop_height * dx;
            if (in_air || drop || (thick.brick(b)[i] == 0 && !any_near<D>(near_thick, local, thick_reach))) {
                value = target;
                continue;
            }
            const double grain = options.grain * dx;
            if (std::abs(value - target) <= grain) continue;
            const bool at_wall = walls.at_side(cell) || walls.at_closed_face(b, i) ||
                                 (solid != nullptr && any_near<D>(near_solid, local, 1));
            value = std::clamp(value, target - (at_wall ? options.wall_grain * dx : grain), target + grain);
        }
    });
    redistance<D, double>(phi, grid, options.distance, ways);
}

#define TIDELOCK_INSTANTIATE(D)                                                                           \
    template void hold_surface<D>(const Grid<D>&, const Field<D, double>&, const Field<D, std::uint8_t>*, \
                                  const Mask<D>*, const HoldOptions&, Field<D, double>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
