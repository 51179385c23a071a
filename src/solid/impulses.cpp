#include "solid/impulses.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/timer.h"

namespace tidelock {

namespace {

/// A contact ready for sweeps: M^-1 J^T of both bodies, and what a row's velocity gains per impulse.
template <int D>
struct Pushes {
    std::array<Twist<D>, D> a, b;
    std::array<double, D> gain;
    std::vector<std::pair<int, std::array<Twist<D>, D>>> others;  ///< bodies that move along because of joints
};

template <int D>
Pushes<D> pushes_of(const ContactPoint<D>& c, const Mobilities<D>& mobilities) {
    Pushes<D> p;
    p.a.fill(Twist<D>::Zero());
    p.b.fill(Twist<D>::Zero());
    for (std::size_t k = 0; k < D; ++k) {
        mobilities.answer(c.a, c.b, c.rows[k], [&](int body, const Twist<D>& gained) {
            if (body == c.a) {
                p.a[k] += gained;
            } else if (body == c.b) {
                p.b[k] += gained;
            } else {
                auto other = std::find_if(p.others.begin(), p.others.end(), [&](auto& o) { return o.first == body; });
                if (other == p.others.end()) {
                    p.others.emplace_back(body, std::array<Twist<D>, D>());
                    other = p.others.end() - 1;
                    other->second.fill(Twist<D>::Zero());
                }
                other->second[k] += gained;
            }
        });
        // Where joints make one body of both, what is left is rounding: nothing can push them apart.
        constexpr double rounding = 1e-9;
        const double gain = c.rows[k].a.dot(p.a[k]) + c.rows[k].b.dot(p.b[k]);
        const bool locked = gain <= rounding * mobilities.free_gain(c.a, c.b, c.rows[k]);
        p.gain[k] = locked ? 0 : gain;
    }
    return p;
}

template <int D>
class Sweeper {
  public:
    Sweeper(const ContactPoint<D>& c, const Pushes<D>& p, std::vector<Twist<D>>& twists)
        : c_(c),
          p_(p),
          twists_(twists),
          a_(twists[static_cast<std::size_t>(c.a)]),
          b_(c.b >= 0 ? &twists[static_cast<std::size_t>(c.b)] : nullptr) {}

    [[nodiscard]] double speed(std::size_t k) const {
        return c_.rows[k].a.dot(a_) + (b_ != nullptr ? c_.rows[k].b.dot(*b_) : 0.0);
    }
    void push(std::size_t k, double impulse) {
        a_ += impulse * p_.a[k];
        if (b_ != nullptr) *b_ += impulse * p_.b[k];
        for (const auto& [body, gained] : p_.others) twists_[static_cast<std::size_t>(body)] += impulse * gained[k];
    }
    /// Projects the normal impulse, [TB20] eq. (9); returns the change of the normal speed.
    double press(double target, Vec<D>& impulse) {
        if (!(p_.gain[0] > 0)) return 0;
        const double normal = std::clamp(impulse[0] + (target - speed(0)) / p_.gain[0], c_.least, c_.most);
        const double more = normal - impulse[0];
        push(0, more);
        impulse[0] = normal;
        return std::abs(more) * p_.gain[0];
    }
    /// Friction: the impulse that stops the sliding, or as much of it as the cone allows; returns the greatest change
    /// of a sliding speed.
    double rub(Vec<D>& impulse) {
        Vec<D> wanted = impulse;
        double across = 0, change = 0;
        for (std::size_t k = 1; k < D; ++k) {
            const auto row = static_cast<Eigen::Index>(k);
            if (p_.gain[k] > 0) wanted[row] -= speed(k) / p_.gain[k];
            across += wanted[row] * wanted[row];
        }
        across = std::sqrt(across);
        const double most = c_.friction * impulse[0], share = across > most ? most / across : 1;
        for (std::size_t k = 1; k < D; ++k) {
            const auto row = static_cast<Eigen::Index>(k);
            const double more = share * wanted[row] - impulse[row];
            change = std::max(change, std::abs(more) * p_.gain[k]);
            push(k, more);
            impulse[row] += more;
        }
        return change;
    }

