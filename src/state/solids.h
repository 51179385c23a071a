/// All solids, and what is remembered of what happened between them and to them.
#pragma once

#include <vector>

#include "couple/solid_surfaces.h"
#include "solid/impulses.h"
#include "solid/joint.h"

namespace tidelock {

template <int D>
struct Solids {
    std::vector<RigidBody<D>> bodies;
    std::vector<Joint<D>> joints;            ///< between bodies; they have no state of their own
    std::vector<ContactMemory<D>> contacts;  ///< what held bodies up in the last step
    std::vector<Twist<D>>
        loads;  ///< force and torque of the fluid on each body in the last step; zero before the first

    /// Where it stands, without a load yet.
    RigidBody<D>& add(RigidBody<D> body) {
        loads.push_back(Twist<D>::Zero());
        bodies.push_back(std::move(body));
        return bodies.back();
    }
    [[nodiscard]] bool empty() const { return bodies.empty(); }
};

/// All solids where they are now: a step in which they do not move. `solids` is kept by reference.
template <int D>
std::shared_ptr<const SolidSurfaces<D>> standing_surfaces(const Solids<D>& solids) {
    return standing_surfaces<D>(solids.bodies);
}

}  // namespace tidelock
