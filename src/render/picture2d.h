/// Pictures of a plane flow: a scalar in colours, a liquid, bodies, streamlines or arrows, a colour bar and a caption.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "geometry/polyline.h"
#include "grid/domain.h"
#include "render/colour_map.h"
#include "render/image.h"

namespace tidelock {

/// A body: its filled outline, with a mark from its origin along its own x axis that shows its rotation.
struct BodyLook2d {
    Polyline outline;                                        ///< in the body's frame [m]; loops must be closed
    Eigen::Isometry2d pose = Eigen::Isometry2d::Identity();  ///< own frame to world
    Rgb colour = from_hex(0xaab4bf);
};

enum class FlowMarks { none, streamlines, arrows };

struct Picture2d {
    Grid<2> grid;
    const Field<2, double>* scalar = nullptr;        ///< at the cells' middles; none: a plain background
    const FaceField<2, double>* velocity = nullptr;  ///< for flow marks
    ColourMap map = ColourMap::mist;
    std::optional<std::pair<double, double>> range;  ///< of the colours; if none, the scalar's (about 0 if diverging)
    std::string label, unit;                         ///< of the colours, upper right; SI
    /// Surface of a liquid in closed loops (geometry/level_set_surface.h): filled, with an outline; bubbles stay empty.
    std::optional<Polyline> liquid;
    std::vector<Vec2> particles;  ///< drawn as dots [m]
    std::vector<BodyLook2d> bodies;
    FlowMarks marks = FlowMarks::none;
    double spacing = 26;  ///< of streamlines or arrows [pixels], >= 4
    std::string caption;  ///< upper left; empty: none
    int width = 900;      ///< [pixels] 160 to 16384; the height follows from the domain, at most 16384
};

/// Throws InputError for what cannot be drawn, naming it.
[[nodiscard]] Image render(const Picture2d& picture);

}  // namespace tidelock
