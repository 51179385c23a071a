/// Contact where prescribed motions leave less room than the contact distances ask for.
///
/// Source   numerics/contact 7; the certificate is Farkas' lemma: rows J V >= t have no solution exactly if impulses
///          d >= 0 exist that move no body, J^T d = 0, while d . (t - k) > 0, k being the speeds that are prescribed.
/// Rule     Rows that contradict each other give way together, each by the same share of the room that its surfaces have
///          left, and no more than the step needs. When they have none left, a body is crushed. What a motor presses
///          together is pressed with all it has.
/// Deviates d is what more sweeps go on adding to the impulses, friction in it: a body that friction holds in a wedge has
///          no way out either.
#pragma once

#include "solid/impulses.h"

namespace tidelock {

/// Contacts of a step, and the least normal speed of each [m/s].
template <int D>
struct NormalRows {
    const std::vector<ContactPoint<D>>& contacts;
    std::vector<double>& targets;  ///< those that give way become less
    double dt;                     ///< in which the gaps close [s]
};

/// A contact that leaves no room: with what pushes, and the body that it pushes.
struct NoRoom {
    std::size_t contact = 0;
    int body = -1;  ///< < 0: there is room
};

/// solve_impulses(), with rows that give way.
template <int D>
ImpulseReport solve_yielding(const NormalRows<D>& rows, const Mobilities<D>& mobilities, const ImpulseOptions& options,
                             std::vector<Twist<D>>& twists, std::vector<Vec<D>>& impulses, NoRoom& no_room);

}  // namespace tidelock
