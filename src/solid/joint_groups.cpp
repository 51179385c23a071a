#include "solid/joint_groups.h"

#include <algorithm>
#include <map>

#include "base/dense.h"
#include "base/union_find.h"

namespace tidelock {

namespace {

constexpr int most_rounds = 30;
constexpr double closed = 1e-12;     ///< of the size of bodies: error at which joints count as closed
constexpr double dependent = 1e-10;  ///< relative size of a pivot below which a row says nothing new

template <int D>
struct Momentum {
    Vec<D> velocity;
    Spin<D> angular_momentum;
};

/// Those with a joint between them, and those that fixed joints hold together, with the world's help or without.
template <int D>
std::vector<std::pair<int, int>> joined_pairs(const std::vector<Joint<D>>& joints, std::size_t bodies) {
    std::vector<std::pair<int, int>> pairs;
    UnionFind held(bodies + 1);
    const int world = static_cast<int>(bodies);
    for (const Joint<D>& joint : joints) {
        if (joint.b >= 0) pairs.emplace_back(std::min(joint.a, joint.b), std::max(joint.a, joint.b));
        if (joint.kind == JointKind::fixed) held.join(joint.a, joint.b >= 0 ? joint.b : world);
    }
    std::map<std::int32_t, std::vector<int>> sets;
    for (int i = 0; i < world; ++i) sets[held.root(i)].push_back(i);
    for (const auto& [root, members] : sets)
        for (std::size_t i = 0; i < members.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) pairs.emplace_back(members[j], members[i]);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

}  // namespace

/// The joints of a group at the present poses.
template <int D>
class JointGroups<D>::System {
  public:
    static constexpr int dof = rigid_dof<D>;

    System(const JointGroups& groups, const Group& group, const std::vector<RigidBody<D>>& bodies)
        : members_(group.members) {
        for (const int j : group.joints)
            for (auto& row : rows_of<D>((*groups.joints_)[static_cast<std::size_t>(j)], bodies))
                rows_.push_back(std::move(row));
        const auto n = static_cast<Eigen::Index>(rows_.size());
        h_ = Eigen::MatrixXd::Zero(n, dof * static_cast<Eigen::Index>(members_.size()));
        error_.resize(n);
        for (Eigen::Index r = 0; r < n; ++r) {
            const auto& row = rows_[static_cast<std::size_t>(r)];
            error_[r] = row.value;
            for (const auto& [body, part] : {std::pair(row.a, row.row.a), std::pair(row.b, row.row.b)})
                if (const auto place = std::lower_bound(members_.begin(), members_.end(), body);
                    place != members_.end() && *place == body)
                    h_.row(r).template segment<dof>(dof * (place - members_.begin())) += part.transpose();
        }
        yield_ = h_;
        for (std::size_t m = 0; m < members_.size(); ++m) {
            const auto& body = bodies[static_cast<std::size_t>(members_[m])];
            const auto first = dof * static_cast<Eigen::Index>(m);
            yield_.middleCols(first, D) /= body.mass;
            yield_.middleCols(first + D, rotation_dof<D>) *= body.world_inertia().inverse();
            size_ = std::max(size_, body.radius);
        }
    }

    [[nodiscard]] const Eigen::MatrixXd& h() const { return h_; }
    /// H M^-1.
    [[nodiscard]] const Eigen::MatrixXd& yield() const { return yield_; }
    [[nodiscard]] const Eigen::VectorXd& error() const { return error_; }
    [[nodiscard]] double worst() const { return error_.size() > 0 ? error_.cwiseAbs().maxCoeff() : 0; }
    [[nodiscard]] bool is_closed() const { return worst() <= closed * size_; }
    /// H V, of bodies that are not members too.
    [[nodiscard]] Eigen::VectorXd speeds(const std::vector<RigidBody<D>>& bodies) const {
        Eigen::VectorXd out(error_.size());
        const auto part = [&](int i, const Twist<D>& row) {
            if (i < 0 || bodies[static_cast<std::size_t>(i)].type == BodyType::fixed) return 0.0;
            return row.dot(bodies[static_cast<std::size_t>(i)].twist());
        };
        for (Eigen::Index r = 0; r < out.size(); ++r) {
            const auto& row = rows_[static_cast<std::size_t>(r)];
            out[r] = part(row.a, row.row.a) + part(row.b, row.row.b);
        }
        return out;
    }
    /// Adds H^T impulses to the momenta.
    void push_all(const Eigen::VectorXd& impulses, std::vector<RigidBody<D>>& bodies) const {
        for (std::size_t r = 0; r < rows_.size(); ++r)
            push<D>(rows_[r], impulses[static_cast<Eigen::Index>(r)], bodies);
    }
    static Eigen::MatrixXd solve(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right) {
        return least_squares(matrix, right, dependent);
    }

