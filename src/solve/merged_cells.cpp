#include "solve/merged_cells.h"

#include <algorithm>

#include "base/parallel.h"
#include "grid/neighbour_cell.h"
#include "solve/colour_order.h"

namespace tidelock {

namespace {

/// Cells that one task adds up; fixed, so that sums do not depend on the threads.
constexpr std::size_t block = 4096;

template <int D>
std::ptrdiff_t place_of(const CellPlace& cell) {
    return std::ptrdiff_t{cell.slot} * Brick<D>::cells + cell.local;
}

/// f(cell) for all cells of a group, in parallel.
template <class F>
void for_each_cell(const std::vector<CellPlace>& group, const F& f) {
    const auto blocks = static_cast<std::ptrdiff_t>((group.size() + block - 1) / block);
    parallel_for("merged cells", blocks, [&](std::ptrdiff_t k) {
        const auto first = static_cast<std::size_t>(k) * block;
        for (std::size_t i = first; i < std::min(group.size(), first + block); ++i) f(group[i]);
    });
}

/// The sum of value(cell) over a group.
template <class F>
double sum_over(const std::vector<CellPlace>& group, const F& value) {
    const auto blocks = static_cast<std::ptrdiff_t>((group.size() + block - 1) / block);
    return ordered_sum("merged cells: sum", blocks, 0.0, [&](std::ptrdiff_t k) {
        const auto first = static_cast<std::size_t>(k) * block;
        double part = 0;
        for (std::size_t i = first; i < std::min(group.size(), first + block); ++i) part += value(group[i]);
        return part;
    });
}

}  // namespace

template <int D>
MergedCells<D>::MergedCells(std::vector<std::vector<CellPlace>> groups) : groups_(std::move(groups)) {
    std::erase_if(groups_, [](const auto& group) { return group.size() < 2; });
    for (auto& group : groups_) std::sort(group.begin(), group.end());
}

template <int D>
MergedCells<D> MergedCells<D>::on_unknowns(const PoissonOperator<D>& op) && {
    for (auto& group : groups_)
        std::erase_if(group, [&](const CellPlace& cell) { return op.unknown(cell.slot)[cell.local] == 0; });
    return MergedCells(std::move(groups_));
}

template <int D>
void MergedCells<D>::average(double* v) const {
    for (const auto& group : groups_) {
        const double sum = sum_over(group, [&](const CellPlace& cell) { return v[place_of<D>(cell)]; });
        const double mean = sum / static_cast<double>(group.size());
        for_each_cell(group, [&](const CellPlace& cell) { v[place_of<D>(cell)] = mean; });
    }
}

template <int D>
Eigen::VectorXd MergedCells<D>::take_sums(float* v) const {
    Eigen::VectorXd sums(static_cast<Eigen::Index>(groups_.size()));
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const auto at = [&](const CellPlace& cell) -> float& { return v[colour_order<D>(place_of<D>(cell))]; };
        sums[static_cast<Eigen::Index>(g)] =
            sum_over(groups_[g], [&](const CellPlace& cell) { return static_cast<double>(at(cell)); });
        for_each_cell(groups_[g], [&](const CellPlace& cell) { at(cell) = 0; });
    }
    return sums;
}

template <int D>
void MergedCells<D>::add(const Eigen::VectorXd& values, double* v) const {
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for_each_cell(groups_[g],
                      [&](const CellPlace& cell) { v[place_of<D>(cell)] += values[static_cast<Eigen::Index>(g)]; });
}

template <int D>
MergedPlaces<D>::MergedPlaces(const BrickSet<D>& set, const MergedCells<D>& merged)
    : start_(static_cast<std::size_t>(set.count()) + 1, -1) {
    std::int32_t bricks = 0;
    for (std::size_t g = 0; g < merged.groups().size(); ++g)
        for (const CellPlace& cell : merged.groups()[g]) {
            std::int32_t& start = start_[static_cast<std::size_t>(cell.slot)];
            if (start < 0) {
                start = bricks++;
                group_.resize(static_cast<std::size_t>(bricks) * Brick<D>::cells, -1);
            }
            group_[static_cast<std::size_t>(start) * Brick<D>::cells + static_cast<std::size_t>(cell.local)] =
                static_cast<std::int32_t>(g);
        }
}

namespace {

/// A brick of `op` as it is.
template <int D>
void copy_brick(const PoissonOperator<D>& op, std::ptrdiff_t slot, PoissonBrick<D>& out) {
    for (int a = 0; a < D; ++a)
        for (int i = 0; i < Brick<D>::cells; ++i) out.conductance[a][i] = op.conductance(a, slot)[i];
    std::copy_n(op.excess(slot), Brick<D>::cells, out.excess);
    for (int i = 0; i < Brick<D>::cells; ++i) out.unknown[i] = static_cast<std::uint8_t>(op.unknown(slot)[i]);
}

}  // namespace

template <int D>
PoissonOperator<D> hold_merged(const PoissonOperator<D>& op, const MergedCells<D>& merged) {
    const BrickSet<D>& set = op.set();
    const MergedPlaces<D> places(set, merged);
    PoissonOperator<D> held(op.set_ptr(), op.uniform(), [&](std::ptrdiff_t slot, PoissonBrick<D>& out) {
        copy_brick<D>(op, slot, out);
        const auto& near = set.neighbours(slot);
        if (std::none_of(near.begin(), near.end(), [&](std::int32_t n) { return places.any(n); })) return;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (out.unknown[i] == 0) continue;
            const bool here = places.group_at(slot, i) >= 0;
            if (here) out.unknown[i] = 0, out.excess[i] = 0;
            for (int a = 0; a < D; ++a)
                for (const int step : {-1, 1}) {
                    const auto [beside, local] = neighbour_cell<D>(set, slot, i, a, step);
                    const bool there = places.group_at(beside, local) >= 0;
                    if (!here && there)
                        out.excess[i] += step < 0 ? op.conductance(a, slot)[i] : op.upper_conductance(a, slot, i);
                    if ((here || there) && step < 0) out.conductance[a][i] = 0;
                }
        }
    });
    for (const CellPlace& cell : op.pockets())
        if (op.unknown(cell.slot)[cell.local] != 0 && places.group_at(cell.slot, cell.local) < 0)
            held.keep_pocket(cell);
    return held;
}

#define TIDELOCK_INSTANTIATE(D)     \
    template class MergedCells<D>;  \
    template class MergedPlaces<D>; \
    template PoissonOperator<D> hold_merged(const PoissonOperator<D>&, const MergedCells<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
