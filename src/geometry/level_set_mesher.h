/// A mesh from samples of a level set on a lattice: topology and first places of the points. Who samples knows more of
/// the surface and moves them where they belong (geometry/level_set_surface.h, couple/cut_surface.h).
///
/// Samples are given in blocks of 8^3 and in units of their spacing, negative inside. Lattice point i is cell centre i of
/// a box of cells; the surface runs straight through the box's sides, where it is capped: samples one beyond must repeat
/// the last ones, those farther out are outside.
#pragma once

#include <array>
#include <vector>

#include "geometry/triangle_mesh.h"

namespace tidelock {

/// fill() is called from several threads, for each block twice at most.
class LevelSamples {
  public:
    static constexpr int edge = 8;  ///< of a block
    static constexpr int size = edge * edge * edge;

    virtual ~LevelSamples() = default;
    /// Of the box, along each axis.
    [[nodiscard]] virtual Coord3 cells() const = 0;
    /// The samples of the block whose first is `low`, z fastest.
    virtual void fill(const Coord3& low, float* out) const = 0;
};

struct SampledPoint {
    Vec3 sample;                    ///< place in units of the lattice; on a side exactly
    std::array<bool, 3> at_wall{};  ///< it lies on a side of the box along this axis
    bool cap = false;               ///< and within the cap there, not on the surface itself
};

struct SampledSurface {
    std::vector<SampledPoint> points;
    std::vector<std::array<int, 3>> triangles;
};

/// Closed, and turned outwards. `adaptivity` as in LevelSetSurfaceOptions.
[[nodiscard]] SampledSurface mesh_samples(const LevelSamples& samples, double adaptivity);

}  // namespace tidelock
