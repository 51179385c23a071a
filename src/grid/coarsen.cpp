#include "grid/coarsen.h"

#include "base/error.h"
#include "grid/halo.h"

namespace tidelock {
namespace {

template <int D>
Coord<D> corner(int n) {
    Coord<D> c;
    for (int a = 0; a < D; ++a) c[a] = (n >> a) & 1;
    return c;
}

/// Calls f(child brick, coarse place of the child's first cell) for the 2^D fine bricks in a coarse brick.
template <int D, class F>
void for_each_child(const Coord<D>& coarse_brick, F&& f) {
    for (int n = 0; n < (1 << D); ++n) {
        Coord<D> first = corner<D>(n);
        for (int a = 0; a < D; ++a) first[a] *= Brick<D>::size[a] / 2;
        f(Coord<D>(2 * coarse_brick + corner<D>(n)), first);
    }
}

/// Calls f(fine coordinates of the first child, coarse place) for the coarse cells of one child brick.
template <int D, class F>
void for_each_parent(const Coord<D>& first, F&& f) {
    for (int n = 0; n < Brick<D>::cells >> D; ++n) {
        Coord<D> c;
        for (int a = 0, rest = n; a < D; rest >>= Brick<D>::bits[a] - 1, ++a) c[a] = rest & (Brick<D>::size[a] / 2 - 1);
        f(Coord<D>(2 * c), local_index<D>(first + c));
    }
}

template <int D, class Buffer>
int place(const Coord<D>& c) {
    return Buffer::at(c[0], c[1], D == 3 ? c[D - 1] : 0);
}

/// Coarse faces along one axis; weight(slot)[i] is the weight of face i of a fine brick.
template <int D, class T, class Weight>
void average_axis(const Field<D, T>& fine, Field<D, T>& coarse, int axis, Weight&& weight) {
    parallel_for("average faces", coarse.set().count(), [&](std::ptrdiff_t b) {
        for_each_child<D>(coarse.set().brick(b), [&](const Coord<D>& child, const Coord<D>& first) {
            const auto slot = fine.set().find(child);
            const T* u = fine.brick(slot);
            for_each_parent<D>(first, [&](const Coord<D>& c, int target) {
                double sum = 0, flux = 0, area = 0;
                for (int n = 0; n < (1 << D); ++n) {
                    if ((n >> axis) & 1) continue;
                    const int i = local_index<D>(c + corner<D>(n));
                    const double w = weight(slot, i), v = static_cast<double>(u[i]);
                    sum += v;
                    flux += w * v;
                    area += w;
                }
                coarse.brick(b)[target] = static_cast<T>(area > 0 ? flux / area : sum / (1 << (D - 1)));
            });
        });
    });
}

}  // namespace

template <int D, class T>
void average(const Field<D, T>& fine, Field<D, T>& coarse) {
    parallel_for("average", coarse.set().count(), [&](std::ptrdiff_t b) {
        for_each_child<D>(coarse.set().brick(b), [&](const Coord<D>& child, const Coord<D>& first) {
            const T* values = fine.brick(fine.set().find(child));
            for_each_parent<D>(first, [&](const Coord<D>& c, int target) {
                double sum = 0;
                for (int n = 0; n < (1 << D); ++n) sum += static_cast<double>(values[local_index<D>(c + corner<D>(n))]);
                coarse.brick(b)[target] = static_cast<T>(sum / (1 << D));
            });
        });
    });
}

template <int D, class T>
void restrict_linear(const Field<D, T>& fine, Field<D, T>& coarse) {
    using Buffer = HaloBuffer<D, 1, T>;
    static constexpr double weights[4] = {0.125, 0.375, 0.375, 0.125};
    parallel_for("restrict", coarse.set().count(), [&](std::ptrdiff_t b) {
        Buffer buffer;
        for_each_child<D>(coarse.set().brick(b), [&](const Coord<D>& child, const Coord<D>& first) {
            buffer.load(fine.data(), fine.set().neighbours_of(child).data());
            for_each_parent<D>(first, [&](const Coord<D>& c, int target) {
                double sum = 0;
                for (int n = 0; n < (1 << (2 * D)); ++n) {
                    Coord<D> tap = c;
                    double w = 1;
                    for (int a = 0; a < D; ++a) {
                        const int k = (n >> (2 * a)) & 3;
                        tap[a] += k - 1;
                        w *= weights[k];
                    }
                    sum += w * static_cast<double>(buffer.v[place<D, Buffer>(tap)]);
                }
                coarse.brick(b)[target] = static_cast<T>(sum);
            });
        });
    });
}

template <int D, class T>
void prolong_constant(const Field<D, T>& coarse, Field<D, T>& fine) {
    parallel_for("prolong constant", fine.set().count(), [&](std::ptrdiff_t b) {
        const Coord<D> first = first_cell<D>(fine.set().brick(b));
        const T* parent = coarse.brick(coarse.set().find(brick_of<D>(Coord<D>(first / 2))));
        for (int i = 0; i < Brick<D>::cells; ++i)
            fine.brick(b)[i] = parent[local_index<D>((first + local_coord<D>(i)) / 2)];
    });
}

template <int D, class T>
void prolong_linear(const Field<D, T>& coarse, Field<D, T>& fine) {
    using Buffer = HaloBuffer<D, 1, T>;
    parallel_for("prolong linear", fine.set().count(), [&](std::ptrdiff_t b) {
        const Coord<D> first = first_cell<D>(fine.set().brick(b));
        const Coord<D> parent = brick_of<D>(Coord<D>(first / 2));
        Buffer buffer;
        buffer.load(coarse.data(), coarse.set().neighbours_of(parent).data());
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> f = first + local_coord<D>(i);
            const Coord<D> c = f / 2 - first_cell<D>(parent);
            double sum = 0;
            for (int n = 0; n < (1 << D); ++n) {
                Coord<D> tap = c;
                double w = 1;
                for (int a = 0; a < D; ++a) {
                    const bool next = ((n >> a) & 1) != 0;
                    if (next) tap[a] += (f[a] & 1) != 0 ? 1 : -1;
                    w *= next ? 0.25 : 0.75;
                }
                sum += w * static_cast<double>(buffer.v[place<D, Buffer>(tap)]);
            }
            fine.brick(b)[i] = static_cast<T>(sum);
        }
    });
}

