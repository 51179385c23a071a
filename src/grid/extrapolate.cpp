#include "grid/extrapolate.h"

#include "base/error.h"
#include "grid/halo.h"
#include "grid/neighbour_cell.h"

namespace tidelock {
namespace {

/// Values found in one pass over a brick, written once all bricks have been read.
template <class T>
struct Update {
    int place;        ///< in the brick
    MaskValue state;  ///< new mask value
    T value;
};
template <class T>
using Updates = std::vector<std::vector<Update<T>>>;

/// Places in each brick that the last pass has found.
using Fronts = std::vector<std::vector<int>>;

/// Writes and empties the updates; how many there were. `fronts` may be null.
template <int D, class T>
std::ptrdiff_t apply(Updates<T>& updates, Field<D, T>& u, Mask<D>& mask, Fronts* fronts = nullptr) {
    const auto n = static_cast<std::ptrdiff_t>(updates.size());
    return ordered_sum<std::ptrdiff_t>("extrapolate: write", n, 0, [&](std::ptrdiff_t b) {
        auto& list = updates[static_cast<std::size_t>(b)];
        if (fronts != nullptr) (*fronts)[static_cast<std::size_t>(b)].clear();
        for (const auto& update : list) {
            u.brick(b)[update.place] = update.value;
            mask.brick(b)[update.place] = update.state;
            if (fronts != nullptr) (*fronts)[static_cast<std::size_t>(b)].push_back(update.place);
        }
        const auto count = static_cast<std::ptrdiff_t>(list.size());
        list.clear();
        return count;
    });
}

template <int D, class T>
void grow_layer(const Field<D, T>& u, const Mask<D>& known, std::ptrdiff_t b, MaskValue state,
                std::vector<Update<T>>& out) {
    using Values = HaloBuffer<D, 1, T>;
    using Marks = HaloBuffer<D, 1, MaskValue>;
    const MaskValue* own = known.brick(b);
    if (std::find(own, own + Brick<D>::cells, 0) == own + Brick<D>::cells) return;
    Marks marks;
    marks.load_diamond(known.data(), known.set().neighbours(b).data());
    Values values;
    bool loaded = false;
    for_each_row<D>([&](int y, int z, int first) {
        for (int x = 0; x < Values::nx; ++x) {
            const int m = Marks::at(x, y, z), v = Values::at(x, y, z);
            if (marks.v[m] != 0) continue;
            double sum = 0;
            int count = 0;
            for (int a = 0; a < D; ++a)
                for (const int side : {-1, 1}) {
                    if (marks.v[m + side * Marks::stride(a)] == 0) continue;
                    if (!loaded) values.load_diamond(u.data(), u.set().neighbours(b).data()), loaded = true;
                    sum += static_cast<double>(values.v[v + side * Values::stride(a)]);
                    ++count;
                }
            if (count > 0) out.push_back({first + x, state, static_cast<T>(sum / count)});
        }
    });
}

/// The layer after the first: samples beside those that the last one has found. Finds what grow_layer() does.
template <int D, class T>
void grow_front(const Field<D, T>& u, const Mask<D>& known, const Fronts& fronts, std::ptrdiff_t b, MaskValue state,
                std::vector<Update<T>>& out) {
    const auto& set = known.set();
    const MaskValue* own = known.brick(b);
    std::array<bool, Brick<D>::cells> asked{};
    const auto visit = [&](int place) {
        if (own[place] != 0 || asked[static_cast<std::size_t>(place)]) return;
        asked[static_cast<std::size_t>(place)] = true;
        double sum = 0;
        int count = 0;
        for (int a = 0; a < D; ++a)
            for (const int side : {-1, 1}) {
                const auto [slot, local] = neighbour_cell<D>(set, b, place, a, side);
                if (known.brick(slot)[local] == 0) continue;
                sum += static_cast<double>(u.brick(slot)[local]);
                ++count;
            }
        out.push_back({place, state, static_cast<T>(sum / count)});
    };
    // Of the bricks beside this one and its own: where a step from a sample of theirs leads.
    for (int n = -1; n < 2 * D; ++n) {
        Coord<D> offset = Coord<D>::Zero();
        if (n >= 0) offset[n / 2] = 2 * (n % 2) - 1;
        const auto slot = set.neighbours(b)[static_cast<std::size_t>(neighbour_slot<D>(offset))];
        if (slot == set.void_slot()) continue;
        for (const int from : fronts[static_cast<std::size_t>(slot)]) {
            const Coord<D> cell = local_coord<D>(from);
            for (int a = 0; a < D; ++a)
                for (const int side : {-1, 1}) {
                    Coord<D> to = cell + side * Coord<D>::Unit(a);
                    for (int c = 0; c < D; ++c) to[c] += offset[c] * Brick<D>::size[c];
                    bool inside = true;
                    for (int c = 0; c < D; ++c) inside = inside && to[c] >= 0 && to[c] < Brick<D>::size[c];
                    if (inside) visit(local_index<D>(to));
                }
        }
    }
}

/// States of a sample while the upwind rule runs.
constexpr MaskValue waiting = 0, found = 1, never = 255;

/// One brick's waiting samples in the order of phi; those whose upwind neighbours are all decided get decided.
template <int D, class T, class P>
void march_brick(const Field<D, T>& u, const Mask<D>& state, const Field<D, P>& phi, std::ptrdiff_t b,
                 std::vector<Update<T>>& out) {
    using Values = HaloBuffer<D, 1, T>;
    using Levels = HaloBuffer<D, 1, P>;
    using Marks = HaloBuffer<D, 1, MaskValue>;
    std::vector<std::pair<P, int>> order;
    for (int i = 0; i < Brick<D>::cells; ++i)
        if (state.brick(b)[i] == waiting) order.emplace_back(phi.brick(b)[i], i);
    if (order.empty()) return;
    std::sort(order.begin(), order.end());
    Values values;
    Levels levels;
    Marks marks;
    const auto* neighbours = u.set().neighbours(b).data();
    values.load_diamond(u.data(), neighbours);
    levels.load_diamond(phi.data(), neighbours);
    marks.load_diamond(state.data(), neighbours);
    for (const auto& [level, i] : order) {
        const Coord<D> c = local_coord<D>(i);
        const int x = c[0], y = c[1], z = D == 3 ? c[D - 1] : 0;
        double weights = 0, sum = 0;
        bool wait = false;
        for (int a = 0; a < D; ++a) {
            double best = 0, value = 0;  // the greatest phi - phi_a of the two sides, and the value there
            for (const int side : {-1, 1}) {
                const double w = static_cast<double>(level) - levels.v[Levels::at(x, y, z) + side * Levels::stride(a)];
                const MaskValue mark = marks.v[Marks::at(x, y, z) + side * Marks::stride(a)];
                if (!(w > 0) || mark == never) continue;
                wait = wait || mark == waiting;
                if (w > best)
                    best = w, value = static_cast<double>(values.v[Values::at(x, y, z) + side * Values::stride(a)]);
            }
            weights += best;
            sum += best * value;
        }
        if (wait) continue;
        const bool reached = weights > 0;
        marks.v[Marks::at(x, y, z)] = reached ? found : never;
        if (reached) values.v[Values::at(x, y, z)] = static_cast<T>(sum / weights);
        out.push_back({i, marks.v[Marks::at(x, y, z)], values.v[Values::at(x, y, z)]});
    }
}

}  // namespace

template <int D, class T>
void extrapolate_layers(Field<D, T>& u, Mask<D>& known, int layers) {
    TIDELOCK_ASSERT(&u.set() == &known.set() && layers <= 254, "{} layers", layers);
    Updates<T> updates(static_cast<std::size_t>(u.set().count()));
    Fronts fronts(updates.size());
    for (int layer = 1; layer <= layers; ++layer) {
        parallel_for("extrapolate: layer", u.set().count(), [&](std::ptrdiff_t b) {
            auto& out = updates[static_cast<std::size_t>(b)];
            const auto state = static_cast<MaskValue>(layer + 1);
            if (layer == 1)
                grow_layer(u, known, b, state, out);
            else
                grow_front(u, known, fronts, b, state, out);
        });
        if (apply(updates, u, known, &fronts) == 0) return;
    }
}

template <int D, class T, class P>
void extrapolate_upwind(Field<D, T>& u, Mask<D>& known, const Field<D, P>& phi, double band) {
    const auto& set = u.set();
    TIDELOCK_ASSERT(&set == &known.set() && &set == &phi.set(), "fields of {} cells on different sets", set.cells());
    Mask<D> state(u.set_ptr(), never);
    parallel_for("extrapolate: states", set.count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            state.brick(b)[i] = known.brick(b)[i] != 0 ? found : phi.brick(b)[i] < band ? waiting : never;
    });
    Updates<T> updates(static_cast<std::size_t>(set.count()));
    // phi falls along every dependency, so there are no cycles: each round decides at least one sample or all are done.
    do {
        parallel_for("extrapolate: upwind", set.count(),
                     [&](std::ptrdiff_t b) { march_brick(u, state, phi, b, updates[static_cast<std::size_t>(b)]); });
    } while (apply(updates, u, state) > 0);
    parallel_for("extrapolate: marks", set.count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (known.brick(b)[i] == 0 && state.brick(b)[i] == found) known.brick(b)[i] = 2;
    });
}

