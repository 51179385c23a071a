#include "grid/brick_set.h"

#include <algorithm>

#include "base/error.h"
#include "base/parallel.h"

namespace tidelock {
namespace {

template <int D>
void sort_along_curve(std::vector<Coord<D>>& bricks) {
    std::vector<std::pair<std::uint64_t, Coord<D>>> keyed;
    keyed.reserve(bricks.size());
    for (const auto& b : bricks) keyed.emplace_back(morton_code<D>(b), b);
    std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(keyed.begin(), keyed.end(), bricks.begin(), [](const auto& k) { return k.second; });
}

}  // namespace

template <int D>
BrickSet<D>::BrickSet(const Coord<D>& lattice, std::vector<Coord<D>> bricks)
    : lattice_(lattice), bricks_(std::move(bricks)) {
    std::size_t total = 1;
    for (int a = 0; a < D; ++a) {
        if (lattice[a] < 1)
            throw InputError("brick lattice", "each extent must be at least 1, got {} along axis {}", lattice[a], a);
        total *= static_cast<std::size_t>(lattice[a]);
    }
    for (const auto& b : bricks_)
        if (!inside(b)) throw InputError("brick set", "a brick lies outside the lattice");
    sort_along_curve<D>(bricks_);
    bricks_.erase(std::unique(bricks_.begin(), bricks_.end()), bricks_.end());

    slots_.assign(total, void_slot());
    for (std::ptrdiff_t s = 0; s < count(); ++s) slots_[linear(brick(s))] = static_cast<std::int32_t>(s);
    neighbours_.resize(bricks_.size());
    parallel_for("brick neighbours", (count() + 255) / 256, [this](std::ptrdiff_t block) {
        for (std::ptrdiff_t s = block * 256; s < std::min(count(), block * 256 + 256); ++s)
            neighbours_[static_cast<std::size_t>(s)] = neighbours_of(brick(s));
    });
}

template <int D>
typename BrickSet<D>::Neighbours BrickSet<D>::neighbours_of(const Coord<D>& brick) const {
    Neighbours row;
    for (int n = 0; n < Brick<D>::neighbours; ++n) {
        Coord<D> offset;
        for (int a = 0, rest = n; a < D; ++a, rest /= 3) offset[a] = rest % 3 - 1;
        row[static_cast<std::size_t>(n)] = find(brick + offset);
    }
    return row;
}

template <int D>
std::size_t BrickSet<D>::bytes() const {
    return bricks_.size() * (sizeof(Coord<D>) + sizeof(Neighbours)) + slots_.size() * sizeof(std::int32_t);
}

template <int D>
Coord<D> lattice_for(const Coord<D>& cells) {
    Coord<D> lattice;
    for (int a = 0; a < D; ++a) lattice[a] = (cells[a] + Brick<D>::size[a] - 1) >> Brick<D>::bits[a];
    return lattice;
}

namespace {

template <int D>
Coord<D> nth_brick(const Coord<D>& lattice, std::ptrdiff_t index) {
    Coord<D> b;
    for (int a = 0; a < D; ++a) {
        b[a] = static_cast<int>(index % lattice[a]);
        index /= lattice[a];
    }
    return b;
}

template <int D>
std::ptrdiff_t lattice_count(const Coord<D>& lattice) {
    std::ptrdiff_t n = 1;
    for (int a = 0; a < D; ++a) n *= lattice[a];
    return n;
}

}  // namespace

template <int D>
BrickSetPtr<D> make_dense(const Coord<D>& lattice) {
    return make_where<D>(lattice, [](const Coord<D>&) { return true; });
}

template <int D>
BrickSetPtr<D> make_where(const Coord<D>& lattice, const std::function<bool(const Coord<D>&)>& wanted) {
    const std::ptrdiff_t n = lattice_count<D>(lattice);
    std::vector<char> keep(static_cast<std::size_t>(n));
    parallel_for("activate bricks", n,
                 [&](std::ptrdiff_t i) { keep[static_cast<std::size_t>(i)] = wanted(nth_brick<D>(lattice, i)); });
    std::vector<Coord<D>> bricks;
    for (std::ptrdiff_t i = 0; i < n; ++i)
        if (keep[static_cast<std::size_t>(i)]) bricks.push_back(nth_brick<D>(lattice, i));
    return std::make_shared<const BrickSet<D>>(lattice, std::move(bricks));
}

template <int D>
BrickSetPtr<D> unite(const BrickSet<D>& a, const BrickSet<D>& b) {
    TIDELOCK_ASSERT(a.lattice() == b.lattice(), "lattices of {} and {} bricks", a.count(), b.count());
    auto bricks = a.bricks();
    bricks.insert(bricks.end(), b.bricks().begin(), b.bricks().end());
    return std::make_shared<const BrickSet<D>>(a.lattice(), std::move(bricks));
}

template <int D>
BrickSetPtr<D> coarsen(const BrickSet<D>& set) {
    Coord<D> lattice;
    for (int a = 0; a < D; ++a) lattice[a] = (set.lattice()[a] + 1) / 2;
    std::vector<Coord<D>> bricks;
    bricks.reserve(static_cast<std::size_t>(set.count()));
    for (const auto& b : set.bricks()) {
        Coord<D> c;
        for (int a = 0; a < D; ++a) c[a] = b[a] >> 1;
        bricks.push_back(c);
    }
    return std::make_shared<const BrickSet<D>>(lattice, std::move(bricks));
}

#define TIDELOCK_INSTANTIATE(D)                                                                          \
    template class BrickSet<D>;                                                                          \
    template Coord<D> lattice_for<D>(const Coord<D>&);                                                   \
    template BrickSetPtr<D> make_dense<D>(const Coord<D>&);                                              \
    template BrickSetPtr<D> make_where<D>(const Coord<D>&, const std::function<bool(const Coord<D>&)>&); \
    template BrickSetPtr<D> unite<D>(const BrickSet<D>&, const BrickSet<D>&);                            \
    template BrickSetPtr<D> coarsen<D>(const BrickSet<D>&)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
