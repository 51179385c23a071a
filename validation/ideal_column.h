/// A column of ideal fluid that collapses between two mirrors, the wall behind it and the floor, by a boundary integral
/// over its surface: what an inviscid simulation of a dam break must come to, whatever an experiment with water, floor
/// and gate shows. It shares nothing with a grid.
///
/// Source   [LC76]: points of the surface move with the fluid and carry its potential.
#pragma once

#include <vector>

#include "base/vec.h"

namespace tidelock::validation {

/// Lengths are in widths of the column; gravity is one.
class IdealColumn {
  public:
    /// `across` elements along the top, as long ones down the face; towards the toe they shorten to `finest`.
    IdealColumn(double height, int across, double finest);

    void step(double dt);

    [[nodiscard]] double time() const { return time_; }
    [[nodiscard]] double front() const { return surface_.place.back()[0]; }
    [[nodiscard]] double height() const { return surface_.place.front()[1]; }  ///< at the wall
    [[nodiscard]] double volume() const;
    [[nodiscard]] double energy() const;  ///< kinetic and potential

  private:
    /// Of the surface from the wall, along the top and down the face, to the toe; or their change in time.
    struct Nodes {
        std::vector<Vec2> place;
        std::vector<double> potential;
    };

    [[nodiscard]] static std::vector<double> normal_speed(const Nodes& surface);
    [[nodiscard]] static Nodes rate(const Nodes& surface);
    [[nodiscard]] static Nodes moved(Nodes surface, const Nodes& rate, double dt);
    void space_nodes();

    std::ptrdiff_t across_;  ///< elements along the top, and so the node where top and face meet
    double finest_;
    Nodes surface_;
    double time_ = 0;
};

}  // namespace tidelock::validation
