#include "scene/bind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "scene/block.h"
#include "scene/coupling/method_keys.h"
#include "scene/fit_cells.h"
#include "scene/mesh_files.h"

namespace tidelock::scene {

namespace {

constexpr std::array<Colour, 8> palette{{{0.84, 0.37, 0.30},
                                         {0.25, 0.49, 0.72},
                                         {0.93, 0.69, 0.25},
                                         {0.36, 0.64, 0.43},
                                         {0.55, 0.42, 0.68},
                                         {0.87, 0.52, 0.63},
                                         {0.38, 0.67, 0.69},
                                         {0.60, 0.51, 0.43}}};

std::string list_text(const Vector& v, int dimension) {
    return dimension == 2 ? fmt::format("[{:.9g}, {:.9g}]", v[0], v[1])
                          : fmt::format("[{:.9g}, {:.9g}, {:.9g}]", v[0], v[1], v[2]);
}
std::string list_text(const std::array<int, 3>& v, int dimension) {
    return dimension == 2 ? fmt::format("[{}, {}]", v[0], v[1]) : fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
}

class Binder {
  public:
    Binder(const ReadOptions& options, const Places& places, Problems& problems)
        : options_(options), places_(places), problems_(problems) {}

    Scene scene(const Block& b) {
        Scene s;
        s.name = b.text("name", options_.name);
        s.comment = b.text("comment");
        s.dimension = b.dimension();
        s.domain = domain(b.object("domain"));
        s.gravity = b.vector("gravity", {0, -9.81, 0});
        s.time = time(b.object("time"));
        s.fluid = fluid(b.object("fluid"));
        const std::vector<Block> solids = b.list("solids");
        for (const Block& solid : solids) s.solids.push_back(this->solid(solid, s.solids.size()));
        name_all(s.solids, solids, "solid");
        const std::vector<Block> joints = b.list("joints");
        for (const Block& joint : joints) s.joints.push_back(this->joint(joint, s.solids));
        name_all(s.joints, joints, "joint");
        s.coupling = coupling(b.object("coupling"));
        const Block output = b.object("output");
        s.output = {output.boolean("vdb"), output.boolean("particles"), output.boolean("meshes"),
                    output.boolean("preview"), output.integer("checkpoint_every")};
        s.render = render(b.object("render"), s);
        return s;
    }

  private:
    void error(const std::string& path, std::string text) {
        problems_.error(places_.find(path), path, std::move(text));
    }

    Domain domain(const Block& b) {
        Domain d;
        d.size = b.vector("size", {1, 1, b.dimension() == 3 ? 1.0 : 0.0});
        const Block walls = b.object("walls");
        for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(b.dimension()); ++i)
            d.walls[i] = walls.word<Wall>(wall_names[i]);
        if (b.given("cells") && b.given("cell_size"))
            error(b.path("cell_size"), "give either cells or cell_size, not both");
        else if (b.valid() && !b.given("cells") && !b.given("cell_size"))
            error(b.path("cells"),
                  "is missing, and only you can know it: cells along each axis, or cell_size [m] instead");
        if (b.get("size")) cells(b, d);
        return d;
    }

    void cells(const Block& b, Domain& d) {
        const int dimension = b.dimension();
        const double longest_edge = d.size[static_cast<std::size_t>(longest_axis(d.size, dimension))];
        const Json* given = b.get("cells");
        int longest = 0;
        std::string path = b.path("cells");
        if (given && given->kind == JsonKind::array) {
            std::array<int, 3> cells{1, 1, 1};
            for (std::size_t a = 0; a < given->items.size(); ++a) cells[a] = static_cast<int>(given->items[a].number);
            d.cells = cells;
            if (are_cubes(d.size, dimension, cells)) return;
            longest = cells[static_cast<std::size_t>(longest_axis(d.size, dimension))];
        } else if (given) {
            longest = static_cast<int>(given->number);
        } else if (const Json* edge = b.get("cell_size")) {
            path = b.path("cell_size");
            const double count = std::round(longest_edge / edge->number);
            if (!(count >= 1 && count <= 16384))
                return error(
                    path, fmt::format(
                              "{:.9g} m gives {:.4g} cells along the longest edge of {:.9g} m; allowed are 1 to 16384",
                              edge->number, longest_edge / edge->number, longest_edge));
            longest = static_cast<int>(count);
            const auto cells = cells_for_longest(d.size, dimension, longest);
            if (cells && std::abs(longest_edge / longest - edge->number) <= 1e-6 * edge->number) {
                d.cells = *cells;
                return;
            }
        } else {
            return;
        }
        if (given && given->kind != JsonKind::array)
            if (const auto cells = cells_for_longest(d.size, dimension, longest)) {
                d.cells = *cells;
                return;
            }
        not_cubes(d, dimension, longest, path);
    }

