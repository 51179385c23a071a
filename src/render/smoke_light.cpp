#include "render/smoke_light.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "base/parallel.h"

namespace tidelock {
namespace {

using Vec3f = Eigen::Vector3f;

constexpr std::ptrdiff_t most_voxels = 600'000;  // of the light's grid: a few MB, swept in some 10 ms a direction

struct CoarseGrid {
    Coord3 cells;
    Vec3 origin;
    double voxel;
    std::vector<float> density;
    [[nodiscard]] std::size_t index(int x, int y, int z) const {
        return static_cast<std::size_t>(x) +
               static_cast<std::size_t>(cells[0]) *
                   (static_cast<std::size_t>(y) + static_cast<std::size_t>(cells[1]) * static_cast<std::size_t>(z));
    }
};

/// The part that holds smoke, coarsened until it is small, with a rim of one voxel.
CoarseGrid coarse_density(const SmokeVolume& volume) {
    const auto [low, high] = volume.occupied();
    int factor = 1;
    const auto size = [&, low = low, high = high](int f) -> Coord3 { return ((high - low).array() + (f - 1)) / f + 2; };
    while (size(factor).cast<std::ptrdiff_t>().prod() > most_voxels) factor *= 2;
    CoarseGrid grid{size(factor), {}, factor * volume.voxel(), {}};
    grid.origin = volume.origin() + volume.voxel() * low.cast<double>() - grid.voxel * Vec3::Ones();
    grid.density.assign(grid.index(0, 0, grid.cells[2]), 0.0f);
    // A sample half way between voxels is the mean of eight, so every second place gives the exact mean of all.
    const int taps = std::max(1, factor / 2);
    const auto step = static_cast<float>(factor) / static_cast<float>(taps);
    parallel_for("coarse smoke", grid.cells[2] - 2, [&, low = low](std::ptrdiff_t plane) {
        const int z = static_cast<int>(plane) + 1;
        for (int y = 1; y < grid.cells[1] - 1; ++y)
            for (int x = 1; x < grid.cells[0] - 1; ++x) {
                const Vec3f first =
                    (low + factor * Coord3(x - 1, y - 1, z - 1)).cast<float>() + Vec3f::Constant(0.5f * step - 0.5f);
                float sum = 0;
                for (int n = 0; n < taps * taps * taps; ++n)
                    sum += volume.sample(first +
                                         step * Coord3(n % taps, n / taps % taps, n / (taps * taps)).cast<float>());
                grid.density[grid.index(x, y, z)] = sum / static_cast<float>(taps * taps * taps);
            }
    });
    return grid;
}

/// Optical depth from every voxel's middle towards a distant light.
std::vector<float> sweep(const CoarseGrid& grid, const Vec3& to_light, double extinction) {
    int axis = 0;
    to_light.cwiseAbs().maxCoeff(&axis);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3, toward = to_light[axis] > 0 ? 1 : -1;
    const Vec3 step = to_light / std::abs(to_light[axis]);  // one plane on
    const auto depth = static_cast<float>(0.5 * extinction * step.norm() * grid.voxel);
    const auto du = static_cast<float>(step[u]), dv = static_cast<float>(step[v]);
    const int nu = grid.cells[u], nv = grid.cells[v], planes = grid.cells[axis];
    std::ptrdiff_t stride[3] = {1, grid.cells[0], static_cast<std::ptrdiff_t>(grid.cells[0]) * grid.cells[1]};
    std::vector<float> tau(grid.density.size(), 0.0f);
    for (int n = 1; n < planes; ++n) {
        const int here = toward > 0 ? planes - 1 - n : n;
        const float* density = grid.density.data() + here * stride[axis];
        const float* density_before = density + toward * stride[axis];
        float* out = tau.data() + here * stride[axis];
        const float* out_before = out + toward * stride[axis];
        const auto row = [&](std::ptrdiff_t j) {
            // The point one plane on, between the rows k and k + 1. Outside the grid there is no smoke.
            const float y = static_cast<float>(j) + dv;
            const int k = static_cast<int>(std::floor(y));
            const float fy = y - static_cast<float>(k);
            for (int i = 0; i < nu; ++i) {
                const float x = static_cast<float>(i) + du;
                const int l = static_cast<int>(std::floor(x));
                const float fx = x - static_cast<float>(l);
                float before = 0, smoke = 0;
                for (int c = 0; c < 4; ++c) {
                    const int p = l + (c & 1), q = k + (c >> 1);
                    if (p < 0 || q < 0 || p >= nu || q >= nv) continue;
                    const float w = ((c & 1) != 0 ? fx : 1 - fx) * ((c >> 1) != 0 ? fy : 1 - fy);
                    before += w * out_before[p * stride[u] + q * stride[v]];
                    smoke += w * density_before[p * stride[u] + q * stride[v]];
                }
                const std::ptrdiff_t at = i * stride[u] + j * stride[v];
                out[at] = before + depth * (smoke + density[at]);
            }
        };
        parallel_for("light sweep", nv, row);
    }
    return tau;
}

/// Henyey-Greenstein, times 4 pi: 1 for g = 0.
float phase(float cosine, float g) {
    const float d = 1 + g * g - 2 * g * cosine;
    return (1 - g * g) / (d * std::sqrt(d));
}

// The sum of exponentials: weights, shares of the extinction, and asymmetries.
constexpr std::array<float, 3> weight = {0.66f, 0.25f, 0.09f};
constexpr std::array<float, 3> share = {1.0f, 0.40f, 0.13f};
constexpr std::array<float, 3> asymmetry = {0.35f, 0.12f, 0.0f};

float scattered(float tau) {
    float sum = 0;
    for (std::size_t n = 0; n < 3; ++n) sum += weight[n] * std::exp(-share[n] * tau);
    return sum;
}

}  // namespace

Eigen::Vector2f SmokeLight::sample(const Vec3f& x) const {
    const Vec3f s = (x - origin) * inverse_voxel - Vec3f::Constant(0.5f);
    std::ptrdiff_t at = 0, stride = 1, next[3];
    float f[3];
    for (int a = 0; a < 3; ++a) {
        const float c = std::min(std::max(s[a], 0.0f), static_cast<float>(cells[a] - 1));
        const int i = std::min(static_cast<int>(c), cells[a] - 2);
        f[a] = c - static_cast<float>(i);
        at += i * stride;
        next[a] = stride;
        stride *= cells[a];
    }
    const Eigen::Vector2f* p = values.data() + at;
    const auto row = [&](const Eigen::Vector2f* q) -> Eigen::Vector2f { return q[0] + f[0] * (q[1] - q[0]); };
    const Eigen::Vector2f a = row(p), b = row(p + next[1]), c = row(p + next[2]), d = row(p + next[1] + next[2]);
    const Eigen::Vector2f lower = a + f[1] * (b - a), upper = c + f[1] * (d - c);
    return lower + f[2] * (upper - lower);
}

SmokeLight light_smoke(const SmokeVolume& volume, const SmokeLightSetting& setting) {
    const CoarseGrid grid = coarse_density(volume);
    const std::vector<float> key = sweep(grid, setting.to_key, setting.extinction);
    // The sky as five lights, and the ground's bounce as a sixth, weaker one.
    const Vec3 side = setting.up.unitOrthogonal(), front = setting.up.cross(side);
    std::vector<float> sky(grid.density.size(), 0.0f);
    constexpr float bounce = 0.35f, sky_share = 1.0f / (5 + bounce);
    for (int n = 0; n < 6; ++n) {
        const double turn = 0.4 + 1.5707963267948966 * n;
        const Vec3 direction = n < 4 ? Vec3(0.82 * (std::cos(turn) * side + std::sin(turn) * front) + 0.57 * setting.up)
                               : n == 4 ? setting.up
                                        : Vec3(-setting.up);
        const std::vector<float> tau = sweep(grid, direction.normalized(), setting.extinction);
        const float w = sky_share * (n == 5 ? bounce : 1.0f);
        parallel_for("sky light", grid.cells[2], [&](std::ptrdiff_t z) {
            const std::size_t first = grid.index(0, 0, static_cast<int>(z));
            const std::size_t last = grid.index(0, 0, static_cast<int>(z) + 1);
            for (std::size_t i = first; i < last; ++i) sky[i] += w * scattered(tau[i]);
        });
    }
    SmokeLight light;
    light.cells = grid.cells;
    light.origin = (grid.origin - setting.frame_origin).cast<float>();
    light.inverse_voxel = static_cast<float>(1 / grid.voxel);
    light.values.resize(grid.density.size());
    const auto smoky = [&](int x, int y, int z) {  // whether a ray may sample this voxel where there is smoke
        for (int n = 0; n < 27; ++n) {
            const Coord3 c = Coord3(x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1)
                                 .cwiseMax(Coord3::Zero())
                                 .cwiseMin(grid.cells - Coord3::Ones());
            if (grid.density[grid.index(c[0], c[1], c[2])] > 0) return true;
        }
        return false;
    };
    parallel_for("key light", static_cast<std::ptrdiff_t>(grid.cells[2]) * grid.cells[1], [&](std::ptrdiff_t row) {
        const int z = static_cast<int>(row / grid.cells[1]), y = static_cast<int>(row % grid.cells[1]);
        for (int x = 0; x < grid.cells[0]; ++x) {
            const std::size_t i = grid.index(x, y, z);
            const Vec3 point = grid.origin + grid.voxel * (Coord3(x, y, z).cast<double>() + Vec3::Constant(0.5));
            const float seen =
                setting.key_visibility && smoky(x, y, z) ? setting.key_visibility(point, static_cast<int>(i)) : 1.0f;
            const auto cosine = static_cast<float>(-setting.to_key.dot((setting.camera - point).normalized()));
            float sum = 0;
            for (std::size_t n = 0; n < 3; ++n) {
                // Light scattered often comes from all sides: it reaches into the shadows of solids.
                const float lit = seen + (1 - seen) * 0.12f * static_cast<float>(n);
                sum += weight[n] * phase(cosine, asymmetry[n]) * lit * std::exp(-share[n] * key[i]);
            }
            light.values[i] = {sum, sky[i]};
        }
    });
    return light;
}

}  // namespace tidelock
