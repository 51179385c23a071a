#include "solid/contact_motion.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "solid/crush.h"
#include "solid/yielding.h"

namespace tidelock {

namespace {

constexpr int most_parts = 100;
constexpr int rounds = 6;                     ///< of collision and motion in a part of a step
constexpr double collision_tolerance = 1e-6;  ///< of the fastest approach
constexpr double least_share = 0.05;          ///< of the contact distance: surfaces nearer than this are moved apart
constexpr double undo_share = 0.5;            ///< of such an overlap in a step
constexpr double most_undone = 0.2;           ///< of the contact distance, in a step

/// How far the surfaces may move in h [m].
template <int D>
std::vector<double> reaches(const std::vector<RigidBody<D>>& bodies, const std::vector<Twist<D>>& twists, double h) {
    std::vector<double> reach;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double arm = std::isfinite(bodies[i].radius) ? bodies[i].radius : 0;
        reach.push_back(
            h * (twists[i].template head<D>().norm() + arm * twists[i].template tail<rotation_dof<D>>().norm()));
    }
    return reach;
}

template <int D>
std::vector<Twist<D>> twists_of(const std::vector<RigidBody<D>>& bodies) {
    std::vector<Twist<D>> twists;
    for (const auto& body : bodies)
        twists.push_back(body.type == BodyType::fixed ? Twist<D>(Twist<D>::Zero()) : body.twist());
    return twists;
}

template <int D>
double normal_speed(const ContactPoint<D>& c, const std::vector<Twist<D>>& twists) {
    const double a = c.rows[0].a.dot(twists[static_cast<std::size_t>(c.a)]);
    return c.b >= 0 ? a + c.rows[0].b.dot(twists[static_cast<std::size_t>(c.b)]) : a;
}

/// The least speed at which a contact may go on: it ends the step at its distance, or comes no nearer ([TB20] eq. (9)
/// with the gap in it).
double holding_speed(double gap, double h) { return gap > 0 ? -gap / h : 0; }

template <int D>
std::vector<Placement<D>> places_of(const std::vector<RigidBody<D>>& bodies) {
    std::vector<Placement<D>> places;
    for (const auto& body : bodies) places.push_back({body.position, body.rotation});
    return places;
}

template <int D>
void put(RigidBody<D>& body, const Placement<D>& place) {
    body.position = place.position;
    body.rotation = place.rotation;
}

/// A joint's coordinate as a contact without a place: `sign` times its speed is held to a least value.
template <int D>
ContactPoint<D> as_contact(const JointRow<D>& coordinate, double sign) {
    ContactPoint<D> c;
    c.a = coordinate.a;
    c.b = coordinate.b;
    c.rows[0] = {sign * coordinate.row.a, sign * coordinate.row.b};
    return c;
}

/// The ends of the ways that joints allow; the gap of each is what is left of the way.
template <int D>
std::vector<ContactPoint<D>> limits_of(const std::vector<Joint<D>>& joints, const std::vector<RigidBody<D>>& bodies) {
    std::vector<ContactPoint<D>> out;
    for (const auto& joint : joints) {
        if (!joint.limits) continue;
        const JointRow<D> coordinate = coordinate_of<D>(joint, bodies);
        out.push_back(as_contact<D>(coordinate, 1));
        out.back().gap = coordinate.value - (*joint.limits)[0];
        out.push_back(as_contact<D>(coordinate, -1));
        out.back().gap = (*joint.limits)[1] - coordinate.value;
    }
    return out;
}

/// What a part of a step begins with.
template <int D>
struct PartStart {
    double time, h;                         ///< [s]
    const std::vector<Twist<D>>& unforced;  ///< twists without the forces of the step
    const Pushed<D>& pushed;                ///< what bodies have of the forces already; none in later parts
    double dt;                              ///< of the step [s]
};

/// Collisions of one part of a step, from the velocities that bodies came with.
template <int D>
class Collisions {
  public:
    Collisions(std::vector<RigidBody<D>>& bodies, const Restraints<D>& restraints, const PartStart<D>& start)
        : bodies_(bodies),
          options_(restraints.options),
          joints_(restraints.joints),
          start_(start),
          came_with_(twists_of<D>(bodies)),
          mobilities_(bodies, restraints.joints) {
        const auto& [walls, options, joints] = restraints;
        for (auto& c : find_contacts<D>(bodies, walls, options.distances, reaches<D>(bodies, came_with_, start.h),
                                        joints.joined()))
            add(std::move(c));
        start_from_memory();
        for (auto& c : limits_of<D>(joints.joints(), bodies)) add(std::move(c));
    }

