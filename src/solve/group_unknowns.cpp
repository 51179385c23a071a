#include "solve/group_unknowns.h"

#include <algorithm>
#include <cmath>

#include "grid/neighbour_cell.h"

namespace tidelock {

namespace {

/// K_z on the finest level: the sums of K's columns over the cells of each group, in the cycle's units. A surface around
/// all of a body, or all around the group, sums to zero: what rounding leaves of it is no force (solve/regions.h).
template <int D>
std::vector<Eigen::SparseVector<double>> group_forces(const MergedPlaces<D>& places, std::size_t groups,
                                                      const RigidTerms<D>& bodies, double uniform) {
    constexpr double rounding = 1e-10;
    std::vector<Eigen::SparseVector<double>> k(groups, Eigen::SparseVector<double>(bodies.bodies() * rigid_dof<D>));
    std::vector<Eigen::SparseVector<double>> size(groups, Eigen::SparseVector<double>(bodies.bodies()));
    const double scale = 1 / std::sqrt(uniform);
    for (const auto& e : bodies.entries())
        if (const auto group = places.group_at(e.slot, e.local); group >= 0)
            for (int d = 0; d < rigid_dof<D>; ++d) {
                const double part = scale * e.k[static_cast<std::size_t>(d)];
                k[static_cast<std::size_t>(group)].coeffRef(e.body * rigid_dof<D> + d) += part;
                size[static_cast<std::size_t>(group)].coeffRef(e.body) += std::abs(part);
            }
    for (std::size_t g = 0; g < groups; ++g) {
        for (Eigen::SparseVector<double>::InnerIterator it(k[g]); it; ++it)
            if (std::abs(it.value()) <= rounding * size[g].coeff(it.index() / rigid_dof<D>)) it.valueRef() = 0;
        k[g].prune(0.0);
    }
    return k;
}

}  // namespace

template <int D, class T>
GroupUnknowns<D, T>::GroupUnknowns(const PoissonOperator<D>& op, const MergedCells<D>& merged,
                                   const RigidTerms<D>& bodies) {
    const auto& groups = merged.groups();
    const MergedPlaces<D> places(op.set(), merged);
    const double scale = 1 / op.uniform();
    known_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(groups.size()));
    std::vector<GroupLink> links;
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (const CellPlace& at : groups[g]) {
            double& known = known_[static_cast<Eigen::Index>(g)];
            known += scale * op.excess(at.slot)[at.local];
            for (int a = 0; a < D; ++a)
                for (const int step : {-1, 1}) {
                    const double c = scale * (step < 0 ? op.conductance(a, at.slot)[at.local]
                                                       : op.upper_conductance(a, at.slot, at.local));
                    if (!(c > 0)) continue;
                    const auto [slot, local] = neighbour_cell<D>(op.set(), at.slot, at.local, a, step);
                    const std::int32_t other = places.group_at(slot, local);
                    if (other < 0)
                        links.push_back(
                            {std::ptrdiff_t{slot} * Brick<D>::cells + local, static_cast<std::int32_t>(g), c});
                    else if (other != static_cast<std::int32_t>(g))
                        known += c;
                }
        }
    set_links(std::move(links));
    auto k = group_forces<D>(places, groups.size(), bodies, op.uniform());
    if (std::all_of(k.begin(), k.end(), [](const auto& column) { return column.nonZeros() == 0; })) return;
    auto forces = std::make_shared<Forces>();
    for (auto& column : k) {
        Eigen::SparseVector<double> response(column.size());
        if (column.nonZeros() > 0) response = bodies.solve_mass(Eigen::VectorXd(column)).sparseView();
        forces->stiffness.push_back(column.nonZeros() > 0 ? column.dot(response) : 0.0);
        forces->response.push_back(std::move(response));
        forces->k.push_back(std::move(column));
    }
    forces_ = std::move(forces);
}

template <int D, class T>
GroupUnknowns<D, T> GroupUnknowns<D, T>::with_links(std::vector<GroupLink> links) const {
    GroupUnknowns out;
    out.known_ = known_;
    out.forces_ = forces_;
    out.set_links(std::move(links));
    return out;
}

