/// Which run a scene makes: what of a resolved scene changes the simulation, and in what two scenes differ.
///
/// Left out is what only changes what is written of a run, and how: name, comment, output, render, colours, the history of
/// residuals; and the end of the simulated time, unless the run is shorter than a frame, which is then cut to its length.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tidelock {

struct SceneIdentity {
    std::string name;
    std::string simulation;  ///< what changes the simulation, JSON with sorted keys
    std::uint64_t hash = 0;  ///< of `simulation`
    double duration = 0;     ///< [s]; 0: the text has none
};

/// Nothing for a text that is no scene of tidelock.
[[nodiscard]] std::optional<SceneIdentity> identity_of_scene(const std::string& scene_text);

/// "fluid.density is 1.2 there and 2 here", for each key whose value differs; a long list is cut. Both are JSON.
[[nodiscard]] std::vector<std::string> scene_differences(const std::string& there, const std::string& here);

/// The same in one sentence's part, with "; " between.
[[nodiscard]] std::string differences_text(const std::vector<std::string>& differences);

}  // namespace tidelock
