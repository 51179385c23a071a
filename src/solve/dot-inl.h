/// The dot product of two bricks, in double, in the order of solve/dot_brick.h. Compiled once a target (base/isa.h).
#include "base/lanes-inl.h"
#include "grid/brick.h"

#if defined(TIDELOCK_SOLVE_DOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDELOCK_SOLVE_DOT_INL_H_
#undef TIDELOCK_SOLVE_DOT_INL_H_
#else
#define TIDELOCK_SOLVE_DOT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace tidelock::HWY_NAMESPACE {

/// Some values as doubles.
template <class Tag>
HWY_INLINE hn::Vec<Tag> load_double(Tag d, const double* from) {
    return hn::LoadU(d, from);
}
template <class Tag>
HWY_INLINE hn::Vec<Tag> load_double(Tag d, const float* from) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Tag>(), from));
}

/// Sixteen partial sums on every target, whatever its lanes.
template <int D, class T>
double dot_brick(const T* a, const T* b) {
    constexpr int parts = 16;
    using Tag = RowTag<double, parts>;
    const Tag d;
    hn::Vec<Tag> sum[parts / lanes<Tag>];
    for (auto& s : sum) s = hn::Zero(d);
    for (int i = 0; i < Brick<D>::cells; i += parts)
        for (int k = 0; k < parts / lanes<Tag>; ++k) {
            const int at = i + k * lanes<Tag>;
            sum[k] += load_double(d, a + at) * load_double(d, b + at);
        }
    alignas(64) double part[parts];
    for (int k = 0; k < parts / lanes<Tag>; ++k) hn::Store(sum[k], d, part + k * lanes<Tag>);
    for (int half = parts / 2; half > 0; half /= 2)
        for (int k = 0; k < half; ++k) part[k] += part[k + half];
    return part[0];
}

}  // namespace tidelock::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
