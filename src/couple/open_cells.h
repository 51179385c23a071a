/// What solids leave of the cells, and how much liquid is in it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "couple/solid_obstacles.h"
#include "grid/domain.h"

namespace tidelock {

/// Share of each cell that is not solid, by its centre's distance; empty without solids.
template <int D>
std::optional<Field<D, double>> open_cells(const Grid<D>& grid, const BrickSetPtr<D>& set,
                                           const SolidSurfaces<D>& surfaces);

/// Measures how much liquid there is outside of the solids. The level set goes on into solids; a cell whose centre lies
/// in one is open on the side of the nearest surface, and what is there decides: behind a thin wall that is not the
/// liquid in front of it. In cells beside a wall phi counts as it is seen from their centres. What is known of the solids
/// serves one measurement after the other.
template <int D>
class VolumeMeter {
  public:
    /// `grid` is kept by reference.
    VolumeMeter(const Grid<D>& grid, BrickSetPtr<D> set, std::shared_ptr<const SolidSurfaces<D>> surfaces,
                StandingObstacles<D>& standing);

    /// Volume of the liquid {phi < 0} [m^D]; phi lives on the bricks of the set.
    [[nodiscard]] double measure(const Field<D, double>& phi);
    /// The share of each cell that is liquid and not solid.
    [[nodiscard]] Field<D, double> wet_cells(const Field<D, double>& phi);

  private:
    /// A cell with its centre in a solid.
    struct Beside {
        int local;     ///< its place in the brick
        double share;  ///< that is open
        Vec<D> place;  ///< on the open side
    };
    /// Those of a brick; nothing if they are not known yet. Each is written by the thread that measures the brick.
    using BesideInBrick = std::optional<std::vector<Beside>>;
    [[nodiscard]] std::vector<Beside> cells_beside(std::ptrdiff_t slot) const;
    /// Of each brick, and one more for those that are not active: whether phi has liquid in its cells, or near them.
    [[nodiscard]] std::vector<char> wet_bricks(const Field<D, double>& phi) const;
    /// The wet shares of a brick's cells; `wet`: of bricks.
    void measure_brick(const Field<D, double>& phi, const std::vector<char>& wet, std::ptrdiff_t slot, double* out);

    const Grid<D>& grid_;
    BrickSetPtr<D> set_;
    std::shared_ptr<const SolidSurfaces<D>> surfaces_;
    std::optional<SolidObstacles<D>> solids_;
    std::optional<Field<D, double>> open_;
    std::vector<BesideInBrick> beside_;
};

/// By a meter that serves once.
template <int D>
double measured_volume(const Grid<D>& grid, const Field<D, double>& phi,
                       const std::shared_ptr<const SolidSurfaces<D>>& surfaces);

}  // namespace tidelock
