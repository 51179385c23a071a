#include "scene/bind/parts.h"

#include <fmt/format.h>

namespace tidelock::scene {

namespace {

constexpr double shell_opacity = 0.35;  ///< what is inside a shell shall be seen
constexpr std::array<Colour, 8> palette{{{0.84, 0.37, 0.30},
                                         {0.25, 0.49, 0.72},
                                         {0.93, 0.69, 0.25},
                                         {0.36, 0.64, 0.43},
                                         {0.55, 0.42, 0.68},
                                         {0.87, 0.52, 0.63},
                                         {0.38, 0.67, 0.69},
                                         {0.60, 0.51, 0.43}}};

Motion motion(const Block& b, const Solid& s, const Context& context) {
    Motion m;
    if (!b.variant()) return m;
    m.type = b.chosen<MotionType>();
    if (m.type == MotionType::spin) {
        if (b.dimension() == 3) m.axis = bind_unit(b, "axis", m.axis, context);
        m.degrees_per_second = b.number("degrees_per_second");
    } else if (m.type == MotionType::oscillate) {
        m.amplitude = b.vector("amplitude", {});
        m.frequency = b.number("frequency");
        m.phase_degrees = b.number("phase");
    } else {
        m.interpolation = b.word<Interpolation>("interpolation");
        const std::vector<Block> frames = b.list("keyframes");
        for (const Block& f : frames) {
            m.keyframes.push_back(
                {f.number("time"), f.vector("position", s.position), f.rotation("rotation", s.rotation)});
            const std::size_t n = m.keyframes.size();
            if (n > 1 && f.get("time") && m.keyframes[n - 1].time <= m.keyframes[n - 2].time)
                context.error(f.path("time"), fmt::format("{} s does not come after the keyframe before, at {} s",
                                                          m.keyframes[n - 1].time, m.keyframes[n - 2].time));
        }
        if (frames.empty() && b.get("keyframes")) context.error(b.path("keyframes"), "needs at least one keyframe");
    }
    return m;
}

/// `free`: it has a velocity of its own.
void check_solid(const Block& b, const Solid& s, bool free, const Context& context) {
    const std::string_view type = word_of(s.type);
    if (b.valid() && s.type == SolidType::rigid && !b.given("density"))
        context.error(b.path("density"),
                      "is missing, and only you can know it: a rigid solid needs its density [kg/m^3]");
    if (s.shape.kind == ShapeKind::plane && b.object("shape").variant() != nullptr && s.type != SolidType::static_)
        context.error(b.path("type"), fmt::format("a plane has no end, so its solid must be static, not {}", type));
    if (s.type != SolidType::kinematic && b.given("motion"))
        context.error(b.path("motion"), fmt::format("only a kinematic solid moves as told; this one is {}", type));
    if (s.type != SolidType::rigid && b.given("density"))
        context.warning(b.path("density"), fmt::format("has no effect on a {} solid", type));
    for (const std::string_view key : {"velocity", "angular_velocity"}) {
        if (free || !b.given(key)) continue;
        if (s.type == SolidType::static_)
            context.error(b.path(key), "a static solid never moves; make it kinematic, or remove this");
        else
            context.error(b.path(key), "give either motion or a constant velocity, not both");
    }
}

}  // namespace

Solid bind_solid(const Block& b, std::size_t index, const Context& context) {
    Solid s;
    s.name = b.text("name");
    s.type = b.word<SolidType>("type");
    s.shape = bind_shape(b.object("shape"), context);
    s.position = b.vector("position", {});
    s.rotation = b.rotation("rotation");
    s.friction = b.number("friction");
    s.restitution = b.number("restitution");
    s.shell = b.boolean("shell");
    s.colour = b.colour("colour", palette[index % palette.size()]);
    s.opacity = b.number("opacity", s.shell ? shell_opacity : 1.0);
    const bool type_known = b.get("type") != nullptr || !b.given("type");
    if (s.type == SolidType::rigid) s.density = b.number("density", 0);
    if (s.type == SolidType::kinematic && b.given("motion")) s.motion = motion(b.object("motion"), s, context);
    const bool free = s.type == SolidType::rigid || (s.type == SolidType::kinematic && !b.given("motion"));
    if (free) {
        s.velocity = b.vector("velocity", {});
        s.angular_velocity = b.turning("angular_velocity");
    }
    if (b.present() && type_known) check_solid(b, s, free, context);
    return s;
}

}  // namespace tidelock::scene