    void not_cubes(Domain& d, int dimension, int longest, const std::string& path) {
        std::string text =
            fmt::format("the cells would not be cubes in a box of size {} m", list_text(d.size, dimension));
        if (const auto fit = nearest_cells(d.size, dimension, longest)) {
            d.cells = *fit;
            text += fmt::format("; cells {} would fit (cells of {:.9g} m)", list_text(*fit, dimension),
                                d.size[0] / (*fit)[0]);
        } else {
            Vector fit_size{};
            const double edge = d.size[static_cast<std::size_t>(longest_axis(d.size, dimension))] / longest;
            for (std::size_t a = 0; a < static_cast<std::size_t>(dimension); ++a) {
                d.cells[a] = std::clamp(static_cast<int>(std::round(d.size[a] / edge)), 1, 16384);
                fit_size[a] = d.cells[a] * edge;
            }
            text += fmt::format("; size {} would fit with cells {}", list_text(fit_size, dimension),
                                list_text(d.cells, dimension));
        }
        error(path, text);
    }

    static Time time(const Block& b) {
        Time t;
        t.duration = b.number("duration", 1);
        t.fps = b.number("fps");
        t.cfl = b.number("cfl");
        const Json* step = b.get("step");
        if (step && step->kind == JsonKind::number) t.step = step->number;
        return t;
    }

    ShapeSpec shape(const Block& b) {
        ShapeSpec s;
        if (!b.variant()) return s;
        s.kind = b.chosen<ShapeKind>();
        s.radius = b.number("radius", 0);
        s.height = b.number("height", 0);
        s.tube = b.number("tube", 0);
        s.size = b.vector("size", {});
        if (s.kind == ShapeKind::plane) s.normal = unit(b, "normal", {0, 1, 0});
        if (s.kind == ShapeKind::torus && b.get("radius") && b.get("tube") && s.tube >= s.radius)
            error(b.path("tube"), fmt::format("must be smaller than radius {} m, not {}", s.radius, s.tube));
        if (s.kind == ShapeKind::mesh) {
            s.scale = b.number("scale");
            if (b.get("file")) s.file = mesh_file(b);
        }
        return s;
    }

    /// The vector at unit length.
    Vector unit(const Block& b, std::string_view key, const Vector& fallback) {
        Vector v = b.vector(key, fallback);
        const double sum = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (!(sum > 1e-12)) {
            error(b.path(key),
                  fmt::format("{} has no direction; its length must be more than 1e-6", list_text(v, b.dimension())));
            return fallback;
        }
        // Unit to rounding already: left alone, so that what was written is read back unchanged.
        if (std::abs(sum - 1) < 4e-15) return v;
        for (double& x : v) x /= std::sqrt(sum);
        return v;
    }

    std::string mesh_file(const Block& b) {
        const std::string file = b.text("file");
        const MeshSearch found = find_mesh(file, options_.folder, options_.mesh_folders);
        if (found.file.empty()) error(b.path("file"), found.text);
        return found.file;
    }

