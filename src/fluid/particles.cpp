#include "fluid/particles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "base/error.h"
#include "fluid/particle_blocks.h"

namespace tidelock {
namespace {

/// The cells of one brick that hold particles.
template <int D>
struct OccupiedBrick {
    std::uint64_t code;
    Coord<D> brick;
    CellBox<D> box;
};

/// Sorts by place along the curve and joins the boxes of the same brick.
template <int D>
void join(std::vector<OccupiedBrick<D>>& list) {
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.code < b.code; });
    std::size_t kept = 0;
    for (const auto& entry : list) {
        if (kept > 0 && list[kept - 1].code == entry.code) {
            CellBox<D>& box = list[kept - 1].box;
            box.first = box.first.cwiseMin(entry.box.first);
            box.last = box.last.cwiseMax(entry.box.last);
        } else {
            list[kept++] = entry;
        }
    }
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept), list.end());
}

/// Particles of one block that are in one brick: where they stand in the block's own order.
struct BlockRun {
    std::int32_t slot;
    std::size_t first, count;
};

/// The order new -> old, and where each cell begins.
struct CellOrder {
    std::vector<std::size_t> from;
    std::vector<std::ptrdiff_t> first;
};

template <int D>
CellOrder counting_sort(const Grid<D>& grid, const BrickSet<D>& set, const std::vector<Vec<D>>& positions) {
    const auto n = static_cast<std::ptrdiff_t>(positions.size());
    std::vector<std::int32_t> slots(positions.size());
    std::vector<std::int16_t> places(positions.size());
    std::vector<std::size_t> by_slot(positions.size());
    std::vector<std::vector<BlockRun>> found(static_cast<std::size_t>(particle_blocks(n)));
    for_each_particle_block("sort particles: bricks", n, [&](std::size_t block, std::size_t first, std::size_t end) {
        for (std::size_t p = first; p < end; ++p) {
            const Coord<D> cell = particle_cell<D>(grid, positions[p]);
            slots[p] = set.find(brick_of<D>(cell));
            if (slots[p] == set.void_slot())
                throw SimulationError(
                    fmt::format("a particle at [{}] m lies where there is no brick: the time step is "
                                "too long for its speed",
                                fmt::join(positions[p], ", ")));
            places[p] = static_cast<std::int16_t>(local_index<D>(cell));
        }
        const auto begin = by_slot.begin() + static_cast<std::ptrdiff_t>(first);
        const auto stop = by_slot.begin() + static_cast<std::ptrdiff_t>(end);
        std::iota(begin, stop, first);
        std::stable_sort(begin, stop, [&](std::size_t a, std::size_t b) { return slots[a] < slots[b]; });
        for (std::size_t k = first; k < end; ++k) {
            if (found[block].empty() || found[block].back().slot != slots[by_slot[k]])
                found[block].push_back({slots[by_slot[k]], k, 0});
            ++found[block].back().count;
        }
    });
    std::vector<BlockRun> runs;
    for (const auto& list : found) runs.insert(runs.end(), list.begin(), list.end());
    std::stable_sort(runs.begin(), runs.end(), [](const BlockRun& a, const BlockRun& b) { return a.slot < b.slot; });
    const auto bricks = static_cast<std::size_t>(set.count());
    std::vector<std::size_t> first_run(bricks + 1), first_particle(bricks + 1);
    for (std::size_t b = 0, run = 0, before = 0; b <= bricks; ++b) {
        first_run[b] = run, first_particle[b] = before;
        for (; run < runs.size() && runs[run].slot == static_cast<std::int32_t>(b); ++run) before += runs[run].count;
    }
    CellOrder order;
    order.from.resize(positions.size());
    order.first.resize(bricks * Brick<D>::cells + 1);
    order.first.back() = n;
    parallel_for("sort particles: cells", set.count(), [&](std::ptrdiff_t slot) {
        const auto b = static_cast<std::size_t>(slot);
        std::array<std::size_t, Brick<D>::cells> next{};
        const auto for_each_particle = [&](auto&& f) {
            for (std::size_t run = first_run[b]; run < first_run[b + 1]; ++run)
                for (std::size_t k = 0; k < runs[run].count; ++k) f(by_slot[runs[run].first + k]);
        };
        for_each_particle([&](std::size_t p) { ++next[static_cast<std::size_t>(places[p])]; });
        for (std::size_t i = 0, before = first_particle[b]; i < next.size(); ++i) {
            order.first[b * Brick<D>::cells + i] = static_cast<std::ptrdiff_t>(before);
            before += std::exchange(next[i], before);
        }
        for_each_particle([&](std::size_t p) { order.from[next[static_cast<std::size_t>(places[p])]++] = p; });
    });
    return order;
}

