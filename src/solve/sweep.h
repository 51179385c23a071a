/// One red-black Gauss-Seidel sweep over one brick, in a window with a rim wide enough that the brick's own result is
/// the one a global sweep would give; neighbours' updates are recomputed instead of waited for. Optionally starts from
/// zero, adds the coarse correction first, and leaves the residual for the next level.
///
/// A sweep is   x += inverse o (r - K^T y - L_N x)   on one colour, then on the other. `y` is Mbar^-1 K x of the
/// iterate before the sweep: the low-rank term is frozen during a sweep (METHODS 2.7, item 5).
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

/// The cells of one colour in a row: all bits set on every second cell, none between. In the window's memory a row's
/// cells are followed by a gap that holds the right rim of the row and the left rim of the next one, where the colours
/// are swapped.
template <class T, int N>
struct ColourMask {
    static constexpr int gap = 16;
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    alignas(64) Bits row[2][N] = {};
    alignas(64) Bits between[2][gap] = {};
    constexpr ColourMask() {
        for (int p = 0; p < 2; ++p) {
            for (int i = 0; i < N; ++i) row[p][i] = (i + p) % 2 == 0 ? -1 : 0;
            for (int i = 0; i < gap; ++i) between[p][i] = (i + p + (i < gap / 2 ? 0 : 1)) % 2 == 0 ? -1 : 0;
        }
    }
};
template <class T, int N>
inline constexpr ColourMask<T, N> colour_mask;

/// Calls f(y, z) for each row of the brick and of those within e face steps of it, and `before` rows more in front.
template <int D, class F>
[[gnu::always_inline]] inline void for_rows(int e, int before, const F& f) {
    const int ez = D == 3 ? e : 0, nz = D == 3 ? Brick<D>::size[D - 1] : 1;
    for (int z = -ez; z < nz + ez; ++z) {
        const int reach = e - (z < 0 ? -z : z >= nz ? z - nz + 1 : 0);
        for (int y = -reach - before; y < Brick<D>::size[1] + reach; ++y) f(y, z);
    }
}

/// Replaces the cells of one colour, (x + y + z) % 2 == colour, within e face steps of the brick by
/// kernel.template operator()<V, N>(y, z, i), the pack of N values that starts at cell i of row (y, z); the others
/// become `rest` of their old value. Rows come first and the gaps between them after: a load that overlaps a fresh
/// store stalls, and cells of one colour do not read each other, so the order does not matter. Cells out of reach hold
/// anything, NaN included; the choice by mask keeps it away from cells of the other colour.
template <int D, class T, class Wide, class Kernel, class Rest>
[[gnu::always_inline]] inline void replace_colour(T* x, int e, int colour, const Kernel& kernel, const Rest& rest) {
    constexpr int N = Wide::nx;
    using Mask = ColourMask<T, N>;
    static_assert(Wide::sy == N + Mask::gap);
    const auto replace = [&]<int count>(int y, int z, int i, const typename Mask::Bits* bits) {
        using V = Pack<T, count>;
        T* at = x + Wide::at(i, y, z);
        const V fresh = kernel.template operator()<V, count>(y, z, i);
        const auto mask = load_pack<Pack<typename Mask::Bits, count>>(bits);
        store_pack(at, V(mask != 0 ? fresh : rest(load_pack<V>(at))));
    };
    for_rows<D>(e, 0, [&](int y, int z) {
        replace.template operator()<N>(y, z, 0, colour_mask<T, N>.row[(y + z + colour) & 1]);
    });
    if (e == 0) return;
    for_rows<D>(e, 1, [&](int y, int z) {
        replace.template operator()<Mask::gap>(y, z, N, colour_mask<T, N>.between[(y + z + colour) & 1]);
    });
}

/// The sum over the neighbours of the N cells from x on, each weighted by its face's conductance (over the uniform one
/// if the kind is plain or masked). The coefficient rows are those of the window.
template <int D, class T, BrickKind kind, class V, int N, class Wide>
[[gnu::always_inline]] inline V neighbour_sum(const T* x, const T* const* c, const std::uint8_t* flags) {
    const auto at = [](const T* from) { return load_pack<V>(from); };
    V sum{};
    if constexpr (kind == BrickKind::plain) {
        sum = (at(x - 1) + at(x + 1)) + (at(x - Wide::sy) + at(x + Wide::sy));
        if constexpr (D == 3) sum += at(x - Wide::sz) + at(x + Wide::sz);
    } else if constexpr (kind == BrickKind::masked) {
        for (int a = 0; a < D; ++a) {
            sum = add_where<V, N>(sum, flags, lower_open(a), x - Wide::stride(a));
            sum = add_where<V, N>(sum, flags, upper_open(a), x + Wide::stride(a));
        }
    } else {
        for (int a = 0; a < D; ++a) {
            const int s = Wide::stride(a);
            sum += at(c[a]) * at(x - s) + at(c[a] + s) * at(x + s);
        }
    }
    return sum;
}