template <int D, class T>
void average_faces(const FaceField<D, T>& fine, FaceField<D, T>& coarse) {
    for (int a = 0; a < D; ++a) average_axis<D, T>(fine[a], coarse[a], a, [](std::int32_t, int) { return 1.0; });
}

template <int D, class T, class A>
void average_faces(const FaceField<D, T>& fine, const FaceField<D, A>& fine_area, FaceField<D, T>& coarse) {
    TIDELOCK_ASSERT(&fine.set() == &fine_area.set(), "{} and {} bricks", fine.set().count(), fine_area.set().count());
    for (int a = 0; a < D; ++a)
        average_axis<D, T>(fine[a], coarse[a], a,
                           [&](std::int32_t slot, int i) { return static_cast<double>(fine_area[a].brick(slot)[i]); });
}

#define TIDELOCK_INSTANTIATE(D, T)                                                                                  \
    template void average<D, T>(const Field<D, T>&, Field<D, T>&);                                                  \
    template void restrict_linear<D, T>(const Field<D, T>&, Field<D, T>&);                                          \
    template void prolong_constant<D, T>(const Field<D, T>&, Field<D, T>&);                                         \
    template void prolong_linear<D, T>(const Field<D, T>&, Field<D, T>&);                                           \
    template void average_faces<D, T>(const FaceField<D, T>&, FaceField<D, T>&);                                    \
    template void average_faces<D, T, float>(const FaceField<D, T>&, const FaceField<D, float>&, FaceField<D, T>&); \
    template void average_faces<D, T, double>(const FaceField<D, T>&, const FaceField<D, double>&, FaceField<D, T>&)
TIDELOCK_INSTANTIATE(2, float);
TIDELOCK_INSTANTIATE(2, double);
TIDELOCK_INSTANTIATE(3, float);
TIDELOCK_INSTANTIATE(3, double);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
