/// What can be chosen for a fluid: schemes by name, for those who pass a choice on without carrying it out.
#pragma once

namespace tidelock {

/// Of a gas.
enum class Transport { semi_lagrangian, maccormack };

enum class LiquidTransport { apic, flip, narrow_band_flip, semi_lagrangian };
enum class LiquidSurface { particles, particle_level_set };

/// What stands against drift of a liquid's volume (numerics/volume 2, 3).
enum class DriftCorrection { displacement, divergence, none };

}  // namespace tidelock
