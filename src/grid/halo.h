/// A brick copied into a small padded buffer together with a rim of its neighbours' cells, so that a stencil runs over
/// plain rows without a test. The buffer stays in the first-level cache; several sweeps can run in it.
///
/// H is the width of the rim along y and z, X along x (X >= H pays where a kernel runs over whole vectors of a row). Row
/// (y, z) holds cells x in [-X, size + X) at offset pad + x. Cells of inactive bricks read the background.
#pragma once

#include <cstdint>

#include "grid/brick.h"

namespace tidelock {

template <int D, int H, class T, int X = H>
struct HaloBuffer {
    static constexpr int nx = Brick<D>::size[0];
    static constexpr int ny = Brick<D>::size[1];
    static constexpr int nz = D == 3 ? Brick<3>::size[2] : 1;
    static constexpr int hz = D == 3 ? H : 0;
    static constexpr int pad = (X + 3) / 4 * 4;
    static constexpr int sy = nx + 2 * pad;
    static constexpr int sz = sy * (ny + 2 * H);
    static constexpr int total = sz * (nz + 2 * hz);
    static_assert(H <= X && H <= ny && X <= nx);

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
                const Source* centre = data + static_cast<std::ptrdiff_t>(n[0]) * Brick<D>::cells + row;
                const Source* left = data + static_cast<std::ptrdiff_t>(n[-1]) * Brick<D>::cells + row + nx;
                const Source* right = data + static_cast<std::ptrdiff_t>(n[1]) * Brick<D>::cells + row;
                T* out = v + at(0, y, z);
                for (int x = 0; x < nx; ++x) out[x] = static_cast<T>(centre[x]);
                for (int x = 1; x <= X; ++x) out[-x] = static_cast<T>(left[-x]);
                for (int x = 0; x < X; ++x) out[nx + x] = static_cast<T>(right[x]);
            }
        }
    }
};

}  // namespace tidelock