template <int D, class T>
void GroupUnknowns<D, T>::set_links(std::vector<GroupLink> links) {
    std::stable_sort(links.begin(), links.end(), [](const GroupLink& a, const GroupLink& b) {
        return std::pair(a.cell, a.group) < std::pair(b.cell, b.group);
    });
    links_.clear();
    for (const GroupLink& link : links) {
        if (!links_.empty() && links_.back().cell == link.cell && links_.back().group == link.group)
            links_.back().conductance += link.conductance;
        else
            links_.push_back(link);
    }
    diagonal_ = known_;
    std::size_t cells = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        diagonal_[links_[i].group] += links_[i].conductance;
        cells += i == 0 || links_[i].cell != links_[i - 1].cell;
    }
    own_.assign(cells, T{0});
    s = z = Eigen::VectorXd::Zero(size());
}

template <int D, class T>
const Eigen::SparseVector<double>& GroupUnknowns<D, T>::force(Eigen::Index group) const {
    static const Eigen::SparseVector<double> none;
    return forces_ != nullptr ? forces_->k[static_cast<std::size_t>(group)] : none;
}

template <int D, class T>
void GroupUnknowns<D, T>::start(const T* r) {
    z.setZero();
    std::size_t n = 0;
    for (std::size_t i = 0; i < links_.size(); ++i)
        if (i == 0 || links_[i].cell != links_[i - 1].cell) own_[n++] = r[links_[i].cell];
}

template <int D, class T>
void GroupUnknowns<D, T>::restore(T* r) const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < links_.size(); ++i)
        if (i == 0 || links_[i].cell != links_[i - 1].cell) r[links_[i].cell] = own_[n++];
}

/// r = own + C^T z.
template <int D, class T>
void GroupUnknowns<D, T>::push(T* r) const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < links_.size(); ++n) {
        const std::ptrdiff_t cell = links_[i].cell;
        auto sum = static_cast<double>(own_[n]);
        for (; i < links_.size() && links_[i].cell == cell; ++i) sum += links_[i].conductance * z[links_[i].group];
        r[cell] = static_cast<T>(sum);
    }
}

/// s + C x.
template <int D, class T>
Eigen::VectorXd GroupUnknowns<D, T>::pull(const T* x) const {
    Eigen::VectorXd sum = s;
    for (const GroupLink& link : links_) sum[link.group] += link.conductance * static_cast<double>(x[link.cell]);
    return sum;
}

template <int D, class T>
void GroupUnknowns<D, T>::relax(const T* x, bool forwards, Eigen::VectorXd& y, T* r) {
    const Eigen::VectorXd sum = pull(x);
    for (Eigen::Index n = 0; n < size(); ++n) {
        const Eigen::Index g = forwards ? n : size() - 1 - n;
        const auto at = static_cast<std::size_t>(g);
        double rest = sum[g] - diagonal_[g] * z[g], slope = diagonal_[g];
        if (forces_ != nullptr) rest -= forces_->k[at].dot(y), slope += forces_->stiffness[at];
        if (!(slope > 0)) continue;  // a group without links
        const double step = rest / slope;
        z[g] += step;
        if (forces_ != nullptr) y += step * forces_->response[at];
    }
    push(r);
}

template <int D, class T>
Eigen::VectorXd GroupUnknowns<D, T>::residual(const T* x, const Eigen::VectorXd& y) const {
    Eigen::VectorXd rest = pull(x) - diagonal_.cwiseProduct(z);
    if (forces_ != nullptr)
        for (Eigen::Index g = 0; g < size(); ++g) rest[g] -= force(g).dot(y);
    return rest;
}

template <int D, class T>
void GroupUnknowns<D, T>::correct(const Eigen::VectorXd& step, T* r) {
    z += step;
    push(r);
}

template <int D, class T>
void GroupUnknowns<D, T>::add_force(const Eigen::VectorXd& v, Eigen::VectorXd& force) const {
    if (forces_ == nullptr) return;
    for (Eigen::Index g = 0; g < size(); ++g) force += v[g] * forces_->k[static_cast<std::size_t>(g)];
}

template class GroupUnknowns<2, float>;
template class GroupUnknowns<2, double>;
template class GroupUnknowns<3, float>;
template class GroupUnknowns<3, double>;

}  // namespace tidelock
