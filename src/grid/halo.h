/// A brick copied into a small padded buffer together with a rim of its neighbours' cells, so that a stencil runs over
/// plain rows without a test. The buffer stays in the first-level cache; several sweeps can run in it.
///
/// Row (y, z) of the buffer holds cells x in [-H, size + H) at offset pad + x, so that the brick's own cells are
/// aligned. The rim after a row lies in the padding before the next one. Cells of inactive bricks read the background.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "grid/brick.h"

namespace tidelock {

/// Calls f(y, z, first) for each row of a brick; `first` is the place of the row's first cell in the brick.
template <int D, class F>
void for_each_row(F&& f) {
    constexpr int nz = D == 3 ? Brick<D>::size[D - 1] : 1;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < Brick<D>::size[1]; ++y) f(y, z, Brick<D>::size[0] * (y + Brick<D>::size[1] * z));
}

template <int D, int H, class T>
struct HaloBuffer {
    static constexpr int nx = Brick<D>::size[0];
    static constexpr int ny = Brick<D>::size[1];
    static constexpr int nz = D == 3 ? Brick<3>::size[2] : 1;
    static constexpr int hz = D == 3 ? H : 0;
    static constexpr int pad = 16;  ///< holds the rims of two rows; a vector register of floats
    static constexpr int sy = nx + pad;
    static constexpr int sz = sy * (ny + 2 * H);
    static constexpr int total = sz * (nz + 2 * hz) + pad;
    static_assert(2 * H <= pad && H <= ny);

    /// Place of cell (x, y, z) of the brick's frame; each may reach H beyond the brick.
    static constexpr int at(int x, int y, int z = 0) { return pad + x + sy * (y + H) + sz * (z + hz); }
    static constexpr int stride(int axis) { return axis == 0 ? 1 : axis == 1 ? sy : sz; }

    alignas(64) T v[total];

    /// Fills the buffer from an array of bricks; `neighbours` is the brick's row of the neighbour table.
    template <class Source>
    void load(const Source* data, const std::int32_t* neighbours) {
        for (int z = -hz; z < nz + hz; ++z) {
            const int dz = z < 0 ? -1 : z >= nz ? 1 : 0;
            for (int y = -H; y < ny + H; ++y) {
                const int dy = y < 0 ? -1 : y >= ny ? 1 : 0;
                const int row = nx * ((y - dy * ny) + ny * (z - dz * nz));
                const std::int32_t* n = neighbours + neighbour_slot<D>(0, dy, dz);
                copy_row(brick(data, n[0]) + row, y, z);
                copy_ends(brick(data, n[-1]) + row, brick(data, n[1]) + row, y, z);
            }
        }
    }

    /// The same without the cells that differ from the brick along more than one axis (edges and corners of the rim):
    /// all that a stencil along the axes reads. Those cells keep what the buffer held.
    template <class Source>
    void load_cross(const Source* data, const std::int32_t* neighbours) {
        const auto at_offset = [&](int dx, int dy, int dz) {
            return brick(data, neighbours[neighbour_slot<D>(dx, dy, dz)]);
        };
        const Source* own = at_offset(0, 0, 0);
        const Source *left = at_offset(-1, 0, 0), *right = at_offset(1, 0, 0);
        const Source *below = at_offset(0, -1, 0), *above = at_offset(0, 1, 0);
        for (int z = 0; z < nz; ++z) {
            for (int y = 0; y < ny; ++y) {
                const int row = nx * (y + ny * z);
                copy_row(own + row, y, z);
                copy_ends(left + row, right + row, y, z);
            }
            for (int k = 0; k < H; ++k) {
                copy_row(below + nx * (ny - 1 - k + ny * z), -1 - k, z);
                copy_row(above + nx * (k + ny * z), ny + k, z);
            }
        }
        if constexpr (D == 3) {
            const Source *back = at_offset(0, 0, -1), *front = at_offset(0, 0, 1);
            for (int k = 0; k < H; ++k)
                for (int y = 0; y < ny; ++y) {
                    copy_row(back + nx * (y + ny * (nz - 1 - k)), y, -1 - k);
                    copy_row(front + nx * (y + ny * k), y, nz + k);
                }
        }
    }

  private:
    template <class Source>
    static const Source* brick(const Source* data, std::int32_t slot) {
        return data + static_cast<std::ptrdiff_t>(slot) * Brick<D>::cells;
    }
    template <class Source>
    void copy_row(const Source* in, int y, int z) {
        T* out = v + at(0, y, z);
        if constexpr (std::is_same_v<T, Source>)
            std::memcpy(out, in, nx * sizeof(T));  // tells the compiler that the buffer is not the array
        else
            for (int x = 0; x < nx; ++x) out[x] = static_cast<T>(in[x]);
    }
    /// From the rows with the same y and z in the neighbours along x.
    template <class Source>
    void copy_ends(const Source* left, const Source* right, int y, int z) {
        T* out = v + at(0, y, z);
        for (int x = 1; x <= H; ++x) out[-x] = static_cast<T>(left[nx - x]);
        for (int x = 0; x < H; ++x) out[nx + x] = static_cast<T>(right[x]);
    }
};

}  // namespace tidelock
