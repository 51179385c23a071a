/// The cells around a cell.
#pragma once

#include "base/parallel.h"
#include "grid/halo.h"
#include "grid/uniform.h"

namespace tidelock {

/// Calls f(slot, local, value) with the values of the 3^D cells around put together; zeros give zero.
template <int D, class Put, class F>
void for_each_ring(const char* label, const Field<D, double>& in, Put&& put, F&& f) {
    using Buffer = HaloBuffer<D, 1, double>;
    parallel_for(label, in.set().count(), [&](std::ptrdiff_t b) {
        Buffer around;
        around.load(in.data(), in.set().neighbours(b).data());
        if (holds_only(around, 0.0)) {
            for (int i = 0; i < Brick<D>::cells; ++i) f(b, i, 0.0);
            return;
        }
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> local = local_coord<D>(i);
            const int place = Buffer::at(local[0], local[1], D == 3 ? local[D - 1] : 0);
            double value = 0;
            for (int n = 0; n < power(3, D); ++n) {
                int at = place;
                for (int a = 0, rest = n; a < D; ++a, rest /= 3) at += (rest % 3 - 1) * Buffer::stride(a);
                value = put(value, around.v[at]);
            }
            f(b, i, value);
        }
    });
}

}  // namespace tidelock
