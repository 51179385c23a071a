#include "solve/pressure_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solve/pressure_kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include "solve/colour_rows-inl.h"
#include "solve/dot-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidelock::HWY_NAMESPACE {
namespace {

/// y = product(k, i, place) for all vectors of a brick; `readers` are told where to go.
template <int D, class F, class... Readers>
HWY_INLINE void fill_brick(double* y, const F& product, Readers&... readers) {
    using Reader = RowReader<D, double>;
    for_each_row_block<D>([&](int first, int z) TIDELOCK_LAMBDA {
        (readers.go(first, z), ...);
        const int block = Reader::nx * (first + Brick<D>::size[1] * z);
        for (int k = 0; k < rows_at_once; ++k) {
            (readers.read_ahead(k), ...);
            for (int i = 0; i < Reader::nx; i += Reader::step) {
                const int place = block + Reader::nx * k + i;
                hn::StoreU(product(k, i, place), typename Reader::Tag(), y + place);
            }
        }
    });
}

template <int D>
void apply_uniform(const PoissonView<D>& op, std::ptrdiff_t slot, const double* x, double* y) {
    using Reader = RowReader<D, double>;
    using V = typename Reader::V;
    const typename Reader::Tag d;
    Reader value(x, FaceSlots<D>(op.neighbours[slot].data()));
    fill_brick<D>(
        y,
        [&](int k, int i, int) TIDELOCK_LAMBDA {
            V sum = hn::Zero(d);
            for (int a = 0; a < D; ++a) sum += value.lower(a, k, i) + value.upper(a, k, i);
            return hn::Set(d, op.uniform) * (hn::Set(d, 2.0 * D) * value.centre(k, i) - sum);
        },
        value);
}

template <int D>
void apply_masked(const PoissonView<D>& op, std::ptrdiff_t slot, const double* x, double* y) {
    using Reader = RowReader<D, double>;
    using V = typename Reader::V;
    const typename Reader::Tag d;
    Reader value(x, FaceSlots<D>(op.neighbours[slot].data()));
    const auto& place = op.places[slot];
    const std::uint8_t* faces = op.flags + op.offset(place.row);
    const bool exceeds = place.excess != op.void_place;
    const double* excess = op.excess + op.offset(place.excess);
    fill_brick<D>(
        y,
        [&](int k, int i, int at) TIDELOCK_LAMBDA {
            const V here = value.centre(k, i);
            V sum = hn::Zero(d);
            const LaneBytes<typename Reader::Tag> open(faces + at);
            for (int a = 0; a < D; ++a) {
                sum = add_where(open.has(lower_open(a)), sum, here - value.lower(a, k, i));
                sum = add_where(open.has(upper_open(a)), sum, here - value.upper(a, k, i));
            }
            sum *= hn::Set(d, op.uniform);
            if (exceeds) sum += hn::LoadU(d, excess + at) * here;
            return sum;
        },
        value);
}

template <int D, class... Readers>
HWY_INLINE void apply_stored(const PoissonView<D>& op, std::ptrdiff_t slot, const double* x, double* y,
                             Readers&... conductance) {
    using Reader = RowReader<D, double>;
    using V = typename Reader::V;
    const typename Reader::Tag d;
    Reader value(x, FaceSlots<D>(op.neighbours[slot].data()));
    const Reader* readers[] = {&conductance...};
    const auto excess_place = op.places[slot].excess;
    const bool exceeds = excess_place != op.void_place;
    const double* excess = op.excess + op.offset(excess_place);
    fill_brick<D>(
        y,
        [&](int k, int i, int at) TIDELOCK_LAMBDA {
            const V here = value.centre(k, i);
            V sum = hn::Zero(d);
            if (exceeds) sum = hn::LoadU(d, excess + at) * here;
            for (int a = 0; a < D; ++a)
                sum += readers[a]->centre(k, i) * (here - value.lower(a, k, i)) +
                       readers[a]->upper(a, k, i) * (here - value.upper(a, k, i));
            return sum;
        },
        value, conductance...);
}

template <int D>
void apply_brick(const PoissonView<D>& op, std::ptrdiff_t slot, const double* x, double* y) {
    if (op.places[slot].row == op.uniform_place) return apply_uniform<D>(op, slot, x, y);
    if (op.masked[slot] != 0) return apply_masked<D>(op, slot, x, y);
    const FaceSlots<D> links(op.neighbours[slot].data(), &op.places[0].link, sizeof(op.places[0]) / sizeof(int));
    RowReader<D, double> along_x(op.conductance[0], links), along_y(op.conductance[1], links);
    if constexpr (D == 2) {
        apply_stored<D>(op, slot, x, y, along_x, along_y);
    } else {
        RowReader<D, double> along_z(op.conductance[2], links);
        apply_stored<D>(op, slot, x, y, along_x, along_y, along_z);
    }
}

/// Calls f(row, even, odd) with the places of a row of a brick, and of its cells in colour order.
template <int D, class F>
HWY_INLINE void for_each_parted_row(const F& f) {
    for (int z = 0; z < (D == 3 ? Brick<D>::size[D - 1] : 1); ++z)
        for (int y = 0; y < Brick<D>::size[1]; ++y)
            f(2 * half_row<D> * (y + Brick<D>::size[1] * z), even_cells<D>(y, z), odd_cells<D>(y, z));
}

#if HWY_TARGET == HWY_SCALAR  // whose vectors have no halves
template <int D>
void part_scaled(const double* from, double scale, float* to) {
    for_each_parted_row<D>([&](int row, int even, int odd) {
        for (int i = 0; i < half_row<D>; ++i) {
            to[even + i] = static_cast<float>(from[row + 2 * i] * scale);
            to[odd + i] = static_cast<float>(from[row + 2 * i + 1] * scale);
        }
    });
}
#else
template <int D>
void part_scaled(const double* from, double scale, float* to) {
    using Tag = RowTag<float, half_row<D>>;  // two of them in a row
    using Half = hn::Half<Tag>;
    const Tag d;
    const hn::Rebind<double, Half> wide;
    const auto factor = hn::Set(wide, scale);
    // Two vectors of floats, of which one keeps the even places and one the odd ones.
    const auto read = [&](const double* at) TIDELOCK_LAMBDA {
        const auto low = hn::DemoteTo(Half(), hn::LoadU(wide, at) * factor);
        const auto high = hn::DemoteTo(Half(), hn::LoadU(wide, at + lanes<Half>) * factor);
        return hn::Combine(d, high, low);
    };
    for_each_parted_row<D>([&](int row, int even, int odd) TIDELOCK_LAMBDA {
        for (int i = 0; i < half_row<D>; i += lanes<Tag>) {
            const auto a = read(from + row + 2 * i), b = read(from + row + 2 * i + lanes<Tag>);
            hn::StoreU(hn::ConcatEven(d, b, a), d, to + even + i);
            hn::StoreU(hn::ConcatOdd(d, b, a), d, to + odd + i);
        }
    });
}
#endif

template <int D>
void direct(const float* z, double scale, double beta, double* p) {
    alignas(64) float row_of_z[2 * half_row<D>];
    using Tag = RowTag<double, 2 * half_row<D>>;
    const Tag d;
    const auto factor = hn::Set(d, scale), old = hn::Set(d, beta);
    for_each_parted_row<D>([&](int row, int even, int odd) TIDELOCK_LAMBDA {
        for (int i = 0; i < half_row<D>; ++i) row_of_z[2 * i] = z[even + i], row_of_z[2 * i + 1] = z[odd + i];
        double* to = p + row;
        for (int i = 0; i < 2 * half_row<D>; i += lanes<Tag>) {
            const auto fresh = factor * load_double(d, row_of_z + i);
            hn::StoreU(beta == 0 ? fresh : fresh + old * hn::LoadU(d, to + i), d, to + i);
        }
    });
}

/// A line of memory a step: what it holds of each vector is asked for ahead.
using Line = RowTag<double, 8>;

template <int D>
double subtract(const double* b, const double* product, double* r) {
    const Line d;
    for (int i = 0; i < Brick<D>::cells; i += 8) {
        read_ahead<8>(b + i);
        for (int k = i; k < i + 8; k += lanes<Line>)
            hn::StoreU(hn::LoadU(d, b + k) - hn::LoadU(d, product + k), d, r + k);
    }
    return dot_brick<D>(r, r);
}

template <int D>
double update(const double* p, const double* product, double alpha, double* x, double* r) {
    const Line d;
    const auto step = hn::Set(d, alpha);
    for (int i = 0; i < Brick<D>::cells; i += 8) {
        read_ahead<8>(r + i);
        read_ahead<8>(x + i);
        for (int k = i; k < i + 8; k += lanes<Line>) {
            hn::StoreU(hn::LoadU(d, x + k) + step * hn::LoadU(d, p + k), d, x + k);
            hn::StoreU(hn::LoadU(d, r + k) - step * hn::LoadU(d, product + k), d, r + k);
        }
    }
    return dot_brick<D>(r, r);
}

template <int D>
PressureKernels<D> make_table() {
    return {.apply = apply_brick<D>,
            .part = part_scaled<D>,
            .direct = direct<D>,
            .subtract = subtract<D>,
            .update = update<D>,
            .dot = dot_brick<D, double>};
}

}  // namespace

PressureKernels<2> in_plane() { return make_table<2>(); }
PressureKernels<3> in_space() { return make_table<3>(); }

}  // namespace tidelock::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "base/dispatch.h"

namespace tidelock {

HWY_EXPORT(in_plane);
HWY_EXPORT(in_space);

template <>
const PressureKernels<2>& pressure_kernels() {
    return *TIDELOCK_KERNELS(in_plane);
}
template <>
const PressureKernels<3>& pressure_kernels() {
    return *TIDELOCK_KERNELS(in_space);
}

}  // namespace tidelock
#endif
