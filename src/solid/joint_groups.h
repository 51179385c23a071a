/// Bodies that joints connect: how they answer impulses as one, and how they move without coming apart.
///
/// Source   numerics/contact 5. Velocities: V = V* + M^-1 H^T mu with H V = 0. So an impulse P gives the twists N P,
///            N = M^-1 - M^-1 H^T (H M^-1 H^T)^+ H M^-1
///          symmetric, semi-definite, dense over a group. Contacts and the coupled pressure use it in place of M^-1.
///          Motion: [And83], impulses at the joints of the beginning, along H there, that let the free motion of all
///          bodies end on the joints; then velocities are projected at the end. With forces between the motions this is
///          symplectic: periods are right to second order in the step, and the energy of a pendulum does not drift.
/// Deviates from [And83]: the free motion is that of rigid bodies, by the fourth-order rotation of rigid_body.h.
/// Symbols  H rows of all joints of a group (joint.h), M masses, + the pseudo-inverse: loops of joints may say a thing
///          twice.
#pragma once

#include <Eigen/Dense>
#include <utility>

#include "solid/joint.h"

namespace tidelock {

template <int D>
class JointGroups {
  public:
    struct Group {
        std::vector<int> members;  ///< rigid bodies, sorted
        std::vector<int> joints;
    };

    JointGroups() = default;
    /// `joints` are kept by reference; `bodies` may move afterwards.
    JointGroups(const std::vector<Joint<D>>& joints, const std::vector<RigidBody<D>>& bodies);

    [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
    /// Of a body; -1: nothing holds it.
    [[nodiscard]] int group_of(int body) const {
        return groups_.empty() ? -1 : group_of_[static_cast<std::size_t>(body)];
    }
    /// Pairs of bodies with a joint between them, or that fixed joints make parts of one body, (lower, higher), sorted:
    /// contact between them is the joints' matter.
    [[nodiscard]] const std::vector<std::pair<int, int>>& joined() const { return joined_; }
    [[nodiscard]] const std::vector<Joint<D>>& joints() const;

    /// N of a group at the present poses, its members in order.
    [[nodiscard]] Eigen::MatrixXd answer(const Group& group, const std::vector<RigidBody<D>>& bodies) const;
    /// Gives the bodies the impulses at joints that end all velocities that joints forbid.
    void project_velocities(std::vector<RigidBody<D>>& bodies) const;
    /// Moves all bodies over h [s] from `time` [s] on, those in groups on their joints. Velocities afterwards are those
    /// that did it: project_velocities() at the new poses completes the step. Returns the greatest error left [m].
    double move_all(std::vector<RigidBody<D>>& bodies, double time, double h) const;
    /// Puts bodies back on their joints by the least displacement in the sense of their masses; returns the greatest
    /// error left [m].
    double close(std::vector<RigidBody<D>>& bodies) const;

  private:
    class System;

    const std::vector<Joint<D>>* joints_ = nullptr;
    std::vector<Group> groups_;
    std::vector<int> group_of_;
    std::vector<std::pair<int, int>> joined_;
};

}  // namespace tidelock
