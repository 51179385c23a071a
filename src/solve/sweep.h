/// One red-black Gauss-Seidel sweep over one brick, in a window with a rim wide enough that the brick's own result is
/// the one a global sweep would give; neighbours' updates are recomputed instead of waited for. Optionally starts from
/// zero, adds the coarse correction first, and leaves the residual for the next level.
///
/// A sweep is   x += inverse o (r - K^T y - L_N x)   on one colour, then on the other. `y` is Mbar^-1 K x of the iterate
/// before the sweep: the low-rank term is frozen during a sweep (METHODS 2.7, item 5).
#pragma once

#include <cstdint>

#include "grid/halo.h"
#include "solve/stencil_level.h"

namespace tidelock {

/// The window of a pass. E is how far beyond the brick the result must hold: 1 if the residual is wanted, else 0.
template <int D, class T, bool FromZero, bool Residual>
struct SweepWindow {
    static constexpr int E = Residual ? 1 : 0;
    static constexpr int H = E + (FromZero ? 1 : 2);
    using Buffer = HaloBuffer<D, H, T, 4>;
    Buffer x, r, conductance[D], diagonal, inverse;
};

/// Weights of a row: `value` on every second cell. colour_row(w, p) has it at cells x with (x + p) even.
template <class T>
struct ColourRow {
    static constexpr int size = 48;
    alignas(64) T v[size + 1];
    explicit ColourRow(T value) {
        for (int i = 0; i <= size; ++i) v[i] = i % 2 == 0 ? value : T{0};
    }
};

/// Updates one colour on the brick and a rim of width e. Cells (x + y + z) % 2 == colour are updated.
template <int D, class T, class Window>
inline void sweep_plain(Window& w, int e, int colour, T uniform, const ColourRow<T>& weight) {
    using Buffer = typename Window::Buffer;
    constexpr int sy = Buffer::sy, sz = Buffer::sz, X = 4;
    const int ez = D == 3 ? e : 0;
    const T centre = static_cast<T>(2 * D) * uniform;
    for (int z = -ez; z < Buffer::nz + ez; ++z)
        for (int y = -e; y < Buffer::ny + e; ++y) {
            T* __restrict x = w.x.v + Buffer::at(-X, y, z);
            const T* __restrict r = w.r.v + Buffer::at(-X, y, z);
            const T* __restrict m = weight.v + ((y + z + colour) & 1);
            const T *__restrict x_south = x - sy, *__restrict x_north = x + sy;
            const T *__restrict x_down = x - sz, *__restrict x_up = x + sz;
            T fresh[Buffer::nx + 2 * X];
            for (int i = 0; i < Buffer::nx + 2 * X; ++i) {
                T sum = x[i - 1] + x[i + 1] + x_south[i] + x_north[i];
                if constexpr (D == 3) sum += x_down[i] + x_up[i];
                fresh[i] = x[i] + m[i] * (r[i] + uniform * sum - centre * x[i]);
            }
            for (int i = 0; i < Buffer::nx + 2 * X; ++i) x[i] = fresh[i];
        }
}

/// The same with stored coefficients; weight is 1 on the colour, 0 off it.
template <int D, class T, class Window>
inline void sweep_stored(Window& w, int e, int colour, const ColourRow<T>& weight) {
    using Buffer = typename Window::Buffer;
    constexpr int sy = Buffer::sy, sz = Buffer::sz, X = 4;
    const int ez = D == 3 ? e : 0;
    for (int z = -ez; z < Buffer::nz + ez; ++z)
        for (int y = -e; y < Buffer::ny + e; ++y) {
            const int at = Buffer::at(-X, y, z);
            T* x = w.x.v + at;
            const T *r = w.r.v + at, *d = w.diagonal.v + at, *inverse = w.inverse.v + at;
            const T *cx = w.conductance[0].v + at, *cy = w.conductance[1].v + at, *cz = w.conductance[D - 1].v + at;
            const T* m = weight.v + ((y + z + colour) & 1);
            T fresh[Buffer::nx + 2 * X];
            for (int i = 0; i < Buffer::nx + 2 * X; ++i) {
                T sum = cx[i] * x[i - 1] + cx[i + 1] * x[i + 1] + cy[i] * x[i - sy] + cy[i + sy] * x[i + sy];
                if constexpr (D == 3) sum += cz[i] * x[i - sz] + cz[i + sz] * x[i + sz];
                fresh[i] = x[i] + m[i] * inverse[i] * (r[i] + sum - d[i] * x[i]);
            }
            for (int i = 0; i < Buffer::nx + 2 * X; ++i) x[i] = fresh[i];
        }
}

/// First half of a sweep from x = 0: nothing to gather from, so it is pointwise. Zeroes the other colour.
template <int D, class T, class Window>
inline void start_from_zero(Window& w, int e, int colour, bool plain, const ColourRow<T>& weight) {
    using Buffer = typename Window::Buffer;
    constexpr int X = 4;
    const int ez = D == 3 ? e : 0;
    for (int z = -ez; z < Buffer::nz + ez; ++z)
        for (int y = -e; y < Buffer::ny + e; ++y) {
            const int at = Buffer::at(-X, y, z);
            T* x = w.x.v + at;
            const T *r = w.r.v + at, *inverse = w.inverse.v + at, *m = weight.v + ((y + z + colour) & 1);
            if (plain)
                for (int i = 0; i < Buffer::nx + 2 * X; ++i) x[i] = m[i] * r[i];
            else
                for (int i = 0; i < Buffer::nx + 2 * X; ++i) x[i] = m[i] * inverse[i] * r[i];
        }
}

/// Adds the piecewise-constant prolongation of the coarse iterate to the window, rim included.
template <int D, class T, class Window>
inline void add_correction(Window& w, bool plain, const T* coarse, const std::int32_t* parent_neighbours, const Coord<D>& brick) {
    using Buffer = typename Window::Buffer;
    constexpr int H = Window::H, X = 4;
    const int half_x = (brick[0] & 1) * Brick<D>::size[0] / 2, half_y = (brick[1] & 1) * Brick<D>::size[1] / 2;
    const int half_z = D == 3 ? (brick[D - 1] & 1) * Buffer::nz / 2 : 0;
    for (int z = -Buffer::hz; z < Buffer::nz + Buffer::hz; ++z) {
        const int cz = D == 3 ? half_z + (z >> 1) : 0;
        const int dz = D == 3 ? (cz < 0 ? -1 : cz >= Buffer::nz ? 1 : 0) : 0;
        for (int y = -H; y < Buffer::ny + H; ++y) {
            const int cy = half_y + (y >> 1);
            const int dy = cy < 0 ? -1 : cy >= Buffer::ny ? 1 : 0;
            const int row = Buffer::nx * ((cy - dy * Buffer::ny) + Buffer::ny * (cz - dz * Buffer::nz));
            const std::int32_t* near = parent_neighbours + neighbour_slot<D>(0, dy, dz);
            const T* own = coarse + std::ptrdiff_t{near[0]} * Brick<D>::cells + row;
            // Coarse cells [half_x - 2, half_x + nx / 2 + 2) of this row, pieced together from up to two bricks.
            T line[Buffer::nx / 2 + X];
            for (int i = 0; i < Buffer::nx / 2; ++i) line[i + X / 2] = own[half_x + i];
            const T* left = half_x == 0 ? coarse + std::ptrdiff_t{near[-1]} * Brick<D>::cells + row + Buffer::nx : own + half_x;
            const T* right = half_x == 0 ? own + Buffer::nx / 2 : coarse + std::ptrdiff_t{near[1]} * Brick<D>::cells + row;
            for (int i = 0; i < X / 2; ++i) line[i] = left[i - X / 2], line[Buffer::nx / 2 + X / 2 + i] = right[i];
            const int at = Buffer::at(-X, y, z);
            T* x = w.x.v + at;
            T spread[Buffer::nx + 2 * X];
            for (int i = 0; i < Buffer::nx / 2 + X; ++i) spread[2 * i] = spread[2 * i + 1] = line[i];
            if (plain) {
                for (int i = 0; i < Buffer::nx + 2 * X; ++i) x[i] += spread[i];
            } else {
                const T* inverse = w.inverse.v + at;
                for (int i = 0; i < Buffer::nx + 2 * X; ++i) x[i] += inverse[i] != 0 ? spread[i] : T{0};
            }
        }
    }
}

/// Residual of the brick's own cells, summed over 2^D children into the parent's octant of `coarse`.
template <int D, class T, class Window>
inline void restrict_residual(const Window& w, bool plain, T uniform, T* coarse, const Coord<D>& brick) {
    using Buffer = typename Window::Buffer;
    constexpr int sy = Buffer::sy, sz = Buffer::sz, nx = Buffer::nx;
    const int half_x = (brick[0] & 1) * Brick<D>::size[0] / 2, half_y = (brick[1] & 1) * Brick<D>::size[1] / 2;
    const int half_z = D == 3 ? (brick[D - 1] & 1) * Buffer::nz / 2 : 0;
    const T centre = static_cast<T>(2 * D) * uniform;
    constexpr int deep = D == 3 ? 2 : 1;
    for (int z = 0; z < Buffer::nz; z += deep)
        for (int y = 0; y < Buffer::ny; y += 2) {
            T sum[nx] = {};
            for (int k = 0; k < deep; ++k)
                for (int j = 0; j < 2; ++j) {
                    const int at = Buffer::at(0, y + j, z + k);
                    const T *x = w.x.v + at, *r = w.r.v + at;
                    if (plain) {
                        for (int i = 0; i < nx; ++i) {
                            T near = x[i - 1] + x[i + 1] + x[i - sy] + x[i + sy];
                            if constexpr (D == 3) near += x[i - sz] + x[i + sz];
                            sum[i] += r[i] + uniform * near - centre * x[i];
                        }
                    } else {
                        const T *d = w.diagonal.v + at, *cx = w.conductance[0].v + at, *cy = w.conductance[1].v + at, *cz = w.conductance[D - 1].v + at;
                        const T* inverse = w.inverse.v + at;
                        for (int i = 0; i < nx; ++i) {
                            T near = cx[i] * x[i - 1] + cx[i + 1] * x[i + 1] + cy[i] * x[i - sy] + cy[i + sy] * x[i + sy];
                            if constexpr (D == 3) near += cz[i] * x[i - sz] + cz[i + sz] * x[i + sz];
                            sum[i] += inverse[i] != 0 ? r[i] + near - d[i] * x[i] : T{0};
                        }
                    }
                }
            T* out = coarse + half_x + nx * ((half_y + y / 2) + Buffer::ny * (half_z + z / deep));
            for (int i = 0; i < nx / 2; ++i) out[i] = sum[2 * i] + sum[2 * i + 1];
        }
}

}  // namespace tidelock
