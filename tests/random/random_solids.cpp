#include <cmath>

#include "random/draft.h"

namespace tidelock {

namespace {

struct Piece {
    std::string shape;
    double reach;  ///< of the ball around it [m]
};

Piece some_piece(Draft& d, double size) {
    Dice& dice = d.dice;
    const double a = size * dice.in(0.5, 1), b = size * dice.in(0.5, 1), c = size * dice.in(0.5, 1);
    switch (dice.below(d.dimension == 2 ? 3 : 6)) {
        case 0:
            return {Draft::sphere(0.5 * size), 0.5 * size};
        case 1:
            return {d.box(a, b, c), 0.5 * std::hypot(a, b, d.dimension == 3 ? c : 0)};
        case 2:
            return {fmt::format(R"({{ "type": "capsule", "radius": {:.6g}, "height": {:.6g} }})", 0.3 * a, 0.5 * b),
                    0.3 * a + 0.25 * b};
        case 3:
            return {fmt::format(R"({{ "type": "cylinder", "radius": {:.6g}, "height": {:.6g} }})", 0.4 * a, 0.7 * b),
                    std::hypot(0.4 * a, 0.35 * b)};
        case 4:
            return {fmt::format(R"({{ "type": "torus", "radius": {:.6g}, "tube": {:.6g} }})", 0.35 * size, 0.14 * size),
                    0.5 * size};
        default:
            return {fmt::format(R"({{ "type": "mesh", "file": "{}/ball.ply", "scale": {:.6g} }})", d.meshes, 0.5 * a),
                    0.5 * a};
    }
}

std::string some_turn(Draft& d) {
    if (d.dimension == 2) return fmt::format("{:.4g}", d.dice.in(-180, 180));
    return fmt::format(R"({{ "axis": [{:.3g}, {:.3g}, 1], "degrees": {:.4g} }})", d.dice.in(-1, 1), d.dice.in(-1, 1),
                       d.dice.in(-180, 180));
}

}  // namespace

void add_bodies(Draft& d) {
    const int count = d.dice.below(4);
    for (int n = 0; n < count; ++n) {
        Dice& dice = d.dice;
        const Piece piece = some_piece(d, d.h() * dice.in(3, 6));
        const double edge = piece.reach + 1.1 * d.h();
        const bool within = dice.chance(0.4) && !d.inside.closed;
        const double x = within ? d.inside.x + 0.2 * d.inside.width * dice.in(-1, 1) : dice.in(edge, d.size - edge);
        const double y = within ? d.inside.y + dice.in(0.3, 0.9) * d.inside.height : dice.in(edge, d.size - edge);
        const double z = within ? d.inside.z : dice.in(edge, d.size - edge);
        const std::string name = fmt::format("body-{}", n);
        std::string more;
        if (dice.chance(0.3)) more += fmt::format(R"(, "restitution": {:.2g})", dice.in(0, 1));
        if (dice.chance(0.3)) more += fmt::format(R"(, "friction": {:.2g})", dice.in(0, 1.5));
        if (dice.chance(0.15)) more += R"(, "shell": true)";
        if (dice.chance(0.2))
            more += fmt::format(R"(, "velocity": {}, "angular_velocity": {})",
                                d.vec(d.size * dice.in(-1, 1), d.size * dice.in(-1, 1), 0), d.spin(dice.in(-5, 5)));
        d.solids.push_back(fmt::format(
            R"({{ "name": "{}", "shape": {}, "position": {}, "rotation": {}, "density": {:.4g}{} }})", name,
            piece.shape, d.vec(x, y, z), some_turn(d), d.density * dice.power_in(d.weak ? 2.0 : 0.03, 10), more));
        d.movable.push_back(name);
        d.where.insert(d.where.end(), {x, y, z});
    }
}

void add_moving_solid(Draft& d) {
    Dice& dice = d.dice;
    if (!dice.chance(0.35)) return;
    const Piece piece = some_piece(d, d.h() * dice.in(3, 7));
    const double x = d.size * dice.in(0.2, 0.8), y = d.size * dice.in(0.2, 0.9), z = d.size * dice.in(0.3, 0.7);
    std::string motion;
    switch (dice.below(4)) {
        case 0:
            motion = fmt::format(R"("motion": {{ "type": "spin", "degrees_per_second": {:.4g} }})", dice.in(-720, 720));
            break;
        case 1:
            motion = fmt::format(
                R"("motion": {{ "type": "oscillate", "amplitude": {}, "frequency": {:.3g}, "phase": {:.3g} }})",
                d.vec(0.1 * d.size * dice.in(0, 1), 0.1 * d.size * dice.in(0, 1), 0), dice.in(0.5, 4), dice.in(0, 180));
            break;
        case 2:
            motion = fmt::format(
                R"("motion": {{ "interpolation": "{}", "keyframes": [ {{ "time": 0, "position": {} }}, {{ "time": 0.4, "position": {}, "rotation": {} }} ] }})",
                dice.word({"smooth", "linear"}), d.vec(x, y, z),
                d.vec(x + d.size * dice.in(-0.2, 0.2), y + d.size * dice.in(-0.3, 0.2), z), d.turn(dice.in(-90, 90)));
            break;
        default:
            motion = fmt::format(R"("velocity": {})", d.vec(d.size * dice.in(-1, 1), d.size * dice.in(-1, 1), 0));
    }
    d.solids.push_back(fmt::format(R"({{ "name": "mover", "type": "kinematic", "shape": {}, "position": {}, {} }})",
                                   piece.shape, d.vec(x, y, z), motion));
}

void add_joint(Draft& d) {
    Dice& dice = d.dice;
    if (d.movable.empty() || !dice.chance(0.35)) return;
    const std::string first = d.movable.front();
    const bool two = d.movable.size() > 1 && dice.chance(0.5);
    const double x = d.where[0] + d.h() * dice.in(-2, 2), y = d.where[1] + d.h() * dice.in(-2, 2), z = d.where[2];
    const std::string bodies = fmt::format(R"("bodies": ["{}", "{}"])", first, two ? d.movable[1] : "world");
    const int motor = dice.below(3);
    const double strength = d.density * 9.81 * std::pow(d.h() * 5, d.dimension + 1) * dice.power_in(0.01, 10);
    std::string more;
    if (dice.chance(0.4)) more += R"(, "limits": [-40, 60])";
    if (motor == 1) more += fmt::format(R"(, "motor": {{ "torque": {:.4g} }})", strength);
    if (motor == 2)
        more += fmt::format(R"(, "motor": {{ "speed": {:.4g}, "max_torque": {:.4g} }})", dice.in(-400, 400), strength);
    const double way = d.size * 0.1, force = strength / (d.h() * 5);
    switch (dice.below(4)) {
        case 0:
            d.joints.push_back(
                fmt::format(R"({{ "type": "hinge", {}, "anchor": {}{} }})", bodies, d.vec(x, y, z), more));
            break;
        case 1:
            d.joints.push_back(fmt::format(R"({{ "type": "ball", {}, "anchor": {} }})", bodies, d.vec(x, y, z)));
            break;
        case 2:
            d.joints.push_back(fmt::format(R"({{ "type": "slider", {}, "axis": {}, "limits": [{:.4g}, {:.4g}]{} }})",
                                           bodies, d.vec(dice.in(-1, 1), 1, 0), -way, way,
                                           motor == 0
                                               ? ""
                                               : fmt::format(R"(, "motor": {{ "speed": {:.3g}, "max_force": {:.4g} }})",
                                                             d.size * dice.in(-1, 1), force)));
            break;
        default:
            d.joints.push_back(fmt::format(R"({{ "type": "fixed", {} }})", bodies));
    }
}

}  // namespace tidelock
