#include "couple/cut_surface.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "couple/cut_samples.h"
#include "fluid/visible_velocity.h"
#include "geometry/level_set_surface.h"
#include "geometry/mesh_thinning.h"
#include "geometry/padded_level_set.h"

namespace tidelock {

namespace {

constexpr double fine_rim = 1.5;  ///< [cells] from solids: the mesh stays fine
constexpr std::ptrdiff_t points_a_task = 256;

template <class F>
void for_points(const char* label, std::size_t count, F&& f) {
    const auto n = static_cast<std::ptrdiff_t>(count);
    parallel_for(label, (n + points_a_task - 1) / points_a_task, [&](std::ptrdiff_t t) {
        f(static_cast<std::size_t>(t * points_a_task), static_cast<std::size_t>(std::min(n, (t + 1) * points_a_task)));
    });
}

/// Places the points of a mesh of samples, and says which belong together where it is finer than need be.
class Placing {
  public:
    Placing(const Grid<3>& grid, const CutLevel<3>& level, const CutSamples& samples)
        : grid_(grid), level_(level), samples_(samples) {}

    void operator()(const SampledSurface& found, std::vector<Vec3>& points, std::vector<PointGroup>& groups) const {
        points.resize(found.points.size());
        groups.resize(found.points.size());
        for_points("points beside solids", points.size(), [&](std::size_t begin, std::size_t end) {
            VisibleSurface<3> view = level_.view();
            for (std::size_t p = begin; p < end; ++p) {
                const SampledPoint& point = found.points[p];
                points[p] = placed(point, view);
                groups[p].whole = beside_solid(points[p], floor_of(point.sample));
                groups[p].cell = cell_of(points[p]);
                groups[p].kind = (point.cap ? 1 : 0) + walls_of(point);
            }
        });
    }
    static int walls_of(const SampledPoint& p) {
        int mask = 0;
        for (std::size_t a = 0; a < 3; ++a)
            if (p.at_wall[a]) mask |= p.sample[static_cast<int>(a)] < 0 ? 2 << (2 * a) : 4 << (2 * a);
        return mask;
    }

  private:
    static Coord3 floor_of(const Vec3& sample) { return sample.array().floor().cast<int>(); }

    [[nodiscard]] std::array<int, 3> cell_of(const Vec3& x) const {
        const Coord3 cell = grid_.cell_of(x).cwiseMax(0).cwiseMin(grid_.cells - Coord3::Ones());
        return {cell[0], cell[1], cell[2]};
    }
    [[nodiscard]] Vec3 placed(const SampledPoint& p, VisibleSurface<3>& view) const {
        const Vec3 x = samples_.to_world(p.sample);
        bool air = false;
        const std::vector<int>* parts = nullptr;
        for (int n = 0; n < 8 && !p.cap; ++n) {
            const Coord3 corner = (floor_of(p.sample) + Coord3(n & 1, n >> 1 & 1, n >> 2))
                                      .cwiseMax(0)
                                      .cwiseMin(samples_.cells() - Coord3::Ones());
            const SampleMedium medium = samples_.medium(corner);
            air = air || medium == SampleMedium::air;
            if (medium == SampleMedium::solid) parts = &samples_.parts(corner);
        }
        return parts != nullptr ? level_.moved(x, air, p.at_wall, *parts, view) : x;
    }
    /// In doubt it is.
    [[nodiscard]] bool beside_solid(const Vec3& x, const Coord3& cube) const {
        const Coord3 sample = cube.cwiseMax(0).cwiseMin(samples_.cells() - Coord3::Ones());
        const auto& parts = samples_.parts(sample);
        return !parts.empty() && level_.distance(x, parts) < fine_rim * grid_.dx;
    }