    Fluid fluid(const Block& b) {
        Fluid f;
        if (b.variant() == nullptr) return f;
        if (b.chosen<FluidKind>() == FluidKind::liquid) return liquid(b);
        f.density = b.number("density");
        f.transport = b.word<Transport>("transport");
        f.ambient_temperature = b.number("ambient_temperature");
        const Block buoyancy = b.object("buoyancy");
        f.buoyancy = {buoyancy.number("temperature", 1 / f.ambient_temperature), buoyancy.number("smoke")};
        f.vorticity_confinement = b.number("vorticity_confinement");
        f.cooling = b.number("cooling");
        f.dissipation = b.number("dissipation");
        for (const Block& i : b.list("initial"))
            f.initial.push_back({shape(i.object("shape")), i.vector("position", {}), i.rotation("rotation"),
                                 i.vector("velocity", {}), i.number("smoke"),
                                 i.number("temperature", f.ambient_temperature), false});
        for (const Block& s : b.list("sources")) {
            auto from = source<Source>(s);
            if (s.get("velocity")) from.velocity = s.vector("velocity", {});
            from.smoke = s.number("smoke");
            from.temperature = s.number("temperature", f.ambient_temperature);
            f.sources.push_back(std::move(from));
        }
        return f;
    }

    Fluid liquid(const Block& b) {
        Fluid f;
        f.kind = FluidKind::liquid;
        f.density = b.number("density");
        LiquidOptions& l = f.liquid;
        l.transport = b.word<LiquidTransport>("transport");
        const bool on_grid = l.transport == LiquidTransport::semi_lagrangian;
        l.surface = on_grid ? LiquidSurface::particle_level_set : LiquidSurface::particles;
        if (b.get("surface")) l.surface = b.word<LiquidSurface>("surface");
        if (on_grid && b.get("surface") && l.surface == LiquidSurface::particles)
            error(b.path("surface"),
                  "\"particles\" needs a transport with particles (apic, flip); with semi-lagrangian the surface is a "
                  "\"particle-level-set\"");
        l.flip_share = b.number("flip_share");
        l.volume_correction = b.word<DriftCorrection>("volume_correction");
        l.bubbles = b.word<Bubbles>("bubbles");
        if (l.transport == LiquidTransport::narrow_band_flip && l.surface == LiquidSurface::particle_level_set)
            error(b.path("surface"), "narrow-band-flip makes its surface from its particles: \"particles\"");
        for (const Block& i : b.list("initial"))
            f.initial.push_back({shape(i.object("shape")), i.vector("position", {}), i.rotation("rotation"),
                                 i.vector("velocity", {}), 0, 0, i.boolean("air")});
        for (const Block& s : b.list("sources")) {
            auto from = source<Source>(s);
            from.velocity = s.vector("velocity", {});
            from.smoke = 0;
            if (from.shape.kind == ShapeKind::plane && s.object("shape").variant() != nullptr)
                error(s.object("shape").path("type"), "a plane has no end, so a source of liquid cannot be one");
            f.sources.push_back(std::move(from));
        }
        for (const Block& s : b.list("drains")) l.drains.push_back(source<Drain>(s));
        return f;
    }

    /// Where and when something acts.
    template <class T>
    T source(const Block& b) {
        T s;
        s.shape = shape(b.object("shape"));
        s.position = b.vector("position", {});
        s.rotation = b.rotation("rotation");
        s.start = b.number("start");
        s.end = b.number("end", s.end);
        if (s.end <= s.start)
            error(b.path("end"), fmt::format("must be later than start {} s, not {}", s.start, s.end));
        return s;
    }

    Solid solid(const Block& b, std::size_t index) {
        Solid s;
        s.name = b.text("name");
        s.type = b.word<SolidType>("type");
        s.shape = shape(b.object("shape"));
        s.position = b.vector("position", {});
        s.rotation = b.rotation("rotation");
        s.friction = b.number("friction");
        s.restitution = b.number("restitution");
        s.shell = b.boolean("shell");
        s.colour = b.colour("colour", palette[index % palette.size()]);
        const bool type_known = b.get("type") != nullptr || !b.given("type");
        if (s.type == SolidType::rigid) s.density = b.number("density", 0);
        if (s.type == SolidType::kinematic && b.given("motion")) s.motion = motion(b.object("motion"), s);
        const bool free = s.type == SolidType::rigid || (s.type == SolidType::kinematic && !b.given("motion"));
        if (free) {
            s.velocity = b.vector("velocity", {});
            s.angular_velocity = b.turning("angular_velocity");
        }
        if (b.present() && type_known) check_solid(b, s, free);
        return s;
    }

