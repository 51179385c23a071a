/// What the tests of particles share: grids, balls of particles, fields of functions, comparison of bits.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "base/random.h"
#include "fluid/particle_seeding.h"

namespace tidelock::testing_particles {

template <int D>
using Dim = std::integral_constant<int, D>;
using Dims = testing::Types<Dim<2>, Dim<3>>;

template <int D>
Grid<D> unit_grid(int n) {
    return {Coord<D>::Constant(n), 1.0 / n, Vec<D>::Zero()};
}

template <int D>
DistanceFunction<D> ball(const Vec<D>& centre, double radius) {
    return [=](const Vec<D>& x) { return (x - centre).norm() - radius; };
}

/// velocity = f(position), and the affine rows of a linear f if given.
template <int D, class F>
void set_velocity(Particles<D>& particles, F&& f, const Mat<D>& gradient = Mat<D>::Zero()) {
    for (std::size_t p = 0; p < particles.position.size(); ++p) {
        particles.velocity[p] = f(particles.position[p]);
        if (particles.with_affine) particles.affine[p] = gradient;
    }
}

template <int D, class F>
void fill_faces(const Grid<D>& grid, FaceField<D, double>& field, F&& f) {
    for (int a = 0; a < D; ++a)
        for (std::ptrdiff_t b = 0; b < field.set().count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> cell = first_cell<D>(field.set().brick(b)) + local_coord<D>(i);
                field[a].brick(b)[i] = f(grid.position(cell, Centring<D>::face(a)))[a];
            }
}

template <int D, class F>
void fill_cells(const Grid<D>& grid, Field<D, double>& field, F&& f) {
    for (std::ptrdiff_t b = 0; b < field.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i)
            field.brick(b)[i] = f(grid.cell_centre(first_cell<D>(field.set().brick(b)) + local_coord<D>(i)));
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
template <int D, class T>
bool same_bits(const Field<D, T>& a, const Field<D, T>& b) {
    return a.set() == b.set() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}
template <int D>
bool same_bits(const Particles<D>& a, const Particles<D>& b) {
    return same_bits(a.position, b.position) && same_bits(a.velocity, b.velocity) && same_bits(a.affine, b.affine);
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

}  // namespace tidelock::testing_particles
