#include "fluid/liquid_source.h"

#include "base/math.h"
#include "fluid/jitter.h"
#include "fluid/particle_blocks.h"

namespace tidelock {
namespace {

constexpr double longest_piece = 0.25;  ///< [cells] of a shape's way, between the places where it is looked at

template <int D>
bool inside(const Shape<D>& shape, const Pose<D>& pose, const Vec<D>& x) {
    return shape.distance(pose.to_body(x)) < 0;
}

/// The shape's box in the world's axes.
template <int D>
Bounds<D> box_of(const Shape<D>& shape, const Pose<D>& pose) {
    const Bounds<D> own = shape.bounding_box();
    Bounds<D> box;
    for (int corner = 0; corner < (1 << D); ++corner) {
        Vec<D> x;
        for (int a = 0; a < D; ++a) x[a] = (corner >> a & 1) != 0 ? own.high[a] : own.low[a];
        box.include(pose.to_world(x));
    }
    return box;
}

/// Which particles lie in the shape.
template <int D>
std::vector<char> particles_inside(const Shape<D>& shape, const Pose<D>& pose, const Particles<D>& particles) {
    const Bounds<D> box = shape.bounding_box();  // of the shape's own axes: a plane has none in the world's
    std::vector<char> found(particles.position.size());
    for_each_particle_block("particles in a shape", particles.size(),
                            [&](std::size_t, std::size_t first, std::size_t end) {
                                for (std::size_t p = first; p < end; ++p) {
                                    const Vec<D> x = pose.to_body(particles.position[p]);
                                    found[p] = box.contains(x) && shape.distance(x) < 0;
                                }
                            });
    return found;
}

/// A box of cells.
template <int D>
class CellRange {
  public:
    CellRange(const Grid<D>& grid, const Bounds<D>& box) : first_(grid.cell_of(box.low)) {
        size_ = grid.cell_of(box.high) - first_ + Coord<D>::Ones();
    }
    [[nodiscard]] std::ptrdiff_t count() const { return size_.template cast<std::ptrdiff_t>().prod(); }
    [[nodiscard]] Coord<D> cell(std::ptrdiff_t index) const {
        Coord<D> c = first_;
        for (int a = 0; a < D; ++a, index /= size_[a - 1]) c[a] += static_cast<int>(index % size_[a]);
        return c;
    }
    /// -1 if it is not in the box.
    [[nodiscard]] std::ptrdiff_t index(const Coord<D>& cell) const {
        std::ptrdiff_t out = 0;
        for (int a = D - 1; a >= 0; --a) {
            const int c = cell[a] - first_[a];
            if (c < 0 || c >= size_[a]) return -1;
            out = out * size_[a] + c;
        }
        return out;
    }

