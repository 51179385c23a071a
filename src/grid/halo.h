/// A brick copied into a small padded buffer together with a rim of its neighbours' cells, so that a stencil runs over
/// plain rows without a test. The buffer stays in the first-level cache; several sweeps can run in it.
///
/// Row (y, z) of the buffer holds cells x in [-H, size + H) at offset pad + x, so that the brick's own cells are
/// aligned. The rim after a row lies in the padding before the next one. Cells of inactive bricks read the background.
#pragma once

#include <cstdint>

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
        for (int z = -hz; z < nz + hz; ++z)
            for (int y = -H; y < ny + H; ++y) {
                copy_row(data, neighbours, y, z);
                copy_ends(data, neighbours, y, z);
            }
    }

    /// The same without the cells that differ from the brick along more than one axis (edges and corners of the rim):
    /// all that a stencil along the axes reads. Those cells keep what the buffer held.
    template <class Source>
    void load_cross(const Source* data, const std::int32_t* neighbours) {
        for (int z = 0; z < nz; ++z) {
            for (int y = 0; y < ny; ++y) {
                copy_row(data, neighbours, y, z);
                copy_ends(data, neighbours, y, z);
            }
            for (int k = 1; k <= H; ++k) {
                copy_row(data, neighbours, -k, z);
                copy_row(data, neighbours, ny - 1 + k, z);
            }
        }
        for (int k = 1; k <= hz; ++k)
            for (int y = 0; y < ny; ++y) {
                copy_row(data, neighbours, y, -k);
                copy_row(data, neighbours, y, nz - 1 + k);
            }
    }

  private:
    /// Start of the row (y, z) in the neighbour at offset dx along x.
    template <class Source>
    static const Source* row_of(const Source* data, const std::int32_t* neighbours, int dx, int y, int z) {
        const int dy = y < 0 ? -1 : y >= ny ? 1 : 0;
        const int dz = z < 0 ? -1 : z >= nz ? 1 : 0;
        const auto slot = static_cast<std::ptrdiff_t>(neighbours[neighbour_slot<D>(dx, dy, dz)]);
        return data + slot * Brick<D>::cells + nx * ((y - dy * ny) + ny * (z - dz * nz));
    }
    template <class Source>
    void copy_row(const Source* data, const std::int32_t* neighbours, int y, int z) {
        const Source* centre = row_of(data, neighbours, 0, y, z);
        T* out = v + at(0, y, z);
        for (int x = 0; x < nx; ++x) out[x] = static_cast<T>(centre[x]);
    }
    template <class Source>
    void copy_ends(const Source* data, const std::int32_t* neighbours, int y, int z) {
        const Source* left = row_of(data, neighbours, -1, y, z) + nx;
        const Source* right = row_of(data, neighbours, 1, y, z);
        T* out = v + at(0, y, z);
        for (int x = 1; x <= H; ++x) out[-x] = static_cast<T>(left[-x]);
        for (int x = 0; x < H; ++x) out[nx + x] = static_cast<T>(right[x]);
    }
};

}  // namespace tidelock