  private:
    const ContactPoint<D>& c_;
    const Pushes<D>& p_;
    std::vector<Twist<D>>& twists_;
    Twist<D>& a_;
    Twist<D>* b_;
};

/// Orders contacts and memories by pair.
struct ByPair {
    template <class X, class Y>
    bool operator()(const X& x, const Y& y) const {
        return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    }
};

constexpr double same_direction = 0.9;  ///< cosine between a normal and an impulse that may be taken over

}  // namespace

template <int D>
Mobilities<D>::Mobilities(const std::vector<RigidBody<D>>& bodies, const JointGroups<D>& joints)
    : bodies_(bodies.size()) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies[i].dynamic()) continue;
        bodies_[i].mass = 1 / bodies[i].mass;
        bodies_[i].inertia = bodies[i].world_inertia().inverse();
    }
    for (const auto& group : joints.groups()) {
        for (std::size_t m = 0; m < group.members.size(); ++m) {
            Body& body = bodies_[static_cast<std::size_t>(group.members[m])];
            body.group = static_cast<int>(groups_.size());
            body.place = static_cast<int>(m);
        }
        groups_.push_back({group.members, joints.answer(group, bodies)});
    }
}

template <int D>
std::vector<Twist<D>> Mobilities<D>::answer(const std::vector<Twist<D>>& impulses) const {
    std::vector<Twist<D>> gained(impulses.size(), Twist<D>::Zero());
    for (std::size_t i = 0; i < impulses.size(); ++i)
        answer_one(static_cast<int>(i), impulses[i],
                   [&](int body, const Twist<D>& more) { gained[static_cast<std::size_t>(body)] += more; });
    return gained;
}

template <int D>
ImpulseReport solve_impulses(const std::vector<ContactPoint<D>>& contacts, const std::vector<double>& targets,
                             const Mobilities<D>& mobilities, const ImpulseOptions& options,
                             std::vector<Twist<D>>& twists, std::vector<Vec<D>>& impulses) {
    const double start = wall_seconds();
    ImpulseReport report;
    report.contacts = contacts.size();
    std::vector<Pushes<D>> pushes;
    std::vector<Sweeper<D>> sweepers;
    pushes.reserve(contacts.size());
    sweepers.reserve(contacts.size());
    double scale = options.least_speed;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        pushes.push_back(pushes_of<D>(contacts[i], mobilities));
        sweepers.emplace_back(contacts[i], pushes.back(), twists);
        scale = std::max(scale, targets[i] - sweepers.back().speed(0));
    }
    for (std::size_t i = 0; i < contacts.size(); ++i)
        for (std::size_t k = 0; k < D; ++k) sweepers[i].push(k, impulses[i][static_cast<Eigen::Index>(k)]);
    const auto gain = [&](std::size_t i, const Vec<D>& x) {
        double sum = 0;
        for (std::size_t k = 0; k < D; ++k)
            sum += pushes[i].gain[k] * x[static_cast<Eigen::Index>(k)] * x[static_cast<Eigen::Index>(k)];
        return sum;
    };
    // Sweeps forth and back are a descent step; conjugate directions on top of them [SNE10] cross long narrow valleys
    // (the sway of a stack). What leaves the cone on the way is projected by the next sweep.
    std::vector<Vec<D>> before, direction(contacts.size());
    const auto run = [&](int most, const auto& visit) {
        std::fill(direction.begin(), direction.end(), Vec<D>::Zero());
        double last = 0;
        while (report.sweeps < most) {
            before = impulses;
            report.change = 0;
            for (std::size_t i = 0; i < contacts.size(); ++i) report.change = std::max(report.change, visit(i));
            for (std::size_t i = contacts.size(); i-- > 0;) report.change = std::max(report.change, visit(i));
            if (++report.sweeps == 1) report.first_change = report.change;
            if (report.change <= options.tolerance * scale || report.sweeps == most) break;
            double now = 0;
            for (std::size_t i = 0; i < contacts.size(); ++i) now += gain(i, impulses[i] - before[i]);
            const double beta = last > 0 && now <= last ? now / last : 0;
            for (std::size_t i = 0; i < contacts.size(); ++i) {
                const Vec<D> descent = impulses[i] - before[i], more = beta * direction[i];
                direction[i] = more + descent;
                for (std::size_t k = 0; k < D; ++k) sweepers[i].push(k, more[static_cast<Eigen::Index>(k)]);
                impulses[i] += more;
            }
            last = now;
        }
    };
    // Normal impulses alone first: friction that acts before they are balanced locks boxes that are about to turn.
    const auto press = [&](std::size_t i) { return sweepers[i].press(targets[i], impulses[i]); };
    run(options.sweeps / 2, press);
    run(options.sweeps, [&](std::size_t i) { return std::max(sweepers[i].rub(impulses[i]), press(i)); });
    report.scale = scale;
    report.converged = report.change <= options.tolerance * scale;
    report.seconds = wall_seconds() - start;
    return report;
}

