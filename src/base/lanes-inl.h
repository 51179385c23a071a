/// What kernels need of vectors beside Highway's own operations. Compiled once a target (base/isa.h).
///
/// Vectors are as wide as the target's registers, or as long as a row if that is shorter; kernels step over rows by
/// lanes(d) and compute each element alike, so that bits do not depend on the width.
#include "base/isa.h"

#if defined(TIDELOCK_BASE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDELOCK_BASE_LANES_INL_H_
#undef TIDELOCK_BASE_LANES_INL_H_
#else
#define TIDELOCK_BASE_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

/// For lambdas: attributes of a target do not reach into them everywhere.
#undef TIDELOCK_LAMBDA
#define TIDELOCK_LAMBDA HWY_ATTR __attribute__((always_inline))

HWY_BEFORE_NAMESPACE();
namespace tidelock::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Lanes of at most `row` values of type T.
template <class T, int row>
using RowTag = hn::CappedTag<T, static_cast<std::size_t>(row)>;

template <class Tag>
inline constexpr int lanes = static_cast<int>(hn::MaxLanes(Tag()));

#if HWY_TARGET == HWY_SCALAR  // one lane
template <class Tag, class V>
HWY_INLINE V shift_up(Tag, V before, V) {
    return before;
}
template <class Tag, class V>
HWY_INLINE V shift_down(Tag, V, V behind) {
    return behind;
}
#else
/// The vector shifted by one along its row: towards higher places, with the last value of the vector before it.
template <class Tag, class V>
HWY_INLINE V shift_up(Tag d, V before, V here) {
    constexpr std::size_t bytes = sizeof(hn::TFromD<Tag>) * hn::MaxLanes(d);
    if constexpr (bytes == 16) {
        return hn::CombineShiftRightBytes<16 - sizeof(hn::TFromD<Tag>)>(d, here, before);
    } else if constexpr (bytes == 32) {
        return hn::CombineShiftRightBytes<16 - sizeof(hn::TFromD<Tag>)>(d, here, hn::ConcatLowerUpper(d, here, before));
    } else {
#if HWY_TARGET == HWY_AVX3
        if constexpr (sizeof(hn::TFromD<Tag>) == 4)
            return V{_mm512_castsi512_ps(
                _mm512_alignr_epi32(_mm512_castps_si512(here.raw), _mm512_castps_si512(before.raw), 15))};
        else
            return V{_mm512_castsi512_pd(
                _mm512_alignr_epi64(_mm512_castpd_si512(here.raw), _mm512_castpd_si512(before.raw), 7))};
#endif
    }
}
/// Towards lower places, with the first value of the vector behind it.
template <class Tag, class V>
HWY_INLINE V shift_down(Tag d, V here, V behind) {
    constexpr std::size_t bytes = sizeof(hn::TFromD<Tag>) * hn::MaxLanes(d);
    if constexpr (bytes == 16) {
        return hn::CombineShiftRightBytes<sizeof(hn::TFromD<Tag>)>(d, behind, here);
    } else if constexpr (bytes == 32) {
        return hn::CombineShiftRightBytes<sizeof(hn::TFromD<Tag>)>(d, hn::ConcatLowerUpper(d, behind, here), here);
    } else {
#if HWY_TARGET == HWY_AVX3
        if constexpr (sizeof(hn::TFromD<Tag>) == 4)
            return V{_mm512_castsi512_ps(
                _mm512_alignr_epi32(_mm512_castps_si512(behind.raw), _mm512_castps_si512(here.raw), 1))};
        else
            return V{_mm512_castsi512_pd(
                _mm512_alignr_epi64(_mm512_castpd_si512(behind.raw), _mm512_castpd_si512(here.raw), 1))};
#endif
    }
}

#endif

/// The bytes of consecutive cells, one to each lane of Tag.
template <class Tag>
class LaneBytes {
    using Wide = hn::RebindToSigned<Tag>;
    using Vector = hn::Vec<Wide>;

  public:
    HWY_INLINE explicit LaneBytes(const std::uint8_t* bytes) {
        const hn::Rebind<std::uint8_t, Tag> byte_tag;
        if constexpr (sizeof(hn::TFromD<Tag>) == 4)
            bytes_ = hn::PromoteTo(Wide(), hn::LoadU(byte_tag, bytes));
        else
            bytes_ = hn::PromoteTo(Wide(), hn::PromoteTo(hn::Rebind<std::int32_t, Tag>(), hn::LoadU(byte_tag, bytes)));
    }
    /// Where the byte has the bit.
    [[nodiscard]] HWY_INLINE auto has(int bit) const {
        return hn::RebindMask(Tag(), hn::TestBit(bytes_, hn::Set(Wide(), bit)));
    }

  private:
    Vector bytes_;
};

/// sum + value in the lanes of the mask, sum in the others.
template <class M, class V>
HWY_INLINE V add_where(M where, V sum, V value) {
    return hn::IfThenElse(where, sum + value, sum);
}

}  // namespace tidelock::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
