/// Small scenes for tests, and a way to look for a problem in a list.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "scene/examine.h"
#include "scene/reader.h"

namespace tidelock::scene {

/// A scene with the smallest number of keys, plus `more` (starting with a comma).
inline std::string minimal(const std::string& more = "", int dimension = 3) {
    const std::string domain =
        dimension == 3 ? R"({ "size": [1, 2, 1], "cells": [16, 32, 16] })" : R"({ "size": [1, 2], "cells": [16, 32] })";
    return R"({ "tidelock": 1, "dimension": )" + std::to_string(dimension) + R"(, "domain": )" + domain +
           R"(, "time": { "duration": 1 })" + more + " }";
}

/// The same with solids, one a string.
inline std::string with_solids(const std::string& solids, int dimension = 3) {
    return minimal(", \"solids\": [" + solids + "]", dimension);
}

inline ReadOptions test_options() {
    ReadOptions options;
    options.name = "test.json";
    options.mesh_folders = {TIDELOCK_ASSET_DIR "/meshes"};
    return options;
}

inline std::string listing(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& p : problems) text += format(p, "test.json", {}) + "\n";
    return text;
}

/// The problem whose path is `path` and whose text holds `part`; fails the test if there is none.
inline Problem problem_at(const std::vector<Problem>& problems, std::string_view path, std::string_view part) {
    for (const Problem& p : problems)
        if (p.path == path && p.text.find(part) != std::string::npos) return p;
    ADD_FAILURE() << "no problem at '" << path << "' with '" << part << "' in:\n" << listing(problems);
    return {};
}

inline std::vector<Problem> check_text(const std::string& text, const Limits& limits = {}) {
    MeshStore meshes;
    return all_problems(read_scene(text, test_options()), limits, meshes);
}

}  // namespace tidelock::scene
