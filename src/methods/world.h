/// The whole state of a simulation at one instant, and nothing else: it can be saved and loaded bit for bit.
#pragma once

#include <cstdint>
#include <vector>

#include "fluid/liquid.h"
#include "fluid/smoke.h"
#include "solid/impulses.h"

namespace tidelock {

template <int D>
struct World {
    double time = 0;         ///< [s]
    std::int64_t step = 0;   ///< steps taken
    std::int64_t frame = 0;  ///< frames finished; frame 0 is the start
    Smoke<D> smoke;          ///< of a gas
    Liquid<D> liquid;        ///< of a liquid: one of the two is empty
    std::vector<RigidBody<D>> bodies;
    std::vector<Joint<D>> joints;            ///< between bodies; they have no state of their own
    std::vector<ContactMemory<D>> contacts;  ///< what held bodies up in the last step
    std::vector<Twist<D>> loads;  ///< force and torque of the fluid on each body in the last step; empty before it

    [[nodiscard]] bool is_liquid() const { return liquid.set() != nullptr; }
    [[nodiscard]] const Grid<D>& grid() const { return is_liquid() ? liquid.grid : smoke.grid; }
    [[nodiscard]] const FaceField<D, double>& velocity() const {
        return is_liquid() ? liquid.velocity : smoke.velocity;
    }

    /// Every array of the state by name: for checkpoints, halos and memory accounts. Bodies, contacts
    /// and loads are apart (pack_bodies, pack_contacts, pack_loads).
    [[nodiscard]] std::vector<ArrayRef> arrays();
};

/// Numbers of a body's state in a checkpoint.
template <int D>
inline constexpr std::size_t body_state_size = D == 2 ? 6 : 13;

/// The states of all bodies as plain numbers: position, rotation (angle, or quaternion x y z w), velocity, momentum.
template <int D>
std::vector<double> pack_bodies(const std::vector<RigidBody<D>>& bodies);
/// The inverse, bit for bit; `numbers` must have body_state_size per body.
template <int D>
void unpack_bodies(const std::vector<double>& numbers, std::vector<RigidBody<D>>& bodies);

/// Numbers of a contact in a checkpoint: both bodies, id, force.
template <int D>
inline constexpr std::size_t contact_state_size = 3 + D;

template <int D>
std::vector<double> pack_contacts(const std::vector<ContactMemory<D>>& contacts);
/// The inverse, bit for bit; throws InputError unless `numbers` has contact_state_size per contact.
template <int D>
std::vector<ContactMemory<D>> unpack_contacts(const std::vector<double>& numbers);

template <int D>
std::vector<double> pack_loads(const std::vector<Twist<D>>& loads);
/// The inverse, bit for bit; throws InputError unless `numbers` has rigid_dof per load.
template <int D>
std::vector<Twist<D>> unpack_loads(const std::vector<double>& numbers);

}  // namespace tidelock
