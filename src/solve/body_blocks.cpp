#include "solve/body_blocks.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "solve/colour_order.h"

namespace tidelock {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// A dense block, its first entry at (row, column); what meets there is added up.
template <class Block>
void add_block(Triplets& out, int row, int column, const Block& block) {
    for (int i = 0; i < block.rows(); ++i)
        for (int j = 0; j < block.cols(); ++j) out.emplace_back(row + i, column + j, block(i, j));
}

/// The entries with those of one cell side by side.
template <int D>
std::vector<std::size_t> order_by_cell(const std::vector<RigidEntry<D>>& entries) {
    std::vector<std::size_t> order(entries.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(entries[a].slot, entries[a].local, a) < std::tuple(entries[b].slot, entries[b].local, b);
    });
    return order;
}

/// K W K^T: what a body has for itself, and what two share.
template <int D>
struct BodyProduct {
    std::vector<typename RigidTerms<D>::Block> own;
    Triplets shared;
};

template <int D>
BodyProduct<D> product_of(const RigidTerms<D>& bodies, const std::vector<double>& weights) {
    constexpr int dof = rigid_dof<D>;
    using Column = Eigen::Matrix<double, dof, 1>;
    const auto& entries = bodies.entries();
    const auto order = order_by_cell<D>(entries);
    BodyProduct<D> out;
    out.own.assign(static_cast<std::size_t>(bodies.bodies()), RigidTerms<D>::Block::Zero());
    const auto column = [&](std::size_t i) { return Eigen::Map<const Column>(entries[i].k.data()); };
    for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
        const auto& cell = entries[order[first]];
        while (last < order.size() && entries[order[last]].slot == cell.slot &&
               entries[order[last]].local == cell.local)
            ++last;
        const double weight = weights[order[first]];
        if (weight == 0) continue;
        for (std::size_t a = first; a < last; ++a)
            for (std::size_t b = first; b < last; ++b) {
                const int i = entries[order[a]].body, j = entries[order[b]].body;
                const auto product = (weight * column(order[a]) * column(order[b]).transpose()).eval();
                if (i == j)
                    out.own[static_cast<std::size_t>(i)] += product;
                else
                    add_block(out.shared, i * dof, j * dof, product);
            }
    }
    return out;
}

/// T of all bodies.
template <int D>
Eigen::SparseMatrix<double> joint_basis(const RigidTerms<D>& bodies) {
    constexpr int dof = rigid_dof<D>;
    Triplets entries;
    int columns = 0;
    for (std::size_t c = 0; c < bodies.clusters().size(); ++c) {
        const auto& members = bodies.clusters()[c];
        const Eigen::MatrixXd& t = bodies.basis(c);
        for (std::size_t m = 0; m < members.size(); ++m)
            add_block(entries, members[m] * dof, columns, t.middleRows(static_cast<int>(m) * dof, dof));
        columns += static_cast<int>(t.cols());
    }
    Eigen::SparseMatrix<double> basis(bodies.bodies() * dof, columns);
    basis.setFromTriplets(entries.begin(), entries.end());
    return basis;
}

/// Mbar of all bodies.
template <int D>
Triplets masses(const RigidTerms<D>& bodies) {
    constexpr int dof = rigid_dof<D>;
    Triplets out;
    for (std::size_t c = 0; c < bodies.clusters().size(); ++c) {
        const auto& members = bodies.clusters()[c];
        const Eigen::MatrixXd& block = bodies.mass(c);
        for (std::size_t a = 0; a < members.size(); ++a)
            for (std::size_t b = 0; b < members.size(); ++b)
                add_block(out, members[a] * dof, members[b] * dof,
                          block.template block<dof, dof>(static_cast<int>(a) * dof, static_cast<int>(b) * dof));
    }
    return out;
}

}  // namespace

template <int D>
BodySystem<D>::BodySystem(const RigidTerms<D>& bodies, const std::vector<double>& weights) {
    constexpr int dof = rigid_dof<D>;
    const auto [own, shared] = product_of<D>(bodies, weights);
    if (bodies.jointed()) basis_ = joint_basis<D>(bodies);
    Triplets all = masses<D>(bodies);
    all.insert(all.end(), shared.begin(), shared.end());
    for (int b = 0; b < bodies.bodies(); ++b) add_block(all, b * dof, b * dof, own[static_cast<std::size_t>(b)]);
    Eigen::SparseMatrix<double> system(bodies.bodies() * dof, bodies.bodies() * dof);
    system.setFromTriplets(all.begin(), all.end());
    if (bodies.jointed()) system = Eigen::SparseMatrix<double>(basis_.transpose() * system * basis_);
    if (system.rows() == 0) return;  // joints hold everything
    factor_ = std::make_unique<Factor>(system);
    TIDELOCK_ASSERT(factor_->info() == Eigen::Success, "the block of {} bodies is singular", bodies.bodies());
}

template <int D>
BodyBlocks<D>::BodyBlocks(const RigidTerms<D>& bodies, const std::vector<double>& inverse) {
    for (const int colour : {0, 1}) {
        std::vector<double> weights = inverse;
        for (std::size_t i = 0; i < weights.size(); ++i)
            if (colour_of<D>(bodies.entries()[i].local) != colour) weights[i] = 0;
        blocks_[static_cast<std::size_t>(colour)] = BodySystem<D>(bodies, weights);
    }
}

template class BodySystem<2>;
template class BodySystem<3>;
template class BodyBlocks<2>;
template class BodyBlocks<3>;

}  // namespace tidelock
