#include "stage/liquid_extent.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "couple/cell_lookup.h"
#include "couple/flow_system.h"
#include "fluid/liquid_bricks.h"
#include "stage/measures.h"

namespace tidelock {

namespace {

/// Null without a rigid body.
template <int D>
BrickSetPtr<D> bricks_of_bodies(const Grid<D>& grid, const std::vector<RigidBody<D>>& bodies, double margin) {
    BrickSetPtr<D> out;
    for (const auto& body : bodies) {
        if (!body.dynamic()) continue;
        const Pose<D> pose = body.pose();
        const auto near = activate_shape<D>(
            grid, [&](const Vec<D>& x) { return body.distance(pose.to_body(x)); }, margin);
        out = out ? unite<D>(*out, *near) : near;
    }
    return out;
}

}  // namespace

template <int D>
FaceMask<D> known_faces(const Interface<D>& interface, const CellContents<D>& contents) {
    const auto& set = contents.mask.set();
    FaceMask<D> known(contents.mask.set_ptr(), 0);
    parallel_for("known faces", set.count(), [&](std::ptrdiff_t b) {
        for (int a = 0; a < D; ++a) {
            const int stride = local_stride<D>(a);
            MaskValue* out = known[a].brick(b);
            const MaskValue *kind = interface.kind[a].brick(b), *content = contents.mask.brick(b);
            constexpr auto liquid = static_cast<MaskValue>(CellContent::liquid);
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const bool edge = (i / stride & (Brick<D>::size[a] - 1)) == 0;
                bool wet = content[i] == liquid;
                if (!wet && !edge) wet = content[i - stride] == liquid;
                if (!wet && edge) {
                    const auto [slot, local] = neighbour_cell<D>(set, b, i, a, -1);
                    wet = contents.mask.brick(slot)[local] == liquid;
                }
                const auto k = static_cast<FaceKind>(kind[i]);
                out[i] = wet || k == FaceKind::bound || k == FaceKind::buried ? 1 : 0;
            }
        }
    });
    return known;
}

template <int D>
void settle_hidden_faces(const Interface<D>& interface, FaceMask<D>& known, FaceField<D, double>& velocity) {
    constexpr double hidden = 0.5;  // share of a face that passes fluid, of one that a plane cuts at its centre
    const auto& set = velocity.set();
    const auto is_hidden = [&](const BodyFace& face) { return face.kind == FaceKind::cut && face.open < hidden; };
    for (const BodyFace& face : interface.faces)
        if (is_hidden(face)) known[face.axis].brick(face.slot)[face.local] = 0;
    std::vector<std::pair<const BodyFace*, double>> found;
    for (const BodyFace& face : interface.faces) {
        if (!is_hidden(face)) continue;
        double sum = 0;
        int count = 0;
        for (int a = 0; a < D; ++a)
            for (const int step : {-1, 1}) {
                const auto [slot, local] = neighbour_cell<D>(set, face.slot, face.local, a, step);
                if (slot == set.void_slot() || known[face.axis].brick(slot)[local] == 0) continue;
                const auto kind = static_cast<FaceKind>(interface.kind[face.axis].brick(slot)[local]);
                if (kind == FaceKind::bound || kind == FaceKind::buried) continue;
                sum += velocity[face.axis].brick(slot)[local], ++count;
            }
        if (count > 0) found.emplace_back(&face, sum / count);
    }
    for (const auto& [face, value] : found) {
        velocity[face->axis].brick(face->slot)[face->local] = value;
        known[face->axis].brick(face->slot)[face->local] = 1;
    }
}

namespace {

/// Air that nothing reaches is at rest.
template <int D>
void clear_unknown(const FaceMask<D>& known, FaceField<D, double>& velocity) {
    parallel_for("air at rest", velocity.set().count(), [&](std::ptrdiff_t b) {
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i)
                if (known[a].brick(b)[i] == 0) velocity[a].brick(b)[i] = 0;
    });
}

}  // namespace

template <int D>
BrickSetPtr<D> standing_bricks(const World<D>& world, const std::vector<PlacedSource<D>>& sources, double margin) {
    const Grid<D>& grid = world.domain.grid;
    BrickSetPtr<D> out = bricks_of_bodies<D>(grid, world.solids.bodies, margin);
    for (const auto& placed : sources) {
        const Shape<D>& shape = *placed.source.shape;
        const Pose<D>& pose = placed.pose;
        const auto near = activate_shape<D>(
            grid, [&](const Vec<D>& x) { return shape.distance(pose.to_body(x)); }, margin);
        out = out ? unite<D>(*out, *near) : near;
    }
    return out;
}

template <int D>
void extend_liquid(const LiquidParameters<D>& p, double cfl, double farthest, const FlowFaces<D>& faces,
                   Step<D>& step) {
    World<D>& world = step.world;
    Liquid<D>& liquid = world.liquid();
    const Grid<D>& grid = world.domain.grid;
    const double dx = grid.dx;
    FaceMask<D> known = known_faces<D>(step.interface, faces.contents);
    settle_hidden_faces<D>(step.interface, known, step.velocity);
    const double fastest = std::max(step.report.flow.max_speed, largest_speed<D>(step.velocity, world.solids.bodies));
    const int reach = std::max(static_cast<int>(std::ceil(cfl)),
                               static_cast<int>(std::ceil((1.5 * fastest * step.dt + farthest) / dx)));
    // Bubbles need every cell of the domain (couple/bubbles.h).
    const BrickSetPtr<D> next =
        p.bubbles ? liquid.set()
                  : liquid_bricks<D>(grid, liquid, reach, standing_bricks<D>(world, p.sources, (reach + 2) * dx));
    move_to_bricks<D>(next, liquid);
    liquid.velocity = step.velocity.set_ptr() == next ? std::move(step.velocity) : step.velocity.remapped(next);
    if (known.set_ptr() != next) known = known.remapped(next);
    extrapolate_layers<D, double>(liquid.velocity, known, reach + liquid_rim);
    clear_unknown<D>(known, liquid.velocity);
    close_sides<D>(grid, world.domain.sides, liquid.velocity);
}

#define TIDELOCK_INSTANTIATE(D)                                                                            \
    template FaceMask<D> known_faces(const Interface<D>&, const CellContents<D>&);                         \
    template void settle_hidden_faces(const Interface<D>&, FaceMask<D>&, FaceField<D, double>&);           \
    template BrickSetPtr<D> standing_bricks(const World<D>&, const std::vector<PlacedSource<D>>&, double); \
    template void extend_liquid(const LiquidParameters<D>&, double, double, const FlowFaces<D>&, Step<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