template <int D, class P>
Field<D, P> average_to_faces(const Field<D, P>& cells, int axis) {
    Field<D, P> out(cells.set_ptr(), cells.background());
    parallel_for("average to faces", cells.set().count(), [&](std::ptrdiff_t b) {
        using Buffer = HaloBuffer<D, 1, P>;
        Buffer buffer;
        buffer.load_diamond(cells.data(), cells.set().neighbours(b).data());
        for_each_row<D>([&](int y, int z, int first) {
            const P* hi = buffer.v + Buffer::at(0, y, z);
            for (int x = 0; x < Buffer::nx; ++x)
                out.brick(b)[first + x] =
                    static_cast<P>(0.5 * (static_cast<double>(hi[x]) + hi[x - Buffer::stride(axis)]));
        });
    });
    return out;
}

template <int D, class T>
void extrapolate_layers(FaceField<D, T>& u, FaceMask<D>& known, int layers) {
    for (int a = 0; a < D; ++a) extrapolate_layers(u[a], known[a], layers);
}

template <int D, class T, class P>
void extrapolate_upwind(FaceField<D, T>& u, FaceMask<D>& known, const Field<D, P>& phi, double band) {
    for (int a = 0; a < D; ++a) extrapolate_upwind(u[a], known[a], average_to_faces(phi, a), band);
}

#define TIDELOCK_INSTANTIATE_PAIR(D, T, P)                                                         \
    template void extrapolate_upwind<D, T, P>(Field<D, T>&, Mask<D>&, const Field<D, P>&, double); \
    template void extrapolate_upwind<D, T, P>(FaceField<D, T>&, FaceMask<D>&, const Field<D, P>&, double)
#define TIDELOCK_INSTANTIATE(D, T)                                               \
    template void extrapolate_layers<D, T>(Field<D, T>&, Mask<D>&, int);         \
    template void extrapolate_layers<D, T>(FaceField<D, T>&, FaceMask<D>&, int); \
    template Field<D, T> average_to_faces<D, T>(const Field<D, T>&, int);        \
    TIDELOCK_INSTANTIATE_PAIR(D, T, float);                                      \
    TIDELOCK_INSTANTIATE_PAIR(D, T, double)
TIDELOCK_INSTANTIATE(2, float);
TIDELOCK_INSTANTIATE(2, double);
TIDELOCK_INSTANTIATE(3, float);
TIDELOCK_INSTANTIATE(3, double);
#undef TIDELOCK_INSTANTIATE
#undef TIDELOCK_INSTANTIATE_PAIR

}  // namespace tidelock
