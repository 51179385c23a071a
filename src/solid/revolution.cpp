#include "solid/revolution.h"

#include <algorithm>

namespace tidelock {

namespace {

/// Whether a core goes into itself in turns about the y axis, which is that of all solids of revolution.
template <int D>
bool turns_about_y(const Core<D>& core) {
    const auto on_axis = [](const Vec<D>& x) { return x.squaredNorm() == x[1] * x[1]; };
    return on_axis(core.at) && on_axis(core.way) && (core.kind != CoreKind::point || core.radius > 0);
}

}  // namespace

template <int D>
Spin<D> felt_by_surface(const RigidBody<D>& body, const Spin<D>& moment) {
    const auto& cores = body.cores;
    if (cores.empty()) return moment;
    if (cores.size() == 1 && cores[0].kind == CoreKind::point && cores[0].radius > 0 && cores[0].at.isZero(0))
        return Spin<D>::Zero();
    if constexpr (D == 3) {
        if (std::all_of(cores.begin(), cores.end(), turns_about_y<3>)) {
            const Vec3 axis = body.rotation.matrix() * Vec3::UnitY();
            return moment - moment.dot(axis) * axis;
        }
    }
    return moment;
}

template Spin<2> felt_by_surface(const RigidBody<2>&, const Spin<2>&);
template Spin<3> felt_by_surface(const RigidBody<3>&, const Spin<3>&);

}  // namespace tidelock
