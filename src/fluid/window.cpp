#include "fluid/window.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/window.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include "base/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidelock::HWY_NAMESPACE {
namespace {

template <int D>
using Lanes = RowTag<double, row_length<D>>;
template <int D>
using V = hn::Vec<Lanes<D>>;

/// The samples at or below some points, and the fractions of the way to the next.
template <int D>
struct Located {
    hn::Vec<hn::RebindToSigned<Lanes<D>>> at;
    V<D> fraction[D];

    HWY_INLINE Located(const WindowView<D>& window, const Points<D>& x, std::size_t i) {
        using Buffer = typename WindowView<D>::Buffer;
        const Lanes<D> d;
        const hn::RebindToSigned<Lanes<D>> places;
        const hn::Rebind<std::int32_t, Lanes<D>> narrow;
        constexpr int origin = Buffer::at(-window_rim, -window_rim, D == 3 ? -window_rim : 0);
        const V<D> zero = hn::Zero(d);
        auto sum = hn::Set(narrow, origin);
        for (int a = 0; a < D; ++a) {
            const V<D> high = hn::Set(d, window.high[a]);
            V<D> s = hn::LoadU(d, &x[static_cast<std::size_t>(a)][i]) - hn::Set(d, window.shift[a]);
            s = hn::IfThenElse(s > zero, s, zero);  // also for what is not a number
            s = hn::IfThenElse(s < high, s, high);
            // From the window's first sample on, so that truncation rounds down.
            s -= hn::Set(d, window.first[a] - window_rim);
            const auto whole = hn::DemoteTo(narrow, s);
            fraction[a] = s - hn::PromoteTo(d, whole);
            sum += whole * hn::Set(narrow, Buffer::stride(a));
        }
        at = hn::PromoteTo(places, sum);
    }
};

/// Linear in x and y, among the samples `offset` behind those at `where`.
template <int D>
HWY_INLINE V<D> in_plane(const double* samples, const Located<D>& where) {
    using Buffer = typename WindowView<D>::Buffer;
    const Lanes<D> d;
    const V<D> a = hn::GatherIndex(d, samples, where.at), b = hn::GatherIndex(d, samples + 1, where.at);
    const V<D> c = hn::GatherIndex(d, samples + Buffer::sy, where.at),
               e = hn::GatherIndex(d, samples + Buffer::sy + 1, where.at);
    const V<D> lower = a + where.fraction[0] * (b - a), upper = c + where.fraction[0] * (e - c);
    return lower + where.fraction[1] * (upper - lower);
}

template <int D>
void linear(const WindowView<D>& window, const Points<D>& x, Values<D>& out) {
    const Lanes<D> d;
    for (std::size_t i = 0; i < out.size(); i += lanes<Lanes<D>>) {
        const Located<D> where(window, x, i);
        V<D> value = in_plane<D>(window.samples, where);
        if constexpr (D == 3)
            value += where.fraction[2] * (in_plane<D>(window.samples + WindowView<D>::Buffer::sz, where) - value);
        hn::StoreU(value, d, &out[i]);
    }
}

template <int D>
void range(const WindowView<D>& window, const Points<D>& x, Values<D>& least, Values<D>& most) {
    using Buffer = typename WindowView<D>::Buffer;
    const Lanes<D> d;
    for (std::size_t i = 0; i < least.size(); i += lanes<Lanes<D>>) {
        const Located<D> where(window, x, i);
        V<D> low = hn::GatherIndex(d, window.samples, where.at), high = low;
        for (int n = 1; n < (1 << D); ++n) {
            const int corner = (n & 1) + (n >> 1 & 1) * Buffer::sy + (D == 3 ? (n >> 2) * Buffer::sz : 0);
            const V<D> w = hn::GatherIndex(d, window.samples + corner, where.at);
            low = hn::IfThenElse(low < w, low, w);
            high = hn::IfThenElse(high > w, high, w);
        }
        hn::StoreU(low, d, &least[i]);
        hn::StoreU(high, d, &most[i]);
    }
}

/// Half way along the axes from `axis` down, where wanted.
template <int D, int axis>
HWY_INLINE V<D> half_way(const double* row, const std::array<bool, 3>& between) {
    const Lanes<D> d;
    if constexpr (axis < 0) {
        return hn::LoadU(d, row);
    } else {
        const V<D> here = half_way<D, axis - 1>(row, between);
        if (!between[axis]) return here;
        const V<D> next = half_way<D, axis - 1>(row + WindowView<D>::Buffer::stride(axis), between);
        return here + hn::Set(d, 0.5) * (next - here);
    }
}

template <int D>
void between(const double* row, const std::array<bool, 3>& wanted, Values<D>& out) {
    for (std::size_t i = 0; i < out.size(); i += lanes<Lanes<D>>)
        hn::StoreU(half_way<D, D - 1>(row + i, wanted), Lanes<D>(), &out[i]);
}

template <int D>
double largest(const WindowView<D>& window) {
    using Buffer = typename WindowView<D>::Buffer;
    constexpr int depth = D == 3 ? window_rim : 0, layers = D == 3 ? Buffer::nz : 1;
    constexpr int row_samples = Buffer::nx + 2 * window_rim;
    using Tag = RowTag<double, 8>;
    static_assert(row_samples % 8 == 0);
    const Tag d;
    auto most = hn::Zero(d);
    for (int z = -depth; z < layers + depth; ++z)
        for (int y = -window_rim; y < Buffer::ny + window_rim; ++y) {
            const double* row = window.samples + Buffer::at(-window_rim, y, z);
            for (int i = 0; i < row_samples; i += lanes<Tag>) {
                const auto size = hn::Abs(hn::LoadU(d, row + i));
                most = hn::IfThenElse(most < size, size, most);
            }
        }
    alignas(64) double part[lanes<Tag>];
    hn::Store(most, d, part);
    double out = 0;
    for (const double p : part) out = out < p ? p : out;
    return out;
}

template <int D>
WindowKernels<D> make_table() {
    return {.linear = linear<D>, .range = range<D>, .between = between<D>, .largest = largest<D>};
}

}  // namespace

WindowKernels<2> windows_in_plane() { return make_table<2>(); }
WindowKernels<3> windows_in_space() { return make_table<3>(); }

}  // namespace tidelock::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "base/dispatch.h"

namespace tidelock {

HWY_EXPORT(windows_in_plane);
HWY_EXPORT(windows_in_space);

template <>
const WindowKernels<2>& window_kernels() {
    return *TIDELOCK_KERNELS(windows_in_plane);
}
template <>
const WindowKernels<3>& window_kernels() {
    return *TIDELOCK_KERNELS(windows_in_space);
}

}  // namespace tidelock
#endif
