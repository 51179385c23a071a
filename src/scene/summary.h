/// What `tidelock check` tells about a scene that has no errors.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scene/memory_estimate.h"
#include "scene/scene.h"

namespace tidelock::scene {

/// In 2D everything is per metre of depth.
struct BodySummary {
    std::string name;
    SolidType type = SolidType::rigid;
    bool bounded = true;   ///< false: a plane, without volume
    std::string size;      ///< of the box around it, turned as it is: "0.2 x 0.1 x 0.2 m"
    std::string mesh;      ///< of a mesh: its size in the file, scale, and where the file's origin is; else empty
    double volume = 0;     ///< [m^3], in 2D [m^2]
    double displaced = 0;  ///< fluid that is not there because of it; 0 of a shell
    double mass = 0;       ///< [kg]; 0 unless rigid. A shell weighs as if it were filled
    std::array<double, 9>
        inertia{};  ///< about the centre of mass, axes of the shape's own frame, row by row [kg m^2]; in 2D the first
    double weight = 0;         ///< mass times gravity [N]
    double buoyancy = 0;       ///< Archimedes: fluid density times displaced times gravity [N]
    double net = 0;            ///< weight - buoyancy [N]: > 0 sinks
    double density_ratio = 0;  ///< to the fluid; 0 unless rigid
    std::string fate;          ///< "sinks", "floats, 30 % under; starts in the air"
};

struct SceneSummary {
    std::string name;
    int dimension = 3;
    bool liquid = false;
    std::array<int, 3> cells_per_axis{};
    double cell_size = 0;  ///< [m]
    double cells = 0, bricks = 0;
    MemoryEstimate memory;
    std::string memory_text;  ///< and what it rests on
    double first_step = 0;    ///< estimate [s]
    double frames = 0;
    std::vector<BodySummary> bodies;
};

/// For a scene without errors.
[[nodiscard]] SceneSummary summarize(const Scene& as_given, MeshStore& meshes);
[[nodiscard]] std::string format(const SceneSummary& summary);

/// How long the first step may be: the speeds that the scene gives, plus what gravity adds within the step, cross `cfl`
/// cells; at most a frame; or the fixed step [s].
[[nodiscard]] double estimate_first_step(const Scene& scene);

}  // namespace tidelock::scene
