/// Says what is wrong with a triangle mesh and what to do about it (repairs: mesh_repair.h).
#pragma once

#include <string>
#include <vector>

#include "geometry/triangle_mesh.h"

namespace tidelock {

enum class MeshFaultKind {
    no_triangles,          ///< nothing to work with
    bad_index,             ///< triangles that refer to points that are not there; nothing else is examined then
    not_finite,            ///< points with coordinates that are not finite; nothing else is examined then
    open_edge,             ///< edges with one triangle: the rim of a hole
    non_manifold_edge,     ///< edges with more than two triangles
    inconsistent_edge,     ///< edges with two or more triangles that do not run against each other in pairs
    flipped_triangle,      ///< triangles turned against the majority of their patch
    one_sided_patch,       ///< patches without an inside and an outside (Moebius bands)
    inside_out_component,  ///< closed components whose normals point into the solid
    degenerate_triangle,   ///< triangles without area, compared with their longest edge
    duplicate_triangle,    ///< triangles on the same three points as an earlier one, whichever way they turn
    unreferenced_point,    ///< points that no triangle uses
};

struct MeshFault {
    MeshFaultKind kind;
    int count;            ///< how many of them
    Vec3 example;         ///< where the first one is [m]
    std::string text;     ///< "12 open edges, ...: remedy", for a user to read
    bool prevents_solid;  ///< signed distance and volume have no meaning while this is there
};

struct [[nodiscard]] MeshReport {
    std::vector<MeshFault> faults;  ///< in the order of MeshFaultKind, only those found
    int points = 0, triangles = 0, edges = 0, components = 0;
    double area = 0;           ///< [m^2]
    double signed_volume = 0;  ///< [m^3], meaningless unless closed()

    /// Usable as a solid: bounds a volume and is not inside out. Duplicates, slivers and edges where parts of the
    /// surface touch (non-manifold but balanced) are allowed.
    [[nodiscard]] bool closed() const;
    [[nodiscard]] int count(MeshFaultKind kind) const;
    /// All faults, a line each; "no faults" if there are none.
    [[nodiscard]] std::string text() const;
};

/// A cavity (a closed component inside another, normals towards the hole) is not a fault.
MeshReport diagnose(const TriangleMesh& mesh);

/// A triangle whose height is below this part of its longest edge counts as degenerate: well under what float
/// coordinates (6e-8) can resolve on purpose, far above double rounding.
inline constexpr double degenerate_height = 1e-10;

/// Repeated points, or no area to speak of.
[[nodiscard]] bool is_degenerate(const TriangleMesh& mesh, int triangle);

}  // namespace tidelock
