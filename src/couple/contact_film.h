/// Solids as the pressure sees them where they touch: with a film of fluid between them.
///
/// Why      Bodies rest on each other and on walls without a gap, and the grid has cells to fill only. Without a cell
///          between, no pressure would act on the side that touches: what lies on a floor would be held down by the
///          pressure above it, and lifting it would have to open a vacuum.
/// Rule     Of two solids nearer than a film each gives half of what is missing, and what lies within the wall's film of a
///          closed side counts as fluid too,
///          for the faces and cells of the interface alone: transport, particles and volumes see the solids as they are,
///          and their motion knows nothing of films. Archimedes' volume stays (couple/archimedes.h).
/// Limits   A solid that goes on for less than about half a cell behind the film has none there: it would get a hole.
///          Solids that do not move, and pairs that joints hold, have none between them.
#pragma once

#include <utility>
#include <vector>

#include "couple/solid_surfaces.h"
#include "fluid/sides.h"
#include "grid/domain.h"

namespace tidelock {

/// What is kept open, and for whom.
template <int D>
struct Film {
    std::vector<std::vector<std::size_t>> beside;  ///< of each part: those that it may touch
    std::vector<char> walls;                       ///< of each part: it has a film at closed sides
};

/// The parts of bodies that may touch in a domain with cells of size dx. Pairs in `joined` (sorted) do not.
template <int D>
[[nodiscard]] Film<D> find_film(const std::vector<RigidBody<D>>& bodies, double dx,
                                const std::vector<std::pair<int, int>>& joined);

/// Other surfaces with films, at the end of a step; those and the grid are kept by reference.
template <int D>
class FilmedSurfaces final : public SolidSurfaces<D> {
  public:
    FilmedSurfaces(const SolidSurfaces<D>& solids, const Grid<D>& grid, const Sides<D>& sides, Film<D> film);

    [[nodiscard]] std::size_t parts() const override { return solids_.parts(); }
    [[nodiscard]] Ball<D> ball(std::size_t part, Moment moment) const override { return solids_.ball(part, moment); }
    [[nodiscard]] double volume(std::size_t part) const override { return solids_.volume(part); }
    [[nodiscard]] Bounds<D> bounds(std::size_t part) const override;
    [[nodiscard]] double distance(std::size_t part, Moment moment, const Vec<D>& x) const override {
        const double d = solids_.distance(part, moment, x);
        return moment == Moment::end ? with_film(part, x, d) : d;
    }
    [[nodiscard]] double bound(std::size_t part, Moment moment, const Vec<D>& x) const override {
        return solids_.bound(part, moment, x);
    }
    void distances(std::size_t part, std::span<const Vec<D>> x, std::span<double> out) const override;
    [[nodiscard]] Vec<D> pushed_out(std::size_t part, const Vec<D>& x, double way) const override {
        return solids_.pushed_out(part, x, way);
    }
    [[nodiscard]] Clearance clearance(std::size_t part, const Vec<D>& x) const override {
        return solids_.clearance(part, x);
    }
    [[nodiscard]] Vec<D> velocity(std::size_t part, Moment moment, const Vec<D>& x) const override {
        return solids_.velocity(part, moment, x);
    }
    [[nodiscard]] std::optional<double> hit(std::size_t part, Moment moment, const Vec<D>& x, const Vec<D>& y,
                                            double touch) const override;
    [[nodiscard]] std::optional<double> hit_in_sight(std::size_t part, Moment moment, const Vec<D>& x, const Vec<D>& y,
                                                     double touch) const override {
        return hit(part, moment, x, y, touch);
    }
    Clip clip(std::size_t part, const Vec<D>& arrival, Vec<D>& departure, double touch) const override {
        return solids_.clip(part, arrival, departure, touch);
    }
    bool hold_off(std::size_t part, const Vec<D>& departure, Vec<D>& arrival, const HoldOff& how) const override {
        return solids_.hold_off(part, departure, arrival, how);
    }

  private:
    /// The distance of a part at x with its films, where it is d without.
    [[nodiscard]] double with_film(std::size_t part, const Vec<D>& x, double d) const;
    /// What the film that another solid at distance `from` along n asks for makes of d.
    [[nodiscard]] double opened(std::size_t part, const Vec<D>& x, double d, double missing, const Vec<D>& n) const;

    const SolidSurfaces<D>& solids_;
    const Grid<D>& grid_;
    const Sides<D> sides_;
    const Film<D> film_;
};

}  // namespace tidelock
