#include "solve/sweep.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solve/sweep.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include "solve/dot-inl.h"
#include "solve/sweep-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidelock::HWY_NAMESPACE {
namespace {

template <int D, class T, BrickKind kind>
void enter(SweepKernels<D, T>& out) {
    constexpr auto k = static_cast<std::size_t>(kind);
    out.divide[k] = divide_brick<D, T, kind>;
    out.from_zero[k] = sweep_from_zero<D, T, kind>;
    out.relax[0][k] = relax_brick<D, T, kind, 0>;
    out.relax[1][k] = relax_brick<D, T, kind, 1>;
    out.restrict_residual[k] = restrict_brick<D, T, kind>;
    out.correct[k] = correct_brick<D, T, kind>;
}

template <int D, class T>
SweepKernels<D, T> make_table() {
    SweepKernels<D, T> out{};
    enter<D, T, BrickKind::plain>(out);
    enter<D, T, BrickKind::masked>(out);
    enter<D, T, BrickKind::stored>(out);
    enter<D, T, BrickKind::bodied>(out);
    out.dot = dot_brick<D, T>;
    return out;
}

}  // namespace

SweepKernels<2, float> plane_float() { return make_table<2, float>(); }
SweepKernels<3, float> space_float() { return make_table<3, float>(); }
#if HWY_TARGET == HWY_STATIC_TARGET  // tests alone have cycles in double
SweepKernels<2, double> plane_double() { return make_table<2, double>(); }
SweepKernels<3, double> space_double() { return make_table<3, double>(); }
#endif

}  // namespace tidelock::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "base/dispatch.h"

namespace tidelock {

HWY_EXPORT(plane_float);
HWY_EXPORT(space_float);

template <>
const SweepKernels<2, float>& sweep_kernels() {
    return *TIDELOCK_KERNELS(plane_float);
}
template <>
const SweepKernels<3, float>& sweep_kernels() {
    return *TIDELOCK_KERNELS(space_float);
}
template <>
const SweepKernels<2, double>& sweep_kernels() {
    static const auto table = HWY_STATIC_DISPATCH(plane_double)();
    return table;
}
template <>
const SweepKernels<3, double>& sweep_kernels() {
    static const auto table = HWY_STATIC_DISPATCH(space_double)();
    return table;
}

}  // namespace tidelock
#endif
