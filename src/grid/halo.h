/// A brick copied into a small padded buffer together with a rim of its neighbours' cells, so that a stencil runs over
/// plain rows without a test. The buffer stays in the first-level cache; several sweeps can run in it.
///
/// H is the width of the rim along y and z, X along x (X >= H pays where a kernel runs over whole vectors). Row (y, z)
/// holds cells x in [-X, size + X); the brick's own cells start on a cache line, and the right rim of a row lies in
/// front of the left rim of the next, where there is room. Cells of inactive bricks read the background.
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

template <int D, int H, class T, int X = H>
struct HaloBuffer {
    static constexpr int nx = Brick<D>::size[0];
    static constexpr int ny = Brick<D>::size[1];
    static constexpr int nz = D == 3 ? Brick<3>::size[2] : 1;
    static constexpr int hz = D == 3 ? H : 0;
    static constexpr int pad = 16;
    static constexpr int sy = nx + pad;
    static constexpr int sz = sy * (ny + 2 * H);
    static constexpr int total = sz * (nz + 2 * hz) + pad;
    static_assert(H <= X && H <= ny && 2 * X <= pad);

    /// Place of cell (x, y, z) of the brick's frame; each may reach H beyond the brick.
    static constexpr int at(int x, int y, int z = 0) { return pad + x + sy * (y + H) + sz * (z + hz); }
    static constexpr int stride(int axis) { return axis == 0 ? 1 : axis == 1 ? sy : sz; }

    alignas(64) T v[total];

    /// Fills the buffer from an array of bricks; `neighbours` is the brick's row of the neighbour table.
    template <class Source>
    void load(const Source* data, const std::int32_t* neighbours) {
        load_rows<false>(data, neighbours);
    }
    /// The same without the rows that a stencil of face neighbours cannot reach in H steps.
    template <class Source>
    void load_diamond(const Source* data, const std::int32_t* neighbours) {
        load_rows<true>(data, neighbours);
    }

  private:
    template <bool Diamond, class Source>
    void load_rows(const Source* data, const std::int32_t* neighbours) {
        for (int dz = D == 3 ? -1 : 0; dz <= (D == 3 ? 1 : 0); ++dz)
            for (int dy = -1; dy <= 1; ++dy) {
                const std::int32_t* n = neighbours + neighbour_slot<D>(0, dy, dz);
                const Source* left = data + static_cast<std::ptrdiff_t>(n[-1]) * Brick<D>::cells;
                const Source* centre = data + static_cast<std::ptrdiff_t>(n[0]) * Brick<D>::cells;
                const Source* right = data + static_cast<std::ptrdiff_t>(n[1]) * Brick<D>::cells;
                const int z_first = dz < 0 ? nz - hz : 0, z_last = dz > 0 ? hz : nz;
                for (int z = z_first; z < z_last; ++z) {
                    const int reach = !Diamond || dz == 0 ? H : dz < 0 ? H - (nz - z) : H - (z + 1);
                    const int y_first = dy < 0 ? ny - reach : 0, y_last = dy > 0 ? reach : ny;
                    for (int y = y_first; y < y_last; ++y) {
                        const int row = nx * (y + ny * z);
                        T* out = v + at(0, y + dy * ny, z + dz * nz);
                        copy_row<nx>(centre + row, out);
                        const int away = dy < 0 ? ny - y : dy > 0 ? y + 1 : 0;
                        if (Diamond && away == reach && (dy != 0 || reach == 0)) continue;  // the ends are out of reach
                        copy_row<X>(left + row + nx - X, out - X);
                        copy_row<X>(right + row, out + nx);
                    }
                }
            }
    }

    template <int N, class Source>
    static void copy_row(const Source* in, T* out) {
        if constexpr (std::is_same_v<Source, T>)
            std::memcpy(out, in, N * sizeof(T));
        else
            for (int i = 0; i < N; ++i) out[i] = static_cast<T>(in[i]);
    }
};

}  // namespace tidelock
