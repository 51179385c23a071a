/// What the tests of particles share beside field_testing.h: balls, velocities, comparison of bits.
#pragma once

#include "base/random.h"
#include "field_testing.h"
#include "fluid/particle_seeding.h"

namespace tidelock {

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

template <int D>
bool same_bits(const Particles<D>& a, const Particles<D>& b) {
    return same_bits(a.position, b.position) && same_bits(a.velocity, b.velocity) && same_bits(a.affine, b.affine);
}
}  // namespace tidelock
