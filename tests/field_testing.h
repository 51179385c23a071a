/// What the tests of fields and of all that lives on them share: the two dimensions, grids, fields of functions,
/// comparison of bits.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "base/parallel.h"
#include "dimensions.h"
#include "grid/domain.h"

namespace tidelock {

/// A square or cubic grid over [0, 1]^D.
template <int D>
Grid<D> unit_grid(int n) {
    return {Coord<D>::Constant(n), 1.0 / n, Vec<D>::Zero()};
}

/// Sets every active sample to f(index); the background stays.
template <int D, class T, class F>
void set_values(Field<D, T>& field, F&& f) {
    parallel_for("set values", field.set().count(), [&](std::ptrdiff_t b) {
        const Coord<D> first = first_cell<D>(field.set().brick(b));
        for (int i = 0; i < Brick<D>::cells; ++i)
            field.brick(b)[i] = static_cast<T>(f(Coord<D>(first + local_coord<D>(i))));
    });
}

/// To f(position), beyond the domain, too.
template <int D, class F>
void fill_cells(const Grid<D>& grid, Field<D, double>& field, F&& f) {
    set_values<D>(field, [&](const Coord<D>& c) { return f(grid.cell_centre(c)); });
}
template <int D, class F>
void fill_faces(const Grid<D>& grid, FaceField<D, double>& field, F&& f) {
    for (int a = 0; a < D; ++a)
        set_values<D>(field[a], [&](const Coord<D>& c) { return f(grid.position(c, Centring<D>::face(a)))[a]; });
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
template <int D, class T>
bool same_bits(const Field<D, T>& a, const Field<D, T>& b) {
    return a.set() == b.set() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}
template <int D, class T>
bool same_bits(const FaceField<D, T>& a, const FaceField<D, T>& b) {
    for (int axis = 0; axis < D; ++axis)
        if (!same_bits(a[axis], b[axis])) return false;
    return true;
}

/// Runs f on one thread and on two and compares what it returns.
template <class F>
bool same_on_any_threads(F&& f) {
    auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return f();
    };
    return same_bits(run(1), run(2));
}

}  // namespace tidelock
