/// A World in one number, and how much memory it takes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "state/world.h"

namespace tidelock {

/// Of every number in the world's state and its name (state/walk.h): equal for equal bits, whatever the number of
/// threads.
template <int D>
[[nodiscard]] std::uint64_t hash_of(const World<D>& world);

/// Of the state's arrays [bytes].
template <int D>
[[nodiscard]] std::size_t bytes_of(const World<D>& world);

}  // namespace tidelock
