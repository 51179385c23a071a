/// Where fluid and solids meet on the grid: which cells are solid, which faces a body moves, and the fluid that moves
/// with it.
///
/// Source   Constraint faces by segments between cell centres: Aanjaneya 2018, 4.3; sided, METHODS 2.1. Dual masses
///          METHODS 2.2.
/// Faces    free    between two fluid cells, nothing in between: the pressure gradient moves its fluid;
///          bound   a solid lies between the centres of its cells, at least one of which holds fluid: the fluid of its
///                  dual cell moves with the bodies. Each fluid side is a constraint of its own;
///          buried  between two solid cells: no pressure acts, but what fluid its dual cell holds moves along too.
/// Archimedes  In a fluid at rest the pressure lifts a body as if it filled the dual cells of its bound and buried
/// faces,
///          for each axis: pressures act at the centres of the fluid cells around it. A body of the fluid's own density
///          therefore stays at rest only if the solid counted in these dual cells has the body's volume, and no moment
///          about its centre of mass. Counted plainly it has not: slivers of solid reach into dual cells of free faces,
///          what a dual cell holds does not sit at its middle, fractions are those of a piecewise linear surface.
///          Fluid shares are scaled so that the volume is right, and the arms at which faces act on the body are
///          shifted (less than a cell, the same for all faces of an axis, across it) so that the moment is.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "grid/domain.h"
#include "grid/extrapolate.h"
#include "solid/rigid_body.h"

namespace tidelock {

enum class FaceKind : std::uint8_t { free = 0, bound = 1, buried = 2 };

/// A body's part in a face.
struct FaceShare {
    int body = 0;
    double weight = 0;  ///< of its velocity in the face's: those of a face add up to 1 [-]
    double solid = 0;   ///< share of the dual cell that it fills [-]
};

/// A bound or buried face: the lower `axis`-face of a cell.
struct BodyFace {
    std::int32_t slot = 0, local = 0;
    std::int16_t axis = 0;
    FaceKind kind = FaceKind::free;
    bool low_fluid = false, high_fluid = false;  ///< the cells below and above it hold fluid
    double fluid = 0;                            ///< share of the dual cell that is fluid [-]
    std::int32_t first = 0, count = 0;           ///< shares [first, first + count)
};

template <int D>
struct Interface {
    Mask<D> solid;                ///< 1: the cell's centre lies in a solid
    FaceMask<D> kind;             ///< FaceKind of each face
    std::vector<BodyFace> faces;  ///< bound and buried, sorted by slot, axis, place
    std::vector<FaceShare> shares;
    std::vector<std::pair<std::int32_t, int>>
        full;  ///< bricks wholly inside a body, and which; their faces hold no fluid
    std::vector<std::array<Vec<D>, D>> arm_shift;  ///< per body and axis: added to the arms of its faces [m]
    std::vector<std::array<double, D>> uncounted;  ///< per body and axis: volume that its faces have no room for [m^D]

    [[nodiscard]] std::ptrdiff_t bound_faces() const;
};

/// `set` holds the fluid's bricks.
template <int D>
Interface<D> build_interface(const Grid<D>& grid, const BrickSetPtr<D>& set, const std::vector<RigidBody<D>>& bodies);

}  // namespace tidelock
