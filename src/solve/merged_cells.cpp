#include "solve/merged_cells.h"

#include <algorithm>

#include "base/parallel.h"

namespace tidelock {

namespace {

/// Cells that one task adds up; fixed, so that sums do not depend on the threads.
constexpr std::size_t block = 4096;

template <int D>
std::ptrdiff_t place_of(const CellPlace& cell) {
    return std::ptrdiff_t{cell.slot} * Brick<D>::cells + cell.local;
}

}  // namespace

template <int D>
MergedCells<D>::MergedCells(std::vector<std::vector<CellPlace>> groups) : groups_(std::move(groups)) {
    std::erase_if(groups_, [](const auto& group) { return group.size() < 2; });
    for (auto& group : groups_) std::sort(group.begin(), group.end());
}

template <int D>
void MergedCells<D>::keep_unknowns(const PoissonOperator<D>& op) {
    for (auto& group : groups_)
        std::erase_if(group, [&](const CellPlace& cell) { return op.unknown(cell.slot)[cell.local] == 0; });
    std::erase_if(groups_, [](const auto& group) { return group.size() < 2; });
}

template <int D>
template <class T>
void MergedCells<D>::average(T* v) const {
    for (const auto& group : groups_) {
        const auto blocks = static_cast<std::ptrdiff_t>((group.size() + block - 1) / block);
        const auto range = [&](std::ptrdiff_t k) {
            const auto first = static_cast<std::size_t>(k) * block;
            return std::pair(first, std::min(group.size(), first + block));
        };
        const double sum = ordered_sum("merged cells: sum", blocks, 0.0, [&](std::ptrdiff_t k) {
            double part = 0;
            const auto [first, last] = range(k);
            for (std::size_t i = first; i < last; ++i) part += static_cast<double>(v[place_of<D>(group[i])]);
            return part;
        });
        const T mean = static_cast<T>(sum / static_cast<double>(group.size()));
        parallel_for("merged cells: mean", blocks, [&](std::ptrdiff_t k) {
            const auto [first, last] = range(k);
            for (std::size_t i = first; i < last; ++i) v[place_of<D>(group[i])] = mean;
        });
    }
}

#define TIDELOCK_INSTANTIATE(D)                           \
    template class MergedCells<D>;                        \
    template void MergedCells<D>::average(double*) const; \
    template void MergedCells<D>::average(float*) const;
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