/// Calls f(array) for each attribute.
template <int D, class F>
void for_each_array(Particles<D>& particles, F&& f) {
    f(particles.position);
    f(particles.velocity);
    if (particles.with_affine) f(particles.affine);
}

/// values[i] = old values[from[i]].
template <class T>
void gather(std::vector<T>& values, const std::vector<std::size_t>& from) {
    std::vector<T> out(from.size());
    for_each_particle_block("gather particles", static_cast<std::ptrdiff_t>(from.size()),
                            [&](std::size_t, std::size_t first, std::size_t end) {
                                for (std::size_t i = first; i < end; ++i) out[i] = values[from[i]];
                            });
    values = std::move(out);
}

}  // namespace

template <int D>
void Particles<D>::add(const Vec<D>& where) {
    position.push_back(where);
    velocity.push_back(Vec<D>::Zero());
    if (with_affine) affine.push_back(Mat<D>::Zero());
}

template <int D>
void Particles<D>::append(const Particles& others) {
    TIDELOCK_ASSERT(with_affine == others.with_affine || others.size() == 0, "{} particles", others.size());
    const auto join_array = [](auto& a, const auto& b) { a.insert(a.end(), b.begin(), b.end()); };
    join_array(position, others.position);
    join_array(velocity, others.velocity);
    join_array(affine, others.affine);
}

template <int D>
BrickSetPtr<D> bricks_of_particles(const Grid<D>& grid, const std::vector<Vec<D>>& positions, int rim) {
    const auto n = static_cast<std::ptrdiff_t>(positions.size());
    std::vector<std::vector<OccupiedBrick<D>>> found(static_cast<std::size_t>(particle_blocks(n)));
    for_each_particle_block("bricks of particles", n, [&](std::size_t block, std::size_t first, std::size_t end) {
        auto& list = found[block];
        for (std::size_t p = first; p < end; ++p) {
            const Coord<D> cell = particle_cell<D>(grid, positions[p]);
            const Coord<D> brick = brick_of<D>(cell), local = cell - first_cell<D>(brick);
            if (list.empty() || list.back().brick != brick)
                list.push_back({morton_code<D>(brick), brick, {local, local}});
            CellBox<D>& box = list.back().box;
            box.first = box.first.cwiseMin(local);
            box.last = box.last.cwiseMax(local);
        }
        join<D>(list);
    });
    std::vector<OccupiedBrick<D>> all;
    for (const auto& list : found) all.insert(all.end(), list.begin(), list.end());
    join<D>(all);
    std::vector<Coord<D>> bricks;
    std::vector<CellBox<D>> boxes;  // in the order in which the set stores its bricks: along the curve
    for (const auto& entry : all) bricks.push_back(entry.brick), boxes.push_back(entry.box);
    const auto occupied = std::make_shared<const BrickSet<D>>(lattice_for_faces<D>(grid.cells), std::move(bricks));
    return activate_around<D>(occupied, boxes, rim);
}

template <int D>
ParticleCells<D> sort_particles(const Grid<D>& grid, const BrickSetPtr<D>& set, Particles<D>& particles) {
    auto order = counting_sort<D>(grid, *set, particles.position);
    for_each_array(particles, [&](auto& values) { gather(values, order.from); });
    return {set, std::move(order.first)};
}

template <int D>
void remove_particles(Particles<D>& particles, const std::vector<char>& gone) {
    std::vector<std::size_t> from;
    from.reserve(gone.size());
    for (std::size_t p = 0; p < gone.size(); ++p)
        if (gone[p] == 0) from.push_back(p);
    if (from.size() == gone.size()) return;
    for_each_array(particles, [&](auto& values) { gather(values, from); });
}

template BrickSetPtr<2> bricks_of_particles<2>(const Grid<2>&, const std::vector<Vec2>&, int);
template BrickSetPtr<3> bricks_of_particles<3>(const Grid<3>&, const std::vector<Vec3>&, int);

#define TIDELOCK_INSTANTIATE(D)                                                                        \
    template struct Particles<D>;                                                                      \
    template ParticleCells<D> sort_particles<D>(const Grid<D>&, const BrickSetPtr<D>&, Particles<D>&); \
    template void remove_particles<D>(Particles<D>&, const std::vector<char>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
