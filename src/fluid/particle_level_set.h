/// A level set that keeps its volume by marker particles on both sides of the surface.
///
/// Source   [EFFM02] section 3; carried by a semi-Lagrangian scheme as in [ELF05]. numerics/surface 2. A step: carry
///          phi and the markers, correct phi by escaped markers, give markers that are on their side new radii. Every
///          10 steps or so: make phi a distance again, correct again, fill up the markers.
/// Deviates Our phi is negative in the liquid; the markers of the liquid have the sign -1. phi is carried by
///          MacCormack's scheme, the semi-Lagrangian one with its error taken back. Distances are of first order here
///          (grid/distance.h), of fifth in [EFFM02], which therefore can afford them each step: here that moves
///          the surface by about 0.1 cells, the least radius, before markers notice, and Zalesak's disk at 100^2 loses
///          2.6 % of its area in a turn; every 10 steps it is 0.01 %. Beside solids and the domain's sides only markers
///          of the liquid correct: those of the air would push it off the wall. Markers of the air that lie deeper than
///          `drowned` are removed: a splash drowns them in the liquid, where they would cut holes step after step,
///          which close again without the liquid that was there (half of it in two seconds of a bottle emptied into a
///          tank; bubbles have couple/bubbles.h). Flows that only carry a shape need the shallow ones: the vortex that
///          turns back gains 1.6 % of its area without them.
/// Symbols  s_p sign of a marker, r_p its radius, phi_p(x) = s_p (r_p - |x - x_p|) the sphere around it.
/// Promise  Same bits on any number of threads; marker places depend on seed, cell and round only. Where no marker has
///          escaped phi is left to the bit.
#pragma once

#include <cstdint>

#include "fluid/particle_motion.h"
#include "grid/distance.h"

namespace tidelock {

struct MarkerOptions {
    double band = 3;               ///< [cells] markers live where |phi| is less
    double least_radius = 0.1;     ///< [cells]
    double greatest_radius = 0.5;  ///< [cells]
    double drowned = 1;            ///< [cells] below the surface where markers of the air are given up
    std::uint64_t seed = 1;
};

/// Marker particles in a cell near the surface, of each sign. [EFFM02] has 64 in space, which costs more than all the
/// rest of a step.
template <int D>
inline constexpr int markers_per_cell = D == 2 ? 16 : 32;

template <int D>
struct Markers {
    std::vector<Vec<D>> position;   ///< [m]
    std::vector<double> radius;     ///< [m]
    std::vector<std::int8_t> sign;  ///< -1: of the liquid, +1: of the air

    [[nodiscard]] std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(position.size()); }
};

/// Which cells a marker can see. Null: all.
template <int D>
struct MarkerSpace {
    const Mask<D>* solid = nullptr;  ///< cells inside solids: phi goes on into them
    const Mask<D>* ways = nullptr;   ///< which cells are of one space (grid/distance.h)
    const Obstacles<D>* obstacles = nullptr;
};

/// Removes the markers p with gone[p] != 0; the others keep their order.
template <int D>
void remove_markers(Markers<D>& markers, const std::vector<char>& gone);

/// Fills the band around the surface up to the number for each sign, and removes markers that left it or crowd a cell,
/// escaped drops excepted, and air that is drowned. With no markers yet it makes the first ones. phi is a distance.
/// Again about every 10 steps (`round` counts them): each time smooths a little.
template <int D>
void reseed_markers(const Grid<D>& grid, const MarkerOptions& options, const Field<D, double>& phi, std::uint64_t round,
                    Markers<D>& markers, const MarkerSpace<D>& space = {});

struct [[nodiscard]] LevelSetReport {
    std::ptrdiff_t escaped = 0;  ///< markers on the wrong side by more than their radius, after the step
    std::ptrdiff_t lost = 0;     ///< markers that left through open sides or had no room
};

/// Carries phi and its markers over `wind.dt`, and lets the markers correct it. phi's bricks must hold the band before
/// and after (grid/activation.h, reactivate). `space`: at the end of the step. Without markers it is the plain level set.
template <int D>
LevelSetReport advance_level_set(const Wind<D>& wind, const MarkerOptions& options, const MarkerSpace<D>& space,
                                 Field<D, double>& phi, Markers<D>& markers);

/// Makes phi a distance again, up to its background, and lets the markers correct what that moved: about every 20
/// steps, before reseed_markers. How many markers are escaped afterwards.
template <int D>
std::ptrdiff_t restore_distance(const Grid<D>& grid, const MarkerOptions& options, const MarkerSpace<D>& space,
                                Field<D, double>& phi, Markers<D>& markers);

/// Lets escaped markers correct phi; how many there were.
template <int D>
std::ptrdiff_t correct_by_markers(const Grid<D>& grid, const MarkerSpace<D>& space, const Markers<D>& markers,
                                  Field<D, double>& phi);

}  // namespace tidelock