    const Grid<3>& grid_;
    const CutLevel<3>& level_;
    const CutSamples& samples_;
};

/// Points where the surface meets a side do not join with the cap that they are the rim of.
void mark_rims(const SampledSurface& found, std::vector<PointGroup>& groups) {
    constexpr int rim = 1 << 8;
    std::vector<char> at_rim(groups.size(), 0);
    for (const auto& t : found.triangles)
        for (const int a : t)
            for (const int b : t) {
                const auto &p = found.points[static_cast<std::size_t>(a)],
                           &q = found.points[static_cast<std::size_t>(b)];
                if (Placing::walls_of(p) != Placing::walls_of(q)) at_rim[static_cast<std::size_t>(a)] = 1;
            }
    for (std::size_t p = 0; p < groups.size(); ++p)
        if (at_rim[p] != 0 && Placing::walls_of(found.points[p]) != 0) groups[p].kind = (groups[p].kind & ~1) | rim;
}

Surface<3> surface_beside(const Grid<3>& grid, const Field<3, double>& phi, const CutLevel<3>& level, double overlap) {
    const CutSamples samples(grid, phi, level, overlap);
    const SampledSurface found = mesh_samples(samples, 0);
    TriangleMesh fine;
    std::vector<PointGroup> groups;
    Placing(grid, level, samples)(found, fine.points, groups);
    if (std::none_of(groups.begin(), groups.end(), [](const PointGroup& g) { return g.whole; }))
        return level_set_surface(grid, phi);
    fine.triangles = found.triangles;
    mark_rims(found, groups);
    ThinnedMesh thinned = thin_out(fine, groups);
    Sampler<3, double> sampler(phi, Centring<3>::cell(), grid);
    for (std::size_t p = 0; p < thinned.first.size(); ++p) {
        const auto first = static_cast<std::size_t>(thinned.first[p]);
        const SampledPoint& point = found.points[first];
        Vec3& x = thinned.mesh.points[p];
        for (int a = 0; a < 3; ++a)  // means are rounded
            if (point.at_wall[static_cast<std::size_t>(a)]) x[a] = fine.points[first][a];
        const bool on_cap = (groups[first].kind & 1) != 0;
        if (!groups[first].whole && !on_cap) x += grid.dx * newton_step(grid, sampler, grid.to_cells(x), point.at_wall);
    }
    return std::move(thinned.mesh);
}

/// In the plane points lie on the lattice's edges.
Surface<2> surface_beside(const Grid<2>& grid, const Field<2, double>& /*unused*/, const CutLevel<2>& level,
                          double /*unused*/) {
    constexpr int finer = CutSamples::finer;
    const Grid<2> fine{finer * grid.cells, grid.dx / finer, grid.origin};
    const auto set = make_dense<2>(lattice_for<2>(fine.cells));
    Field<2, double> values(set, 3 * fine.dx);
    Field<2, char> media(set, static_cast<char>(SampleMedium::air));
    std::vector<std::vector<int>> parts(static_cast<std::size_t>(set->count()));
    parallel_for("level beside solids", set->count(), [&](std::ptrdiff_t b) {
        auto& around = parts[static_cast<std::size_t>(b)];
        around = level.near(fine.brick_centre(set->brick(b)), fine.brick_half_diagonal() + 2 * grid.dx);
        VisibleSurface<2> view = level.view();
        for (int i = 0; i < Brick<2>::cells; ++i) {
            const Coord2 at = first_cell<2>(set->brick(b)) + local_coord<2>(i);
            if (!fine.contains(at)) continue;
            const LevelSample<2> sample = level.sample(fine.cell_centre(at), around, view);
            media.brick(b)[i] = static_cast<char>(sample.medium);
            const double least = 1e-3 * fine.dx;
            values.brick(b)[i] =
                sample.medium == SampleMedium::liquid ? std::min(sample.value, -least) : std::max(sample.value, least);
        }
    });
    Polyline line = level_set_surface(fine, values);
    VisibleSurface<2> view = level.view();
    for (Vec2& x : line.points) {
        const Vec2 sample = fine.to_cells(x).array() - 0.5;
        std::array<bool, 2> held{};
        for (int a = 0; a < 2; ++a)
            held[static_cast<std::size_t>(a)] = x[a] == fine.origin[a] || x[a] >= fine.upper()[a];
        for (int n = 0; n < 4; ++n) {
            const double shift = 1e-6;
            Coord2 at;
            for (int a = 0; a < 2; ++a)
                at[a] = std::clamp(static_cast<int>(std::floor(sample[a] + ((n >> a & 1) != 0 ? 1 - shift : shift))), 0,
                                   fine.cells[a] - 1);
            if (media.at(at) != static_cast<char>(SampleMedium::solid)) continue;
            x = level.moved(x, false, held, parts[static_cast<std::size_t>(set->find(brick_of<2>(at)))], view);
            break;
        }
    }
    return line;
}

}  // namespace

template <int D>
Surface<D> cut_surface(const Grid<D>& grid, const Field<D, double>& phi,
                       const std::shared_ptr<const SolidSurfaces<D>>& surfaces, double overlap) {
    if (surfaces->parts() == 0) return level_set_surface(grid, phi);
    PaddedLevelSet<D>(grid, phi).check();
    const CutLevel<D> level(grid, phi, surfaces, {grid.dx / CutSamples::finer, overlap});
    return surface_beside(grid, phi, level, overlap);
}

template <int D>
std::vector<Vec<D>> cut_surface_velocity(std::span<const Vec<D>> points, const Grid<D>& grid,
                                         const FaceField<D, double>& velocity,
                                         const std::shared_ptr<const SolidSurfaces<D>>& surfaces) {
    if (surfaces->parts() == 0) return velocity_at<D>(points, grid, velocity);
    std::vector<Vec<D>> out(points.size());
    const SolidObstacles<D> solids = standing_obstacles<D>(grid, velocity.set(), surfaces);
    for_points("velocity at points", points.size(), [&](std::size_t begin, std::size_t end) {
        VisibleVelocity<D> view(grid, velocity, &solids, Moment::end);
        for (std::size_t p = begin; p < end; ++p) out[p] = view.read(points[p]);
    });
    return out;
}

#define TIDELOCK_INSTANTIATE(D)                                                                \
    template Surface<D> cut_surface(const Grid<D>&, const Field<D, double>&,                   \
                                    const std::shared_ptr<const SolidSurfaces<D>>&, double);   \
    template std::vector<Vec<D>> cut_surface_velocity(std::span<const Vec<D>>, const Grid<D>&, \
                                                      const FaceField<D, double>&,             \
                                                      const std::shared_ptr<const SolidSurfaces<D>>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
