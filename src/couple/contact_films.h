/// The film of fluid that stays open where solids touch: how far the fluid sees their surfaces moved back there
/// (numerics/interface 8).
///
/// Why      Bodies rest on each other and on walls without a gap, and the grid has cells to fill only. With nothing open
///          between, no pressure would act on the side that touches: what lies on a floor would be held down by the
///          pressure above it, and lifting it would have to open a vacuum.
/// Rule     The fluid finds a body that moves nowhere nearer than a film's thickness to another solid or to a closed
///          side: there, for the fluid, its surface lies that deep inside. Of two bodies that move each gives half;
///          what is fixed or moves as told gives nothing, so that no wall gets thinner. A film takes at most half of what
///          there is of a body behind it: no hole, however thin it is.
/// Motion   How bodies touch knows nothing of films.
#pragma once

#include <utility>
#include <vector>

#include "fluid/sides.h"
#include "grid/domain.h"
#include "solid/rigid_body.h"

namespace tidelock {

template <int D>
class ContactFilms {
  public:
    /// `bodies` are kept by reference; pairs in `joined` (sorted) have no film between them.
    ContactFilms(const std::vector<RigidBody<D>>& bodies, const Grid<D>& grid, const Sides<D>& sides,
                 const std::vector<std::pair<int, int>>& joined);

    /// Whether a body may have films at all.
    [[nodiscard]] bool any(std::size_t body) const { return !beside_[body].empty() || at_sides_[body] != 0; }
    [[nodiscard]] bool any() const;
    /// The distance of a body at x [m] as the fluid has it, where it is d, with the bodies at `poses`.
    [[nodiscard]] double opened(const std::vector<Pose<D>>& poses, std::size_t body, const Vec<D>& x, double d) const;

  private:
    /// The same for a film that moves the surface to a distance `wanted` > d, along n into the body.
    [[nodiscard]] double within_half(const Pose<D>& pose, std::size_t body, const Vec<D>& x, const Vec<D>& n, double d,
                                     double wanted) const;

    const std::vector<RigidBody<D>>& bodies_;
    Grid<D> grid_;
    Sides<D> sides_;
    std::vector<std::vector<std::size_t>> beside_;  ///< of each body: those that it may have films at
    std::vector<char> at_sides_;                    ///< of each body: it may come near a closed side
};

}  // namespace tidelock
