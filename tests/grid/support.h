/// What the tests of grid/ share: the two dimensions, random sets and fields, fields of functions, comparison of bits.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "base/random.h"
#include "grid/domain.h"

namespace tidelock::testing_grid {

using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;

template <int D>
std::uint64_t key_of(const Coord<D>& c) {
    std::uint64_t key = 0;
    for (int a = 0; a < D; ++a) key = key * 1048583 + static_cast<std::uint64_t>(c[a] + 8);
    return key;
}

/// About `share` of the bricks of the lattice.
template <int D>
BrickSetPtr<D> random_set(const Coord<D>& lattice, double share, std::uint64_t seed = 11) {
    const Random random(seed);
    return make_where<D>(lattice, [&](const Coord<D>& b) { return random.uniform(key_of<D>(b)) < share; });
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

/// Uniform in [-1, 1), the same for the same seed and cell.
template <int D, class T>
void randomise(Field<D, T>& field, std::uint64_t seed) {
    const Random random(seed);
    set_values<D>(field, [&](const Coord<D>& c) { return 2 * random.uniform(key_of<D>(c)) - 1; });
}

template <int D, class T>
bool same_bits(const Field<D, T>& a, const Field<D, T>& b) {
    return a.set() == b.set() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

/// Runs f on one thread and on two and compares the fields it returns.
template <class F>
bool same_on_any_threads(F&& f) {
    auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return f();
    };
    return same_bits(run(1), run(2));
}

template <int D, class T>
double dot(const Field<D, T>& a, const Field<D, T>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.values().size(); ++i) sum += static_cast<double>(a.values()[i]) * b.values()[i];
    return sum;
}

/// A square or cubic grid over [0, 1]^D.
template <int D>
Grid<D> unit_grid(int n) {
    return {Coord<D>::Constant(n), 1.0 / n, Vec<D>::Zero()};
}

}  // namespace tidelock::testing_grid
