/// Particles in blocks that one task works on; fixed, so that what tasks find does not depend on the threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/parallel.h"

namespace tidelock {

inline constexpr std::ptrdiff_t particle_block = 4096;

[[nodiscard]] inline std::ptrdiff_t particle_blocks(std::ptrdiff_t particles) {
    return (particles + particle_block - 1) / particle_block;
}

/// Calls f(block, first, end) in parallel.
template <class F>
void for_each_particle_block(const char* label, std::ptrdiff_t particles, F&& f) {
    parallel_for(label, particle_blocks(particles), [&](std::ptrdiff_t block) {
        f(static_cast<std::size_t>(block), static_cast<std::size_t>(block * particle_block),
          static_cast<std::size_t>(std::min((block + 1) * particle_block, particles)));
    });
}

}  // namespace tidelock