/// Updates one colour on the brick and e face steps around it.
template <int D, class T, BrickKind kind, class Window>
inline void relax(Window& w, int e, int colour, T uniform) {
    using Wide = typename Window::Wide;
    using Narrow = typename Window::Narrow;
    const T plain_inverse = 1 / (static_cast<T>(2 * D) * uniform);
    const auto fresh = [&]<class V, int N>(int y, int z, int i) -> V {
        const int wide = Wide::at(i, y, z), narrow = Narrow::at(i, y, z);
        const T* x = w.x.v + wide;
        const T* c[D];
        for (int a = 0; a < D; ++a) c[a] = w.conductance[a].v + wide;
        const V sum = neighbour_sum<D, T, kind, V, N, Wide>(x, c, w.flags.v + narrow), r = load_pack<V>(w.r.v + narrow);
        if constexpr (kind == BrickKind::plain) return plain_inverse * (r + uniform * sum);
        const V inverse = load_pack<V>(w.inverse.v + Window::Inverse::at(i, y, z));
        if constexpr (kind == BrickKind::masked) return inverse * (r + uniform * sum);
        if constexpr (kind == BrickKind::stored) return inverse * (r + sum);
        const V here = load_pack<V>(x);
        return here + inverse * (r + sum - load_pack<V>(w.diagonal.v + narrow) * here);
    };
    replace_colour<D, T, Wide>(w.x.v, e, colour, fresh, [](const auto& old) { return old; });
}

/// First half of a sweep from x = 0: nothing to gather from, so it is pointwise. Zeroes the other colour.
template <int D, class T, BrickKind kind, class Window>
inline void start_from_zero(Window& w, int e, int colour, T uniform) {
    using Wide = typename Window::Wide;
    const T plain_inverse = 1 / (static_cast<T>(2 * D) * uniform);
    const auto fresh = [&]<class V, int N>(int y, int z, int i) -> V {
        const V r = load_pack<V>(w.r.v + Window::Narrow::at(i, y, z));
        if constexpr (kind == BrickKind::plain) return plain_inverse * r;
        return r * load_pack<V>(w.inverse.v + Window::Inverse::at(i, y, z));
    };
    replace_colour<D, T, Wide>(w.x.v, e, colour, fresh, []<class V>(const V&) { return V{}; });
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
            const T* left =
                first[0] == 0 ? coarse + std::ptrdiff_t{near[-1]} * Brick<D>::cells + row + nx : own + first[0];
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
                    const auto add = [&]<class V>(int i) {
                        V fresh = load_pack<V>(x + i) + load_pack<V>(spread + 16 + i);
                        if constexpr (kind != BrickKind::plain) fresh = load_pack<V>(unknown + i) != 0 ? fresh : V{};
                        store_pack(x + i, fresh);
                    };
                    add.template operator()<Pack<T, 4>>(-4);
                    add.template operator()<Pack<T, nx>>(0);
                    add.template operator()<Pack<T, 4>>(nx);
                }
        }
}

/// Residual of the brick's own cells, summed over 2^D children into the parent's octant of `coarse`. `r`, `diagonal`
/// are the brick's own, not windows: the smoother's right-hand side may hold a body's term that is not the residual's.
template <int D, class T, BrickKind kind, class Window>
inline void restrict_residual(const Window& w, T uniform, const T* r, const T* diagonal, T* coarse,
                              const Coord<D>& brick) {
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
                    const V sum = neighbour_sum<D, T, kind, V, nx, Wide>(x, c, w.flags.v + Narrow::at(0, y + j, z + k));
                    const V here = load_pack<V>(x);
                    if constexpr (kind == BrickKind::plain)
                        total += load_pack<V>(r + own) + uniform * sum - centre * here;
                    else {
                        // A cell without an unknown gets no correction, so it must pass no residual on: R = P^T.
                        const V d = load_pack<V>(diagonal + own);
                        const T scale = kind == BrickKind::masked ? uniform : T{1};
                        const V rest = load_pack<V>(r + own) + scale * sum - d * here;
                        const T* inverse = w.inverse.v + Window::Inverse::at(0, y + j, z + k);
                        total += load_pack<V>(inverse) != 0 ? rest : V{};
                    }
                }
            alignas(64) T line[nx];
            store_pack(line, total);
            T* out = coarse + first[0] + nx * ((first[1] + y / 2) + Wide::ny * (first[2] + z / deep));
            for (int i = 0; i < nx / 2; ++i) out[i] = line[2 * i] + line[2 * i + 1];
        }
}

}  // namespace tidelock
