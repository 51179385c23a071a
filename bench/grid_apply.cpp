#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grid_apply.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include "grid/rows-inl.h"
#include "grid_stencil.h"

HWY_BEFORE_NAMESPACE();
namespace tidelock::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using namespace tidelock::HWY_NAMESPACE;  // NOLINT(google-build-using-namespace): the same target's

void apply_in_place(const StencilArrays& arrays, const std::int32_t* n) {
    using Reader = RowReader<3, float>;
    const Reader::Tag d;
    const FaceSlots<3> slots(n);
    Reader x(arrays.x, slots), kx(arrays.k[0], slots), ky(arrays.k[1], slots), kz(arrays.k[2], slots);
    const std::ptrdiff_t base = slots.own * Brick<3>::cells;
    for_each_row_block<3>([&](int first, int z) TIDELOCK_LAMBDA {
        for (Reader* reader : {&x, &kx, &ky, &kz}) reader->go(first, z);
        const std::ptrdiff_t block = base + Reader::nx * (first + Brick<3>::size[1] * z);
        for (int k = 0; k < rows_at_once; ++k) {
            const float* diagonal = arrays.d + block + Reader::nx * k;
            for (const Reader* reader : {&x, &kx, &ky, &kz}) reader->read_ahead(k);
            read_ahead<Reader::nx>(diagonal);
            for (int i = 0; i < Reader::nx; i += Reader::step) {
                const auto sum = kx.centre(k, i) * x.lower(0, k, i) + kx.upper(0, k, i) * x.upper(0, k, i) +
                                 ky.centre(k, i) * x.lower(1, k, i) + ky.upper(1, k, i) * x.upper(1, k, i) +
                                 kz.centre(k, i) * x.lower(2, k, i) + kz.upper(2, k, i) * x.upper(2, k, i);
                hn::StoreU(hn::LoadU(d, diagonal + i) * x.centre(k, i) - sum, d, arrays.y + block + Reader::nx * k + i);
            }
        }
    });
}

using Apply = void (*)(const StencilArrays&, const std::int32_t*);
Apply stencil_kernel() { return apply_in_place; }

}  // namespace tidelock::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "base/dispatch.h"

namespace tidelock::bench {

HWY_EXPORT(stencil_kernel);

void apply_rows(const StencilArrays& arrays, const std::int32_t* n) { (*TIDELOCK_KERNELS(stencil_kernel))(arrays, n); }

}  // namespace tidelock::bench
#endif