    void add(ContactPoint<D> contact) {
        const double speed = normal_speed<D>(contact, came_with_);
        const bool bounces = contact.restitution > 0 &&
                             normal_speed<D>(contact, start_.unforced) < -options_.resting_speed &&
                             speed * start_.h + contact.gap < 0;
        bounces_ += bounces ? 1 : 0;
        // The right-hand side of [TB20] eq. (9), the restitution being that of the pair.
        targets_.push_back(bounces ? -contact.restitution * speed : holding_speed(contact.gap, start_.h));
        contacts_.push_back(std::move(contact));
        impulses_.push_back(Vec<D>::Zero());
        given_.push_back(Vec<D>::Zero());
    }
    /// Gives the bodies the velocities after all collisions known so far.
    void solve() {
        std::vector<Twist<D>> twists = came_with_;
        ImpulseOptions solver = options_.solver;
        solver.tolerance = std::max(solver.tolerance, collision_tolerance);
        // An approach that is left over shows in the passages of this round, and is solved again in the next.
        no_room_ = NoRoom();
        (void)solve_yielding<D>({contacts_, targets_, start_.h}, mobilities_, solver, twists, impulses_, no_room_);
        // Impulses of an earlier round are in the velocities already: only what comes on top is applied.
        std::vector<Vec<D>> more = impulses_;
        for (std::size_t i = 0; i < more.size(); ++i) more[i] -= given_[i];
        given_ = impulses_;
        apply_impulses<D>(contacts_, more, bodies_);
        joints_.project_velocities(bodies_);
    }
    [[nodiscard]] int bounces() const { return bounces_; }
    /// Who had no room in the last solve, in words.
    [[nodiscard]] std::string crushed() const { return crush_text<D>(bodies_, no_room_, contacts_); }
    [[nodiscard]] const std::vector<ContactPoint<D>>& contacts() const { return contacts_; }

  private:
    /// What rests pushes as it did before, if it has a force to resist already.
    void start_from_memory() {
        const Pushed<D>& pushed = start_.pushed;
        if (pushed.contacts == nullptr || pushed.impulses.empty()) return;
        impulses_ = remembered<D>(contacts_, *pushed.contacts, start_.dt);
        const auto still = [&](int i) { return i < 0 || pushed.impulses[static_cast<std::size_t>(i)].isZero(0); };
        for (std::size_t i = 0; i < impulses_.size(); ++i)
            if (still(contacts_[i].a) && still(contacts_[i].b)) impulses_[i].setZero();
    }

