// What methods add to "coupling": their keys, settings, and messages about keys of the wrong one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "base/files_testing.h"
#include "geometry/mesh_io.h"
#include "scene/check_keys.h"
#include "scene/coupling/weak.h"
#include "scene/writer.h"
#include "solve/reference_solver.h"
#include "support.h"

namespace tidelock::scene {
namespace {

std::vector<Problem> problems_of(const std::string& coupling) {
    return read_scene(minimal(", \"coupling\": " + coupling), test_options()).problems;
}

TEST(Coupling, SettingsAreTheMethodsOwnWithDefaults) {
    const Scene plain = read_scene(minimal(), test_options()).scene;
    EXPECT_EQ(plain.coupling.method, "schur");
    EXPECT_EQ(plain.coupling.settings.word("interface"), "fractional");
    EXPECT_EQ(plain.coupling.settings.word("solver.name"), "auto");
    const Reading given = read_scene(
        minimal(R"(, "coupling": { "interface": "constraint", "solver": { "name": "p2", "max_iterations": 7 } })"));
    ASSERT_TRUE(given.problems.empty()) << listing(given.problems);
    EXPECT_EQ(given.scene.coupling.settings.word("interface"), "constraint");
    EXPECT_EQ(given.scene.coupling.settings.word("solver.name"), "p2");
    EXPECT_EQ(given.scene.coupling.solver.max_iterations, 7);
    EXPECT_EQ(read_scene(to_json(given.scene)).scene, given.scene);
}

TEST(Coupling, EveryMethodHasDefaultsOfItsKeysTypes) {
    for (const MethodKeys& method : coupling_methods()) {
        const Reading r = read_scene(minimal(R"(, "coupling": { "method": ")" + std::string(method.name) + "\" }"));
        ASSERT_TRUE(r.problems.empty()) << method.name << listing(r.problems);
        EXPECT_EQ(r.scene.coupling.method, method.name);
        EXPECT_EQ(r.scene.coupling.settings.entries().size(), method.keys.size() + method.solver_keys.size());
        const Reading again = read_scene(to_json(r.scene));
        EXPECT_TRUE(again.problems.empty()) << listing(again.problems);
        EXPECT_EQ(again.scene, r.scene) << method.name;
    }
}

TEST(Coupling, ReferenceSolversAreThoseOfTheSolver) {
    const Key& name = find_method("schur")->solver_keys.front();
    std::vector<std::string_view> expected{"auto"};
    for (const auto& entry : words<ReferenceMethod>) expected.push_back(entry.word);
    EXPECT_EQ(name.words, expected);
}

// numerics/partitioned 3: closed forms of the added mass, and the limit of numerics/partitioned 2.
TEST(Coupling, WeakKnowsWhatABodyCarriesAlong) {
    EXPECT_NEAR(added_mass_of_ellipsoid({0.3, 0.3, 0.3}), 0.5, 1e-6);
    // A thin disc carries 8/3 a^3: over its volume 4/3 pi a^2 c that is 2 a / (pi c).
    EXPECT_NEAR(added_mass_of_ellipsoid({1, 0.01, 1}) * 0.01, 2 / std::numbers::pi, 0.01);
    // A long one carries what a cylinder does.
    EXPECT_NEAR(added_mass_of_ellipsoid({1, 1, 100}), 1, 0.01);
    EXPECT_EQ(added_mass_of_ellipse(2, 0.5), 4);

    const auto problems = [](const std::string& shape, double density, const std::string& coupling) {
        return check_text(minimal(fmt::format(R"(, "fluid": {{ "density": 2 }}, "coupling": {{ "method": "weak"{} }},
            "solids": [ {{ "shape": {}, "position": [0.5, 0.5], "density": {} }} ])",
                                              coupling, shape, density),
                                  2));
    };
    const std::string disc = R"({ "type": "sphere", "radius": 0.1 })",
                      plate = R"({ "type": "box", "size": [0.1, 0.4] })";
    EXPECT_TRUE(problems(disc, 2.1, "").empty());
    problem_at(problems(disc, 1.9, ""), "solids[0].density", "unstable below about 1.");
    EXPECT_TRUE(problems(disc, 0.7, R"(, "relaxation": 0.5)").empty()) << "1/3";
    problem_at(problems(disc, 0.6, R"(, "relaxation": 0.5)"), "solids[0].density", "below about 0.33.");
    problem_at(problems(plate, 7.9, ""), "solids[0].density", "about 4 of what it displaces");
}

