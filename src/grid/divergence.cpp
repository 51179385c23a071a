#include "grid/divergence.h"

#include "base/error.h"
#include "grid/halo.h"

namespace tidelock {
namespace {

template <int D, class T>
using FaceBuffers = std::array<HaloBuffer<D, 1, T>, D>;

template <int D, class T>
FaceView<D, T> load_faces(const FaceField<D, T>& field, const std::int32_t* neighbours, FaceBuffers<D, T>& buffers) {
    FaceView<D, T> view;
    for (std::size_t a = 0; a < D; ++a) {
        buffers[a].load_diamond(field[static_cast<int>(a)].data(), neighbours);
        view.values[a] = buffers[a].v;
        view.stride[a] = HaloBuffer<D, 1, T>::stride(static_cast<int>(a));
    }
    return view;
}

template <int D, class T, class Area>
void divergence_of_brick(const FaceView<D, T>& u, const Area& area, double inv_dx, T* out) {
    using Buffer = HaloBuffer<D, 1, T>;
    for_each_row<D>([&](int y, int z, int first) {
        for (int x = 0; x < Buffer::nx; ++x)
            out[first + x] = static_cast<T>(divergence_at<D>(Buffer::at(x, y, z), u, area, inv_dx));
    });
}

}  // namespace

template <int D, class T, class A>
void divergence(const FaceField<D, T>& u, const FaceField<D, A>* area, double dx, Field<D, T>& out) {
    const auto& set = out.set();
    TIDELOCK_ASSERT(&u.set() == &set && (!area || &area->set() == &set), "fields of {} cells on different sets",
                    set.cells());
    parallel_for("divergence", set.count(), [&](std::ptrdiff_t b) {
        const auto* neighbours = set.neighbours(b).data();
        FaceBuffers<D, T> buffers;
        const auto view = load_faces<D, T>(u, neighbours, buffers);
        if (area != nullptr) {
            FaceBuffers<D, A> areas;
            divergence_of_brick<D, T>(view, load_faces<D, A>(*area, neighbours, areas), 1 / dx, out.brick(b));
        } else {
            divergence_of_brick<D, T>(view, OpenFaces{}, 1 / dx, out.brick(b));
        }
    });
}

template <int D, class T, class A>
void gradient(const Field<D, T>& p, const FaceField<D, A>* area, double dx, FaceField<D, T>& out) {
    const auto& set = p.set();
    TIDELOCK_ASSERT(&out.set() == &set && (!area || &area->set() == &set), "fields of {} cells on different sets",
                    set.cells());
    const double inv_dx = 1 / dx;
    parallel_for("gradient", set.count(), [&](std::ptrdiff_t b) {
        using Buffer = HaloBuffer<D, 1, T>;
        Buffer buffer;
        buffer.load_diamond(p.data(), set.neighbours(b).data());
        for (int a = 0; a < D; ++a) {
            T* g = out[a].brick(b);
            for_each_row<D>([&](int y, int z, int first) {
                const T* hi = buffer.v + Buffer::at(0, y, z);
                const T* lo = hi - Buffer::stride(a);
                for (int x = 0; x < Buffer::nx; ++x)
                    g[first + x] = static_cast<T>((static_cast<double>(hi[x]) - lo[x]) * inv_dx);
            });
            if (area == nullptr) continue;
            const A* open = (*area)[a].brick(b);
            for (int i = 0; i < Brick<D>::cells; ++i) g[i] = open[i] > 0 ? g[i] : T{0};
        }
    });
}

#define TIDELOCK_INSTANTIATE(D, T, A)                                                                        \
    template void divergence<D, T, A>(const FaceField<D, T>&, const FaceField<D, A>*, double, Field<D, T>&); \
    template void gradient<D, T, A>(const Field<D, T>&, const FaceField<D, A>*, double, FaceField<D, T>&)
TIDELOCK_INSTANTIATE(2, float, float);
TIDELOCK_INSTANTIATE(2, float, double);
TIDELOCK_INSTANTIATE(2, double, float);
TIDELOCK_INSTANTIATE(2, double, double);
TIDELOCK_INSTANTIATE(3, float, float);
TIDELOCK_INSTANTIATE(3, float, double);
TIDELOCK_INSTANTIATE(3, double, float);
TIDELOCK_INSTANTIATE(3, double, double);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