  private:
    Coord<D> first_, size_;
};

/// A pose on the way from one to the other; its axes are made perpendicular one after the other.
template <int D>
Pose<D> between(const Pose<D>& a, const Pose<D>& b, double s) {
    Pose<D> out;
    out.position = (1 - s) * a.position + s * b.position;
    out.matrix = (1 - s) * a.matrix + s * b.matrix;
    for (int i = 0; i < D; ++i) {
        for (int j = 0; j < i; ++j) out.matrix.col(i) -= out.matrix.col(j).dot(out.matrix.col(i)) * out.matrix.col(j);
        out.matrix.col(i).normalize();
    }
    return out;
}

/// The shape in the frame of the emitted liquid, in which its particles rest, from the beginning of a step to its end.
template <int D>
std::vector<Pose<D>> way_through_liquid(const Grid<D>& grid, const ShapeMotion<D>& motion,
                                        const LiquidSource<D>& source, const Vec<D>& travelled) {
    Pose<D> first = motion.before, last = motion.after;
    first.position -= travelled;
    last.position -= travelled + motion.dt * source.velocity;
    const Bounds<D> own = source.shape->bounding_box();
    const double size = std::max(own.low.norm(), own.high.norm());
    const double way = (last.position - first.position).norm() + size * (last.matrix - first.matrix).norm();
    const int pieces = std::max(1, static_cast<int>(std::ceil(way / (longest_piece * grid.dx))));
    std::vector<Pose<D>> poses{first};
    for (int k = 1; k < pieces; ++k) poses.push_back(between<D>(first, last, static_cast<double>(k) / pieces));
    poses.push_back(last);
    return poses;
}

/// Where particles are at the end of the step that the shape has met in it, and not before.
template <int D>
std::vector<Vec<D>> entered(const Grid<D>& grid, const ShapeMotion<D>& motion, const RoomForLiquid<D>& room,
                            const LiquidSource<D>& source, const SourceProgress<D>& progress) {
    const auto poses = way_through_liquid<D>(grid, motion, source, progress.travelled);
    Bounds<D> box;
    for (const auto& pose : poses) {
        const Bounds<D> there = box_of<D>(*source.shape, pose);
        box.include(there.low), box.include(there.high);
    }
    const CellRange<D> range(grid, box);
    const Jitter<D> jitter(source.seed, 0);
    const Vec<D> travelled = progress.travelled + motion.dt * source.velocity;
    std::vector<Vec<D>> found;
    for (std::ptrdiff_t n = 0; n < range.count(); ++n)
        for (int part = 0; part < particles_per_cell<D>; ++part) {
            const Vec<D> x = grid.to_world(jitter.point(range.cell(n), part));
            if (inside<D>(*source.shape, poses.front(), x) &&
                (progress.running || room.holds_liquid(x + progress.travelled, grid.dx)))
                continue;
            const auto meets = [&](const Pose<D>& pose) { return inside<D>(*source.shape, pose, x); };
            if (std::any_of(poses.begin(), poses.end(), meets)) found.push_back(x + travelled);
        }
    return found;
}

}  // namespace

template <int D>
EmissionReport<D> emit_liquid(const Grid<D>& grid, const ShapeMotion<D>& motion, const RoomForLiquid<D>& room,
                              const LiquidSource<D>& source, SourceProgress<D>& progress, Particles<D>& particles) {
    EmissionReport<D> report;
    if (!source.active(motion.time)) {
        progress.running = false;
        return report;
    }
    const auto places = entered<D>(grid, motion, room, source, progress);
    progress.travelled += motion.dt * source.velocity;
    progress.running = true;

    Bounds<D> box = box_of<D>(*source.shape, motion.after);
    for (const Vec<D>& x : places) box.include(x);
    const CellRange<D> range(grid, box);
    std::vector<int> count(static_cast<std::size_t>(range.count()));
    const auto held = particles_inside<D>(*source.shape, motion.after, particles);
    for (std::size_t p = 0; p < held.size(); ++p) {
        if (const auto cell = range.index(grid.cell_of(particles.position[p])); cell >= 0)
            ++count[static_cast<std::size_t>(cell)];
        if (held[p] == 0) continue;
        particles.velocity[p] = source.velocity;
        if (particles.with_affine) particles.affine[p].setZero();
    }
    for (const Vec<D>& x : places) {
        const Coord<D> cell = grid.cell_of(x);
        if (!grid.contains(cell) || (room.solid && room.solid(x) < room.clearance)) continue;
        const bool wet = room.holds_liquid(x, grid.dx);
        int& there = count[static_cast<std::size_t>(range.index(cell))];
        if (there >= source.most) {
            ++report.crowded_out;
            continue;
        }
        ++there, ++report.added;
        if (wet) report.within_liquid.push_back(x);
        particles.add(x);
        particles.velocity.back() = source.velocity;
    }
    report.volume = static_cast<double>(report.added) * particle_volume<D>(grid);
    return report;
}

template <int D>
double drain_liquid(const Grid<D>& grid, const ShapeMotion<D>& motion, const LiquidDrain<D>& drain,
                    Particles<D>& particles) {
    if (!drain.active(motion.time)) return 0;
    const auto gone = particles_inside<D>(*drain.shape, motion.after, particles);
    const auto removed = std::count(gone.begin(), gone.end(), 1);
    remove_particles(particles, gone);
    return static_cast<double>(removed) * particle_volume<D>(grid);
}

template <int D>
double inflow(const Grid<D>& grid, const DistanceFunction<D>& drain, const FacePassage<D>& open,
              const Field<D, double>& phi, const FaceField<D, double>& velocity, double dt) {
    const auto& set = phi.set();
    const auto flux = ordered_sum<double>("inflow", set.count(), 0.0, [&](std::ptrdiff_t b) {
        if (drain(grid.brick_centre(set.brick(b))) > grid.brick_half_diagonal()) return 0.0;
        Sampler<D, double> sampler(phi, Centring<D>::cell(), grid);
        const auto share = [&](const Coord<D>& cell) { return liquid_share<D>(grid, sampler, cell, phi.at(cell)); };
        double sum = 0;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(set.brick(b)) + local_coord<D>(i);
            if (!grid.contains(cell) || drain(grid.cell_centre(cell)) >= 0) continue;
            for (int a = 0; a < D; ++a)
                for (const int side : {-1, 1}) {
                    const Coord<D> from = cell + side * Coord<D>::Unit(a);
                    if (!grid.contains(from) || drain(grid.cell_centre(from)) < 0) continue;
                    const Coord<D> face = side < 0 ? cell : from;
                    double wet = share(from);
                    // The hole of the drain cuts the cell beside it, too.
                    if (phi.at(from) < 0) wet = std::max(wet, share(Coord<D>(from + side * Coord<D>::Unit(a))));
                    if (wet > 0) sum -= side * wet * open(face, a) * velocity[a].at(face);
                }
        }
        return sum;
    });
    return flux * dt * power(grid.dx, D - 1);
}

#define TIDELOCK_INSTANTIATE(D)                                                                                   \
    template EmissionReport<D> emit_liquid<D>(const Grid<D>&, const ShapeMotion<D>&, const RoomForLiquid<D>&,     \
                                              const LiquidSource<D>&, SourceProgress<D>&, Particles<D>&);         \
    template double drain_liquid<D>(const Grid<D>&, const ShapeMotion<D>&, const LiquidDrain<D>&, Particles<D>&); \
    template double inflow<D>(const Grid<D>&, const DistanceFunction<D>&, const FacePassage<D>&,                  \
                              const Field<D, double>&, const FaceField<D, double>&, double)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
