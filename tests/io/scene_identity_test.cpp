#include "io/scene_identity.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files_testing.h"

namespace tidelock {
namespace {

const std::string scene = R"({ "tidelock": 1, "name": "a", "comment": "c", "domain": { "size": [1, 2] },
  "time": { "duration": 0.5, "fps": 30, "cfl": 3 }, "fluid": { "density": 1.2 },
  "solids": [ { "name": "ball", "density": 3, "colour": [1, 0, 0] } ],
  "coupling": { "solver": { "tolerance": 1e-6, "history": false } },
  "output": { "preview": true }, "render": { "width": 640 } })";

std::string with(const std::string& from, const std::string& to) {
    const std::size_t at = scene.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return std::string(scene).replace(at, from.size(), to);
}

TEST(SceneIdentity, OnlyWhatChangesTheSimulationCounts) {
    const auto identity = identity_of_scene(scene);
    ASSERT_TRUE(identity);
    EXPECT_EQ(identity->name, "a");
    EXPECT_EQ(identity->duration, 0.5);
    using Change = std::pair<const char*, const char*>;
    for (const auto& [from, to] :
         {Change{"\"a\"", "\"b\""}, Change{"\"c\"", "\"d\""}, Change{"true", "false"}, Change{"640", "320"},
          Change{"[1, 0, 0]", "[0, 1, 0]"}, Change{"\"history\": false", "\"history\": true"},
          Change{"\"duration\": 0.5", "\"duration\": 7"}})
        EXPECT_EQ(identity_of_scene(with(from, to))->hash, identity->hash) << to;
    for (const auto& [from, to] :
         {Change{"1.2", "1.3"}, Change{"\"density\": 3", "\"density\": 4"}, Change{"1e-6", "1e-7"},
          Change{"\"fps\": 30", "\"fps\": 25"}, Change{"\"ball\"", "\"box\""}, Change{"[1, 2]", "[1, 3]"}})
        EXPECT_NE(identity_of_scene(with(from, to))->hash, identity->hash) << to;
    EXPECT_FALSE(identity_of_scene("{}"));
    EXPECT_FALSE(identity_of_scene("no JSON"));
}

// The only frame of such a run is as long as the run.
TEST(SceneIdentity, ADurationBelowAFrameCounts) {
    const auto brief = identity_of_scene(with("\"duration\": 0.5", "\"duration\": 0.01"));
    EXPECT_NE(brief->hash, identity_of_scene(scene)->hash);
    EXPECT_NE(brief->hash, identity_of_scene(with("\"duration\": 0.5", "\"duration\": 0.02"))->hash);
}

TEST(SceneIdentity, DifferencesNameKeysAndBothValues) {
    EXPECT_TRUE(scene_differences(scene, scene).empty());
    EXPECT_EQ(differences_text(scene_differences(scene, with("1.2", "7"))), "fluid.density is 1.2 there and 7 here");
    EXPECT_EQ(differences_text(scene_differences(scene, with("\"density\": 3", "\"density\": 4"))),
              "solids[0].density is 3 there and 4 here");
    EXPECT_EQ(differences_text(scene_differences(scene, with("[1, 2]", "[1, 3]"))),
              "domain.size is [1,2] there and [1,3] here");
    EXPECT_EQ(differences_text(scene_differences(with(", \"cfl\": 3", ""), scene)),
              "time.cfl is not set there and 3 here");
    std::string longer = scene;
    longer.replace(longer.find("\"solids\": ["), 11, "\"solids\": [ {},");
    EXPECT_EQ(differences_text(scene_differences(scene, longer)), "solids has 1 entries there and 2 here");
}

}  // namespace
}  // namespace tidelock
