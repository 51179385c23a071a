/// A liquid with a free surface: a level set says where it is, a staggered velocity and, with most transports,
/// particles how it moves.
///
/// Bricks   Only those near the liquid, near rigid bodies and near sources exist: cost follows the liquid. Each step
///          ends with the bricks that the next one needs (fluid/liquid_bricks.h).
#pragma once

#include "fluid/liquid_source.h"
#include "fluid/particle_level_set.h"
#include "fluid/particle_transfer.h"
#include "fluid/schemes.h"
#include "fluid/volume.h"

namespace tidelock {

/// Sources and drains where they are.
template <int D>
struct PlacedSource {
    LiquidSource<D> source;
    Pose<D> pose;
};
template <int D>
struct PlacedDrain {
    LiquidDrain<D> drain;
    Pose<D> pose;
};

template <int D>
struct LiquidParameters {
    double density = 1000;  ///< [kg/m^3]
    LiquidTransport transport = LiquidTransport::apic;
    LiquidSurface surface = LiquidSurface::particles;
    double flip_share = 0.97;  ///< [-] flip and narrow-band-flip
    DriftCorrection correction = DriftCorrection::displacement;
    bool bubbles = false;    ///< trapped air keeps its volume (couple/bubbles.h)
    std::uint64_t seed = 1;  ///< of all random places
    std::vector<PlacedSource<D>> sources;
    std::vector<PlacedDrain<D>> drains;

    [[nodiscard]] bool has_particles() const { return transport != LiquidTransport::semi_lagrangian; }
    /// Particles are the liquid, everywhere: what they hold counts.
    [[nodiscard]] bool particles_are_all() const {
        return surface == LiquidSurface::particles && transport != LiquidTransport::narrow_band_flip;
    }
    [[nodiscard]] bool has_affine() const { return transport == LiquidTransport::apic; }
};

/// Trapped air, as it is remembered between steps.
template <int D>
struct BubbleState {
    Field<D, std::int32_t> label;  ///< per cell: 0 liquid, solid or nothing; 1 atmosphere; 2 + i bubble i
    std::vector<double> target;    ///< volume of each bubble [m^D]
    std::vector<double> missing;   ///< what each lacked, integrated over time [m^D s]
};

/// The state of a liquid. All fields live on one set of bricks.
template <int D>
struct Liquid {
    FaceField<D, double> velocity;  ///< [m/s]; known around the liquid as far as a step reaches, and in solids
    Field<D, double> phi;           ///< signed distance to the surface, negative in the liquid [m]
    Field<D, double> pressure;      ///< [Pa], 0 in air and in solids
    Particles<D> particles;         ///< sorted by cell
    Markers<D> markers;             ///< of the particle level set
    VolumeLedger ledger;
    BubbleState<D> bubbles;
    std::vector<SourceProgress<D>> progress;  ///< of each source

    [[nodiscard]] const BrickSetPtr<D>& set() const { return phi.set_ptr(); }
};

}  // namespace tidelock
