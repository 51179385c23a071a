#include "geometry/level_set_surface.h"

#include <cmath>

#include "base/parallel.h"
#include "geometry/level_set_mesher.h"
#include "geometry/padded_level_set.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

using Padded = PaddedLevelSet<3>;

/// A lattice point is a cell's centre.
class CellSamples final : public LevelSamples {
  public:
    explicit CellSamples(const Padded& phi) : phi_(phi) {}

    [[nodiscard]] Coord3 cells() const override { return phi_.grid().cells; }
    void fill(const Coord3& low, float* out) const override {
        const Coord3 high = low.array() + edge;
        const auto& field = phi_.field();
        if ((low.array() >= 0).all() && (high.array() <= phi_.grid().cells.array()).all()) {
            const auto slot = field.set().find(brick_of<3>(low));
            if (slot == field.set().void_slot()) {
                std::fill_n(out, size, static_cast<float>(Padded::far));
                return;
            }
            const double* values = field.brick(slot);
            for (int k = 0; k < size; ++k) {
                const Coord3 cell = low + Coord3(k >> 6, (k >> 3) & 7, k & 7);
                out[k] = static_cast<float>(phi_.in_cells(values[local_index<3>(cell)]));
            }
            return;
        }
        for (int k = 0; k < size; ++k) out[k] = static_cast<float>(phi_(low + Coord3(k >> 6, (k >> 3) & 7, k & 7)));
    }

  private:
    const Padded& phi_;
};

}  // namespace

Vec3 newton_step(const Grid<3>& grid, Sampler<3, double>& phi, const Vec3& x, const std::array<bool, 3>& held) {
    const double value = phi.cubic(x) / grid.dx;
    Vec3 slope = phi.gradient(x) / grid.dx;
    for (int a = 0; a < 3; ++a)
        if (held[static_cast<std::size_t>(a)]) slope[a] = 0;
    const double square = slope.squaredNorm();
    constexpr double least_slope = 0.25, longest = 0.2;  // near kinks and thin parts the gradient says little
    if (!(square > least_slope) || !std::isfinite(value)) return Vec3::Zero();
    const Vec3 step = -value / square * slope;
    return step.squaredNorm() < longest * longest ? step : Vec3::Zero();
}

TriangleMesh level_set_surface(const Grid<3>& grid, const Field<3, double>& phi,
                               const LevelSetSurfaceOptions& options) {
    check_grid(grid, "level set");
    if (!(options.adaptivity >= 0 && options.adaptivity <= 1))
        throw InputError("level set", "adaptivity must be in [0, 1], got {}", options.adaptivity);
    const Padded padded(grid, phi);
    padded.check();
    SampledSurface found = mesh_samples(CellSamples(padded), options.adaptivity);
    Sampler<3, double> sampler(phi, Centring<3>::cell(), grid);
    TriangleMesh mesh;
    mesh.triangles = std::move(found.triangles);
    for (SampledPoint& p : found.points) {
        if (!p.cap) p.sample += newton_step(grid, sampler, p.sample.array() + 0.5, p.at_wall);
        mesh.points.push_back(padded.place(p.sample));
    }
    return mesh;
}

}  // namespace tidelock