    void check_solid(const Block& b, const Solid& s, bool free) {
        const std::string_view type = word_of(s.type);
        if (b.valid() && s.type == SolidType::rigid && !b.given("density"))
            error(b.path("density"), "is missing, and only you can know it: a rigid solid needs its density [kg/m^3]");
        if (s.shape.kind == ShapeKind::plane && b.object("shape").variant() != nullptr && s.type != SolidType::static_)
            error(b.path("type"), fmt::format("a plane has no end, so its solid must be static, not {}", type));
        if (s.type != SolidType::kinematic && b.given("motion"))
            error(b.path("motion"), fmt::format("only a kinematic solid moves as told; this one is {}", type));
        if (s.type != SolidType::rigid && b.given("density"))
            problems_.warning(places_.find(b.path("density")), b.path("density"),
                              fmt::format("has no effect on a {} solid", type));
        for (const std::string_view key : {"velocity", "angular_velocity"}) {
            if (free || !b.given(key)) continue;
            if (s.type == SolidType::static_)
                error(b.path(key), "a static solid never moves; make it kinematic, or remove this");
            else
                error(b.path(key), "give either motion or a constant velocity, not both");
        }
    }

    static Coupling coupling(const Block& b) {
        Coupling c;
        const Block solver = b.object("solver");
        c.solver = {solver.number("tolerance"), solver.integer("max_iterations"), solver.number("time_budget"),
                    solver.boolean("history")};
        if (!b.variant()) return c;
        c.method = b.variant()->word;
        c.settings = read_settings(*find_method(c.method), b);
        return c;
    }

    Motion motion(const Block& b, const Solid& s) {
        Motion m;
        if (!b.variant()) return m;
        m.type = b.chosen<MotionType>();
        if (m.type == MotionType::spin) {
            if (b.dimension() == 3) m.axis = unit(b, "axis", m.axis);
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
                    error(f.path("time"), fmt::format("{} s does not come after the keyframe before, at {} s",
                                                      m.keyframes[n - 1].time, m.keyframes[n - 2].time));
            }
            if (frames.empty() && b.get("keyframes")) error(b.path("keyframes"), "needs at least one keyframe");
        }
        return m;
    }

    Joint joint(const Block& b, const std::vector<Solid>& solids) {
        Joint j;
        j.name = b.text("name");
        j.bodies = b.names("bodies");
        if (!b.variant()) return j;
        j.type = b.chosen<JointKind>();
        if (b.get("bodies")) check_bodies(b, j, solids);
        if (j.type == JointKind::hinge || j.type == JointKind::ball) j.anchor = b.vector("anchor", {});
        const bool slider = j.type == JointKind::slider;
        if (slider || (j.type == JointKind::hinge && b.dimension() == 3))
            j.axis = unit(b, "axis", slider ? Vector{1, 0, 0} : j.axis);
        if (!slider && j.type != JointKind::hinge) return j;
        j.limits = b.pair("limits");
        if (j.limits && ((*j.limits)[0] > 0 || (*j.limits)[1] < 0))
            error(b.path("limits"),
                  fmt::format("must hold 0, where the joint starts, not [{}, {}]", (*j.limits)[0], (*j.limits)[1]));
        if (b.given("motor") && b.get("motor")) j.motor = motor(b.object("motor"), slider);
        return j;
    }

    JointMotor motor(const Block& b, bool slider) {
        const std::string_view push = slider ? "force" : "torque", most = slider ? "max_force" : "max_torque";
        JointMotor m;
        m.torque = b.number(push, 0);
        if (b.get("speed")) m.speed = b.number("speed", 0);
        m.most = b.number(most, 0);
        if (b.given(push) == b.given("speed"))
            error(b.path(), fmt::format("needs either {} or speed with {}", push, most));
        else if (b.given("speed") != b.given(most))
            error(b.path(), fmt::format("{} and speed belong together: give both or none", most));
        return m;
    }

