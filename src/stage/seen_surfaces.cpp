#include "stage/seen_surfaces.h"

#include "solid/joint_groups.h"

namespace tidelock {

template <int D>
std::shared_ptr<const SolidSurfaces<D>> seen_surfaces(const World<D>& world, std::vector<Pose<D>> before,
                                                      std::vector<Twist<D>> motion) {
    const auto& bodies = world.solids.bodies;
    const JointGroups<D> joints(world.solids.joints, bodies);
    auto films =
        std::make_shared<const ContactFilms<D>>(bodies, world.domain.grid, world.domain.sides, joints.joined());
    return std::make_shared<const RigidSurfaces<D>>(bodies, std::move(before), std::move(motion), std::move(films));
}

template <int D>
std::shared_ptr<const SolidSurfaces<D>> seen_surfaces(const World<D>& world) {
    std::vector<Pose<D>> poses;
    std::vector<Twist<D>> twists;
    for (const auto& body : world.solids.bodies) poses.push_back(body.pose()), twists.push_back(body.twist());
    return seen_surfaces<D>(world, std::move(poses), std::move(twists));
}

template <int D>
std::shared_ptr<const SolidSurfaces<D>> seen_at_rest(const World<D>& world) {
    std::vector<Pose<D>> poses;
    for (const auto& body : world.solids.bodies) poses.push_back(body.pose());
    const std::size_t count = poses.size();
    return seen_surfaces<D>(world, std::move(poses), std::vector<Twist<D>>(count, Twist<D>::Zero()));
}

#define TIDELOCK_INSTANTIATE(D)                                                                           \
    template std::shared_ptr<const SolidSurfaces<D>> seen_at_rest(const World<D>&);                       \
    template std::shared_ptr<const SolidSurfaces<D>> seen_surfaces(const World<D>&);                      \
    template std::shared_ptr<const SolidSurfaces<D>> seen_surfaces(const World<D>&, std::vector<Pose<D>>, \
                                                                   std::vector<Twist<D>>);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
