#include "render/smoke_volume.h"

#include <atomic>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"

namespace tidelock {
namespace {

constexpr const char* place = "smoke volume";

/// Density of one sample as a picture uses it; remembers whether a value was not finite.
float clean(double value, bool& finite) {
    finite = finite && std::isfinite(value);
    return value > 0 ? static_cast<float>(value) : 0.0f;
}

}  // namespace

SmokeVolume::SmokeVolume(const Coord3& cells, const Vec3& origin, double voxel, const Reader& read)
    : cells_(cells), origin_(origin), voxel_(voxel) {
    if (!(cells.array() >= 1).all() || !(voxel > 0) || !std::isfinite(voxel) || !origin.allFinite())
        throw InputError(place, "{} x {} x {} voxels of {} m: needs at least one voxel, of finite size > 0", cells[0],
                         cells[1], cells[2], voxel);
    last_ = (cells.array() - 1).matrix().cast<float>();
    lattice_ = (cells.array() + (brick - 1)) / brick;
    slots_.assign(brick_index(0, 0, lattice_[2]), -1);
    // Layer by layer, so that the order in memory does not depend on which thread came first.
    const int layer = lattice_[0] * lattice_[1];
    std::vector<float> scratch(static_cast<std::size_t>(layer) * brick_values);
    std::vector<char> full(static_cast<std::size_t>(layer));
    for (int z = 0; z < lattice_[2]; ++z) {
        parallel_for("smoke bricks", layer, [&](std::ptrdiff_t n) {
            const int x = static_cast<int>(n) % lattice_[0], y = static_cast<int>(n) / lattice_[0];
            full[static_cast<std::size_t>(n)] = read(brick * Coord3(x, y, z), scratch.data() + n * brick_values);
        });
        for (int n = 0; n < layer; ++n) {
            if (full[static_cast<std::size_t>(n)] == 0) continue;
            slots_[brick_index(n % lattice_[0], n / lattice_[0], z)] =
                static_cast<std::int32_t>(values_.size() / brick_values);
            const auto first = scratch.begin() + static_cast<std::ptrdiff_t>(n) * brick_values;
            values_.insert(values_.end(), first, first + brick_values);
        }
    }
}

SmokeVolume::SmokeVolume(const Coord3& cells, const Vec3& origin, double voxel, std::span<const float> density)
    : SmokeVolume(cells, origin, voxel, [&](const Coord3& first, float* out) {
          const auto expected = cells.cast<std::ptrdiff_t>().prod();
          if (static_cast<std::ptrdiff_t>(density.size()) != expected)
              throw InputError(place, "{} densities for {} voxels", density.size(), expected);
          bool finite = true, full = false;
          for (int n = 0; n < brick_values; ++n) {
              const Coord3 local(n % stored, n / stored % stored, n / (stored * stored));
              const Coord3 c = (first + local).cwiseMin(cells - Coord3::Ones());
              const auto index =
                  c[0] + static_cast<std::ptrdiff_t>(cells[0]) * (c[1] + static_cast<std::ptrdiff_t>(cells[1]) * c[2]);
              out[n] = clean(density[static_cast<std::size_t>(index)], finite);
              full = full || out[n] > 0;
          }
          if (!finite)
              throw InputError(place, "a density near voxel {}, {}, {} is not finite", first[0], first[1], first[2]);
          return full;
      }) {}

template <class T>
SmokeVolume SmokeVolume::read_field(const Field<3, T>& density, const Grid<3>& grid) {
    return {grid.cells, grid.origin, grid.dx, [&](const Coord3& first, float* out) {
                bool finite = true, full = false;
                for (int z = 0; z < stored; ++z)
                    for (int y = 0; y < stored; ++y)
                        for (int x = 0; x < stored; ++x) {
                            const Coord3 c = (first + Coord3(x, y, z)).cwiseMin(grid.cells - Coord3::Ones());
                            const float value = clean(static_cast<double>(density.at(c)), finite);
                            *out++ = value;
                            full = full || value > 0;
                        }
                if (!finite)
                    throw InputError(place, "a density near cell {}, {}, {} is not finite", first[0], first[1],
                                     first[2]);
                return full;
            }};
}

SmokeVolume SmokeVolume::from_field(const Field<3, double>& density, const Grid<3>& grid) {
    return read_field(density, grid);
}
SmokeVolume SmokeVolume::from_field(const Field<3, float>& density, const Grid<3>& grid) {
    return read_field(density, grid);
}

std::pair<Coord3, Coord3> SmokeVolume::occupied() const {
    Coord3 low = cells_, high = Coord3::Zero();
    for (int z = 0; z < lattice_[2]; ++z)
        for (int y = 0; y < lattice_[1]; ++y)
            for (int x = 0; x < lattice_[0]; ++x) {
                if (slots_[brick_index(x, y, z)] < 0) continue;
                low = low.cwiseMin(brick * Coord3(x, y, z));
                high = high.cwiseMax((brick * Coord3(x + 1, y + 1, z + 1)).cwiseMin(cells_));
            }
    if ((low.array() >= high.array()).any()) return {Coord3::Zero(), Coord3::Zero()};
    return {low, high};
}

void SmokeVolume::fade(const std::array<bool, 6>& sides, double depth) {
    if (!(depth > 0) || !std::isfinite(depth)) throw InputError(place, "fades over {} m: must be > 0", depth);
    const auto factor = [&](int axis, int sample) {
        double product = 1;
        for (int side = 0; side < 2; ++side) {
            if (!sides[static_cast<std::size_t>(2 * axis + side)]) continue;
            const int from_side = side == 0 ? sample : cells_[axis] - 1 - sample;
            const double s = std::min(1.0, (from_side + 0.5) * voxel_ / depth);
            product *= s * s * (3 - 2 * s);
        }
        return static_cast<float>(product);
    };
    parallel_for("fade smoke", static_cast<std::ptrdiff_t>(slots_.size()), [&](std::ptrdiff_t n) {
        const std::int32_t slot = slots_[static_cast<std::size_t>(n)];
        if (slot < 0) return;
        const int which = static_cast<int>(n);
        const Coord3 first =
            brick * Coord3(which % lattice_[0], which / lattice_[0] % lattice_[1], which / (lattice_[0] * lattice_[1]));
        float* out = values_.data() + static_cast<std::ptrdiff_t>(slot) * brick_values;
        for (int z = 0; z < stored; ++z)
            for (int y = 0; y < stored; ++y)
                for (int x = 0; x < stored; ++x) {
                    const Coord3 c = (first + Coord3(x, y, z)).cwiseMin(cells_ - Coord3::Ones());
                    *out++ *= factor(0, c[0]) * factor(1, c[1]) * factor(2, c[2]);
                }
    });
}

SmokeVolume SmokeVolume::refined() const {
    return {2 * cells_, origin_, 0.5 * voxel_, [&](const Coord3& first, float* out) {
                // Fine sample i sits at i / 2 - 1/4 of the coarse ones: the trilinear value there is the product of
                // the weights 3/4 and 1/4.
                const Eigen::Vector3f low = first.cast<float>() / 2 - Eigen::Vector3f::Constant(0.25f);
                Coord3 which;
                bool any = false;
                for (int corner = 0; corner < 8; ++corner) {
                    const Eigen::Vector3f reach(static_cast<float>(corner & 1), static_cast<float>((corner >> 1) & 1),
                                                static_cast<float>(corner >> 2));
                    any = any || brick_at(low + 4.25f * reach, which);
                }
                if (!any) return false;
                bool full = false;
                for (int z = 0; z < stored; ++z)
                    for (int y = 0; y < stored; ++y)
                        for (int x = 0; x < stored; ++x) {
                            const Coord3 c = (first + Coord3(x, y, z)).cwiseMin(2 * cells_ - Coord3::Ones());
                            *out = sample(c.cast<float>() / 2 - Eigen::Vector3f::Constant(0.25f));
                            full = full || *out > 0;
                            ++out;
                        }
                return full;
            }};
}

}  // namespace tidelock
