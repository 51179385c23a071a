/// A World in a checkpoint, and back.
#pragma once

#include <filesystem>
#include <string>

#include "io/checkpoint.h"
#include "state/world.h"

namespace tidelock {

/// Throws FileError; older checkpoints then stay.
template <int D>
std::filesystem::path save_world(const World<D>& world, const std::filesystem::path& folder,
                                 const CheckpointIdentity& identity);

/// Into a world built from the same scene. Throws FileError for a checkpoint that does not fit it.
template <int D>
void load_world(const CheckpointReader& reader, World<D>& world);

}  // namespace tidelock
