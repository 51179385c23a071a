/// Bodies that have no room left: what is prescribed leaves them none, and no impulse can help.
///
/// Rule     A rigid body is crushed when a surface overlaps it, another holds it from the opposite side, and the two
///          still approach each other; or when a kinematic body has moved into it because it could not get out of the
///          way. The step has then no solution (stage/step_failure.h); who it is between is for the user to read.
/// Walls    are the last word: whatever presses, no body ends beyond a closed side of the domain.
#pragma once

#include "solid/yielding.h"

namespace tidelock {

/// "'box' is crushed between 'piston' and the wall y-", `contact` being what overlaps the body and `others` what else
/// touches; without anything on the opposite side "'box' cannot get out of the way of 'piston'".
template <int D>
[[nodiscard]] std::string crush_text(const std::vector<RigidBody<D>>& bodies, const ContactPoint<D>& contact, int body,
                                     const std::vector<ContactPoint<D>>& others);

/// Whether anything is on the opposite side: then shorter steps do not help, without it the body may still get out.
template <int D>
[[nodiscard]] bool is_held(const ContactPoint<D>& contact, int body, const std::vector<ContactPoint<D>>& others);

/// crush_text() of rows that left no room; empty if there was some.
template <int D>
[[nodiscard]] std::string crush_text(const std::vector<RigidBody<D>>& bodies, const NoRoom& no_room,
                                     const std::vector<ContactPoint<D>>& contacts);

/// The first body that is crushed among `contacts`, in words; empty if none is. `twists`: of all bodies, after contact.
template <int D>
[[nodiscard]] std::string find_crushed(const std::vector<RigidBody<D>>& bodies,
                                       const std::vector<ContactPoint<D>>& contacts,
                                       const std::vector<Twist<D>>& twists, double dt);

/// Moves dynamic bodies whose surface lies beyond a closed side back to it, and takes their speed towards it.
template <int D>
void keep_inside(const WallBox<D>& walls, std::vector<RigidBody<D>>& bodies);

}  // namespace tidelock
