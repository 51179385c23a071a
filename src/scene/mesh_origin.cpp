#include "scene/mesh_origin.h"

namespace tidelock::scene {

namespace {

/// From the file's origin to the centre of mass, in the shape's own axes [m]; zero of what is placed by its centre.
Vec3 arm_of(const ShapeSpec& s, MeshStore& meshes) {
    if (s.kind != ShapeKind::mesh || s.origin != MeshOrigin::mesh || s.file.empty()) return Vec3::Zero();
    const MeshEntry& entry = meshes.get(s);
    return entry.usable() ? Vec3(s.scale * entry.centre) : Vec3::Zero();
}

void shift(Vector& position, const Rotation& rotation, const Vec3& arm) {
    if (arm.isZero(0)) return;
    const Vec3 way = pose_of<3>(position, rotation).rotation * arm;
    for (std::size_t a = 0; a < 3; ++a) position[a] += way[static_cast<int>(a)];
}

template <class Placed>
void place(Placed& placed, MeshStore& meshes) {
    shift(placed.position, placed.rotation, arm_of(placed.shape, meshes));
    placed.shape.origin = MeshOrigin::centre;
}

}  // namespace

Scene placed_by_centre(Scene scene, MeshStore& meshes) {
    if (scene.dimension != 3) return scene;
    for (Solid& s : scene.solids) {
        for (Keyframe& k : s.motion.keyframes) shift(k.position, k.rotation, arm_of(s.shape, meshes));
        place(s, meshes);
    }
    for (InitialFluid& i : scene.fluid.initial) place(i, meshes);
    for (Source& s : scene.fluid.sources) place(s, meshes);
    for (Drain& d : scene.fluid.liquid.drains) place(d, meshes);
    return scene;
}

}  // namespace tidelock::scene
