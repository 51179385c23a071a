/// What the tests of grid/ share beside field_testing.h: random sets and fields, sums.
#pragma once

#include "base/random.h"
#include "field_testing.h"

namespace tidelock {

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

/// Uniform in [-1, 1), the same for the same seed and cell.
template <int D, class T>
void randomise(Field<D, T>& field, std::uint64_t seed) {
    const Random random(seed);
    set_values<D>(field, [&](const Coord<D>& c) { return 2 * random.uniform(key_of<D>(c)) - 1; });
}

template <int D, class T>
double dot(const Field<D, T>& a, const Field<D, T>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.values().size(); ++i) sum += static_cast<double>(a.values()[i]) * b.values()[i];
    return sum;
}

}  // namespace tidelock
