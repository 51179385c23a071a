/// Smoke as pictures need it: densities in float on a sparse grid of bricks, quick to sample along rays.
///
/// Samples sit in the middle of cubic voxels. Between them the density is trilinear; from the outermost samples to the
/// volume's faces it is constant, outside it is zero. A stored brick has 8 samples along each axis and repeats the
/// first of the next brick, so that a sample reads one brick only. Bricks without smoke are not stored.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geometry/bounds.h"
#include "grid/domain.h"

namespace tidelock {

class SmokeVolume {
  public:
    static constexpr int brick = 8;           ///< samples along the edge of a brick
    static constexpr int stored = brick + 1;  ///< with the repeated ones
    static constexpr int brick_values = stored * stored * stored;

    /// From an array with x running fastest. Negative densities (overshoots of interpolation) count as 0. Throws
    /// InputError for sizes that do not match, a voxel that is not > 0, and values that are not finite.
    SmokeVolume(const Coord3& cells, const Vec3& origin, double voxel, std::span<const float> density);
    /// The cells of a field inside the grid; inactive bricks hold the background.
    static SmokeVolume from_field(const Field<3, double>& density, const Grid<3>& grid);
    static SmokeVolume from_field(const Field<3, float>& density, const Grid<3>& grid);

    [[nodiscard]] const Coord3& cells() const { return cells_; }
    [[nodiscard]] const Vec3& origin() const { return origin_; }  ///< lower corner [m]
    [[nodiscard]] double voxel() const { return voxel_; }         ///< [m]
    [[nodiscard]] Bounds<3> box() const { return {origin_, origin_ + voxel_ * cells_.cast<double>()}; }
    [[nodiscard]] bool empty() const { return values_.empty(); }
    /// The least box of whole bricks that holds all smoke, in samples: [low, high). Empty volumes give low = high.
    [[nodiscard]] std::pair<Coord3, Coord3> occupied() const;

    /// Twice the samples along each axis. Each pass is one step of quadratic B-spline subdivision (weights 3/4, 1/4):
    /// what is then sampled is close to a smooth curve through the voxels, without the creases that trilinear
    /// interpolation of large voxels shows. Keeps the sum of density times volume, but for the outermost voxels.
    [[nodiscard]] SmokeVolume refined() const;

    /// Lets the smoke thin out towards sides of the box (x-, x+, y-, ...): at a distance d from one, d < depth [m], the
    /// density is multiplied by s^2 (3 - 2 s), s = d / depth. Smoke that leaves through an open side then ends without
    /// the flat cut that the end of the grid would show.
    void fade(const std::array<bool, 6>& sides, double depth);

    /// Density at a point in sample coordinates: sample i sits at i. The caller keeps it within [-1/2, cells - 1/2].
    [[nodiscard]] float sample(const Eigen::Vector3f& s) const {
        int i[3], b[3];
        float f[3];
        for (int a = 0; a < 3; ++a) {
            const float x = std::min(std::max(s[a], 0.0f), last_[a]);
            i[a] = static_cast<int>(x);
            f[a] = x - static_cast<float>(i[a]);
            b[a] = i[a] >> 3;
        }
        const std::int32_t slot = slots_[brick_index(b[0], b[1], b[2])];
        if (slot < 0) return 0;
        const float* p = values_.data() + static_cast<std::ptrdiff_t>(slot) * brick_values + (i[0] & 7) +
                         stored * ((i[1] & 7) + stored * (i[2] & 7));
        const auto row = [&](const float* q) { return q[0] + f[0] * (q[1] - q[0]); };
        const float lower = row(p) + f[1] * (row(p + stored) - row(p));
        const float *up = p + stored * stored, *up_next = up + stored;
        const float upper = row(up) + f[1] * (row(up_next) - row(up));
        return lower + f[2] * (upper - lower);
    }
    /// Whether the brick that holds a point (sample coordinates, clamped as in sample) has smoke, and which it is.
    [[nodiscard]] bool brick_at(const Eigen::Vector3f& s, Coord3& which) const {
        for (int a = 0; a < 3; ++a) which[a] = static_cast<int>(std::min(std::max(s[a], 0.0f), last_[a])) >> 3;
        return slots_[brick_index(which[0], which[1], which[2])] >= 0;
    }
    [[nodiscard]] std::size_t bytes() const { return values_.size() * sizeof(float) + slots_.size() * sizeof(int); }

  private:
    /// Fills the 9^3 samples from sample 8 * brick on; returns whether any is > 0.
    using Reader = std::function<bool(const Coord3& first, float* out)>;
    SmokeVolume(const Coord3& cells, const Vec3& origin, double voxel, const Reader& read);
    template <class T>
    static SmokeVolume read_field(const Field<3, T>& density, const Grid<3>& grid);
    [[nodiscard]] std::size_t brick_index(int x, int y, int z) const {
        return static_cast<std::size_t>(x) +
               static_cast<std::size_t>(lattice_[0]) *
                   (static_cast<std::size_t>(y) + static_cast<std::size_t>(lattice_[1]) * static_cast<std::size_t>(z));
    }

    Coord3 cells_ = Coord3::Zero(), lattice_ = Coord3::Zero();
    Vec3 origin_ = Vec3::Zero();
    double voxel_ = 1;
    Eigen::Vector3f last_ = Eigen::Vector3f::Zero();  // the last sample's coordinates
    std::vector<std::int32_t> slots_;                 // of each brick; -1: no smoke
    std::vector<float> values_;
};

}  // namespace tidelock