template <int D>
void apply_impulses(const std::vector<ContactPoint<D>>& contacts, const std::vector<Vec<D>>& impulses,
                    std::vector<RigidBody<D>>& bodies) {
    for (std::size_t i = 0; i < contacts.size(); ++i)
        for (std::size_t k = 0; k < D; ++k)
            push<D>({contacts[i].a, contacts[i].b, contacts[i].rows[k], 0}, impulses[i][static_cast<Eigen::Index>(k)],
                    bodies);
}

template <int D>
std::vector<Vec<D>> remembered(const std::vector<ContactPoint<D>>& contacts,
                               const std::vector<ContactMemory<D>>& memory, double dt) {
    std::vector<Vec<D>> start(contacts.size(), Vec<D>::Zero());
    std::vector<bool> used(memory.size(), false), known(contacts.size(), false);
    const auto take_over = [&](const auto& fits) {
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            if (known[i]) continue;
            const auto [begin, end] = std::equal_range(memory.begin(), memory.end(), contacts[i], ByPair{});
            for (auto m = begin; m != end && !known[i]; ++m) {
                const auto index = static_cast<std::size_t>(m - memory.begin());
                if (used[index] || !fits(contacts[i], *m)) continue;
                used[index] = known[i] = true;
                for (std::size_t k = 0; k < D; ++k)
                    start[i][static_cast<Eigen::Index>(k)] = dt * contacts[i].axes[k].dot(m->force);
                start[i][0] = std::max(start[i][0], 0.0);
            }
        }
    };
    take_over([](const auto& contact, const auto& m) { return contact.id == m.id; });
    take_over([](const auto& contact, const auto& m) {
        return contact.normal.dot(m.force) > same_direction * m.force.norm();
    });
    return start;
}

template <int D>
std::vector<ContactMemory<D>> remember(const std::vector<ContactPoint<D>>& contacts,
                                       const std::vector<Vec<D>>& impulses, double dt) {
    std::vector<ContactMemory<D>> memory;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (!(impulses[i][0] > 0)) continue;
        ContactMemory<D> m{contacts[i].a, contacts[i].b, contacts[i].id, Vec<D>::Zero()};
        for (std::size_t k = 0; k < D; ++k)
            m.force += impulses[i][static_cast<Eigen::Index>(k)] / dt * contacts[i].axes[k];
        memory.push_back(m);
    }
    std::stable_sort(memory.begin(), memory.end(), ByPair{});
    return memory;
}

#define TIDELOCK_INSTANTIATE(D)                                                                                        \
    template class Mobilities<D>;                                                                                      \
    template ImpulseReport solve_impulses(const std::vector<ContactPoint<D>>&, const std::vector<double>&,             \
                                          const Mobilities<D>&, const ImpulseOptions&, std::vector<Twist<D>>&,         \
                                          std::vector<Vec<D>>&);                                                       \
    template void apply_impulses(const std::vector<ContactPoint<D>>&, const std::vector<Vec<D>>&,                      \
                                 std::vector<RigidBody<D>>&);                                                          \
    template std::vector<Vec<D>> remembered(const std::vector<ContactPoint<D>>&, const std::vector<ContactMemory<D>>&, \
                                            double);                                                                   \
    template std::vector<ContactMemory<D>> remember(const std::vector<ContactPoint<D>>&, const std::vector<Vec<D>>&,   \
                                                    double);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
