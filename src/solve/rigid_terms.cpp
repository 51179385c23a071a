#include "solve/rigid_terms.h"

#include <algorithm>
#include <tuple>

#include "base/dense.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/union_find.h"

namespace tidelock {
namespace {

/// Bodies in the groups that were joined.
std::vector<std::vector<int>> clusters_of(UnionFind& groups, int bodies) {
    const auto label = groups.labels();
    std::vector<std::vector<int>> clusters;
    for (int a = 0; a < bodies; ++a) {
        const auto c = static_cast<std::size_t>(label[static_cast<std::size_t>(a)]);
        if (c == clusters.size()) clusters.emplace_back();
        clusters[c].push_back(a);
    }
    return clusters;
}

template <int D>
void join(const std::vector<RigidRow<D>>& joints, UnionFind& groups) {
    for (const auto& row : joints)
        if (row.body[0] >= 0 && row.body[1] >= 0) groups.join(row.body[0], row.body[1]);
}

/// Orthonormal columns that span what the rows, of any length, leave free.
Eigen::MatrixXd free_of(const Eigen::MatrixXd& rows) {
    constexpr double dependent = 1e-10;  // relative size of a row that says nothing new
    return free_of_rows(rows.rowwise().normalized(), dependent);
}

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& mass) {
    auto inverse = definite_inverse(mass);
    if (!inverse)
        throw InputError("rigid bodies", "the mass matrix of a body must be symmetric, finite and positive definite");
    return *std::move(inverse);
}

}  // namespace

template <int D>
RigidTerms<D>::RigidTerms(std::vector<RigidEntry<D>> entries, const std::vector<Block>& mass,
                          const std::vector<RigidRow<D>>& joints)
    : bodies_(static_cast<int>(mass.size())) {
    UnionFind groups(mass.size());
    join<D>(joints, groups);
    const auto clusters = clusters_of(groups, bodies_);
    std::vector<Eigen::MatrixXd> blocks;
    for (const auto& members : clusters) {
        const auto m = static_cast<Eigen::Index>(members.size());
        blocks.emplace_back(Eigen::MatrixXd::Zero(m * dof, m * dof));
        for (Eigen::Index i = 0; i < m; ++i)
            blocks.back().block<dof, dof>(i * dof, i * dof) =
                mass[static_cast<std::size_t>(members[static_cast<std::size_t>(i)])];
    }
    set_clusters(clusters, std::move(blocks), joints);
    set_entries(std::move(entries));
}

template <int D>
RigidTerms<D>::RigidTerms(std::vector<RigidEntry<D>> entries, const Eigen::MatrixXd& mass,
                          const std::vector<RigidRow<D>>& joints)
    : bodies_(static_cast<int>(mass.rows()) / dof) {
    UnionFind groups(static_cast<std::size_t>(bodies_));
    for (int a = 0; a < bodies_; ++a)
        for (int b = 0; b < a; ++b)
            if ((mass.block(a * dof, b * dof, dof, dof).array() != 0).any()) groups.join(a, b);
    join<D>(joints, groups);
    const auto clusters = clusters_of(groups, bodies_);
    std::vector<Eigen::MatrixXd> blocks;
    for (const auto& members : clusters) {
        const auto m = static_cast<Eigen::Index>(members.size());
        Eigen::MatrixXd block(m * dof, m * dof);
        for (Eigen::Index i = 0; i < m; ++i)
            for (Eigen::Index j = 0; j < m; ++j)
                block.block(i * dof, j * dof, dof, dof) = mass.block(
                    members[static_cast<std::size_t>(i)] * dof, members[static_cast<std::size_t>(j)] * dof, dof, dof);
        blocks.push_back(std::move(block));
    }
    set_clusters(clusters, std::move(blocks), joints);
    set_entries(std::move(entries));
}

template <int D>
void RigidTerms<D>::set_clusters(const std::vector<std::vector<int>>& clusters, std::vector<Eigen::MatrixXd> blocks,
                                 const std::vector<RigidRow<D>>& joints) {
    clusters_ = clusters;
    mass_ = std::move(blocks);
    jointed_ = !joints.empty();
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
        const auto& members = clusters_[c];
        const Eigen::MatrixXd& mass = mass_[c];
        const auto place = [&](int body) {
            const auto found = std::lower_bound(members.begin(), members.end(), body);
            return found != members.end() && *found == body ? static_cast<int>(found - members.begin()) : -1;
        };
        std::vector<const RigidRow<D>*> own;
        for (const auto& row : joints)
            if (place(row.body[0]) >= 0 || place(row.body[1]) >= 0) own.push_back(&row);
        if (own.empty()) {
            basis_.emplace_back(Eigen::MatrixXd::Identity(mass.rows(), mass.rows()));
            continue;
        }
        Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(own.size()), mass.rows());
        for (std::size_t r = 0; r < own.size(); ++r)
            for (std::size_t side = 0; side < 2; ++side)
                if (const int i = place(own[r]->body[side]); i >= 0)
                    rows.row(static_cast<Eigen::Index>(r)).template segment<dof>(i * dof) +=
                        own[r]->part[side].transpose();
        basis_.push_back(free_of(rows));
    }
    invert_mass();
}

template <int D>
void RigidTerms<D>::invert_mass() {
    inverse_.clear();
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
        const Eigen::MatrixXd &t = basis_[c], &mass = mass_[c];
        if (t.cols() == t.rows()) {  // nothing is held
            inverse_.push_back(inverse_of(mass));
            continue;
        }
        const Eigen::MatrixXd inverse = inverse_of(product(transposed_product(t, mass), t));
        inverse_.push_back(product(product(t, inverse), t.transpose()));
    }
}

