#include "scene/writer.h"

#include <fmt/format.h>

#include <cmath>

#include "scene/json.h"
#include "scene/words.h"

namespace tidelock::scene {

namespace {

/// Shortest text that reads back as the same double.
std::string text(double v) { return fmt::format("{}", v); }
std::string text(int v) { return fmt::format("{}", v); }
std::string text(bool v) { return v ? "true" : "false"; }
std::string text(const std::string& v) { return quote(v); }

/// Objects on lines of their own, values beside each other.
class Writer {
  public:
    explicit Writer(int dimension) : dimension_(dimension) {}

    void open(std::string_view key, char bracket) {
        line(key);
        out_ += bracket;
        ++depth_;
        first_ = true;
    }
    void close(char bracket) {
        --depth_;
        if (!first_) new_line();
        out_ += bracket;
        first_ = false;
    }
    void raw(std::string_view key, std::string_view value) {
        line(key);
        out_ += value;
    }
    template <class T>
    void put(std::string_view key, T value) {
        raw(key, text(value));
    }
    void word(std::string_view key, std::string_view value) { raw(key, quote(value)); }
    void vector(std::string_view key, const Vector& v) { raw(key, list(v, dimension_)); }
    void colour(std::string_view key, const Colour& v) { raw(key, list(v, 3)); }
    void rotation(std::string_view key, const Rotation& r) {
        const auto& q = r.quaternion;
        raw(key, dimension_ == 2 ? fmt::format("{{ \"radians\": {} }}", r.angle)
                                 : fmt::format("{{ \"quaternion\": [{}, {}, {}, {}] }}", q[0], q[1], q[2], q[3]));
    }
    [[nodiscard]] int dimension() const { return dimension_; }
    [[nodiscard]] std::string take() { return std::move(out_) + "\n"; }

  private:
    static std::string list(const std::array<double, 3>& v, int count) {
        return count == 2 ? fmt::format("[{}, {}]", v[0], v[1]) : fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
    }
    void new_line() {
        out_ += '\n';
        out_.append(2 * static_cast<std::size_t>(depth_), ' ');
    }
    void line(std::string_view key) {
        if (!first_) out_ += ',';
        if (depth_ > 0) new_line();
        first_ = false;
        if (!key.empty()) out_ += fmt::format("{}: ", quote(key));
    }

    std::string out_;
    int dimension_;
    int depth_ = 0;
    bool first_ = true;
};

void write(Writer& w, const ShapeSpec& s) {
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
            break;
    }
    w.close('}');
}

void write(Writer& w, const Domain& d) {
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
void write_region(Writer& w, const T& region) {
    write(w, region.shape);
    w.vector("position", region.position);
    w.rotation("rotation", region.rotation);
}

template <class T>
void write_times(Writer& w, const T& source) {
    w.put("start", source.start);
    if (std::isfinite(source.end)) w.put("end", source.end);
}

void write_smoke(Writer& w, const Fluid& f) {
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

void write_liquid(Writer& w, const LiquidOptions& l) {
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

void write(Writer& w, const Fluid& f) {
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
            w.put("smoke", s.smoke);
            w.put("temperature", s.temperature);
        }
        write_times(w, s);
        w.close('}');
    }
    w.close(']');
    w.close('}');
}

void write(Writer& w, const Motion& m) {
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

void write(Writer& w, const Solid& s) {
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
    if (s.motion.type != MotionType::constant) write(w, s.motion);
    w.close('}');
}

void write(Writer& w, const Joint& j) {
    w.open("", '{');
    w.word("name", j.name);
    w.word("type", word_of(j.type));
    w.raw("bodies", fmt::format("[{}, {}]", quote(j.bodies[0]), quote(j.bodies[1])));
    const bool slider = j.type == JointKind::slider;
    if (j.type == JointKind::hinge || j.type == JointKind::ball) w.vector("anchor", j.anchor);
    if (slider || (j.type == JointKind::hinge && w.dimension() == 3)) w.vector("axis", j.axis);
    if (j.limits) w.raw("limits", fmt::format("[{}, {}]", (*j.limits)[0], (*j.limits)[1]));
    if (j.motor) {
        w.open("motor", '{');
        if (j.motor->speed) {
            w.put("speed", *j.motor->speed);
            w.put(slider ? "max_force" : "max_torque", j.motor->most);
        } else {
            w.put(slider ? "force" : "torque", j.motor->torque);
        }
        w.close('}');
    }
    w.close('}');
}

/// Those of a method's settings whose path begins with `prefix` and goes no deeper.
void write_settings(Writer& w, const Settings& settings, std::string_view prefix) {
    for (const auto& [path, value] : settings.entries()) {
        if (!path.starts_with(prefix)) continue;
        const std::string key = path.substr(prefix.size());
        if (key.find('.') != std::string::npos) continue;
        std::visit([&](const auto& v) { w.raw(key, text(v)); }, value);
    }
}

void write(Writer& w, const Coupling& c) {
    w.open("coupling", '{');
    w.word("method", c.method);
    write_settings(w, c.settings, "");
    w.open("solver", '{');
    write_settings(w, c.settings, "solver.");
    w.put("tolerance", c.solver.tolerance);
    w.put("max_iterations", c.solver.max_iterations);
    w.put("time_budget", c.solver.time_budget);
    w.put("history", c.solver.history);
    w.close('}');
    w.close('}');
}

void write(Writer& w, const Render& r) {
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
    Writer w(s.dimension);
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
    w.raw("step", s.time.step ? text(*s.time.step) : "\"cfl\"");
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
    w.put("preview", s.output.preview);
    w.put("checkpoint_every", s.output.checkpoint_every);
    w.close('}');
    write(w, s.render);
    w.close('}');
    return w.take();
}

}  // namespace tidelock::scene
