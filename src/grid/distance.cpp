#include "grid/distance.h"

#include <limits>

#include "base/error.h"
#include "grid/halo.h"

namespace tidelock {
namespace {

template <int D, class T>
using Distances = HaloBuffer<D, 1, T>;

constexpr MaskValue all_ways = 0xFF;

/// Bits of the ways from a cell to its neighbours along an axis: none, down, up, both.
constexpr unsigned ways_along(MaskValue ways, std::size_t axis) { return unsigned{ways} >> (2 * axis) & 3u; }
constexpr unsigned down = 1, up = 2;

/// Value that the eikonal equation gives to the cell at `here` from its neighbours; `band` or more if they are too far.
template <int D, class T>
double upwind_value(const T* here, MaskValue ways, double h, double band) {
    std::array<double, D> a;
    double least = band;
    for (std::size_t axis = 0; axis < D; ++axis) {
        const int s = Distances<D, T>::stride(static_cast<int>(axis));
        const unsigned open = ways_along(ways, axis);
        a[axis] = std::min((open & down) != 0 ? static_cast<double>(here[-s]) : band,
                           (open & up) != 0 ? static_cast<double>(here[s]) : band);
        least = std::min(least, a[axis]);
    }
    return least < static_cast<double>(*here) ? eikonal_update<D>(a, h) : band;
}

/// Lowers the cells of one brick until none can fall further: those that can go into a queue, in the order of their
/// place; a cell that falls queues its neighbours.
template <int D, class T>
void relax(Distances<D, T>& d, const MaskValue* fixed, const MaskValue* ways, double h, double band) {
    using Buffer = Distances<D, T>;
    constexpr int cells = Brick<D>::cells;
    const double enough =
        4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * band;  // smaller gains are rounding
    std::array<std::int16_t, cells> queue;                                  // a ring: a cell is in it once at most
    std::array<bool, cells> queued{};
    int head = 0, length = 0;
    const auto push = [&](int i) {
        if (fixed[i] != 0 || queued[static_cast<std::size_t>(i)]) return;
        queued[static_cast<std::size_t>(i)] = true;
        queue[static_cast<std::size_t>((head + length++) % cells)] = static_cast<std::int16_t>(i);
    };
    for_each_row<D>([&](int y, int z, int first) {
        for (int x = 0; x < Buffer::nx; ++x) {
            const T* here = d.v + Buffer::at(x, y, z);
            T least = here[-1];
            for (int a = 0; a < D; ++a) least = std::min({least, here[-Buffer::stride(a)], here[Buffer::stride(a)]});
            if (least < *here) push(first + x);
        }
    });
    while (length > 0) {
        const int i = queue[static_cast<std::size_t>(head)];
        head = (head + 1) % cells, --length;
        queued[static_cast<std::size_t>(i)] = false;
        const Coord<D> c = local_coord<D>(i);
        T* here = d.v + Buffer::at(c[0], c[1], D == 3 ? c[D - 1] : 0);
        const double found = upwind_value<D, T>(here, ways != nullptr ? ways[i] : all_ways, h, band);
        if (found + enough >= static_cast<double>(*here)) continue;
        *here = static_cast<T>(found);
        for (int a = 0, place = 1; a < D; place *= Brick<D>::size[a], ++a) {
            if (c[a] > 0 && here[-Buffer::stride(a)] > *here) push(i - place);
            if (c[a] < Brick<D>::size[a] - 1 && here[Buffer::stride(a)] > *here) push(i + place);
        }
    }
}

/// The bricks that have to be relaxed: those beside the sides that changed.
template <int D>
std::vector<std::ptrdiff_t> woken(const BrickSet<D>& set, const std::vector<MaskValue>& changed_sides) {
    std::vector<std::ptrdiff_t> list;
    for (std::ptrdiff_t b = 0; b < set.count(); ++b) {
        bool wake = false;
        for (int a = 0; a < D; ++a)
            for (int side = 0; side < 2; ++side) {
                Coord<D> offset = Coord<D>::Zero();
                offset[a] = 2 * side - 1;
                const auto n = set.neighbours(b)[static_cast<std::size_t>(neighbour_slot<D>(offset))];
                if (n != set.void_slot())
                    wake = wake || ((changed_sides[static_cast<std::size_t>(n)] >> (2 * a + 1 - side)) & 1) != 0;
            }
        if (wake) list.push_back(b);
    }
    return list;
}

/// Bit 2 a + side is set where the values on that side of the brick differ.
template <int D, class T>
MaskValue sides_that_differ(const T* before, const T* after) {
    unsigned bits = 0;
    for (int i = 0; i < Brick<D>::cells; ++i) {
        if (before[i] == after[i]) continue;
        const Coord<D> c = local_coord<D>(i);
        for (int a = 0; a < D; ++a) {
            if (c[a] == 0) bits |= 1u << (2 * a);
            if (c[a] == Brick<D>::size[a] - 1) bits |= 2u << (2 * a);
        }
    }
    return static_cast<MaskValue>(bits);
}

/// Lowers `d` (band where unknown) to the distance from its fixed cells; the number of rounds.
template <int D, class T>
int spread(Field<D, T>& d, const Mask<D>& fixed, const Mask<D>* ways, double h, double band) {
    const auto& set = d.set();
    constexpr MaskValue all_sides = (1 << (2 * D)) - 1;
    std::vector<MaskValue> sides(static_cast<std::size_t>(set.count()));
    parallel_for("distance: start", set.count(), [&](std::ptrdiff_t b) {
        const MaskValue* f = fixed.brick(b);
        sides[static_cast<std::size_t>(b)] =
            std::any_of(f, f + Brick<D>::cells, [](MaskValue v) { return v != 0; }) ? all_sides : MaskValue{0};
    });
    auto todo = woken<D>(set, sides);
    for (std::ptrdiff_t b = 0; b < set.count(); ++b)
        if (sides[static_cast<std::size_t>(b)] != 0) todo.push_back(b);
    std::sort(todo.begin(), todo.end());
    todo.erase(std::unique(todo.begin(), todo.end()), todo.end());

    int rounds = 0;
    BigArray<T> results;
    while (!todo.empty()) {
        const auto n = static_cast<std::ptrdiff_t>(todo.size());
        if (results.size() < todo.size() * Brick<D>::cells) results = BigArray<T>(todo.size() * Brick<D>::cells);
        parallel_for("distance: relax", n, [&](std::ptrdiff_t i) {
            const auto b = todo[static_cast<std::size_t>(i)];
            Distances<D, T> buffer;
            buffer.load_diamond(d.data(), set.neighbours(b).data());
            relax<D, T>(buffer, fixed.brick(b), ways != nullptr ? ways->brick(b) : nullptr, h, band);
            for_each_row<D>([&](int y, int z, int first) {
                std::copy_n(buffer.v + Distances<D, T>::at(0, y, z), Brick<D>::size[0],
                            results.data() + i * Brick<D>::cells + first);
            });
        });
        std::fill(sides.begin(), sides.end(), MaskValue{0});
        parallel_for("distance: write", n, [&](std::ptrdiff_t i) {
            const auto b = todo[static_cast<std::size_t>(i)];
            const T* result = results.data() + i * Brick<D>::cells;
            sides[static_cast<std::size_t>(b)] = sides_that_differ<D, T>(d.brick(b), result);
            std::copy_n(result, Brick<D>::cells, d.brick(b));
        });
        todo = woken<D>(set, sides);
        ++rounds;
    }
    return rounds;
}

constexpr MaskValue unknown_sign = 0, positive = 1, negative = 2;

/// Slope of phi at an interface cell, by the rule in the header [value/m]; 0 where no neighbour has the other sign.
template <int D>
double interface_slope(const double* phi, const MaskValue* sign, MaskValue ways, const std::array<int, D>& phi_stride,
                       const std::array<int, D>& sign_stride, double h) {
    double squares = 0;
    bool interface = false;
    for (std::size_t a = 0; a < D; ++a) {
        double across = 0, along[2] = {0, 0};
        int count = 0;
        for (const int side : {-1, 1}) {
            const bool open = (ways_along(ways, a) & (side < 0 ? down : up)) != 0;
            const MaskValue s = open ? sign[side * sign_stride[a]] : unknown_sign;
            const double slope = (phi[side * phi_stride[a]] - phi[0]) / h;
            if (s == unknown_sign) continue;
            if (s != sign[0]) across = std::max(across, std::abs(slope)), interface = true;
            along[count++] = side * slope;
        }
        double other = count > 0 ? std::abs(along[0]) : 0;
        if (count == 2) other = along[0] * along[1] > 0 ? std::min(other, std::abs(along[1])) : 0;
        const double g = across > 0 ? across : other;
        squares += g * g;
    }
    return interface ? std::sqrt(squares) : 0;
}

struct InterfaceCount {
    std::ptrdiff_t cells = 0, refitted = 0;
    InterfaceCount& operator+=(const InterfaceCount& o) {
        cells += o.cells;
        refitted += o.refitted;
        return *this;
    }
};

template <int D, class T>
struct Interface {
    const Field<D, T>& phi;
    const Mask<D>& sign;
    const Mask<D>* ways;
    double h;
    const DistanceOptions& options;
};

/// Marks the interface cells of one brick as fixed and sets their distance.
template <int D, class T>
InterfaceCount fix_interface(const Interface<D, T>& interface, std::ptrdiff_t b, T* d, MaskValue* fixed) {
    const auto& phi = interface.phi;
    const DistanceOptions& options = interface.options;
    using Values = HaloBuffer<D, 1, double>;
    using Signs = HaloBuffer<D, 1, MaskValue>;
    Values values;
    Signs signs;
    values.load_diamond(phi.data(), phi.set().neighbours(b).data());
    signs.load_diamond(interface.sign.data(), phi.set().neighbours(b).data());
    std::array<int, D> value_stride, sign_stride;
    for (std::size_t a = 0; a < D; ++a) {
        value_stride[a] = Values::stride(static_cast<int>(a));
        sign_stride[a] = Signs::stride(static_cast<int>(a));
    }
    InterfaceCount count;
    for_each_row<D>([&](int y, int z, int first) {
        for (int x = 0; x < Values::nx; ++x) {
            const double* v = values.v + Values::at(x, y, z);
            const MaskValue* s = signs.v + Signs::at(x, y, z);
            if (*s == unknown_sign) continue;
            const MaskValue open = interface.ways != nullptr ? interface.ways->brick(b)[first + x] : all_ways;
            const double slope = interface_slope<D>(v, s, open, value_stride, sign_stride, interface.h);
            if (slope == 0) continue;
            const bool keep = slope >= options.least_slope && slope <= options.greatest_slope;
            d[first + x] = static_cast<T>(keep ? std::abs(*v) : std::abs(*v) / slope);
            fixed[first + x] = 1;
            ++count.cells;
            if (!keep) ++count.refitted;
        }
    });
    return count;
}

}  // namespace

template <int D, class T>
DistanceReport redistance(Field<D, T>& phi, const Grid<D>& grid, const DistanceOptions& options, const Mask<D>* ways) {
    const auto& set = phi.set();
    const double band = options.band * grid.dx;
    Mask<D> sign(phi.set_ptr(), unknown_sign), fixed(phi.set_ptr());
    Field<D, T> d(phi.set_ptr(), static_cast<T>(band));
    parallel_for("distance: signs", set.count(), [&](std::ptrdiff_t b) {
        const Coord<D> first = first_cell<D>(set.brick(b));
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (grid.contains(first + local_coord<D>(i))) sign.brick(b)[i] = phi.brick(b)[i] < 0 ? negative : positive;
    });
    const auto count = ordered_sum<InterfaceCount>("distance: interface", set.count(), {}, [&](std::ptrdiff_t b) {
        return fix_interface<D, T>({phi, sign, ways, grid.dx, options}, b, d.brick(b), fixed.brick(b));
    });
    DistanceReport report{0, count.cells, count.refitted};
    report.rounds = spread<D, T>(d, fixed, ways, grid.dx, band);
    parallel_for("distance: signed", set.count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const MaskValue s = sign.brick(b)[i];
            if (s != unknown_sign) phi.brick(b)[i] = s == negative ? -d.brick(b)[i] : d.brick(b)[i];
        }
    });
    return report;
}

template <int D, class T>
Field<D, T> distance_to_marked(const Mask<D>& marked, double dx, double band) {
    Field<D, T> d(marked.set_ptr(), static_cast<T>(band * dx));
    parallel_for("distance: marks", marked.set().count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (marked.brick(b)[i] != 0) d.brick(b)[i] = 0;
    });
    spread<D, T>(d, marked, nullptr, dx, band * dx);
    return d;
}

#define TIDELOCK_INSTANTIATE(D, T)                                                                                  \
    template DistanceReport redistance<D, T>(Field<D, T>&, const Grid<D>&, const DistanceOptions&, const Mask<D>*); \
    template Field<D, T> distance_to_marked<D, T>(const Mask<D>&, double, double)
TIDELOCK_INSTANTIATE(2, float);
TIDELOCK_INSTANTIATE(2, double);
TIDELOCK_INSTANTIATE(3, float);
TIDELOCK_INSTANTIATE(3, double);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
