/// Bodies that move, collide, and rest on each other: the order of collision, motion, forces and contact in a step.
///
/// Source   [GBF03], numerics/contact 4: collisions with restitution act on velocities that hold no force of the step
///          yet; contact without restitution acts after the forces. So what rests never bounces, whatever its
///          restitution.
/// Step     collide_and_move()   half of the forces, as far as they are known, with the contact against them;
///                               restitution and non-penetration for what would meet on the way; positions to n + 1
///          forces               by the caller: the other half
///          resist()             contact at n + 1, against the forces and what a fluid is expected to do; then the
///                               caller's coupled solve, if there is a fluid
///          With forces in halves before and after the motion the step is of second order (velocity Verlet): what
///          slides under a constant force has come exactly as far as it should, whatever the step.
/// Rules    A contact whose gap g will not close within h is held to a normal speed of at least -g / h, so that bodies
///          come to rest at their contact distance. One that closes faster than `resting_speed` bounces, with
///          restitution times its speed; resist() leaves such a contact to the next collide_and_move().
///          After a move the ways of all surface points are followed in the frame of the other body, so that nothing
///          passes a thin wall or a shell in a large step; what came too near gets a contact more, and the move is
///          done again. Who still went through after `rounds` of this stays where it was, with its velocity.
///          Overlaps (from the start, or from rotation) are undone by moving positions, which adds no kinetic energy.
/// Joints   Bodies that joints hold together collide as groups, move on their joints, and are held back as groups.
///          Limits of joints act like contacts, without restitution. Motors that hold a speed act in resist().
/// Limits   Restitution is Newton's law per contact, solved for all contacts of a step at once: a row of balls that
///          touch shares a hit, it is not handed on ball by ball.
#pragma once

#include "solid/impulses.h"

namespace tidelock {

struct ContactOptions {
    ContactDistances distances{};  ///< [m]
    double longest_move = 0;       ///< a step is split so that no surface moves farther in a part [m], > 0
    double resting_speed = 0;      ///< what approaches more slowly does not bounce: gravity times the step [m/s]
    ImpulseOptions solver;
};

/// What bodies cannot pass, how near they may come, and what ties them together; all of it outlives a call.
template <int D>
struct Restraints {
    const WallBox<D>& walls;
    const ContactOptions& options;
    const JointGroups<D>& joints;
};

struct [[nodiscard]] MoveReport {
    int parts = 1;           ///< of the step
    int bounces = 0;         ///< contacts that bounced
    int held = 0;            ///< bodies that had to stay because they would have gone through another
    std::string first_held;  ///< "'ball' and the wall y-": the first of those pairs, empty if none
    std::string crushed;     ///< who has no room left, between whom (solid/crush.h); empty: nobody
    std::string run_over;    ///< whom a kinematic body moved into, with nothing behind him: shorter steps may help
    double joint_error = 0;  ///< how far joints are apart at the end [m]
};

/// What a motor that holds a speed did in resist().
struct MotorReport {
    double impulse = 0;  ///< [N s, N m s]
    double speed = 0;    ///< that it will reach if the expected loads come [m/s, rad/s]
};

struct [[nodiscard]] RestReport {
    int contacts = 0;                 ///< pairs that touch
    double max_penetration = 0;       ///< deepest overlap of two surfaces [m], 0 if none
    std::string crushed;              ///< who has no room left, between whom (solid/crush.h); empty: nobody
    std::vector<MotorReport> motors;  ///< of the joints that have one, in their order
    ImpulseReport solve;
};

/// What is known at the beginning of a step of the forces that act in it.
template <int D>
struct Pushed {
    std::vector<Twist<D>> impulses;  ///< and moments: those of half the step [N s, N m s]; empty: none
    const std::vector<ContactMemory<D>>* contacts = nullptr;  ///< what bodies rested on at the end of the last step
};

/// Moves all bodies over dt [s] from `time` [s] on, with the velocities of the middle of the step as far as forces are
/// known: the caller gives the other half of these afterwards.
template <int D>
MoveReport collide_and_move(std::vector<RigidBody<D>>& bodies, const Restraints<D>& restraints, double time, double dt,
                            const Pushed<D>& pushed = {});

/// Contact and friction after the forces of a step dt. `before`: twists without these forces. `loads`: force and torque
/// that a solve after this is expected to give each body, not in their velocities yet; empty without a fluid. Impulses
/// are those that leave no approach when the loads come as expected: the floor bears the weight less the lift, and a
/// ceiling the lift less the weight. `memory` is where the solve starts from and what it found.
template <int D>
RestReport resist(std::vector<RigidBody<D>>& bodies, const std::vector<Twist<D>>& before,
                  const std::vector<Twist<D>>& loads, const Restraints<D>& restraints, double dt,
                  std::vector<ContactMemory<D>>& memory);

/// A whole step of bodies in a vacuum.
template <int D>
RestReport advance_bodies(std::vector<RigidBody<D>>& bodies, const Restraints<D>& restraints, const Vec<D>& gravity,
                          double time, double dt, std::vector<ContactMemory<D>>& memory);

}  // namespace tidelock