    std::vector<RigidBody<D>>& bodies_;
    const ContactOptions& options_;
    const JointGroups<D>& joints_;
    const PartStart<D>& start_;
    std::vector<Twist<D>> came_with_;
    Mobilities<D> mobilities_;
    std::vector<ContactPoint<D>> contacts_;
    std::vector<double> targets_;
    std::vector<Vec<D>> impulses_, given_;  ///< found, and in the velocities already
    int bounces_ = 0;
    NoRoom no_room_;
};

/// Kinematic bodies get the velocity of the way that lies before them.
template <int D>
void look_ahead(std::vector<RigidBody<D>>& bodies, double time, double h) {
    for (auto& body : bodies) {
        if (body.type != BodyType::kinematic) continue;
        const Placement<D> here{body.position, body.rotation};
        move<D>(body, time, h);
        put<D>(body, here);
    }
}

/// Whoever would have gone through another stays, with all that joints tie to it; that can stop others who had counted
/// on it moving away.
template <int D>
int hold_back(std::vector<RigidBody<D>>& bodies, const std::vector<Placement<D>>& before,
              const Restraints<D>& restraints, std::vector<Passage<D>>& passages) {
    const auto& joints = restraints.joints;
    std::vector<bool> held(bodies.size(), false);
    bool more = true;
    const auto hold = [&](int i) {
        const auto k = static_cast<std::size_t>(i);
        if (held[k] || !bodies[k].dynamic()) return;
        put<D>(bodies[k], before[k]);
        held[k] = more = true;
    };
    for (std::size_t round = 0; round <= bodies.size() && more; ++round) {
        more = false;
        for (const auto& passage : passages) {
            if (!passage.through) continue;
            for (const int i : {passage.contact.a, passage.contact.b}) {
                if (i < 0) continue;
                hold(i);
                if (const int g = joints.group_of(i); g >= 0)
                    for (const int member : joints.groups()[static_cast<std::size_t>(g)].members) hold(member);
            }
        }
        if (more)
            passages =
                find_passages<D>(bodies, before, restraints.walls, restraints.options.distances, joints.joined());
    }
    return static_cast<int>(std::count(held.begin(), held.end(), true));
}

/// Notes who stayed where it was while a kinematic body moved into it. An overlap from before is none of this step's.
template <int D>
void note_run_over(const std::vector<RigidBody<D>>& bodies, const std::vector<Passage<D>>& passages,
                   const std::vector<ContactPoint<D>>& contacts, MoveReport& report) {
    const auto has_type = [&](int i, BodyType type) {
        return i >= 0 && bodies[static_cast<std::size_t>(i)].type == type;
    };
    for (const auto& passage : passages) {
        const ContactPoint<D>& c = passage.contact;
        if (!passage.through || c.distance < 0) continue;
        for (const auto& [body, other] : {std::pair(c.a, c.b), std::pair(c.b, c.a)}) {
            if (!has_type(body, BodyType::rigid) || !has_type(other, BodyType::kinematic)) continue;
            std::string& text = is_held<D>(c, body, contacts) ? report.crushed : report.run_over;
            if (text.empty()) text = crush_text<D>(bodies, c, body, contacts);
        }
    }
}

/// Moves bodies apart whose surfaces overlap, by the least displacement in the sense of their masses.
template <int D>
void undo_overlaps(std::vector<RigidBody<D>>& bodies, const Restraints<D>& restraints) {
    const ContactDistances& distances = restraints.options.distances;
    const auto& joints = restraints.joints;
    auto contacts =
        find_contacts<D>(bodies, restraints.walls, distances, std::vector<double>(bodies.size(), 0.0), joints.joined());
    std::vector<double> targets;
    bool any = false;
    for (auto& c : contacts) {
        const double touching = c.b >= 0 ? distances.bodies : distances.walls;
        const double over = least_share * touching - c.distance;
        any = any || over > 0;
        c.friction = 0;
        targets.push_back(over > 0 ? std::min(undo_share * over, most_undone * touching) : over);
    }
    if (!any) return;
    std::vector<Twist<D>> ways(bodies.size(), Twist<D>::Zero());
    std::vector<Vec<D>> pushes(contacts.size(), Vec<D>::Zero());
    // Half of an overlap is undone in a step anyway: what this one leaves is the next one's.
    (void)solve_impulses<D>(contacts, targets, Mobilities<D>(bodies, joints), {.sweeps = 50, .tolerance = 1e-3}, ways,
                            pushes);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies[i].dynamic()) continue;
        bodies[i].position += ways[i].template head<D>();
        bodies[i].rotation = bodies[i].rotation.turned(ways[i].template tail<rotation_dof<D>>());
    }
    (void)joints.close(bodies);  // how far joints are apart is said of the move, before bodies were shifted
}

/// Velocities and angular momenta.
template <int D>
std::vector<std::pair<Vec<D>, Spin<D>>> momenta_of(const std::vector<RigidBody<D>>& bodies) {
    std::vector<std::pair<Vec<D>, Spin<D>>> out;
    for (const auto& body : bodies) out.emplace_back(body.velocity, body.angular_momentum);
    return out;
}

