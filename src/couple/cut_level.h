/// Where a liquid is that ends at solids: below {phi = 0}, and not deeper in a solid than an overlap.
///
/// Sampled for a mesh it is max(phi, -(psi + overlap)), psi the solids' signed distance; phi as a point of the fluid
/// sees it (fluid/visible_surface.h), because the level set goes on into solids and says there what it likes.
/// Thin     A wall that is thinner than the diagonal of a cube of samples would slip between them. Samples so near to one
///          that those of a cube could lie on both sides of it count as solid; moved() brings the points of the mesh back
///          to where the wall is. In walls as thin as this an overlap is at most 0.4 of their thickness.
#pragma once

#include <memory>
#include <vector>

#include "couple/solid_obstacles.h"
#include "fluid/visible_surface.h"

namespace tidelock {

enum class SampleMedium : char { liquid, air, solid };

template <int D>
struct LevelSample {
    double value = 0;  ///< [m], negative in the liquid
    SampleMedium medium = SampleMedium::air;
};

template <int D>
class CutLevel {
  public:
    struct Options {
        double spacing = 0;  ///< of the samples [m]
        double overlap = 0;  ///< [m]
    };
    /// All are kept by reference, but the solids.
    CutLevel(const Grid<D>& grid, const Field<D, double>& phi, std::shared_ptr<const SolidSurfaces<D>> surfaces,
             const Options& options);

    /// The level set as one thread sees it.
    [[nodiscard]] VisibleSurface<D> view() const { return {grid_, phi_, &obstacles_}; }
    /// The parts that matter within a ball.
    [[nodiscard]] std::vector<int> near(const Vec<D>& centre, double radius) const;
    [[nodiscard]] LevelSample<D> sample(const Vec<D>& x, const std::vector<int>& parts, VisibleSurface<D>& view) const;
    /// To the solids' surface from near by, and there, if `air` meets liquid and solid, to where phi = 0. The coordinates
    /// along `held` axes stay.
    [[nodiscard]] Vec<D> moved(const Vec<D>& start, bool air, const std::array<bool, D>& held,
                               const std::vector<int>& parts, VisibleSurface<D>& view) const;
    /// Signed distance to the nearest of the parts [m].
    [[nodiscard]] double distance(const Vec<D>& x, const std::vector<int>& parts) const {
        return nearest(x, parts).psi;
    }

  private:
    struct Nearest {
        double psi = std::numeric_limits<double>::infinity();
        std::size_t part = 0;
    };
    [[nodiscard]] Nearest nearest(const Vec<D>& x, const std::vector<int>& parts) const;
    /// What a wall lacks of the diagonal of a cube of samples [m]; 0 if it is thick.
    [[nodiscard]] double missing(const Vec<D>& x, const Nearest& solid, const std::vector<int>& parts) const;
    [[nodiscard]] double level(const Vec<D>& x, const Nearest& solid, VisibleSurface<D>& view) const;

    const Grid<D>& grid_;
    const Field<D, double>& phi_;
    std::shared_ptr<const SolidSurfaces<D>> surfaces_;
    SolidObstacles<D> obstacles_;
    Options options_;
};

}  // namespace tidelock
