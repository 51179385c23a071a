#include "random/random_scene.h"

#include <algorithm>

#include "base/error.h"
#include "geometry/mesh_io.h"
#include "geometry/shape.h"
#include "random/cup_mesh.h"
#include "random/draft.h"
#include "scene/examine.h"

namespace tidelock {

namespace {

std::string liquid_words(Draft& d) {
    Dice& dice = d.dice;
    const std::string transport = dice.word({"apic", "apic", "flip", "narrow-band-flip", "semi-lagrangian"});
    std::string text = fmt::format(R"("kind": "liquid", "density": {:.4g}, "transport": "{}")", d.density, transport);
    if (transport == "apic" || transport == "flip")
        text += fmt::format(R"(, "surface": "{}")", dice.word({"particles", "particles", "particle-level-set"}));
    if (transport == "flip") text += fmt::format(R"(, "flip_share": {:.3g})", dice.in(0.5, 1));
    text += fmt::format(R"(, "volume_correction": "{}")",
                        dice.word({"displacement", "displacement", "divergence", "none"}));
    if (dice.chance(0.25)) text += R"(, "bubbles": "constraint")";
    return text;
}

std::string gas_words(Draft& d) {
    Dice& dice = d.dice;
    std::string text = fmt::format(R"("kind": "smoke", "density": {:.4g}, "transport": "{}")", d.density,
                                   dice.word({"maccormack", "semi-lagrangian"}));
    if (dice.chance(0.3)) text += fmt::format(R"(, "vorticity_confinement": {:.3g})", dice.in(0, 0.5));
    if (dice.chance(0.3))
        text += fmt::format(R"(, "cooling": {:.3g}, "dissipation": {:.3g})", dice.in(0, 2), dice.in(0, 2));
    if (dice.chance(0.3)) text += fmt::format(R"(, "buoyancy": {{ "smoke": {:.3g} }})", dice.in(0, 0.5));
    return text;
}

std::string coupling_words(Draft& d) {
    Dice& dice = d.dice;
    std::string text = fmt::format(R"("interface": "{}")", dice.word({"fractional", "fractional", "constraint"}));
    if (d.weak)  // walls near a body make it carry more than the check can know
        text += fmt::format(R"(, "method": "weak", "rounds": {}, "relaxation": {:.2g})", dice.from(1, 20),
                            dice.in(0.1, 0.4));
    if (dice.chance(0.1)) text += R"(, "solver": { "tolerance": 1e-9 })";
    return text;
}

std::string time_words(Draft& d) {
    Dice& dice = d.dice;
    const std::string start = R"("duration": 2, "fps": 30, )";
    if (dice.chance(0.25)) return start + fmt::format(R"("step": {:.3g})", dice.power_in(0.002, 0.03));
    return start + fmt::format(R"("cfl": {:.3g})", dice.in(0.5, 5));
}

void open_sides(Draft& d) {
    const std::vector<std::string> names = {"x-", "x+", "y+", "y-"};
    for (const std::string& name : names)
        if (d.dice.chance(name == "y+" ? 0.5 : 0.15)) d.walls.push_back(fmt::format(R"("{}": "open")", name));
}

std::string list(const char* key, const std::vector<std::string>& entries) {
    return entries.empty() ? "" : fmt::format(",\n  \"{}\": [\n    {}\n  ]", key, fmt::join(entries, ",\n    "));
}

std::string write(const RandomScenes& options, std::uint64_t number, std::uint64_t attempt) {
    Draft d{.dice = Dice(options.seed, number, attempt),
            .dimension = number % 2 == 0 ? 2 : 3,
            .meshes = options.meshes.string()};
    Dice& dice = d.dice;
    d.size = dice.power_in(0.2, 4);
    d.cells = d.dimension == 2 ? dice.from(32, 64) : dice.from(14, 22);
    if (options.small) d.cells = d.dimension == 2 ? dice.from(20, 36) : dice.from(12, 16);
    d.liquid = dice.chance(0.8);
    d.density = d.liquid ? 1000 : dice.pick(std::vector<double>{1.2, 1.2, 1000});
    d.weak = dice.chance(0.25);
    open_sides(d);
    add_container(d);
    add_bodies(d);
    add_moving_solid(d);
    add_joint(d);
    d.liquid ? add_liquid(d) : add_gas(d);
    const std::string fluid = d.liquid ? liquid_words(d) : gas_words(d);
    const std::string gravity =
        dice.chance(0.1) ? fmt::format(",\n  \"gravity\": {}", d.vec(dice.in(-5, 5), -5, 0)) : "";
    const std::string time = time_words(d), coupling = coupling_words(d);
    return fmt::format(
        "{{\n  \"tidelock\": 1, \"name\": \"random-{}\", \"dimension\": {},\n"
        "  \"domain\": {{ \"size\": {}, \"cells\": {}, \"walls\": {{ {} }} }}{},\n  \"time\": {{ {} }},\n"
        "  \"output\": {{ \"preview\": false }},\n  \"coupling\": {{ {} }},\n  \"fluid\": {{ {}{}{}{} }}{}{}\n}}\n",
        number, d.dimension, d.vec(d.size, d.size, d.size), d.cells, fmt::join(d.walls, ", "), gravity, time, coupling,
        fluid, list("initial", d.initial), list("sources", d.sources), list("drains", d.drains),
        list("solids", d.solids), list("joints", d.joints));
}

/// What a user would heed: a method that is not stable for a body.
bool passes(const std::vector<scene::Problem>& problems) {
    return std::ranges::none_of(problems, [](const scene::Problem& p) {
        return p.severity == scene::Severity::error || p.text.find("unstable") != std::string::npos;
    });
}

}  // namespace

void write_meshes(const std::filesystem::path& folder) {
    for (const auto& [name, kind, wall] : {std::tuple{"cup-thin", Vessel::cup, 0.1},
                                           {"cup", Vessel::cup, 0.2},
                                           {"cup-thick", Vessel::cup, 0.35},
                                           {"tumbler", Vessel::tumbler, 0.2},
                                           {"bottle", Vessel::bottle, 0.2}})
        write_mesh(folder / (std::string(name) + ".ply"), vessel(kind, wall, 24));
    write_mesh(folder / "ball.ply", Sphere<3>(1).surface_mesh(16));
}

RandomScene random_scene(const RandomScenes& options, std::uint64_t number, scene::MeshStore& meshes) {
    constexpr int most = 200;
    for (int attempt = 0; attempt < most; ++attempt) {
        RandomScene out{write(options, number, static_cast<std::uint64_t>(attempt)), {}, attempt + 1};
        scene::Reading reading = scene::read_scene(out.text);
        const auto problems = scene::all_problems(reading, {}, meshes);
        // Keys and words of the generator are right; only where things are may be wrong.
        if (!reading.ok() || !reading.parsed)
            throw Error("not a scene:\n" + out.text + scene::format(problems.front(), "scene", {}));
        if (!passes(problems)) continue;
        out.scene = std::move(reading.scene);
        return out;
    }
    throw Error(fmt::format("no scene {} that passes the checks", number));
}

}  // namespace tidelock
