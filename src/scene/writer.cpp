#include "scene/writer.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/json.h"
#include "scene/json_writer.h"
#include "scene/words.h"

namespace tidelock::scene {

namespace {

void write(JsonWriter& w, const ShapeSpec& s) {
    w.open("shape", '{');
    w.word("type", word_of(s.kind));
    switch (s.kind) {
        case ShapeKind::sphere:
            w.put("radius", s.radius);
            break;
        case ShapeKind::box:
            w.vector("size", s.size);
            break;
        case ShapeKind::cylinder:
        case ShapeKind::capsule:
            w.put("radius", s.radius);
            w.put("height", s.height);
            break;
        case ShapeKind::torus:
            w.put("radius", s.radius);
            w.put("tube", s.tube);
            break;
        case ShapeKind::plane:
            w.vector("normal", s.normal);
            break;
        case ShapeKind::mesh:
            w.word("file", s.file);
            w.put("scale", s.scale);
            w.word("origin", word_of(s.origin));
            w.put("repair", s.repair);
            break;
    }
    w.close('}');
}

void write(JsonWriter& w, const Domain& d) {
    w.open("domain", '{');
    w.vector("size", d.size);
    w.raw("cells", w.dimension() == 2 ? fmt::format("[{}, {}]", d.cells[0], d.cells[1])
                                      : fmt::format("[{}, {}, {}]", d.cells[0], d.cells[1], d.cells[2]));
    w.open("walls", '{');
    for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(w.dimension()); ++i)
        w.word(wall_names[i], word_of(d.walls[i]));
    w.close('}');
    w.close('}');
}

/// Where something is.
template <class T>
void write_region(JsonWriter& w, const T& region) {
    write(w, region.shape);
    w.vector("position", region.position);
    w.rotation("rotation", region.rotation);
}

template <class T>
void write_times(JsonWriter& w, const T& source) {
    w.put("start", source.start);
    if (std::isfinite(source.end)) w.put("end", source.end);
}

void write_smoke(JsonWriter& w, const Fluid& f) {
    w.word("transport", word_of(f.transport));
    w.open("buoyancy", '{');
    w.put("temperature", f.buoyancy.temperature);
    w.put("smoke", f.buoyancy.smoke);
    w.close('}');
    w.put("ambient_temperature", f.ambient_temperature);
    w.put("vorticity_confinement", f.vorticity_confinement);
    w.put("cooling", f.cooling);
    w.put("dissipation", f.dissipation);
}

void write_liquid(JsonWriter& w, const LiquidOptions& l) {
    w.word("transport", word_of(l.transport));
    w.put("flip_share", l.flip_share);
    w.word("surface", word_of(l.surface));
    w.word("volume_correction", word_of(l.volume_correction));
    w.word("bubbles", word_of(l.bubbles));
    w.open("drains", '[');
    for (const Drain& drain : l.drains) {
        w.open("", '{');
        write_region(w, drain);
        write_times(w, drain);
        w.close('}');
    }
    w.close(']');
}

void write(JsonWriter& w, const Fluid& f) {
    const bool smoke = f.kind == FluidKind::smoke;
    w.open("fluid", '{');
    w.word("kind", word_of(f.kind));
    w.put("density", f.density);
    w.put("viscosity", 0);
    if (smoke)
        write_smoke(w, f);
    else
        write_liquid(w, f.liquid);
    w.open("initial", '[');
    for (const InitialFluid& i : f.initial) {
        w.open("", '{');
        write_region(w, i);
        w.vector("velocity", i.velocity);
        if (smoke) {
            w.put("smoke", i.smoke);
            w.put("temperature", i.temperature);
        } else {
            w.put("air", i.air);
        }
        w.close('}');
    }
    w.close(']');
    w.open("sources", '[');
    for (const Source& s : f.sources) {
        w.open("", '{');
        write_region(w, s);
        if (s.velocity) w.vector("velocity", *s.velocity);
        if (smoke) {
            w.put("inflow", s.inflow);
            w.put("smoke", s.smoke);
            w.put("temperature", s.temperature);
        }
        write_times(w, s);
        w.close('}');
    }
    w.close(']');
    w.close('}');
}

void write(JsonWriter& w, const Motion& m) {
    w.open("motion", '{');
    w.word("type", word_of(m.type));
    if (m.type == MotionType::spin) {
        if (w.dimension() == 3) w.vector("axis", m.axis);
        w.put("degrees_per_second", m.degrees_per_second);
    } else if (m.type == MotionType::oscillate) {
        w.vector("amplitude", m.amplitude);
        w.put("frequency", m.frequency);
        w.put("phase", m.phase_degrees);
    } else {
        w.word("interpolation", word_of(m.interpolation));
        w.open("keyframes", '[');
        for (const Keyframe& k : m.keyframes) {
            w.open("", '{');
            w.put("time", k.time);
            w.vector("position", k.position);
            w.rotation("rotation", k.rotation);
            w.close('}');
        }
        w.close(']');
    }
    w.close('}');
}

void write(JsonWriter& w, const Solid& s) {
    w.open("", '{');
    w.word("name", s.name);
    w.word("type", word_of(s.type));
    write(w, s.shape);
    w.vector("position", s.position);
    w.rotation("rotation", s.rotation);
    if (s.type == SolidType::rigid) w.put("density", s.density);
    if (s.type != SolidType::static_ && s.motion.type == MotionType::constant) {
        w.vector("velocity", s.velocity);
        if (w.dimension() == 2)
            w.put("angular_velocity", s.angular_velocity[2]);
        else
            w.vector("angular_velocity", s.angular_velocity);
    }
    w.put("friction", s.friction);
    w.put("restitution", s.restitution);
    w.put("shell", s.shell);
    w.colour("colour", s.colour);
    w.put("opacity", s.opacity);
    if (s.motion.type != MotionType::constant) write(w, s.motion);
    w.close('}');
}

void write(JsonWriter& w, const Joint& j) {
    w.open("", '{');
    w.word("name", j.name);
    w.word("type", word_of(j.type));
    w.raw("bodies", fmt::format("[{}, {}]", quote(j.bodies[0]), quote(j.bodies[1])));
    const bool angle = turns(j.type);
    if (has_anchor(j.type)) w.vector("anchor", j.anchor);
    if (has_axis(j.type, w.dimension())) w.vector("axis", j.axis);
    if (j.limits) w.raw("limits", fmt::format("[{}, {}]", (*j.limits)[0], (*j.limits)[1]));
    if (j.motor) {
        w.open("motor", '{');
        if (j.motor->speed) {
            w.put("speed", *j.motor->speed);
            w.put(angle ? "max_torque" : "max_force", j.motor->most);
        } else {
            w.put(angle ? "torque" : "force", j.motor->torque);
        }
        w.close('}');
    }
    w.close('}');
}

/// Those of a method's settings whose path begins with `prefix` and goes no deeper.
void write_settings(JsonWriter& w, const Settings& settings, std::string_view prefix) {
    for (const auto& [path, value] : settings.entries()) {
        if (!path.starts_with(prefix)) continue;
        const std::string key = path.substr(prefix.size());
        if (key.find('.') != std::string::npos) continue;
        std::visit([&](const auto& v) { w.put(key, v); }, value);
    }
}

void write(JsonWriter& w, const Coupling& c) {
    w.open("coupling", '{');
    w.word("method", c.method);
    write_settings(w, c.settings, "");
    w.word("on_failure", word_of(c.on_failure));
    w.open("solver", '{');
    write_settings(w, c.settings, "solver.");
    w.put("tolerance", c.solver.tolerance);
    w.put("max_iterations", c.solver.max_iterations);
    w.put("time_budget", c.solver.time_budget);
    w.put("history", c.solver.history);
    w.close('}');
    w.close('}');
}

void write(JsonWriter& w, const Render& r) {
    w.open("render", '{');
    if (r.camera) {
        w.open("camera", '{');
        w.vector("position", r.camera->position);
        w.vector("target", r.camera->target);
        w.put("fov", r.camera->fov_degrees);
        w.close('}');
    }
    w.colour("background", r.background);
    w.colour("smoke_colour", r.smoke_colour);
    w.put("width", r.width);
    w.put("height", r.height);
    if (w.dimension() == 2) {
        w.word("field", word_of(r.field));
        w.put("streamlines", r.streamlines);
    }
    w.close('}');
}

}  // namespace

