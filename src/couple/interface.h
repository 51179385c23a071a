/// Where fluid and solids meet on the grid: which cells are solid, which faces a body moves, and the fluid that moves
/// with it.
///
/// Two schemes give the same kind of system (numerics/coupling 3):
///   constraint  [A18] section 4.3, after [RMSF11]: a face is closed if a solid lies between the centres
///               of its cells. Its fluid moves with the solid, each fluid side a constraint of its own
///               (numerics/interface 1), and weighs with it: the fluid of its dual cell is lumped
///               (numerics/interface 2). A body carries about half a cell of fluid along, so its inertia is of first
///               order in the cell size.
///   fractional  [BBB07], [TB20] eq. (17), (18): a face is open by the fluid share of its dual cell; fluid passes there
///               with its own velocity and mass, the rest of the face moves with the solid. Nothing is lumped: added
///               mass within 1 % from 4 cells across a radius on. Where a solid is so thin along an axis that it holds
///               one cell's centre or none, its faces are closed as in the other scheme.
/// Faces    free    nothing of a solid in it;          cut     partly open;
///          bound   closed, with fluid on a side;      buried  closed, without.
/// Archimedes  In a fluid at rest the pressure lifts a body as if it filled the dual cells of its bound and buried
///          faces, for each axis: pressures act at the centres of the fluid cells around it. A body of the fluid's own
///          density therefore stays at rest only if the solid counted in these dual cells has the body's volume, and no
///          moment about its centre of mass. Counted plainly it has not: slivers of solid reach into dual cells of free
///          faces, what a dual cell holds does not sit at its middle, fractions are those of a piecewise linear
///          surface. Fluid shares (open shares) are scaled so that the volume is right, and the arms at which faces act
///          on the body are shifted (less than a cell, the same for all faces of an axis, across it) so that the moment
///          is.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/words.h"
#include "couple/solid_surfaces.h"
#include "grid/domain.h"
#include "grid/extrapolate.h"

namespace tidelock {

enum class InterfaceScheme { constraint, fractional };

template <>
inline constexpr auto words<InterfaceScheme> = word_table<InterfaceScheme>(
    {{InterfaceScheme::fractional, "fractional"}, {InterfaceScheme::constraint, "constraint"}});

/// A face of which less is left open is closed, one with less closed is free.
inline constexpr double least_open = 0.01;

enum class FaceKind : std::uint8_t { free = 0, bound = 1, buried = 2, cut = 3 };

/// A body's part in a face.
struct FaceShare {
    int body = 0;
    double weight = 0;  ///< of its velocity in that of the face's solid part: those of a face add up to 1 [-]
    double solid = 0;   ///< share of the dual cell that it fills [-]
};

/// A face that solids touch: the lower `axis`-face of a cell.
struct BodyFace {
    std::int32_t slot = 0, local = 0;
    std::int16_t axis = 0;
    FaceKind kind = FaceKind::free;
    bool low_fluid = false, high_fluid = false;  ///< the cells below and above it have a pressure
    double open = 0;                             ///< share of the face that fluid passes with its own velocity [-]
    double fluid = 0;                            ///< share of the dual cell that is fluid and moves with the solids [-]
    std::int32_t first = 0, count = 0;           ///< shares [first, first + count)
};

template <int D>
struct Interface {
    InterfaceScheme scheme = InterfaceScheme::constraint;
    Mask<D> solid;                         ///< 1: the cell's centre lies in a solid
    Mask<D> dry;                           ///< 1: the cell has no pressure
    FaceMask<D> kind;                      ///< FaceKind of each face
    std::vector<BodyFace> faces;           ///< all but the free ones, sorted by slot, axis, place
    std::vector<std::int32_t> first_face;  ///< per brick: its first face; one more at the end
    std::vector<FaceShare> shares;
    std::vector<std::pair<std::int32_t, int>>
        full;  ///< bricks wholly inside a body, and which; their faces hold no fluid
    std::vector<std::array<Vec<D>, D>> arm_shift;  ///< per body and axis: added to the arms of its faces [m]
    /// Per body and axis: volume that no face counts, because the body is too small for its cells, reaches out of the
    /// domain, lies in the half cells at its sides or in a film (couple/contact_films.h), and its moment about the centre
    /// of mass [m^D, m^(D+1)]. It gets the lift of a fluid at rest.
    std::vector<std::array<double, D>> uncounted;
    std::vector<std::array<Vec<D>, D>> uncounted_moment;
    /// Of that the volume that no counted part of the body hides from the fluid, so that it carries some along [m^D].
    std::vector<std::array<double, D>> carrying;
    /// Per body and axis, fractional: e, by which the counted shares s of solid were changed, s + e s (1 - s) [-].
    std::vector<std::array<double, D>> share_change;

    /// The body that moves a face most.
    [[nodiscard]] std::size_t owner_of(const BodyFace& face) const {
        const auto first = shares.begin() + face.first;
        const auto most = std::max_element(first, first + face.count,
                                           [](const FaceShare& a, const FaceShare& b) { return a.weight < b.weight; });
        return static_cast<std::size_t>(most->body);
    }
};

/// The place in `faces` of the lower face of a cell along an axis; -1 if no solid touches it.
template <int D>
std::ptrdiff_t face_at(const Interface<D>& interface, std::ptrdiff_t slot, int local, int axis);

/// Share of the lower face of a cell along an axis that fluid passes with its own velocity.
template <int D>
double open_share(const Interface<D>& interface, std::ptrdiff_t slot, int local, int axis);

/// `set` holds the fluid's bricks.
template <int D>
Interface<D> build_interface(const Grid<D>& grid, const BrickSetPtr<D>& set, const SolidSurfaces<D>& surfaces,
                             InterfaceScheme scheme);

}  // namespace tidelock
