#include "state/world.h"

#include <algorithm>

namespace tidelock {

template <int D>
std::vector<ArrayRef> list_arrays(World<D>& world) {
    std::vector<ArrayRef> out;
    if (world.has_liquid()) {
        Liquid<D>& liquid = world.liquid();
        liquid.velocity.list_arrays("velocity", out);
        liquid.phi.list_arrays("phi", out);
        liquid.pressure.list_arrays("pressure", out);
        liquid.particles.list_arrays("particles", out);
        liquid.markers.list_arrays("markers", out);
        return out;
    }
    Smoke<D>& smoke = world.smoke();
    smoke.velocity.list_arrays("velocity", out);
    smoke.density.list_arrays("density", out);
    smoke.temperature.list_arrays("temperature", out);
    smoke.pressure.list_arrays("pressure", out);
    return out;
}

template <int D>
std::vector<double> pack_bodies(const std::vector<RigidBody<D>>& bodies) {
    std::vector<double> out;
    const auto append = [&](const auto& v) { out.insert(out.end(), v.data(), v.data() + v.size()); };
    for (const auto& body : bodies) {
        append(body.position);
        if constexpr (D == 2)
            out.push_back(body.rotation.angle());
        else
            append(body.rotation.quaternion().coeffs());
        append(body.velocity);
        append(body.angular_momentum);
    }
    return out;
}

template <int D>
std::vector<double> pack_contacts(const std::vector<ContactMemory<D>>& contacts) {
    std::vector<double> out;
    for (const auto& c : contacts) {
        out.insert(out.end(), {static_cast<double>(c.a), static_cast<double>(c.b), static_cast<double>(c.id)});
        out.insert(out.end(), c.force.data(), c.force.data() + D);
    }
    return out;
}

template <int D>
std::vector<double> pack_loads(const std::vector<Twist<D>>& loads) {
    std::vector<double> out;
    for (const auto& load : loads) out.insert(out.end(), load.data(), load.data() + load.size());
    return out;
}

#define TIDELOCK_INSTANTIATE(D)                                                       \
    template std::vector<ArrayRef> list_arrays(World<D>&);                            \
    template std::vector<double> pack_bodies(const std::vector<RigidBody<D>>&);       \
    template std::vector<double> pack_contacts(const std::vector<ContactMemory<D>>&); \
    template std::vector<double> pack_loads<D>(const std::vector<Twist<D>>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