    void check_bodies(const Block& b, const Joint& j, const std::vector<Solid>& solids) {
        std::vector<std::string_view> known;
        for (const Solid& s : solids) known.push_back(s.name);
        bool rigid = false;
        for (std::size_t i = 0; i < 2; ++i) {
            const std::string path = fmt::format("{}[{}]", b.path("bodies"), i);
            const std::string& name = j.bodies[i];
            const auto found = std::find(known.begin(), known.end(), name);
            if (name == world_name) {
                if (found != known.end())
                    return error(path, "is what joints call what never moves; give the solid of this name another one");
                if (i == 0) return error(path, R"("world" comes second: ["a solid", "world"])");
                continue;
            }
            if (found == known.end()) {
                const std::string near = nearest_word(name, known);
                return error(path, fmt::format("\"{}\" is no solid{}; solids: {}", shorten(name), meant_text(near),
                                               known.empty() ? "none" : join_words(known)));
            }
            rigid = rigid || solids[static_cast<std::size_t>(found - known.begin())].type == SolidType::rigid;
        }
        if (j.bodies[0] == j.bodies[1])
            error(b.path("bodies"), fmt::format("\"{}\" cannot be joined to itself", shorten(j.bodies[0])));
        else if (!rigid)
            error(b.path("bodies"), "at least one of the two must be a rigid solid: nothing else can be held");
    }

    /// Names of solids or joints are unique; those without one get a number.
    template <class Named>
    void name_all(std::vector<Named>& all, const std::vector<Block>& blocks, std::string_view what) {
        std::set<std::string> taken;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!blocks[i].get("name")) continue;
            if (all[i].name.empty() || all[i].name.size() > 100)
                error(blocks[i].path("name"), "must have 1 to 100 characters");
            else if (!taken.insert(all[i].name).second)
                error(blocks[i].path("name"),
                      fmt::format("\"{}\" is taken by another {}; names are unique", shorten(all[i].name), what));
        }
        std::size_t number = 1;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (blocks[i].get("name")) continue;
            number = i + 1;
            do all[i].name = fmt::format("{}-{}", what, number++);
            while (!taken.insert(all[i].name).second);
        }
    }

    Render render(const Block& b, const Scene& s) {
        Render r;
        if (b.given("camera") && b.get("camera")) {
            const Block camera = b.object("camera");
            Camera c;
            c.position = camera.vector("position", {});
            c.target =
                camera.vector("target", {0.5 * s.domain.size[0], 0.5 * s.domain.size[1], 0.5 * s.domain.size[2]});
            c.fov_degrees = camera.number("fov");
            if (camera.get("position") && c.position == c.target)
                error(camera.path("position"), "is the same point as the target; the camera needs a direction");
            r.camera = c;
        }
        r.background = b.colour("background",
                                s.fluid.kind == FluidKind::smoke ? Colour{0.18, 0.22, 0.26} : Colour{0.5, 0.55, 0.6});
        r.smoke_colour = b.colour("smoke_colour");
        picture_size(b, s, r);
        r.field = b.word<RenderField>("field");
        r.streamlines = b.boolean("streamlines");
        return r;
    }

    /// About 0.7 million pixels in the domain's proportions (between 1:2 and 2:1); even, as film codecs want.
    void picture_size(const Block& b, const Scene& s, Render& r) {
        const Vector& size = s.domain.size;
        const double ratio = std::clamp(size[1] / std::max(size[0], size[2]), 0.5, 2.0);
        const auto even = [](double pixels) {
            return std::clamp(2 * static_cast<int>(std::lround(pixels / 2)), 16, 8192);
        };
        const Json* width = b.get("width");
        const Json* height = b.get("height");
        constexpr double pixels = 700'000;
        r.width =
            width ? static_cast<int>(width->number) : even(height ? height->number / ratio : std::sqrt(pixels / ratio));
        r.height = height ? static_cast<int>(height->number) : even(r.width * ratio);
        for (const std::string_view key : {"width", "height"})
            if (const Json* v = b.get(key); v && static_cast<int>(v->number) % 2 != 0)
                error(b.path(key),
                      fmt::format("must be even (film codecs want it), not {}; {} would do", v->number, v->number + 1));
    }

    const ReadOptions& options_;
    const Places& places_;
    Problems& problems_;
};

}  // namespace

Scene bind_scene(const Json& root, int dimension, const ReadOptions& options, const Places& places,
                 Problems& problems) {
    return Binder(options, places, problems).scene(Block(&root, scene_keys(), dimension, ""));
}

}  // namespace tidelock::scene
