/// The variable-coefficient 7-point apply of the grid benchmark, for any brick shape.
///
///   y_c = d_c x_c - sum_a (k_a,c x_(c-a) + k_a,(c+a) x_(c+a))       k_a on lower faces along axis a, d the diagonal
///
/// Bytes counted per cell, all float: read x, d, k_x, k_y, k_z and write y: 6 * 4 = 24. Not counted: halos, the
/// neighbour table, and the read that a write may cause; the triad is counted in the same way.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "base/big_array.h"
#include "base/parallel.h"
#include "grid/halo.h"
#include "grid/read_ahead.h"

namespace tidelock::bench {

constexpr double stencil_bytes = 24;

/// HaloBuffer<3, 1, float> for another shape.
template <int NX, int NY, int NZ>
struct ShapedBuffer {
    static constexpr int nx = NX, ny = NY, nz = NZ;
    static constexpr int pad = 16;
    static constexpr int sy = NX + pad, sz = sy * (NY + 2);
    static constexpr int at(int x, int y, int z) { return pad + x + sy * (y + 1) + sz * (z + 1); }
    alignas(64) float v[sz * (NZ + 2) + pad];

    void load_diamond(const float* data, const std::int32_t* n) {
        const auto from = [&](int slot) { return data + std::ptrdiff_t{n[slot]} * (NX * NY * NZ); };
        const auto row = [&](const float* in, int y, int z) {
            float* out = v + at(0, y, z);
            std::memcpy(out, in, NX * sizeof(float));
        };
        const float* own = from(13);
        for (int z = 0; z < NZ; ++z) {
            for (int y = 0; y < NY; ++y) {
                row(own + NX * (y + NY * z), y, z);
                v[at(-1, y, z)] = from(12)[NX * (y + NY * z) + NX - 1];
                v[at(NX, y, z)] = from(14)[NX * (y + NY * z)];
            }
            row(from(10) + NX * (NY - 1 + NY * z), -1, z);
            row(from(16) + NX * NY * z, NY, z);
        }
        for (int y = 0; y < NY; ++y) {
            row(from(4) + NX * (y + NY * (NZ - 1)), y, -1);
            row(from(22) + NX * y, y, NZ);
        }
    }
};

/// The arrays of the apply; each holds its bricks and the void brick.
struct StencilArrays {
    const float* x;
    const float* d;
    std::array<const float*, 3> k;
    float* y;
};

/// One brick; `n` is its row of 27 slots.
template <class Buffer>
void apply_brick(const StencilArrays& arrays, const std::int32_t* n) {
    constexpr int nx = Buffer::nx, ny = Buffer::ny, nz = Buffer::nz, cells = nx * ny * nz;
    const std::ptrdiff_t base = std::ptrdiff_t{n[13]} * cells;
    Buffer buffer;
    buffer.load_diamond(arrays.x, n);
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y) {
            const int row = nx * (y + ny * z);
            const float* v = buffer.v + Buffer::at(0, y, z);
            const float* d = arrays.d + base + row;
            const float* kx = arrays.k[0] + base + row;
            const float* ky = arrays.k[1] + base + row;
            const float* kz = arrays.k[2] + base + row;
            const float* ky_up = y + 1 < ny ? ky + nx : arrays.k[1] + std::ptrdiff_t{n[16]} * cells + nx * ny * z;
            const float* kz_up = z + 1 < nz ? kz + nx * ny : arrays.k[2] + std::ptrdiff_t{n[22]} * cells + nx * y;
            const float kx_last = arrays.k[0][std::ptrdiff_t{n[14]} * cells + row];
            for (const float* read : {arrays.x + base + row, d, kx, ky, kz}) read_ahead<nx>(read);
            float* __restrict out = arrays.y + base + row;  // else every row starts with a dozen overlap checks
            for (int i = 0; i < nx; ++i) {
                const float next = kx[i + 1];  // the last one belongs to the next row: read, not used
                const float kx_up = i == nx - 1 ? kx_last : next;
                out[i] = d[i] * v[i] -
                         (kx[i] * v[i - 1] + kx_up * v[i + 1] + ky[i] * v[i - Buffer::sy] +
                          ky_up[i] * v[i + Buffer::sy] + kz[i] * v[i - Buffer::sz] + kz_up[i] * v[i + Buffer::sz]);
            }
        }
}

/// One brick of the library's shape, its surroundings read in place as the pressure solver reads them, in the instruction
/// set in use.
void apply_rows(const StencilArrays& arrays, const std::int32_t* n);

/// A dense box of bricks of any shape, with the same storage as BrickSet and Field.
template <int NX, int NY, int NZ>
class ShapedGrid {
  public:
    static constexpr int cells = NX * NY * NZ;

    explicit ShapedGrid(int extent)
        : bx_(extent / NX), by_(extent / NY), bz_(extent / NZ), rows_(static_cast<std::size_t>(count())) {
        for (int z = 0; z < bz_; ++z)
            for (int y = 0; y < by_; ++y)
                for (int x = 0; x < bx_; ++x)
                    for (int n = 0; n < 27; ++n)
                        rows_[static_cast<std::size_t>(x + bx_ * (y + by_ * z))][static_cast<std::size_t>(n)] =
                            slot(x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1);
        for (auto& a : arrays_) {
            a = BigArray<float>(static_cast<std::size_t>(count() + 1) * cells);
            std::fill(a.begin(), a.end(), 0.5f);
        }
    }
    [[nodiscard]] std::ptrdiff_t count() const { return std::ptrdiff_t{bx_} * by_ * bz_; }
    void apply() {
        const StencilArrays arrays{arrays_[0].data(),
                                   arrays_[1].data(),
                                   {arrays_[2].data(), arrays_[3].data(), arrays_[4].data()},
                                   arrays_[5].data()};
        parallel_for("apply", count(), [&](std::ptrdiff_t b) {
            apply_brick<ShapedBuffer<NX, NY, NZ>>(arrays, rows_[static_cast<std::size_t>(b)].data());
        });
    }

  private:
    [[nodiscard]] std::int32_t slot(int x, int y, int z) const {
        const bool inside = x >= 0 && y >= 0 && z >= 0 && x < bx_ && y < by_ && z < bz_;
        return inside ? x + bx_ * (y + by_ * z) : static_cast<std::int32_t>(count());
    }
    int bx_, by_, bz_;
    std::vector<std::array<std::int32_t, 27>> rows_;
    std::array<BigArray<float>, 6> arrays_;
};

}  // namespace tidelock::bench
