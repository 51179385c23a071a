#include "solve/regions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/dense.h"
#include "base/parallel.h"
#include "base/union_find.h"
#include "solve/dot_brick.h"

namespace tidelock {
namespace {

constexpr int none = -1;

/// Components of one stored brick, over its inner open faces. Returns how many; `label` holds -1 without an unknown.
template <int D>
int components_in_brick(const PoissonOperator<D>& op, std::ptrdiff_t slot, std::int16_t* label) {
    constexpr int cells = Brick<D>::cells;
    const auto unknown = op.unknown(slot);
    const std::uint8_t* open = op.flags(slot);
    std::fill(label, label + cells, std::int16_t{none});
    int top = 0, stack[cells];
    std::int16_t count = 0;
    const auto visit = [&](int i) {
        if (label[i] == none) label[stack[top++] = i] = count;
    };
    for (int seed = 0; seed < cells; ++seed) {
        if (!unknown[seed] || label[seed] != none) continue;
        visit(seed);
        while (top > 0) {
            const int i = stack[--top];
            const Coord<D> c = local_coord<D>(i);
            for (int a = 0; a < D; ++a) {
                if (c[a] > 0 && (open[i] & lower_open(a))) visit(i - local_stride<D>(a));
                if (c[a] + 1 < Brick<D>::size[a] && (open[i] & upper_open(a))) visit(i + local_stride<D>(a));
            }
        }
        ++count;
    }
    return count;
}

}  // namespace

template <int D>
Regions<D>::Regions(const PoissonOperator<D>& op) {
    find_components(op);
    region_ = join_components(op);
    measure(op);
}

/// Components inside each brick, numbered through.
template <int D>
void Regions<D>::find_components(const PoissonOperator<D>& op) {
    const std::ptrdiff_t n = op.set().count();
    start_.assign(static_cast<std::size_t>(n), none);
    std::int32_t stored = 0;
    for (std::ptrdiff_t b = 0; b < n; ++b)
        if (!op.is_uniform(b)) start_[static_cast<std::size_t>(b)] = Brick<D>::cells * stored++;
    labels_ = BigArray<Label>(static_cast<std::size_t>(stored) * Brick<D>::cells, Uninitialised{});
    first_.assign(static_cast<std::size_t>(n + 1), 0);
    parallel_for("regions in bricks", n, [&](std::ptrdiff_t b) {
        const auto start = start_[static_cast<std::size_t>(b)];
        first_[static_cast<std::size_t>(b) + 1] =
            start == none ? 1 : components_in_brick<D>(op, b, labels_.data() + start);
    });
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

/// The region of each component: those that an open face between bricks joins are one.
template <int D>
std::vector<int> Regions<D>::join_components(const PoissonOperator<D>& op) const {
    const auto& set = op.set();
    UnionFind joined(static_cast<std::size_t>(first_.back()));
    const auto component = [&](std::ptrdiff_t b, int i) {
        const auto start = start_[static_cast<std::size_t>(b)];
        return first_[static_cast<std::size_t>(b)] + (start == none ? 0 : labels_.data()[std::ptrdiff_t{start} + i]);
    };
    for (std::ptrdiff_t b = 0; b < set.count(); ++b)
        for (int a = 0; a < D; ++a) {
            Coord<D> offset = Coord<D>::Zero();
            offset[a] = -1;
            const auto below = set.neighbours(b)[static_cast<std::size_t>(neighbour_slot<D>(offset))];
            if (below == set.void_slot()) continue;
            if (op.is_uniform(b) && op.is_uniform(below)) {
                joined.join(component(b, 0), component(below, 0));
                continue;
            }
            const int across = local_stride<D>(a) * (Brick<D>::size[a] - 1);
            int last_own = none, last_below = none;  // most faces of a layer join the same two
            for_each_in_layer<D>(a, 0, [&](int i) {
                if (!(op.flags(b)[i] & lower_open(a))) return;
                const int own = component(b, i), other = component(below, i + across);
                if (own == last_own && other == last_below) return;
                joined.join(last_own = own, last_below = other);
            });
        }
    return joined.labels();
}

/// Sizes of the regions, which are closed, and which bricks are whole.
template <int D>
void Regions<D>::measure(const PoissonOperator<D>& op) {
    const auto regions = region_.empty() ? 0 : static_cast<std::size_t>(*std::ranges::max_element(region_)) + 1;
    std::vector<std::int32_t> size(region_.size(), 0);
    std::vector<char> exceeds(region_.size(), 0);
    parallel_for("sizes of regions", op.set().count(), [&](std::ptrdiff_t b) {
        const auto start = start_[static_cast<std::size_t>(b)];
        const auto first = static_cast<std::size_t>(first_[static_cast<std::size_t>(b)]);
        if (start == none) {
            size[first] = Brick<D>::cells;
            return;
        }
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const auto label = labels_.data()[std::ptrdiff_t{start} + i];
            if (label == none) continue;
            ++size[first + static_cast<std::size_t>(label)];
            if (op.excess(b)[i] > 0) exceeds[first + static_cast<std::size_t>(label)] = 1;
        }
    });
    cells_.assign(regions, 0);
    closed_.assign(regions, 1);
    for (std::size_t c = 0; c < region_.size(); ++c) {
        cells_[static_cast<std::size_t>(region_[c])] += size[c];
        if (exceeds[c]) closed_[static_cast<std::size_t>(region_[c])] = 0;
    }
    whole_.assign(start_.size(), none);
    for (std::size_t b = 0; b < start_.size(); ++b)
        if (start_[b] == none) whole_[b] = region_[static_cast<std::size_t>(first_[b])];
}

template <int D>
int Regions<D>::region(std::ptrdiff_t slot, int local) const {
    const auto start = start_[static_cast<std::size_t>(slot)];
    if (start == none) return region_of_brick(slot);
    const auto label = labels_.data()[std::ptrdiff_t{start} + local];
    if (label == none) return none;
    return region_[static_cast<std::size_t>(first_[static_cast<std::size_t>(slot)]) + static_cast<std::size_t>(label)];
}

template <int D>
NullSpace<D>::NullSpace(const PoissonOperator<D>& op, const RigidTerms<D>& bodies) : regions_(op) {
    std::vector<int> row(static_cast<std::size_t>(regions_.count()), -1);
    for (int r = 0; r < regions_.count(); ++r)
        if (regions_.closed(r))
            row[static_cast<std::size_t>(r)] = static_cast<int>(singular_.size()), singular_.push_back(r);
    const auto n = static_cast<Eigen::Index>(singular_.size());
    if (bodies.empty() || n == 0) {
        basis_ = Eigen::MatrixXd::Identity(n, n);
        return;
    }
    // K 1_R for each closed region, over sqrt(cells) so that equal vectors have equal length, and the size of its
    // terms.
    Eigen::MatrixXd force = Eigen::MatrixXd::Zero(bodies.bodies() * rigid_dof<D>, n);
    Eigen::VectorXd size = Eigen::VectorXd::Zero(n);
    for (const auto& e : bodies.entries()) {
        const int region = regions_.region(e.slot, e.local);
        if (region < 0 || row[static_cast<std::size_t>(region)] < 0) continue;
        const int r = row[static_cast<std::size_t>(region)];
        for (int d = 0; d < rigid_dof<D>; ++d) {
            force(e.body * rigid_dof<D> + d, r) += e.k[static_cast<std::size_t>(d)];
            size[r] += std::abs(e.k[static_cast<std::size_t>(d)]);
        }
    }
    force = bodies.allowed(force);
    for (Eigen::Index r = 0; r < n; ++r) {
        // A closed voxel surface sums to zero up to rounding; anything larger is a real force.
        if (force.col(r).cwiseAbs().maxCoeff() <= 1e-10 * size[r]) force.col(r).setZero();
        force.col(r) /= std::sqrt(static_cast<double>(regions_.cells(singular_[static_cast<std::size_t>(r)])));
    }
    const auto [values, v] = right_singular_vectors(force);
    Eigen::Index rank = 0;
    while (rank < values.size() && values[rank] > 1e-10 * values[0]) ++rank;
    if (values.size() > 0 && values[0] == 0) rank = 0;
    basis_ = v.rightCols(n - rank);
}

/// The sum of v over each region. Bricks that lie in one are added up in parallel, the others' cells after them.
template <int D>
Eigen::VectorXd NullSpace<D>::region_sums(const double* v) const {
    const std::ptrdiff_t bricks = regions_.bricks();
    std::vector<double> whole(static_cast<std::size_t>(bricks));
    // Cells without an unknown hold zero: a single region's sum is that of all cells.
    const bool single = regions_.count() == 1;
    parallel_for("sums of regions", bricks, [&](std::ptrdiff_t b) {
        if (single || regions_.region_of_brick(b) >= 0)
            whole[static_cast<std::size_t>(b)] = sum_cells<D>([&](int i) { return v[b * Brick<D>::cells + i]; });
    });
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(regions_.count());
    for (std::ptrdiff_t b = 0; b < bricks; ++b) {
        const int region = single ? 0 : regions_.region_of_brick(b);
        if (region >= 0) {
            sums[region] += whole[static_cast<std::size_t>(b)];
            continue;
        }
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (const int r = regions_.region(b, i); r >= 0) sums[r] += v[b * Brick<D>::cells + i];
    }
    return sums;
}

template <int D>
std::vector<double> NullSpace<D>::losses(const double* v) const {
    std::vector<double> out(static_cast<std::size_t>(regions_.count()), 0.0);
    if (dimension() == 0) return out;
    const Eigen::VectorXd sums = region_sums(v);
    const auto root = [&](int region) { return std::sqrt(static_cast<double>(regions_.cells(region))); };
    Eigen::VectorXd scaled(static_cast<Eigen::Index>(singular_.size()));
    for (Eigen::Index s = 0; s < scaled.size(); ++s) {
        const int region = singular_[static_cast<std::size_t>(s)];
        scaled[s] = sums[region] / root(region);
    }
    const Eigen::VectorXd along = basis_ * (basis_.transpose() * scaled);
    for (Eigen::Index s = 0; s < scaled.size(); ++s) {
        const int region = singular_[static_cast<std::size_t>(s)];
        out[static_cast<std::size_t>(region)] = along[s] * root(region);
    }
    return out;
}

template <int D>
Projected NullSpace<D>::project(double* v) const {
    const Eigen::VectorXd sums = region_sums(v);
    Eigen::VectorXd scaled(static_cast<Eigen::Index>(singular_.size())), root(scaled.size());
    for (Eigen::Index s = 0; s < scaled.size(); ++s) {
        root[s] = std::sqrt(static_cast<double>(regions_.cells(singular_[static_cast<std::size_t>(s)])));
        scaled[s] = sums[singular_[static_cast<std::size_t>(s)]] / root[s];
    }
    const Eigen::VectorXd component = basis_.transpose() * scaled;
    const Eigen::VectorXd along = basis_ * component;
    std::vector<double> shift(static_cast<std::size_t>(regions_.count()), 0.0);
    for (Eigen::Index s = 0; s < scaled.size(); ++s)
        shift[static_cast<std::size_t>(singular_[static_cast<std::size_t>(s)])] = along[s] / root[s];
    const double square = ordered_sum("project null space", regions_.bricks(), 0.0, [&](std::ptrdiff_t b) {
        double* own = v + b * Brick<D>::cells;
        if (const int whole = regions_.region_of_brick(b); whole >= 0) {
            const double step = shift[static_cast<std::size_t>(whole)];
            for (int i = 0; i < Brick<D>::cells; ++i) own[i] -= step;
        } else {
            for (int i = 0; i < Brick<D>::cells; ++i)
                if (const int r = regions_.region(b, i); r >= 0) own[i] -= shift[static_cast<std::size_t>(r)];
        }
        return dot_brick<D>(own, own);
    });
    return {.removed = component.norm(), .left = std::sqrt(square)};
}

template class Regions<2>;
template class Regions<3>;
template class NullSpace<2>;
template class NullSpace<3>;

}  // namespace tidelock