template <int D>
void move_part(std::vector<RigidBody<D>>& bodies, const Restraints<D>& restraints, const PartStart<D>& start,
               MoveReport& report) {
    const auto& [walls, options, joints] = restraints;
    const double time = start.time, h = start.h;
    look_ahead<D>(bodies, time, h);
    const std::vector<Placement<D>> before = places_of<D>(bodies);
    Collisions<D> collisions(bodies, restraints, start);
    std::vector<Passage<D>> passages;
    std::vector<std::pair<Vec<D>, Spin<D>>> momenta = momenta_of<D>(bodies);
    double apart = 0;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            put<D>(bodies[i], before[i]);
            std::tie(bodies[i].velocity, bodies[i].angular_momentum) = momenta[i];
        }
        for (auto& passage : passages) {
            complete<D>(passage.contact, bodies);
            collisions.add(std::move(passage.contact));
        }
        collisions.solve();
        momenta = momenta_of<D>(bodies);  // without what holds joints together on the way
        apart = joints.move_all(bodies, time, h);
        passages = find_passages<D>(bodies, before, walls, options.distances, joints.joined());
        if (passages.empty()) break;
    }
    for (const auto& passage : passages)
        if (passage.through && report.first_held.empty()) report.first_held = describe<D>(bodies, passage.contact);
    report.held += hold_back<D>(bodies, before, restraints, passages);
    if (report.crushed.empty()) report.crushed = collisions.crushed();
    note_run_over<D>(bodies, passages, collisions.contacts(), report);
    report.bounces += collisions.bounces();
    undo_overlaps<D>(bodies, restraints);
    joints.project_velocities(bodies);
    report.joint_error = std::max(report.joint_error, apart);
}

/// Contacts, and the normal speed that each is held to.
template <int D>
struct Held {
    std::vector<ContactPoint<D>> contacts;
    std::vector<double> targets;

    void add(ContactPoint<D> contact, double target) {
        contacts.push_back(std::move(contact));
        targets.push_back(target);
    }
};

/// Joints at the ends of their ways, and motors that hold a speed.
template <int D>
void hold_joints(const std::vector<Joint<D>>& joints, const std::vector<RigidBody<D>>& bodies, double dt,
                 Held<D>& held) {
    for (auto& limit : limits_of<D>(joints, bodies)) held.add(limit, holding_speed(limit.gap, dt));
    for (const auto& joint : joints) {
        if (!joint.motor) continue;
        ContactPoint<D> motor = as_contact<D>(coordinate_of<D>(joint, bodies), 1);
        motor.least = -dt * joint.motor->most;
        motor.most = dt * joint.motor->most;
        held.add(std::move(motor), joint.motor->speed);
    }
}

/// How many pairs push on each other; those of a pair stand side by side.
template <int D>
int pairs_that_push(const std::vector<ContactPoint<D>>& contacts, const std::vector<Vec<D>>& impulses) {
    int count = 0;
    std::pair<int, int> last{-1, -1};
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (!(impulses[i][0] > 0) || std::pair(contacts[i].a, contacts[i].b) == last) continue;
        last = {contacts[i].a, contacts[i].b};
        ++count;
    }
    return count;
}

}  // namespace

template <int D>
MoveReport collide_and_move(std::vector<RigidBody<D>>& bodies, const Restraints<D>& restraints, double time, double dt,
                            const Pushed<D>& pushed) {
    MoveReport report;
    const std::vector<Placement<D>> start = places_of<D>(bodies);
    look_ahead<D>(bodies, time, dt);
    std::vector<Twist<D>> unforced = twists_of<D>(bodies);
    for (std::size_t i = 0; i < pushed.impulses.size(); ++i) {
        if (!bodies[i].dynamic()) continue;
        bodies[i].velocity += pushed.impulses[i].template head<D>() / bodies[i].mass;
        bodies[i].angular_momentum += pushed.impulses[i].template tail<rotation_dof<D>>();
    }
    if (!pushed.impulses.empty()) restraints.joints.project_velocities(bodies);
    double farthest = 0;
    for (double r : reaches<D>(bodies, twists_of<D>(bodies), dt)) farthest = std::max(farthest, r);
    report.parts = std::clamp(static_cast<int>(std::ceil(farthest / restraints.options.longest_move)), 1, most_parts);
    const double h = dt / report.parts;
    const Pushed<D> none;
    for (int part = 0; part < report.parts; ++part) {
        if (part > 0) unforced = twists_of<D>(bodies);
        move_part<D>(bodies, restraints, {time + part * h, h, unforced, part == 0 ? pushed : none, dt}, report);
    }
    keep_inside<D>(restraints.walls, bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies[i].type != BodyType::kinematic) continue;
        put<D>(bodies[i], start[i]);
        move<D>(bodies[i], time, dt);
    }
    return report;
}

