#include "solid/motion.h"

#include <algorithm>

#include "base/math.h"

namespace tidelock {

namespace {

template <int D>
struct PlaceAt {
    const Placement<D>& start;
    double time;

    Placement<D> operator()(const SteadyMotion<D>& m) const {
        return {start.position + time * m.twist.template head<D>(),
                start.rotation.turned(time * m.twist.template tail<rotation_dof<D>>())};
    }
    Placement<D> operator()(const SpinMotion<D>& m) const {
        return {start.position, start.rotation.turned(time * m.rate)};
    }
    Placement<D> operator()(const Oscillation<D>& m) const {
        const double phase = 2 * std::numbers::pi * m.frequency * time + m.phase;
        return {start.position + (sine(phase) - sine(m.phase)) * m.amplitude, start.rotation};
    }
    Placement<D> operator()(const Keyframes<D>& m) const {
        if (m.keys.empty()) return start;
        const auto next = std::upper_bound(m.keys.begin(), m.keys.end(), time,
                                           [](double t, const auto& key) { return t < key.time; });
        if (next == m.keys.begin()) return next->place;
        const auto& from = *std::prev(next);
        if (next == m.keys.end()) return from.place;
        double t = (time - from.time) / (next->time - from.time);
        if (m.smooth) t = t * t * (3 - 2 * t);
        return {from.place.position + t * (next->place.position - from.place.position),
                from.place.rotation.between(next->place.rotation, t)};
    }
};

}  // namespace

template <int D>
Placement<D> place_at(const Motion<D>& motion, const Placement<D>& start, double time) {
    return std::visit(PlaceAt<D>{start, time}, motion);
}

template Placement<2> place_at(const Motion<2>&, const Placement<2>&, double);
template Placement<3> place_at(const Motion<3>&, const Placement<3>&, double);

}  // namespace tidelock
