/// The one description of contact between bodies, and between bodies and walls: points, normals, gaps, rows.
///
/// Source   numerics/contact 1: points of either surface looked up in the other's signed distance, both ways.
/// Rule     A point of A's surface within reach of B is a candidate. Where it is the lowest among its neighbours it
///          slides down B's distance along A's surface to the true minimum: so discs and spheres are round although
///          their points are the corners of a polygon, and crossing edges meet where they cross. The candidates of a
///          pair become a manifold (manifold.h). Half the thickness of a shell counts as solid on either side.
/// Gaps     Bodies touch at a distance > 0 between their surfaces (ContactDistances): outside, the normal of every
///          shape is well defined, also at edges and corners. What a fluid needs there is its own matter (couple/contact_films.h).
/// Rows     u = J_A V_A + J_B V_B, V = (velocity, angular velocity); row 0 along the normal, from B to A:
///          J_A = [n, r_A x n], J_B = [-n, -(r_B x n)]; the others along tangents. A solver needs nothing else:
///          sequential impulses (impulses.h) use the rows now, an LCP can use them as N and D of numerics/contact 3.
/// Limits   A feature thinner than the spacing of samples (1/64 of a turn; a mesh: its vertices) is seen by the other
///          body's samples only.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "solid/relative_row.h"
#include "solid/rigid_body.h"

namespace tidelock {

/// The closed sides of a box; bodies pass through the others.
template <int D>
struct WallBox {
    Bounds<D> box;                              ///< [m]
    std::array<std::array<bool, 2>, D> closed;  ///< [axis][0: lower, 1: upper]
};

/// How far the surfaces of what touches are apart [m], > 0.
struct ContactDistances {
    double bodies, walls;
};

template <int D>
struct ContactPoint {
    int a = -1;            ///< index of a body; dynamic, unless only b is
    int b = -1;            ///< index of the other body, or wall(axis, side) < 0
    std::uint32_t id = 0;  ///< the same for the same feature in the next step: twice the sample, plus 1 if it is b's
    Vec<D> point = Vec<D>::Zero();   ///< halfway between the surfaces [m]
    Vec<D> normal = Vec<D>::Zero();  ///< unit, from b to a
    double gap = 0;                  ///< distance of the surfaces less the contact distance [m]
    double distance = 0;             ///< of the surfaces, < 0: they overlap [m]
    double friction = 0;             ///< Coulomb coefficient of the pair
    double restitution = 0;          ///< of the pair
    std::array<RelativeRow<D>, D> rows;
    std::array<Vec<D>, D> axes;  ///< directions of the rows: normal, then tangents
    double least = 0;            ///< impulse along row 0 [N s]: contacts push; a joint's motor may pull
    double most = std::numeric_limits<double>::infinity();

    static constexpr int wall(int axis, int side) { return -1 - (2 * axis + side); }
};

/// Directions, rows and the coefficients of the pair from point and normal. Friction is the geometric mean of both,
/// restitution the greater one; a wall has what the body has.
template <int D>
void complete(ContactPoint<D>& contact, const std::vector<RigidBody<D>>& bodies);

/// All contacts whose gap is less than what the surfaces may move, reach[i] of body i [m], with a little to spare; in
/// the order of pairs, walls last. Pairs of bodies in `joined` (sorted) do not touch.
template <int D>
[[nodiscard]] std::vector<ContactPoint<D>> find_contacts(const std::vector<RigidBody<D>>& bodies,
                                                         const WallBox<D>& walls, const ContactDistances& distances,
                                                         const std::vector<double>& reach,
                                                         const std::vector<std::pair<int, int>>& joined = {});

/// What happened to the surface of one body in the frame of another: for each pair the point that ends deepest of those
/// that came nearer than allowed or went through, on the way from the poses `before` to the present ones.
template <int D>
struct Passage {
    ContactPoint<D> contact;  ///< at the beginning of the way, with the gap to the plane that it passed
    bool through = false;     ///< the surfaces overlap, or one point lies behind the other body
};
template <int D>
[[nodiscard]] std::vector<Passage<D>> find_passages(const std::vector<RigidBody<D>>& bodies,
                                                    const std::vector<Placement<D>>& before, const WallBox<D>& walls,
                                                    const ContactDistances& distances,
                                                    const std::vector<std::pair<int, int>>& joined = {});

/// "'ball' and the wall y-".
template <int D>
[[nodiscard]] std::string describe(const std::vector<RigidBody<D>>& bodies, const ContactPoint<D>& contact);

}  // namespace tidelock
