/// Plain pointers of the pressure operator and of a level of its V-cycle: what kernels on bricks read, on any device.
/// Nothing is owned; what they point to must live and stay where it is.
#pragma once

#include "grid/brick_set.h"

namespace tidelock {

/// Bits of a cell's open faces: 1 << a its lower a-face, 8 << a its upper one.
inline constexpr int lower_open(int axis) { return 1 << axis; }
inline constexpr int upper_open(int axis) { return 8 << axis; }
inline constexpr int any_open = 63;
/// In a level's flags, beside those of open faces: a cell that only bodies determine. Its diagonal in L_N is zero.
inline constexpr int pocket_flag = any_open + 1;

/// How a brick's coefficients are read.
enum class BrickKind : std::uint8_t {
    plain,   ///< all uniform: nothing is read
    masked,  ///< faces are uniform or closed: one byte a cell, and the inverse diagonal
    stored,  ///< conductances and the inverse diagonal
    bodied   ///< stored, and a dynamic body is in it: the flags as well, for pockets
};
inline constexpr std::size_t brick_kinds = 4;

/// Of PoissonOperator (solve/poisson_operator.h).
template <int D>
struct PoissonView {
    /// Where a brick's coefficients lie, in bricks: its flags, its conductances, its excess. The void
    /// place is all zero; a masked brick has its conductances there, unless a neighbour reads them.
    struct Place {
        std::int32_t row, link, excess;
    };
    static constexpr std::int32_t void_place = 0, uniform_place = 1, first_stored = 2;

    const typename BrickSet<D>::Neighbours* neighbours;
    const Place* places;         ///< per brick; the void brick's is last
    const std::uint8_t* masked;  ///< per brick: its faces have the uniform conductance or none
    const double* conductance[D];
    const double* excess;
    const std::uint8_t* flags;
    double uniform;

    /// The cells of a place among the coefficients.
    static std::ptrdiff_t offset(std::int32_t place) { return std::ptrdiff_t{place} * Brick<D>::cells; }
};

/// Of StencilLevel (solve/stencil_level.h), in colour order.
template <int D, class T>
struct LevelView {
    const typename BrickSet<D>::Neighbours* neighbours;
    const Coord<D>* bricks;                      ///< their places in the lattice
    const std::int32_t *slots, *links, *parent;  ///< per brick: slot of coefficients, of conductances; the coarse brick
    const T* conductance[D];                     ///< lower faces; at links
    const T* inverse;                            ///< 1 / diagonal, in pockets 1 / cap; 0 without an unknown
    const std::uint8_t* flags;
    const T* r;
    T* x;
    T uniform;  ///< conductance of a uniform brick's faces
};

}  // namespace tidelock
