/// Points and the yardstick for the interpolation part of the grid benchmark.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/vec.h"
#include "grid/field.h"

namespace tidelock::bench {

/// A cheap scattered number in [0, 1) (splitmix64, [SLF14]): drawing a point must not cost what sampling
/// does.
inline double scattered(std::uint64_t i) {
    i += 0x9E3779B97F4A7C15u;
    i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9u;
    i = (i ^ (i >> 27)) * 0x94D049BB133111EBu;
    return static_cast<double>((i ^ (i >> 31)) >> 11) * 0x1.0p-53;
}

/// Where a smooth flow of at most 2.5 cells a step brings the centre of a cell from.
inline Vec3 traced_back(const Coord3& cell) {
    const Vec3 x = cell.cast<double>() + Vec3::Constant(0.5);
    return x - Vec3(1.3 + 0.004 * x[1], -0.7 + 0.003 * x[2], 1.1 - 0.004 * x[0]);
}

/// Trilinear interpolation of cell values in a plain array of n^3, clamped.
class PlainSampler {
  public:
    PlainSampler(const float* data, int n) : data_(data), n_(n) {}
    [[nodiscard]] double linear(const Vec3& x) const {
        int i[3];
        double f[3];
        for (int a = 0; a < 3; ++a) {
            double s = x[a] - 0.5;
            s = s > 0 ? s : 0;
            s = s < n_ - 1.001 ? s : n_ - 1.001;
            i[a] = static_cast<int>(s);
            f[a] = s - i[a];
        }
        const std::ptrdiff_t sy = n_, sz = sy * n_;
        const float* p = data_ + i[0] + sy * i[1] + sz * i[2];
        const auto along = [&](const float* q) { return q[0] + f[0] * (static_cast<double>(q[1]) - q[0]); };
        const double low = along(p) + f[1] * (along(p + sy) - along(p));
        const double high = along(p + sz) + f[1] * (along(p + sz + sy) - along(p + sz));
        return low + f[2] * (high - low);
    }

  private:
    const float* data_;
    int n_;
};

}  // namespace tidelock::bench
