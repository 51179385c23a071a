/// One red-black Gauss-Seidel sweep over one brick, in a window with a rim wide enough that the brick's own result is
/// the one a global sweep would give; neighbours' updates are recomputed instead of waited for. Optionally starts from
/// zero, adds the coarse correction first, and leaves the residual for the next level.
///
/// A sweep is   x += inverse o (r - K^T y - L_N x)   on one colour, then on the other. `y` is Mbar^-1 K x of the iterate
/// before the sweep: the low-rank term is frozen during a sweep (METHODS 2.7, item 5).
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/pack.h"
#include "grid/halo.h"
#include "solve/stencil_level.h"

namespace tidelock {

/// The window of a pass. E is how far beyond the brick the result must hold: 1 if the residual is wanted, else 0.
/// The iterate is needed one cell farther out than the right-hand side.
template <int D, class T, bool FromZero, bool Correct, bool Residual>
struct SweepWindow {
    static constexpr int E = Residual ? 1 : 0;
    static constexpr int H = E + (FromZero ? 1 : 2);
    using Wide = HaloBuffer<D, H, T, 4>;
    using Narrow = HaloBuffer<D, E + 1, T, 4>;
    using Flags = HaloBuffer<D, E + 1, std::uint8_t, 4>;
    /// The coarse correction needs to know the unknowns as far out as the iterate.
    using Inverse = std::conditional_t<Correct, Wide, Narrow>;
    Wide x, conductance[D];
    Narrow r, diagonal;
    Inverse inverse;
    Flags flags;
};

/// Weights of a row, rim included: `value` on every second cell, zero between.
template <class T>
struct ColourRow {
    static constexpr int size = 48;
    alignas(64) T v[size + 1];
    explicit ColourRow(T value) {
        for (int i = 0; i <= size; ++i) v[i] = i % 2 == 0 ? value : T{0};
    }
    /// Weights from cell -4 of a row on, such that cells with (cell + p) even carry the value.
    [[nodiscard]] const T* row(int p) const { return v + 4 + (p & 1); }
};

/// Replaces a row of the window, and four cells on either side if there is a rim, by kernel.template operator()<V, N>(i),
/// V being the pack of N values that starts at cell i. All is computed before anything is stored: a load that overlaps a fresh store stalls.
template <int N, class T, class Kernel>
[[gnu::always_inline]] inline void replace_row(T* row, bool rim, const Kernel& kernel) {
    using Edge = Pack<T, 4>;
    using Centre = Pack<T, N>;
    if (!rim) {
        store_pack(row, kernel.template operator()<Centre, N>(0));
        return;
    }
    const Edge left = kernel.template operator()<Edge, 4>(-4);
    const Centre centre = kernel.template operator()<Centre, N>(0);
    const Edge right = kernel.template operator()<Edge, 4>(N);
    store_pack(row - 4, left);
    store_pack(row, centre);
    store_pack(row + N, right);
}

/// Calls f(y, z) for each row of the brick and of those within e face steps of it.
template <int D, class F>
[[gnu::always_inline]] inline void for_rows(int e, const F& f) {
    const int ez = D == 3 ? e : 0, nz = D == 3 ? Brick<D>::size[D - 1] : 1;
    for (int z = -ez; z < nz + ez; ++z) {
        const int reach = e - (z < 0 ? -z : z >= nz ? z - nz + 1 : 0);
        for (int y = -reach; y < Brick<D>::size[1] + reach; ++y) f(y, z);
    }
}

/// The sum over the neighbours of cells [i, i + N), each weighted by its face's conductance (over the uniform one if
/// the kind is plain or masked). The coefficient rows are those of the window.
template <int D, class T, BrickKind kind, class V, int N, class Wide>
[[gnu::always_inline]] inline V neighbour_sum(const T* x, const T* const* c, const std::uint8_t* flags, int i) {
    const auto at = [i](const T* from) { return load_pack<V>(from + i); };
    V sum{};
    if constexpr (kind == BrickKind::plain) {
        sum = (at(x - 1) + at(x + 1)) + (at(x - Wide::sy) + at(x + Wide::sy));
        if constexpr (D == 3) sum += at(x - Wide::sz) + at(x + Wide::sz);
    } else if constexpr (kind == BrickKind::masked) {
        for (int a = 0; a < D; ++a) {
            sum = add_where<V, N>(sum, flags + i, lower_open(a), x + i - Wide::stride(a));
            sum = add_where<V, N>(sum, flags + i, upper_open(a), x + i + Wide::stride(a));
        }
    } else {
        for (int a = 0; a < D; ++a) {
            const int s = Wide::stride(a);
            sum += at(c[a]) * at(x - s) + at(c[a] + s) * at(x + s);
        }
    }
    return sum;
}

/// Updates one colour, cells with (x + y + z) % 2 == colour, on the brick and a rim of width e. `weight` carries the
/// inverse diagonal on its colour in plain bricks, else 1.
template <int D, class T, BrickKind kind, class Window>
inline void relax(Window& w, int e, int colour, T uniform, const ColourRow<T>& weight) {
    using Wide = typename Window::Wide;
    using Narrow = typename Window::Narrow;
    const T centre = static_cast<T>(2 * D) * uniform;
    for_rows<D>(e, [&](int y, int z) {
        const int narrow = Narrow::at(0, y, z), wide = Wide::at(0, y, z);
        T* x = w.x.v + wide;
        const T *r = w.r.v + narrow, *m = weight.row(y + z + colour);
        const T *inverse = w.inverse.v + Window::Inverse::at(0, y, z), *diagonal = w.diagonal.v + narrow;
        const T* c[D];
        for (int a = 0; a < D; ++a) c[a] = w.conductance[a].v + wide;
        replace_row<Wide::nx>(x, e > 0, [&]<class V, int N>(int i) -> V {
            const auto at = [i](const T* from) { return load_pack<V>(from + i); };
            const V sum = neighbour_sum<D, T, kind, V, N, Wide>(x, c, w.flags.v + narrow, i);
            const V here = at(x);
            if constexpr (kind == BrickKind::plain) return here + at(m) * (at(r) + uniform * sum - centre * here);
            if constexpr (kind == BrickKind::masked) return here + at(m) * (at(inverse) * (at(r) + uniform * sum) - here);
            if constexpr (kind == BrickKind::stored) return here + at(m) * (at(inverse) * (at(r) + sum) - here);
            return here + at(m) * at(inverse) * (at(r) + sum - at(diagonal) * here);
        });
    });
}

/// First half of a sweep from x = 0: nothing to gather from, so it is pointwise. Zeroes the other colour.
template <int D, class T, BrickKind kind, class Window>
inline void start_from_zero(Window& w, int e, int colour, const ColourRow<T>& weight) {
    using Wide = typename Window::Wide;
    using Narrow = typename Window::Narrow;
    for_rows<D>(e, [&](int y, int z) {
        const int narrow = Narrow::at(0, y, z);
        const T *r = w.r.v + narrow, *inverse = w.inverse.v + narrow, *m = weight.row(y + z + colour);
        replace_row<Wide::nx>(w.x.v + Wide::at(0, y, z), true, [&]<class V, int N>(int i) -> V {
            const V start = load_pack<V>(m + i) * load_pack<V>(r + i);
            if constexpr (kind == BrickKind::plain) return start;
            return start * load_pack<V>(inverse + i);
        });
    });
}

/// Where a brick lies in its parent: the first coarse cell of its octant.
template <int D>
inline Coord<3> octant(const Coord<D>& brick) {
    Coord<3> first = Coord<3>::Zero();
    for (int a = 0; a < D; ++a) first[a] = (brick[a] & 1) * Brick<D>::size[a] / 2;
    return first;
}

/// Adds the piecewise-constant prolongation of the coarse iterate to the window, rim included; cells without an unknown
/// (inverse diagonal 0) stay zero.
template <int D, class T, BrickKind kind, class Window>
inline void add_correction(Window& w, const T* coarse, const std::int32_t* parent_neighbours, const Coord<D>& brick) {
    using Wide = typename Window::Wide;
    constexpr int nx = Wide::nx, ny = Wide::ny, nz = Wide::nz;
    static_assert(Window::H == 2, "the rim is one coarse cell wide");
    const Coord<3> first = octant<D>(brick);
    for (int cz = D == 3 ? -1 : 0; cz < (D == 3 ? nz / 2 + 1 : 1); ++cz)
        for (int cy = -1; cy < ny / 2 + 1; ++cy) {
            const int gy = first[1] + cy, gz = first[2] + cz;  // in the parent's frame
            const int dy = gy < 0 ? -1 : gy >= ny ? 1 : 0, dz = gz < 0 ? -1 : gz >= nz ? 1 : 0;
            const int row = nx * ((gy - dy * ny) + ny * (gz - dz * nz));
            const std::int32_t* near = parent_neighbours + neighbour_slot<D>(0, dy, dz);
            const T* own = coarse + std::ptrdiff_t{near[0]} * Brick<D>::cells + row;
            const T* left = first[0] == 0 ? coarse + std::ptrdiff_t{near[-1]} * Brick<D>::cells + row + nx : own + first[0];
            const T* right = first[0] == 0 ? own + nx / 2 : coarse + std::ptrdiff_t{near[1]} * Brick<D>::cells + row;
            alignas(64) T spread[nx + 32];  // cells [-4, nx + 4) at offset 16
            for (int i = 0; i < nx / 2; ++i) spread[16 + 2 * i] = spread[17 + 2 * i] = own[first[0] + i];
            for (int i = 0; i < 2; ++i) {
                spread[12 + i] = left[-2], spread[14 + i] = left[-1];
                spread[16 + nx + i] = right[0], spread[18 + nx + i] = right[1];
            }
            for (int z = D == 3 ? 2 * cz : 0; z < (D == 3 ? 2 * cz + 2 : 1); ++z)
                for (int y = 2 * cy; y < 2 * cy + 2; ++y) {
                    T* x = w.x.v + Wide::at(0, y, z);
                    const T* unknown = w.inverse.v + Window::Inverse::at(0, y, z);
                    replace_row<nx>(x, true, [&]<class V, int N>(int i) -> V {
                        const V fresh = load_pack<V>(x + i) + load_pack<V>(spread + 16 + i);
                        if constexpr (kind == BrickKind::plain) return fresh;
                        const V mask = load_pack<V>(unknown + i);
                        return mask != 0 ? fresh : V{};
                    });
                }
        }
}

/// Residual of the brick's own cells, summed over 2^D children into the parent's octant of `coarse`. `r`, `diagonal` are
/// the brick's own, not windows: the smoother's right-hand side may hold a body's term that is not the residual's.
template <int D, class T, BrickKind kind, class Window>
inline void restrict_residual(const Window& w, T uniform, const T* r, const T* diagonal, T* coarse, const Coord<D>& brick) {
    using Wide = typename Window::Wide;
    using Narrow = typename Window::Narrow;
    constexpr int nx = Wide::nx, deep = D == 3 ? 2 : 1;
    const Coord<3> first = octant<D>(brick);
    const T centre = static_cast<T>(2 * D) * uniform;
    for (int z = 0; z < Wide::nz; z += deep)
        for (int y = 0; y < Wide::ny; y += 2) {
            using V = Pack<T, nx>;
            V total{};
            for (int k = 0; k < deep; ++k)
                for (int j = 0; j < 2; ++j) {
                    const int wide = Wide::at(0, y + j, z + k), own = nx * (y + j + Wide::ny * (z + k));
                    const T* x = w.x.v + wide;
                    const T* c[D];
                    for (int a = 0; a < D; ++a) c[a] = w.conductance[a].v + wide;
                    const V sum = neighbour_sum<D, T, kind, V, nx, Wide>(x, c, w.flags.v + Narrow::at(0, y + j, z + k), 0);
                    const V here = load_pack<V>(x);
                    if constexpr (kind == BrickKind::plain)
                        total += load_pack<V>(r + own) + uniform * sum - centre * here;
                    else
                        total += load_pack<V>(r + own) + (kind == BrickKind::masked ? uniform : T{1}) * sum - load_pack<V>(diagonal + own) * here;
                }
            alignas(64) T line[nx];
            store_pack(line, total);
            T* out = coarse + first[0] + nx * ((first[1] + y / 2) + Wide::ny * (first[2] + z / deep));
            for (int i = 0; i < nx / 2; ++i) out[i] = line[2 * i] + line[2 * i + 1];
        }
}

}  // namespace tidelock