// What is within a mesh moves with it: a cup is lighter than it looks. Half a cell around a body does so with closed faces.
TEST(Coupling, WeakKnowsWhatMovesWithACupAndWithClosedFaces) {
    const auto problems = [](const std::string& shape, double density, const char* interface) {
        std::vector<Problem> all =
            check_text(minimal(fmt::format(R"(, "fluid": {{ "density": 1 }}, "coupling": {{ "method": "weak",
            "interface": "{}" }}, "solids": [ {{ "shape": {}, "position": [0.5, 0.5, 0.5], "density": {} }} ])",
                                           interface, shape, density)));
        std::erase_if(all, [](const Problem& p) { return p.text.find("unstable") == std::string::npos; });
        return all;
    };
    // A box of 1 without a box of 0.8 that is open upwards: 0.8^2 0.9 within, 1 - that of solid, q = 1.36.
    TriangleMesh cup;
    const auto ring = [&](double edge, double y) {
        for (const auto& [x, z] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
            cup.points.emplace_back(0.5 * edge * x, y, 0.5 * edge * z);
    };
    ring(1, 0), ring(1, 1), ring(0.8, 1), ring(0.8, 0.1);
    const auto quad = [&](int a, int b, int c, int d) {
        cup.triangles.push_back({a, c, b}), cup.triangles.push_back({a, d, c});
    };
    for (int band = 0; band < 3; ++band)
        for (int i = 0; i < 4; ++i)
            quad(4 * band + i, 4 * band + (i + 1) % 4, 4 * band + 4 + (i + 1) % 4, 4 * band + 4 + i);
    quad(3, 2, 1, 0), quad(12, 13, 14, 15);
    const Folder folder;
    write_mesh(folder / "cup.ply", cup);
    const std::string mesh =
        fmt::format(R"({{ "type": "mesh", "file": "{}", "scale": 0.3 }})", (folder / "cup.ply").string());
    // 0.5 (1 + 1.36) + 1.36 = 2.5, to what 20 points see along an edge.
    EXPECT_TRUE(problems(mesh, 2.8, "fractional").empty());
    problem_at(problems(mesh, 2.2, "fractional"), "solids[0].density", "unstable below about 2.");
    // Four cells of 1/16 across: 1.25^3 = 1.95 of its volume.
    const std::string ball = R"({ "type": "sphere", "radius": 0.125 })";
    EXPECT_TRUE(problems(ball, 0.6, "fractional").empty());
    problem_at(problems(ball, 1.8, "constraint"), "solids[0].density", "unstable below about 1.9");
}

TEST(Coupling, UnknownMethods) {
    problem_at(problems_of(R"({ "method": "schurr" })"), "coupling.method",
               R"("schurr" is unknown (did you mean "schur"?); allowed: schur or weak)");
    problem_at(problems_of(R"({ "method": "lumped" })"), "coupling.method", "\"lumped\" is not available yet");
    problem_at(problems_of(R"({ "method": 3 })"), "coupling.method", "must be");
    // What all methods have is judged all the same, and so is what no method would take.
    const auto both = problems_of(R"({ "method": "shcur", "interface": 7, "solver": { "tolerance": 2, "name": 1 } })");
    EXPECT_EQ(both.size(), 4u) << listing(both);
    problem_at(both, "coupling.solver.tolerance", "from 1e-14 to 0.5");
    problem_at(both, "coupling.interface", "must be");
    problem_at(both, "coupling.solver.name", "must be");
}

TEST(Coupling, UnknownKeys) {
    problem_at(problems_of(R"({ "interfase": "constraint" })"), "coupling.interfase", "did you mean \"interface\"?");
    problem_at(problems_of(R"({ "solver": { "nam": "auto" } })"), "coupling.solver.nam", "did you mean \"name\"?");
    problem_at(problems_of(R"({ "solver": { "name": "p4" } })"), "coupling.solver.name", "\"p4\" is unknown");
}

