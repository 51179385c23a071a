/// Where liquid comes in and goes out: shapes that may move, filled with particles at the speed of the inflow, or
/// emptied.
///
/// Source   Our own. What a source emits is a piece of liquid without end, filled with jittered particles once and for
///          all (fluid/jitter.h), which passes through the shape at the inflow's velocity: in each step the
///          particles come into being that have met the shape. So neither gaps nor clumps depend on the step, and
///          the rate is the speed relative to the shape times the area across it.
/// In liquid that is there already a source needs room: it says where, for a divergence in the projection. The liquid
///          that it finds in its shape when it starts stands for what it would have filled the shape with.
/// Limits   Liquid that cannot get away would pile up: cells that hold `most` particles get no more.
/// Promise  Same bits on any number of threads. The same particles in steps of any length, but for those that graze the
///          shape: its way is looked at in pieces of a quarter of a cell.
#pragma once

#include <functional>
#include <limits>
#include <memory>

#include "base/math.h"
#include "fluid/particles.h"
#include "fluid/volume.h"
#include "geometry/pose.h"
#include "geometry/shape.h"

namespace tidelock {

template <int D>
struct LiquidSource {
    std::shared_ptr<const Shape<D>> shape;
    Vec<D> velocity = Vec<D>::Zero();                      ///< of the inflow [m/s]; may change between steps
    double start = 0;                                      ///< [s]
    double end = std::numeric_limits<double>::infinity();  ///< [s]
    int most = 2 * particles_per_cell<D>;                  ///< [-] particles in a cell that gets no more
    std::uint64_t seed = 1;

    [[nodiscard]] bool active(double time) const { return time >= start && time < end; }
};

/// What a source has done so far: its state.
template <int D>
struct SourceProgress {
    Vec<D> travelled = Vec<D>::Zero();  ///< how far the emitted liquid has come [m]
    bool running = false;               ///< the shape has been filled
};

template <int D>
struct LiquidDrain {
    std::shared_ptr<const Shape<D>> shape;
    double start = 0;                                      ///< [s]
    double end = std::numeric_limits<double>::infinity();  ///< [s]

    [[nodiscard]] bool active(double time) const { return time >= start && time < end; }
};

/// Of the liquid that a particle stands for [m^3].
template <int D>
double particle_volume(const Grid<D>& grid) {
    return power(grid.dx, D) / particles_per_cell<D>;
}

/// How a shape moves in a step.
template <int D>
struct ShapeMotion {
    Pose<D> before, after;
    double time = 0;  ///< at the beginning of the step [s]
    double dt = 0;    ///< [s]
};

/// Where liquid may be put: not nearer to solids than a clearance; and where it is.
template <int D>
struct RoomForLiquid {
    DistanceFunction<D> solid;   ///< distance to the nearest; may be empty
    double clearance = 0;        ///< [m]
    DistanceFunction<D> liquid;  ///< level set of what is there already; may be empty

    /// By half a cell: at the surface what is added raises it, below it pushes.
    [[nodiscard]] bool holds_liquid(const Vec<D>& x, double dx) const { return liquid && liquid(x) < -0.5 * dx; }
};

template <int D>
struct [[nodiscard]] EmissionReport {
    std::ptrdiff_t added = 0;
    std::ptrdiff_t crowded_out = 0;     ///< particles that found their cell full
    double volume = 0;                  ///< of those added [m^D]
    std::vector<Vec<D>> within_liquid;  ///< places of those added where liquid was: it must make room
};

/// At the end of a step, once particles have moved: adds what has met the shape, gives all particles in it the
/// inflow's velocity, and notes how far the source has come. None where there is no room, nor outside of the domain.
/// Afterwards particles have to be sorted again.
template <int D>
EmissionReport<D> emit_liquid(const Grid<D>& grid, const ShapeMotion<D>& motion, const RoomForLiquid<D>& room,
                              const LiquidSource<D>& source, SourceProgress<D>& progress, Particles<D>& particles);

/// At the end of a step: removes the particles in the drain; the volume that they stood for [m^D].
template <int D>
[[nodiscard]] double drain_liquid(const Grid<D>& grid, const ShapeMotion<D>& motion, const LiquidDrain<D>& drain,
                                  Particles<D>& particles);

/// Share of a face along an axis that liquid passes; the face below the cell.
template <int D>
using FacePassage = std::function<double(const Coord<D>& cell, int axis)>;

/// What flows from the liquid {phi < 0} into the cells {drain < 0} in a time dt [m^D]; `velocity` has no divergence in
/// the liquid. A level set that falls into a drain from all sides closes it before all of that has come in: what is in
/// the drain after a step is less. Thin sheets count by the wet share of their cells.
template <int D>
[[nodiscard]] double inflow(const Grid<D>& grid, const DistanceFunction<D>& drain, const FacePassage<D>& open,
                            const Field<D, double>& phi, const FaceField<D, double>& velocity, double dt);

}  // namespace tidelock
