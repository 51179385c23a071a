#include "state/world.h"

#include <algorithm>

#include "base/error.h"

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
    out.reserve(bodies.size() * body_state_size<D>);
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
void unpack_bodies(const std::vector<double>& numbers, std::vector<RigidBody<D>>& bodies) {
    if (numbers.size() != bodies.size() * body_state_size<D>)
        throw InputError("checkpoint", "{} numbers of body states, but the scene's {} bodies have {}", numbers.size(),
                         bodies.size(), bodies.size() * body_state_size<D>);
    const double* next = numbers.data();
    const auto take = [&](auto& v) {
        std::copy_n(next, v.size(), v.data());
        next += v.size();
    };
    for (auto& body : bodies) {
        take(body.position);
        if constexpr (D == 2) {
            body.rotation = Rotation<2>(*next++);
        } else {
            Eigen::Quaterniond q;
            take(q.coeffs());
            body.rotation = Rotation<3>::restored(q);
        }
        take(body.velocity);
        take(body.angular_momentum);
    }
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
std::vector<ContactMemory<D>> unpack_contacts(const std::vector<double>& numbers) {
    if (numbers.size() % contact_state_size<D> != 0)
        throw InputError("checkpoint", "{} numbers of contacts, but each has {}", numbers.size(),
                         contact_state_size<D>);
    std::vector<ContactMemory<D>> contacts;
    for (std::size_t i = 0; i < numbers.size(); i += contact_state_size<D>) {
        ContactMemory<D> c;
        c.a = static_cast<int>(numbers[i]);
        c.b = static_cast<int>(numbers[i + 1]);
        c.id = static_cast<std::uint32_t>(numbers[i + 2]);
        std::copy_n(&numbers[i + 3], D, c.force.data());
        contacts.push_back(c);
    }
    return contacts;
}

template <int D>
std::vector<double> pack_loads(const std::vector<Twist<D>>& loads) {
    std::vector<double> out;
    for (const auto& load : loads) out.insert(out.end(), load.data(), load.data() + load.size());
    return out;
}

template <int D>
std::vector<Twist<D>> unpack_loads(const std::vector<double>& numbers) {
    if (numbers.size() % rigid_dof<D> != 0)
        throw InputError("checkpoint", "{} numbers of loads, but each has {}", numbers.size(), rigid_dof<D>);
    std::vector<Twist<D>> loads(numbers.size() / rigid_dof<D>);
    for (std::size_t i = 0; i < loads.size(); ++i)
        std::copy_n(&numbers[rigid_dof<D> * i], rigid_dof<D>, loads[i].data());
    return loads;
}

#define TIDELOCK_INSTANTIATE(D)                                                          \
    template std::vector<ArrayRef> list_arrays(World<D>&);                               \
    template std::vector<double> pack_bodies(const std::vector<RigidBody<D>>&);          \
    template void unpack_bodies(const std::vector<double>&, std::vector<RigidBody<D>>&); \
    template std::vector<double> pack_contacts(const std::vector<ContactMemory<D>>&);    \
    template std::vector<ContactMemory<D>> unpack_contacts(const std::vector<double>&);  \
    template std::vector<double> pack_loads<D>(const std::vector<Twist<D>>&);            \
    template std::vector<Twist<D>> unpack_loads<D>(const std::vector<double>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
