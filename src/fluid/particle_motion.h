/// Moves particles through the grid's velocity: never into a solid, never through one, out only where a side is open.
///
/// Source   Ralston's third-order Runge-Kutta rule. Solids: numerics/transport 2, numerics/particles 4, [GSLF05]:
///          velocities from visible faces, the way clipped in the frame of the moving solid, ends pushed out to a small
///          clearance.
/// Deviates A stage of the rule that a solid hides from the particle's place is not used: the first slope stands for
///          it.
/// Promise  A particle that is outside of all solids at the beginning is outside at the end, on the same side of every
///          shell, however thin the shell and however fast it moves. Where solids leave no room it is taken out and
///          counted. Same bits on any number of threads.
#pragma once

#include "fluid/particles.h"
#include "fluid/transport.h"

namespace tidelock {

struct MotionOptions {
    /// Velocities from faces that the particle sees; else from all around it, those in solids too, at a tenth of the
    /// cost near solids: enough for markers of a surface. Solids are in the way of both.
    bool visible = true;
    double straight = 0;      ///< [cells] a way that is no longer takes its first slope all along
    double clearance = 0.02;  ///< [cells] kept to solids and closed sides; 0.01 to 0.1 is usual (numerics/particles 4)
};

struct [[nodiscard]] MotionReport {
    std::ptrdiff_t gone = 0;      ///< particles that left through open sides
    std::ptrdiff_t squeezed = 0;  ///< particles for which solids left no room
};

/// `wind.velocity` must be known as far around the particles as they move, and a cell more. Afterwards particles have
/// to be sorted again.
template <int D>
MotionReport move_particles(const Wind<D>& wind, const MotionOptions& options, Particles<D>& particles);

/// What has become of a point.
enum class Fate : char { stays = 0, gone, squeezed };

/// The same for bare points [m], none of which is removed: what became of each.
template <int D>
std::vector<Fate> move_points(const Wind<D>& wind, const MotionOptions& options, std::vector<Vec<D>>& points);

}  // namespace tidelock
