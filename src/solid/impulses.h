/// Impulses at contacts: non-penetration and Coulomb friction by projected Gauss-Seidel with conjugate directions.
///
/// Source   numerics/contact 3 (Stewart-Trinkle time stepping), solved by sweeps over the contacts and conjugate
///          directions on top of them [SNE10]; the order of collision and contact around it is that of [GBF03]
///          (contact_motion.h).
/// Why      [GBF03] sweeps too, but needs a last pass with infinite masses (shock propagation) for stacks to rest, and
///          that pass gives momentum away. Plain sweeps, started from the step before, made a stack of ten boxes sway
///          more and more: 200 of them left a ten-thousandth of the speed. With conjugate directions 87 end at 1e-7
///          from nothing, and 2 from the forces of the step before, found by contact id.
/// Deviates from [SNE10]: sweeps go forth and back, norms are weighted by what an impulse does to its contact's speed,
///          and normal impulses are solved alone first.
/// Equation [TB20] eq. (9) and (13), friction in a round cone in place of the pyramid of eq. (14):
///          M (V - V*) = sum J^T lambda,  0 <= lambda_n  _|_  J_n V >= target,  |lambda_t| <= mu lambda_n, opposite to
///          the sliding velocity.
/// Promise  Impulses on two bodies are equal and opposite at one point: momentum and angular momentum of free bodies
///          are kept to rounding, converged or not.
/// Joints   M^-1 is that of groups (joint_groups.h): impulses respect joints, and motors and limits are rows like the
///          normals of contacts. The impulses at the joints themselves follow from project_velocities().
/// Limits   High piles and great mass ratios (heavy on light) need more sweeps; the report says how far it came.
#pragma once

#include "solid/contact.h"
#include "solid/joint_groups.h"

namespace tidelock {

struct ImpulseOptions {
    int sweeps = 200;         ///< at most; each goes over all contacts forth and back
    double tolerance = 1e-7;  ///< of the greatest normal speed that must change: a sweep that changes less ends it
    double least_speed = 0;   ///< tolerance counts from here if nothing must change by more [m/s]
};

struct [[nodiscard]] ImpulseReport {
    std::size_t contacts = 0;
    int sweeps = 0;
    double first_change = 0,
           change = 0;  ///< of the first and the last sweep: the greatest of a contact's velocity [m/s]
    double scale = 0;   ///< greatest normal speed that must change [m/s]
    bool converged = true;
    double seconds = 0;  ///< [s] wall clock
};

/// What a contact did in the last step: where the next one starts. Part of the state of a simulation.
template <int D>
struct ContactMemory {
    int a = -1, b = -1;
    std::uint32_t id = 0;
    Vec<D> force = Vec<D>::Zero();  ///< on a: impulse over the time step, world axes [N]
};

/// How bodies answer impulses: by their own inverse mass and inertia, or as a group that joints hold together.
template <int D>
class Mobilities {
  public:
    /// At the present poses. Bodies that are not dynamic do not answer.
    explicit Mobilities(const std::vector<RigidBody<D>>& bodies, const JointGroups<D>& joints = {});

    /// Whether a body answers impulses at all.
    [[nodiscard]] bool answers(int i) const { return bodies_[static_cast<std::size_t>(i)].mass > 0; }
    /// Calls f(body, twist) with what each body gains from an impulse along a row on a and b (< 0: none); a body may
    /// come twice.
    template <class F>
    void answer(int a, int b, const RelativeRow<D>& row, F&& f) const {
        answer_one(a, row.a, f);
        if (b >= 0) answer_one(b, row.b, f);
    }
    /// Speed along a row per impulse, as if there were no joints: what a gain is to be compared with.
    [[nodiscard]] double free_gain(int a, int b, const RelativeRow<D>& row) const {
        return free_gain(a, row.a) + (b >= 0 ? free_gain(b, row.b) : 0.0);
    }
    /// The twists gained from an impulse and a moment on each body.
    [[nodiscard]] std::vector<Twist<D>> answer(const std::vector<Twist<D>>& impulses) const;

  private:
    struct Body {
        double mass = 0;  ///< inverse
        Inertia<D> inertia = Inertia<D>::Zero();
        int group = -1, place = 0;
    };
    struct Group {
        std::vector<int> members;
        Eigen::MatrixXd answer;
    };
    [[nodiscard]] double free_gain(int i, const Twist<D>& row) const {
        const Body& body = bodies_[static_cast<std::size_t>(i)];
        const auto turn = row.template tail<rotation_dof<D>>();
        return body.mass * row.template head<D>().squaredNorm() + turn.dot(body.inertia * turn);
    }
    template <class F>
    void answer_one(int i, const Twist<D>& impulse, F&& f) const {
        const Body& body = bodies_[static_cast<std::size_t>(i)];
        if (body.group < 0) {
            Twist<D> gained;
            gained << body.mass * impulse.template head<D>(), body.inertia * impulse.template tail<rotation_dof<D>>();
            f(i, gained);
            return;
        }
        constexpr int dof = rigid_dof<D>;
        const Group& group = groups_[static_cast<std::size_t>(body.group)];
        for (std::size_t m = 0; m < group.members.size(); ++m)
            f(group.members[m],
              Twist<D>(group.answer.template block<dof, dof>(dof * static_cast<Eigen::Index>(m), dof * body.place) *
                       impulse));
    }

    std::vector<Body> bodies_;
    std::vector<Group> groups_;
};

/// Solves for the impulses [N s] (rows of each contact: normal, tangents), in place: in, where to start from; out, what
/// was found, with `twists` moved along. targets: least normal speed of each contact [m/s].
template <int D>
ImpulseReport solve_impulses(const std::vector<ContactPoint<D>>& contacts, const std::vector<double>& targets,
                             const Mobilities<D>& mobilities, const ImpulseOptions& options,
                             std::vector<Twist<D>>& twists, std::vector<Vec<D>>& impulses);

/// Adds the impulses to velocities and angular momenta.
template <int D>
void apply_impulses(const std::vector<ContactPoint<D>>& contacts, const std::vector<Vec<D>>& impulses,
                    std::vector<RigidBody<D>>& bodies);

/// The impulse that each contact starts from, rows as in solve_impulses: what the same contact did before, by its id;
/// a new one in a group of the same pair and normal (a sphere that rolls) takes over what one that is gone did.
template <int D>
[[nodiscard]] std::vector<Vec<D>> remembered(const std::vector<ContactPoint<D>>& contacts,
                                             const std::vector<ContactMemory<D>>& memory, double dt);
template <int D>
[[nodiscard]] std::vector<ContactMemory<D>> remember(const std::vector<ContactPoint<D>>& contacts,
                                                     const std::vector<Vec<D>>& impulses, double dt);

}  // namespace tidelock