  private:
    const std::vector<int>& members_;
    std::vector<JointRow<D>> rows_;
    Eigen::MatrixXd h_, yield_;
    Eigen::VectorXd error_;
    double size_ = 0;
};

template <int D>
JointGroups<D>::JointGroups(const std::vector<Joint<D>>& joints, const std::vector<RigidBody<D>>& bodies)
    : joints_(&joints), joined_(joined_pairs<D>(joints, bodies.size())) {
    UnionFind joined(bodies.size());
    const auto dynamic = [&](int i) { return i >= 0 && bodies[static_cast<std::size_t>(i)].dynamic(); };
    for (const auto& joint : joints)
        if (dynamic(joint.a) && dynamic(joint.b)) joined.join(joint.a, joint.b);
    const auto label = joined.labels();
    std::vector<int> group_of_label(bodies.size(), -1);
    group_of_.assign(bodies.size(), -1);
    for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
        const auto& joint = joints[static_cast<std::size_t>(j)];
        if (!dynamic(joint.a) && !dynamic(joint.b)) continue;
        const int body = dynamic(joint.a) ? joint.a : joint.b;
        int& group = group_of_label[static_cast<std::size_t>(label[static_cast<std::size_t>(body)])];
        if (group < 0) group = static_cast<int>(groups_.size()), groups_.emplace_back();
        groups_[static_cast<std::size_t>(group)].joints.push_back(j);
    }
    for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
        const int group = group_of_label[static_cast<std::size_t>(label[static_cast<std::size_t>(i)])];
        if (!dynamic(i) || group < 0) continue;
        group_of_[static_cast<std::size_t>(i)] = group;
        groups_[static_cast<std::size_t>(group)].members.push_back(i);
    }
}

template <int D>
const std::vector<Joint<D>>& JointGroups<D>::joints() const {
    static const std::vector<Joint<D>> none;
    return joints_ != nullptr ? *joints_ : none;
}

template <int D>
Eigen::MatrixXd JointGroups<D>::answer(const Group& group, const std::vector<RigidBody<D>>& bodies) const {
    constexpr int dof = rigid_dof<D>;
    const System system(*this, group, bodies);
    const Eigen::MatrixXd& yield = system.yield();
    Eigen::MatrixXd n = -transposed_product(yield, System::solve(product(yield, system.h().transpose()), yield));
    for (std::size_t m = 0; m < group.members.size(); ++m) {
        const auto& body = bodies[static_cast<std::size_t>(group.members[m])];
        const auto first = dof * static_cast<Eigen::Index>(m);
        n.template block<D, D>(first, first) += Mat<D>::Identity() / body.mass;
        n.template block<rotation_dof<D>, rotation_dof<D>>(first + D, first + D) += body.world_inertia().inverse();
    }
    return 0.5 * (n + n.transpose());
}

template <int D>
void JointGroups<D>::project_velocities(std::vector<RigidBody<D>>& bodies) const {
    for (const auto& group : groups_) {
        const System system(*this, group, bodies);
        const Eigen::MatrixXd stiffness = product(system.yield(), system.h().transpose());
        system.push_all(System::solve(stiffness, -system.speeds(bodies)), bodies);
    }
}

template <int D>
double JointGroups<D>::move_all(std::vector<RigidBody<D>>& bodies, double time, double h) const {
    // At the beginning, of all groups.
    std::vector<System> start;
    start.reserve(groups_.size());
    for (const auto& group : groups_) start.emplace_back(*this, group, bodies);
    std::vector<Placement<D>> places;
    std::vector<Momentum<D>> momenta;
    for (const auto& body : bodies) {
        places.push_back({body.position, body.rotation});
        momenta.push_back({body.velocity, body.angular_momentum});
    }
    for (auto& body : bodies) move<D>(body, time, h);

    double worst = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const auto& group = groups_[g];
        Eigen::VectorXd impulses = Eigen::VectorXd::Zero(start[g].error().size());
        for (int round = 0; round < most_rounds; ++round) {
            const System end(*this, group, bodies);
            if (end.is_closed()) break;
            impulses += System::solve(product(h * end.h(), start[g].yield().transpose()), -end.error());
            for (const int i : group.members) {
                auto& body = bodies[static_cast<std::size_t>(i)];
                body.position = places[static_cast<std::size_t>(i)].position;
                body.rotation = places[static_cast<std::size_t>(i)].rotation;
                body.velocity = momenta[static_cast<std::size_t>(i)].velocity;
                body.angular_momentum = momenta[static_cast<std::size_t>(i)].angular_momentum;
            }
            start[g].push_all(impulses, bodies);
            for (const int i : group.members) move<D>(bodies[static_cast<std::size_t>(i)], time, h);
        }
        worst = std::max(worst, System(*this, group, bodies).worst());
    }
    return worst;
}

template <int D>
double JointGroups<D>::close(std::vector<RigidBody<D>>& bodies) const {
    constexpr int dof = rigid_dof<D>;
    double worst = 0;
    for (const auto& group : groups_) {
        for (int round = 0; round < most_rounds; ++round) {
            const System system(*this, group, bodies);
            if (system.is_closed()) break;
            const Eigen::MatrixXd stiffness = product(system.yield(), system.h().transpose());
            const Eigen::VectorXd impulses = System::solve(stiffness, -system.error());
            const Eigen::VectorXd ways = system.yield().transpose() * impulses;
            for (std::size_t m = 0; m < group.members.size(); ++m) {
                auto& body = bodies[static_cast<std::size_t>(group.members[m])];
                const Twist<D> way = ways.template segment<dof>(dof * static_cast<Eigen::Index>(m));
                body.position += way.template head<D>();
                body.rotation = body.rotation.turned(way.template tail<rotation_dof<D>>());
            }
        }
        worst = std::max(worst, System(*this, group, bodies).worst());
    }
    return worst;
}

template class JointGroups<2>;
template class JointGroups<3>;

}  // namespace tidelock
