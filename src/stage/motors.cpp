#include "stage/motors.h"

#include <algorithm>
#include <cmath>

namespace tidelock {

namespace {

constexpr double limit_share = 1 - 1e-9;  ///< of its greatest impulse: contact has found that a motor can do no more
constexpr int sweeps = 50;                ///< over motors that share bodies
constexpr double exact = 1e-12;           ///< of a speed

template <int D>
double speed_of(const JointRow<D>& row, const std::vector<RigidBody<D>>& bodies) {
    const auto part = [&](int body, const Twist<D>& direction) {
        if (body < 0 || bodies[static_cast<std::size_t>(body)].type == BodyType::fixed) return 0.0;
        return direction.dot(bodies[static_cast<std::size_t>(body)].twist());
    };
    return part(row.a, row.row.a) + part(row.b, row.row.b);
}

template <int D>
bool at_limit(const MotorReport& found, const Joint<D>& joint, double dt) {
    return std::abs(found.impulse) >= limit_share * dt * joint.motor->most;
}

template <int D>
void note_limit(const Joint<D>& joint, Step<D>& step) {
    step.note("motor " + joint.name,
              fmt::format("the motor of '{}' is at its limit of {:.4g} {} and does not hold its speed", joint.name,
                          joint.motor->most, joint.kind == JointKind::slider ? "N" : "N m"));
}

}  // namespace

template <int D>
Motors<D>::Motors(Step<D>& step) : step_(step) {
    if (step.motors.empty()) return;
    const auto& joints = step.world.solids.joints;
    auto& bodies = step.world.solids.bodies;
    const JointGroups<D> groups(joints, bodies);
    const Mobilities<D> mobilities(bodies, groups);
    std::vector<double> speeds;
    std::size_t motor = 0;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (!joints[j].motor) continue;
        const MotorReport& found = step.motors[motor++];
        Held held{.joint = j, .row = coordinate_of<D>(joints[j], bodies), .answer = {}};
        held.given = found.impulse;
        held.most = step.dt * joints[j].motor->most;
        if (at_limit<D>(found, joints[j], step.dt)) {
            note_limit<D>(joints[j], step);
            continue;
        }
        mobilities.answer(held.row.a, held.row.b, held.row.row, [&](int body, const Twist<D>& gained) {
            held.answer.emplace_back(body, gained);
            held.gain += (body == held.row.a ? held.row.row.a : Twist<D>(Twist<D>::Zero())).dot(gained) +
                         (body == held.row.b ? held.row.row.b : Twist<D>(Twist<D>::Zero())).dot(gained);
        });
        if (!(held.gain > 0)) continue;  // nothing that could turn
        held_.push_back(std::move(held));
        speeds.push_back(found.speed);
    }
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        bool moved = false;
        for (std::size_t i = 0; i < held_.size(); ++i) {
            const double missing = speeds[i] - speed_of<D>(held_[i].row, bodies);
            push(held_[i], missing / held_[i].gain, bodies);
            moved = moved || std::abs(missing) > exact * std::abs(speeds[i]);
        }
        if (!moved) break;
    }
}

template <int D>
std::vector<JointRow<D>> Motors<D>::rows() const {
    const Solids<D>& solids = step_.world.solids;
    std::vector<JointRow<D>> rows = rows_of<D>(solids.joints, solids.bodies);
    for (const Held& held : held_) rows.push_back(held.row);
    return rows;
}

template <int D>
double Motors<D>::added(const Held& held, const std::vector<Twist<D>>& joint_impulses) {
    // The answer obeys the joints, so that their impulses do no work on it: what remains is the motor's.
    double work = 0;
    for (const auto& [body, gained] : held.answer) work += gained.dot(joint_impulses[static_cast<std::size_t>(body)]);
    return work / held.gain;
}

template <int D>
bool Motors<D>::exceeded(const std::vector<Twist<D>>& joint_impulses) const {
    return std::any_of(held_.begin(), held_.end(), [&](const Held& held) {
        return std::abs(held.given + added(held, joint_impulses)) > held.most;
    });
}

template <int D>
void Motors<D>::give_in(const std::vector<Twist<D>>& joint_impulses, Step<D>& step) {
    std::erase_if(held_, [&](Held& held) {
        const double wanted = held.given + added(held, joint_impulses);
        if (std::abs(wanted) <= held.most) return false;
        push(held, std::copysign(held.most, wanted) - held.given, step.world.solids.bodies);
        note_limit<D>(step.world.solids.joints[held.joint], step);
        return true;
    });
}

template <int D>
void Motors<D>::push(Held& held, double impulse, std::vector<RigidBody<D>>& bodies) {
    for (const auto& [body, gained] : held.answer) {
        auto& b = bodies[static_cast<std::size_t>(body)];
        if (b.dynamic()) b.set_twist(b.twist() + impulse * gained);
    }
    held.given += impulse;
}

template <int D>
void note_motors_at_limit(Step<D>& step) {
    auto found = step.motors.begin();
    for (const Joint<D>& joint : step.world.solids.joints) {
        if (!joint.motor || found == step.motors.end()) continue;
        if (at_limit<D>(*found++, joint, step.dt)) note_limit<D>(joint, step);
    }
}

template class Motors<2>;
template class Motors<3>;
template void note_motors_at_limit(Step<2>&);
template void note_motors_at_limit(Step<3>&);

}  // namespace tidelock