template <int D>
RestReport resist(std::vector<RigidBody<D>>& bodies, const std::vector<Twist<D>>& before,
                  const std::vector<Twist<D>>& loads, const Restraints<D>& restraints, double dt,
                  std::vector<ContactMemory<D>>& memory) {
    const auto& [walls, options, joints] = restraints;
    RestReport report;
    joints.project_velocities(bodies);
    const Mobilities<D> mobilities(bodies, joints);
    std::vector<Twist<D>> twists = twists_of<D>(bodies);
    const std::vector<Twist<D>> expected = mobilities.answer(loads);
    for (std::size_t i = 0; i < expected.size(); ++i) twists[i] += dt * expected[i];
    Held<D> held;
    for (const auto& c :
         find_contacts<D>(bodies, walls, options.distances, reaches<D>(bodies, twists, dt), joints.joined())) {
        report.max_penetration = std::max(report.max_penetration, -c.distance);
        const bool will_bounce = c.restitution > 0 && normal_speed<D>(c, before) < -options.resting_speed &&
                                 normal_speed<D>(c, twists) * dt + c.gap < 0;
        if (!will_bounce) held.add(c, holding_speed(c.gap, dt));
    }
    std::vector<Vec<D>> impulses = remembered<D>(held.contacts, memory, dt);
    const std::size_t real = held.contacts.size();
    hold_joints<D>(joints.joints(), bodies, dt, held);
    impulses.resize(held.contacts.size(), Vec<D>::Zero());
    NoRoom no_room;
    report.solve =
        solve_yielding<D>({held.contacts, held.targets, dt}, mobilities, options.solver, twists, impulses, no_room);
    apply_impulses<D>(held.contacts, impulses, bodies);
    joints.project_velocities(bodies);
    const auto motors = static_cast<std::size_t>(std::count_if(
        joints.joints().begin(), joints.joints().end(), [](const Joint<D>& joint) { return joint.motor.has_value(); }));
    for (std::size_t i = held.contacts.size() - motors; i < held.contacts.size(); ++i)
        report.motors.push_back({impulses[i][0], normal_speed<D>(held.contacts[i], twists)});
    held.contacts.resize(real);
    impulses.resize(real);
    report.crushed = crush_text<D>(bodies, no_room, held.contacts);
    if (report.crushed.empty()) report.crushed = find_crushed<D>(bodies, held.contacts, twists, dt);
    memory = remember<D>(held.contacts, impulses, dt);
    report.contacts = pairs_that_push<D>(held.contacts, impulses);
    return report;
}

template <int D>
RestReport advance_bodies(std::vector<RigidBody<D>>& bodies, const Restraints<D>& restraints, const Vec<D>& gravity,
                          double time, double dt, std::vector<ContactMemory<D>>& memory) {
    const double half = 0.5 * dt;
    std::vector<Twist<D>> weights(bodies.size(), Twist<D>::Zero());
    for (std::size_t i = 0; i < bodies.size(); ++i) weights[i].template head<D>() = half * bodies[i].mass * gravity;
    (void)collide_and_move<D>(bodies, restraints, time, dt, {weights, &memory});  // the caller looks where bodies are
    const std::vector<Twist<D>> before = twists_of<D>(bodies);
    for (auto& body : bodies)
        if (body.dynamic()) body.velocity += half * gravity;
    drive<D>(restraints.joints.joints(), dt, bodies);
    return resist<D>(bodies, before, {}, restraints, dt, memory);
}

#define TIDELOCK_INSTANTIATE(D)                                                                                        \
    template MoveReport collide_and_move(std::vector<RigidBody<D>>&, const Restraints<D>&, double, double,             \
                                         const Pushed<D>&);                                                            \
    template RestReport resist(std::vector<RigidBody<D>>&, const std::vector<Twist<D>>&, const std::vector<Twist<D>>&, \
                               const Restraints<D>&, double, std::vector<ContactMemory<D>>&);                          \
    template RestReport advance_bodies(std::vector<RigidBody<D>>&, const Restraints<D>&, const Vec<D>&, double,        \
                                       double, std::vector<ContactMemory<D>>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
