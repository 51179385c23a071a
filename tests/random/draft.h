/// A random scene on its way to text.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "random/dice.h"

namespace tidelock {

/// A container's inside, in its own frame: from the middle of its floor upwards.
struct Inside {
    double width = 0, height = 0;       ///< [m]
    double x = 0, y = 0, z = 0;         ///< of the middle of the floor [m]
    double degrees = 0;                 ///< turned about z
    bool floor = true, closed = false;  ///< closed: there is no way in
};

struct Draft {
    Dice dice;
    int dimension;
    std::string meshes;  ///< folder
    double size = 1;     ///< along every axis [m]
    int cells = 16;      ///< along every axis
    bool liquid = true;
    double density = 1000;  ///< of the fluid [kg/m^3]
    bool weak = false;      ///< the method: with light bodies it is unstable
    std::vector<std::string> solids{}, joints{}, initial{}, sources{}, drains{}, walls{};
    std::vector<std::string> movable{};  ///< names of rigid solids without joints
    std::vector<double> where{};         ///< their positions, three numbers each [m]
    Inside inside{};

    [[nodiscard]] double h() const { return size / cells; }
    /// "[x, y]" or "[x, y, z]"
    [[nodiscard]] std::string vec(double x, double y, double z) const {
        return dimension == 2 ? fmt::format("[{:.6g}, {:.6g}]", x, y)
                              : fmt::format("[{:.6g}, {:.6g}, {:.6g}]", x, y, z);
    }
    [[nodiscard]] std::string turn(double degrees) const {
        return dimension == 2 ? fmt::format("{:.6g}", degrees)
                              : fmt::format(R"({{ "axis": [0, 0, 1], "degrees": {:.6g} }})", degrees);
    }
    [[nodiscard]] std::string spin(double about_z) const {
        return dimension == 2 ? fmt::format("{:.6g}", about_z) : fmt::format("[0, 0, {:.6g}]", about_z);
    }
    [[nodiscard]] std::string box(double x, double y, double z) const {
        return fmt::format(R"({{ "type": "box", "size": {} }})", vec(x, y, z));
    }
    [[nodiscard]] static std::string sphere(double radius) {
        return fmt::format(R"({{ "type": "sphere", "radius": {:.6g} }})", radius);
    }
};

void add_container(Draft& draft);
void add_bodies(Draft& draft);
void add_moving_solid(Draft& draft);
void add_joint(Draft& draft);
void add_liquid(Draft& draft);
void add_gas(Draft& draft);

}  // namespace tidelock