std::string to_json(const Scene& s) {
    JsonWriter w(s.dimension);
    w.open("", '{');
    w.put("tidelock", 1);
    w.word("name", s.name);
    w.word("comment", s.comment);
    w.put("dimension", s.dimension);
    write(w, s.domain);
    w.vector("gravity", s.gravity);
    w.open("time", '{');
    w.put("duration", s.time.duration);
    w.put("fps", s.time.fps);
    if (s.time.step)
        w.put("step", *s.time.step);
    else
        w.word("step", "cfl");
    w.put("cfl", s.time.cfl);
    w.close('}');
    write(w, s.fluid);
    w.open("solids", '[');
    for (const Solid& solid : s.solids) write(w, solid);
    w.close(']');
    w.open("joints", '[');
    for (const Joint& joint : s.joints) write(w, joint);
    w.close(']');
    write(w, s.coupling);
    w.open("output", '{');
    w.put("vdb", s.output.vdb);
    w.put("particles", s.output.particles);
    w.put("meshes", s.output.meshes);
    w.put("overlap", s.output.overlap);
    w.put("preview", s.output.preview);
    w.put("preview_share", s.output.preview_share);
    w.put("checkpoint_every", s.output.checkpoint_every);
    w.close('}');
    write(w, s.render);
    w.close('}');
    return w.take();
}

}  // namespace tidelock::scene
