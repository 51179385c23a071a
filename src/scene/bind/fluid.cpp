#include "scene/bind/parts.h"

#include <fmt/format.h>

namespace tidelock::scene {

namespace {

/// Where and when something acts.
template <class T>
T source(const Block& b, const Context& context) {
    T s;
    s.shape = bind_shape(b.object("shape"), context);
    s.position = b.vector("position", {});
    s.rotation = b.rotation("rotation");
    s.start = b.number("start");
    s.end = b.number("end", s.end);
    if (s.end <= s.start)
        context.error(b.path("end"), fmt::format("must be later than start {} s, not {}", s.start, s.end));
    return s;
}

Fluid liquid(const Block& b, const Context& context) {
    Fluid f;
    f.kind = FluidKind::liquid;
    f.density = b.number("density");
    LiquidOptions& l = f.liquid;
    l.transport = b.word<LiquidTransport>("transport");
    const bool on_grid = l.transport == LiquidTransport::semi_lagrangian;
    l.surface = on_grid ? LiquidSurface::particle_level_set : LiquidSurface::particles;
    if (b.get("surface")) l.surface = b.word<LiquidSurface>("surface");
    if (on_grid && b.get("surface") && l.surface == LiquidSurface::particles)
        context.error(
            b.path("surface"),
            "\"particles\" needs a transport with particles (apic, flip); with semi-lagrangian the surface is a "
            "\"particle-level-set\"");
    l.flip_share = b.number("flip_share");
    l.volume_correction = b.word<DriftCorrection>("volume_correction");
    l.bubbles = b.word<Bubbles>("bubbles");
    if (l.transport == LiquidTransport::narrow_band_flip && l.surface == LiquidSurface::particle_level_set)
        context.error(b.path("surface"), "narrow-band-flip makes its surface from its particles: \"particles\"");
    for (const Block& i : b.list("initial"))
        f.initial.push_back({bind_shape(i.object("shape"), context), i.vector("position", {}), i.rotation("rotation"),
                             i.vector("velocity", {}), 0, 0, i.boolean("air")});
    for (const Block& s : b.list("sources")) {
        auto from = source<Source>(s, context);
        from.velocity = s.vector("velocity", {});
        from.smoke = 0;
        if (from.shape.kind == ShapeKind::plane && s.object("shape").variant() != nullptr)
            context.error(s.object("shape").path("type"), "a plane has no end, so a source of liquid cannot be one");
        f.sources.push_back(std::move(from));
    }
    for (const Block& s : b.list("drains")) l.drains.push_back(source<Drain>(s, context));
    return f;
}

}  // namespace

Fluid bind_fluid(const Block& b, const Context& context) {
    Fluid f;
    if (b.variant() == nullptr) return f;
    if (b.chosen<FluidKind>() == FluidKind::liquid) return liquid(b, context);
    f.density = b.number("density");
    f.transport = b.word<Transport>("transport");
    f.ambient_temperature = b.number("ambient_temperature");
    const Block buoyancy = b.object("buoyancy");
    f.buoyancy = {buoyancy.number("temperature", 1 / f.ambient_temperature), buoyancy.number("smoke")};
    f.vorticity_confinement = b.number("vorticity_confinement");
    f.cooling = b.number("cooling");
    f.dissipation = b.number("dissipation");
    for (const Block& i : b.list("initial"))
        f.initial.push_back({bind_shape(i.object("shape"), context), i.vector("position", {}), i.rotation("rotation"),
                             i.vector("velocity", {}), i.number("smoke"),
                             i.number("temperature", f.ambient_temperature), false});
    for (const Block& s : b.list("sources")) {
        auto from = source<Source>(s, context);
        if (s.get("velocity")) from.velocity = s.vector("velocity", {});
        from.inflow = s.boolean("inflow");
        if (from.inflow && (!s.given("velocity") || (from.velocity && *from.velocity == Vector{})))
            context.error(s.path("inflow"), "needs a velocity: velocity times area is what comes in");
        if (from.inflow && from.shape.kind == ShapeKind::plane && s.object("shape").variant() != nullptr)
            context.error(s.object("shape").path("type"), "a plane has no end, so an inflow cannot be one");
        from.smoke = s.number("smoke");
        from.temperature = s.number("temperature", f.ambient_temperature);
        f.sources.push_back(std::move(from));
    }
    return f;
}

}  // namespace tidelock::scene