template <int D>
RigidTerms<D> RigidTerms<D>::with_more_mass(const std::vector<Eigen::MatrixXd>& more) const {
    RigidTerms other = *this;
    for (std::size_t c = 0; c < more.size(); ++c) other.mass_[c] += more[c];
    other.invert_mass();
    return other;
}

template <int D>
void RigidTerms<D>::set_entries(std::vector<RigidEntry<D>> entries) {
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return std::tie(a.slot, a.body, a.local) < std::tie(b.slot, b.body, b.local);
    });
    for (const auto& e : entries) {
        if (e.body < 0 || e.body >= bodies_)
            throw InputError("rigid bodies", "an entry names body {}, there are {}", e.body, bodies_);
        if (!entries_.empty() && entries_.back().slot == e.slot && entries_.back().body == e.body &&
            entries_.back().local == e.local) {
            for (std::size_t d = 0; d < e.k.size(); ++d) entries_.back().k[d] += e.k[d];
            entries_.back().cap += e.cap;
        } else {
            entries_.push_back(e);
        }
    }
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(entries_.size()); ++i) {
        const auto& e = entries_[static_cast<std::size_t>(i)];
        if (runs_.empty() || runs_.back().slot != e.slot || runs_.back().body != e.body)
            runs_.push_back({e.slot, e.body, i, i});
        runs_.back().end = i + 1;
    }
}

template <int D>
RigidTerms<D> RigidTerms<D>::with_entries(std::vector<RigidEntry<D>> entries) const {
    RigidTerms other;
    other.bodies_ = bodies_;
    other.clusters_ = clusters_;
    other.mass_ = mass_;
    other.inverse_ = inverse_;
    other.basis_ = basis_;
    other.jointed_ = jointed_;
    other.set_entries(std::move(entries));
    return other;
}

template <int D>
std::vector<std::int32_t> RigidTerms<D>::run_starts(std::ptrdiff_t bricks) const {
    std::vector<std::int32_t> start(static_cast<std::size_t>(bricks) + 1, 0);
    for (const auto& run : runs_) ++start[static_cast<std::size_t>(run.slot) + 1];
    for (std::size_t b = 1; b < start.size(); ++b) start[b] += start[b - 1];
    return start;
}

template <int D>
template <class T>
Eigen::VectorXd RigidTerms<D>::gather(const T* x) const {
    std::vector<std::array<double, dof>> parts(runs_.size());
    parallel_for("gather on bodies", static_cast<std::ptrdiff_t>(runs_.size()), [&](std::ptrdiff_t r) {
        const auto& run = runs_[static_cast<std::size_t>(r)];
        std::array<double, dof> sum{};
        for (auto i = run.begin; i < run.end; ++i) {
            const auto& e = entries_[static_cast<std::size_t>(i)];
            const auto value = static_cast<double>(x[std::ptrdiff_t{e.slot} * Brick<D>::cells + e.local]);
            for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += e.k[d] * value;
        }
        parts[static_cast<std::size_t>(r)] = sum;
    });
    Eigen::VectorXd s = Eigen::VectorXd::Zero(bodies_ * dof);
    for (std::size_t r = 0; r < runs_.size(); ++r)
        for (int d = 0; d < dof; ++d) s[runs_[r].body * dof + d] += parts[r][static_cast<std::size_t>(d)];
    return s;
}

template <int D>
template <class T>
void RigidTerms<D>::scatter_add(const Eigen::VectorXd& s, double scale, T* y) const {
    for (const auto& e : entries_) {
        double sum = 0;
        for (int d = 0; d < dof; ++d) sum += e.k[static_cast<std::size_t>(d)] * s[e.body * dof + d];
        y[std::ptrdiff_t{e.slot} * Brick<D>::cells + e.local] += static_cast<T>(scale * sum);
    }
}

template <int D>
Eigen::VectorXd RigidTerms<D>::apply(const std::vector<Eigen::MatrixXd>& blocks, const Eigen::VectorXd& s) const {
    Eigen::VectorXd out(s.size());
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
        const auto& members = clusters_[c];
        Eigen::VectorXd part(static_cast<Eigen::Index>(members.size()) * dof);
        for (std::size_t m = 0; m < members.size(); ++m)
            part.segment<dof>(static_cast<Eigen::Index>(m) * dof) = s.segment<dof>(members[m] * dof);
        part = blocks[c] * part;
        for (std::size_t m = 0; m < members.size(); ++m)
            out.segment<dof>(members[m] * dof) = part.segment<dof>(static_cast<Eigen::Index>(m) * dof);
    }
    return out;
}

template <int D>
Eigen::MatrixXd RigidTerms<D>::allowed(const Eigen::MatrixXd& s) const {
    if (!jointed_) return s;
    std::vector<Eigen::MatrixXd> projectors;
    for (const auto& t : basis_) projectors.push_back(product(t, t.transpose()));
    Eigen::MatrixXd out(s.rows(), s.cols());
    for (Eigen::Index j = 0; j < s.cols(); ++j) out.col(j) = apply(projectors, s.col(j));
    return out;
}

template class RigidTerms<2>;
template class RigidTerms<3>;
#define TIDELOCK_INSTANTIATE(D, T)                                     \
    template Eigen::VectorXd RigidTerms<D>::gather<T>(const T*) const; \
    template void RigidTerms<D>::scatter_add<T>(const Eigen::VectorXd&, double, T*) const
TIDELOCK_INSTANTIATE(2, float);
TIDELOCK_INSTANTIATE(2, double);
TIDELOCK_INSTANTIATE(3, float);
TIDELOCK_INSTANTIATE(3, double);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
