#include "grid/activation.h"

#include "base/error.h"

namespace tidelock {
namespace {

/// A block of bricks [first, first + size) in the descent of activate_shape; clipped to the lattice.
template <int D>
struct Block {
    Coord<D> first, size;
};

/// False only if every brick in the block is farther than half its own diagonal + margin from the shape: the distance
/// at a brick's centre is at least that at the block's centre less the way between them.
template <int D>
bool may_touch(const Grid<D>& grid, const Block<D>& block, const DistanceFunction<D>& shape, double margin) {
    const Vec<D> lower = grid.brick_centre(block.first);
    const Vec<D> upper = grid.brick_centre(block.first + block.size - Coord<D>::Ones());
    return shape(0.5 * (lower + upper)) <= 0.5 * (upper - lower).norm() + grid.brick_half_diagonal() + margin;
}

/// Halves along every axis that is longer than one brick.
template <int D>
void split(const Block<D>& block, std::vector<Block<D>>& out) {
    for (int child = 0; child < (1 << D); ++child) {
        Block<D> part = block;
        bool exists = true;
        for (int a = 0; a < D; ++a) {
            const int half = (block.size[a] + 1) / 2;
            if ((child >> a) & 1) {
                part.first[a] += half;
                part.size[a] -= half;
            } else {
                part.size[a] = half;
            }
            exists = exists && part.size[a] > 0;
        }
        if (exists) out.push_back(part);
    }
}

}  // namespace

template <int D>
BrickSetPtr<D> activate_shape(const Grid<D>& grid, const DistanceFunction<D>& shape, double margin) {
    const Coord<D> lattice = lattice_for_faces<D>(grid.cells);
    std::vector<Block<D>> blocks{{Coord<D>::Zero(), lattice}};
    std::vector<Coord<D>> bricks;
    while (!blocks.empty()) {
        const auto n = static_cast<std::ptrdiff_t>(blocks.size());
        std::vector<char> touched(blocks.size());
        parallel_for("activate shape", (n + 15) / 16, [&](std::ptrdiff_t g) {
            for (auto i = static_cast<std::size_t>(16 * g);
                 i < std::min(blocks.size(), static_cast<std::size_t>(16 * g + 16)); ++i)
                touched[i] = may_touch<D>(grid, blocks[i], shape, margin);
        });
        std::vector<Block<D>> next;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (!touched[i]) continue;
            if (blocks[i].size == Coord<D>::Ones())
                bricks.push_back(blocks[i].first);
            else
                split(blocks[i], next);
        }
        blocks = std::move(next);
    }
    return std::make_shared<const BrickSet<D>>(lattice, std::move(bricks));
}

template <int D>
BrickSetPtr<D> activate_around(const BrickSetPtr<D>& old, const std::vector<CellBox<D>>& boxes, int band) {
    TIDELOCK_ASSERT(boxes.size() == old->bricks().size(), "{} boxes for {} bricks", boxes.size(), old->bricks().size());
    std::vector<char> keep(boxes.size());
    std::vector<Coord<D>> bricks;  // new ones first, then those kept
    for (std::size_t b = 0; b < boxes.size(); ++b) {
        if (boxes[b].empty()) continue;
        const Coord<D> origin = first_cell<D>(old->bricks()[b]);
        const Coord<D> reach = Coord<D>::Constant(band);
        const Coord<D> low = brick_of<D>(origin + boxes[b].first - reach).cwiseMax(0);
        const Coord<D> high = brick_of<D>(origin + boxes[b].last + reach).cwiseMin(old->lattice() - Coord<D>::Ones());
        for (Coord<D> c = low; c[D - 1] <= high[D - 1];) {
            const auto slot = old->find(c);
            if (slot != old->void_slot())
                keep[static_cast<std::size_t>(slot)] = 1;
            else
                bricks.push_back(c);
            int a = 0;
            for (; a < D - 1 && c[a] == high[a]; ++a) c[a] = low[a];
            ++c[a];
        }
    }
    if (bricks.empty() && std::find(keep.begin(), keep.end(), 0) == keep.end()) return old;
    for (std::size_t b = 0; b < keep.size(); ++b)
        if (keep[b]) bricks.push_back(old->bricks()[b]);
    return std::make_shared<const BrickSet<D>>(old->lattice(), std::move(bricks));
}

#define TIDELOCK_INSTANTIATE(D)                                                                    \
    template BrickSetPtr<D> activate_shape<D>(const Grid<D>&, const DistanceFunction<D>&, double); \
    template BrickSetPtr<D> activate_around<D>(const BrickSetPtr<D>&, const std::vector<CellBox<D>>&, int)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
