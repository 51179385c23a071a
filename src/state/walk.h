/// The one list of everything in a World that changes: what is saved, copied, hashed and measured is what is visited
/// here.
///
/// Visitor  An object with these functions, each called with the same part of every world that is walked: one, or two
///          to copy.
///            bricks(name, set...)             the bricks that the fields after it live on
///            field(name, field...)            a value per cell; a field without bricks holds nothing
///            one(name, record...)             numbers that there are once
///            list(name, count, records...)    vectors of records; `count` says how many there should be
///          for_each_column (state/columns.h) makes arrays of plain numbers of records.
/// Not here Domain, joints, and what a body is (shape, mass, motion): a scene fixes them, and nothing changes them.
/// Promise  A member that is added to a record of the state and forgotten here does not compile in
///          tests/state/walk_test.cpp.
#pragma once

#include <optional>

#include "state/columns.h"
#include "state/world.h"

namespace tidelock {

template <>
struct Members<Clock> {
    template <class F>
    static void each(F&& f) {
        f("time", &Clock::time);
        f("step", &Clock::step);
        f("frame", &Clock::frame);
    }
};

template <int D>
struct Members<RigidBody<D>> {
    template <class F>
    static void each(F&& f) {
        f("position", &RigidBody<D>::position);
        f("rotation", &RigidBody<D>::rotation);
        f("velocity", &RigidBody<D>::velocity);
        f("angular_momentum", &RigidBody<D>::angular_momentum);
    }
};

template <int D>
struct Members<ContactMemory<D>> {
    template <class F>
    static void each(F&& f) {
        f("a", &ContactMemory<D>::a);
        f("b", &ContactMemory<D>::b);
        f("id", &ContactMemory<D>::id);
        f("force", &ContactMemory<D>::force);
    }
};

template <>
struct Members<VolumeLedger> {
    template <class F>
    static void each(F&& f) {
        f("expected", &VolumeLedger::expected);
        f("present", &VolumeLedger::present);
        f("integral", &VolumeLedger::integral);
        f("poured", &VolumeLedger::poured);
        f("drained", &VolumeLedger::drained);
    }
};

template <int D>
struct Members<SourceProgress<D>> {
    template <class F>
    static void each(F&& f) {
        f("travelled", &SourceProgress<D>::travelled);
        f("running", &SourceProgress<D>::running);
    }
};

/// How many records a list holds.
struct ListCount {
    std::optional<std::size_t> exactly;  ///< else any number
    const char* what = "";               ///< in words, for who finds another number
};
inline constexpr ListCount any_number{};

namespace walks {

template <class T, class... Others>
T& first_of(T& first, Others&...) {
    return first;
}

template <int D, class V, class... F>
void faces(V& visit, const std::string& name, F&... field) {
    constexpr const char* axis_name[] = {".x", ".y", ".z"};
    for (int a = 0; a < D; ++a) visit.field(name + axis_name[a], field[a]...);
}

template <int D, class V, class... S>
void solids(V& visit, S&... solids) {
    const std::size_t bodies = first_of(solids...).bodies.size();
    visit.list("bodies", {bodies, "the states of the scene's bodies"}, solids.bodies...);
    visit.list("contacts", any_number, solids.contacts...);
    visit.list("loads", {bodies, "the loads of the scene's bodies"}, solids.loads...);
}

template <int D, class V, class... S>
void smoke(V& visit, S&... smoke) {
    visit.bricks("bricks", smoke.set()...);
    faces<D>(visit, "velocity", smoke.velocity...);
    visit.field("density", smoke.density...);
    visit.field("temperature", smoke.temperature...);
    visit.field("pressure", smoke.pressure...);
}

template <int D, class V, class... P>
void particles(V& visit, P&... p) {
    visit.one("particles.with_affine", p.with_affine...);
    visit.list("particles.position", any_number, p.position...);
    const auto& first = first_of(p...);
    const std::size_t count = first.position.size();
    visit.list("particles.velocity", {count, "the velocities of all particles"}, p.velocity...);
    visit.list("particles.affine", {first.with_affine ? count : 0, "the affine rows of all particles"}, p.affine...);
}

template <int D, class V, class... M>
void markers(V& visit, M&... markers) {
    visit.list("markers.position", any_number, markers.position...);
    const std::size_t count = first_of(markers...).position.size();
    visit.list("markers.radius", {count, "the radii of all markers"}, markers.radius...);
    visit.list("markers.sign", {count, "the signs of all markers"}, markers.sign...);
}

template <int D, class V, class... L>
void liquid(V& visit, L&... liquid) {
    visit.bricks("bricks", liquid.set()...);
    faces<D>(visit, "velocity", liquid.velocity...);
    visit.field("phi", liquid.phi...);
    visit.field("pressure", liquid.pressure...);
    particles<D>(visit, liquid.particles...);
    markers<D>(visit, liquid.markers...);
    visit.one("ledger", liquid.ledger...);
    visit.field("bubbles.label", liquid.bubbles.label...);
    visit.list("bubbles.target", any_number, liquid.bubbles.target...);
    const std::size_t bubbles = first_of(liquid...).bubbles.target.size();
    visit.list("bubbles.missing", {bubbles, "what each bubble lacks"}, liquid.bubbles.missing...);
    const std::size_t sources = first_of(liquid...).progress.size();
    visit.list("sources", {sources, "the states of the scene's sources"}, liquid.progress...);
}

}  // namespace walks

/// Several worlds have the same kind of fluid, and bodies of the same scene.
template <int D, class V, class... W>
void walk(V&& visit, W&... world) {
    static_assert(std::variant_size_v<Fluid<D>> == 3, "all kinds of fluid are walked below");
    visit.one("clock", world.clock...);
    walks::solids<D>(visit, world.solids...);
    if (walks::first_of(world...).has_smoke()) walks::smoke<D>(visit, world.smoke()...);
    if (walks::first_of(world...).has_liquid()) walks::liquid<D>(visit, world.liquid()...);
}

}  // namespace tidelock