TEST(Coupling, OneSceneForSeveralMethods) {
    const MethodKeys one{.name = "one", .doc = "", .keys = {{.name = "share"}, {.name = "both"}}, .solver_keys = {}};
    const MethodKeys two{
        .name = "two", .doc = "", .keys = {{.name = "rounds"}, {.name = "both"}}, .solver_keys = {{.name = "sweeps"}}};
    const std::string text =
        R"({ "share": 1, "rounds": 2, "both": 3, "wrong": 4, "solver": { "sweeps": 5, "tolerance": 6 } })";
    std::vector<SyntaxError> none;
    Json coupling = parse_json(text, none);
    drop_keys_of_others(coupling, one, {one, two});
    EXPECT_EQ(coupling.keys, (std::vector<std::string>{"share", "both", "wrong", "solver"}));
    EXPECT_EQ(coupling.find("both")->number, 3);
    EXPECT_EQ(coupling.key_places.size(), coupling.items.size());
    EXPECT_EQ(coupling.find("solver")->keys, std::vector<std::string>{"tolerance"});
    coupling = parse_json(text, none);
    drop_keys_of_others(coupling, two, {one, two});
    EXPECT_EQ(coupling.keys, (std::vector<std::string>{"rounds", "both", "wrong", "solver"}));
    EXPECT_EQ(coupling.find("solver")->keys, (std::vector<std::string>{"sweeps", "tolerance"}));
    // What no method has stays an error.
    ReadOptions options = test_options();
    options.any_method = true;
    const auto problems =
        read_scene(minimal(R"(, "coupling": { "interface": "constraint", "wrong": 1 })"), options).problems;
    EXPECT_EQ(problems.size(), 1u) << listing(problems);
}

TEST(Coupling, AProgramsSceneWithoutAMethodIsAnError) {
    Scene scene = read_scene(minimal(), test_options()).scene;
    scene.coupling.method = "glue";
    MeshStore meshes;
    problem_at(examine(scene, {}, meshes), "coupling.method", "no method \"glue\"");
}

/// Two methods, each with a key of its own, also in an object inside.
const ObjectSpec& two_methods() {
    static const ObjectSpec solver{
        .name = "the solver",
        .doc = "",
        .keys = {{.name = "tolerance", .doc = "", .default_json = "1"}},
        .variants = {{.word = "one", .doc = "", .keys = {}},
                     {.word = "two", .doc = "", .keys = {{.name = "sweeps", .doc = "", .default_json = "1"}}}},
        .follows = "method"};
    static const ObjectSpec spec{
        .name = "the coupling",
        .doc = "",
        .keys = {{.name = "solver", .type = KeyType::object, .doc = "", .derived = "", .object = &solver}},
        .selector = "method",
        .default_variant = "one",
        .variants = {{.word = "one", .doc = "", .keys = {{.name = "share", .doc = "", .default_json = "1"}}},
                     {.word = "two", .doc = "", .keys = {{.name = "rounds", .doc = "", .default_json = "1"}}}}};
    return spec;
}

std::vector<Problem> check_two(const std::string& text) {
    std::vector<SyntaxError> none;
    Json root = parse_json(text, none);
    Places places;
    Problems problems;
    check_keys(root, two_methods(), 3, places, problems);
    return problems.take();
}

TEST(Coupling, KeysOfAnotherMethodSayWhose) {
    EXPECT_TRUE(check_two(R"({ "share": 1, "solver": { "tolerance": 1 } })").empty());
    EXPECT_TRUE(check_two(R"({ "method": "two", "rounds": 1, "solver": { "sweeps": 1 } })").empty());
    problem_at(check_two(R"({ "rounds": 1 })"), "rounds",
               "unknown key (it belongs to the method two); the coupling has: method, solver, share");
    problem_at(check_two(R"({ "solver": { "sweeps": 1 } })"), "solver.sweeps",
               "unknown key (it belongs to the method two); the solver has: tolerance");
    problem_at(check_two(R"({ "method": "two", "share": 1 })"), "share", "belongs to the method one");
}

}  // namespace
}  // namespace tidelock::scene
