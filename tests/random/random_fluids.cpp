#include "random/draft.h"

namespace tidelock {

namespace {

std::string region(const std::string& shape, const std::string& position, const std::string& more = "") {
    return fmt::format(R"({{ "shape": {}, "position": {}{} }})", shape, position, more);
}

/// Now and then from some time on, or until then.
std::string hours(Dice& dice) {
    std::string text;
    if (dice.chance(0.3)) text += fmt::format(R"(, "start": {:.3g})", dice.in(0, 0.1));
    if (dice.chance(0.3)) text += fmt::format(R"(, "end": {:.3g})", dice.in(0.1, 0.4));
    return text;
}

void drains_and_drops(Draft& d) {
    Dice& dice = d.dice;
    const Inside& in = d.inside;
    if (dice.chance(0.2))
        d.drains.push_back(region(Draft::sphere(d.h() * dice.in(1.5, 4)),
                                  d.vec(in.x + 0.2 * in.width * dice.in(-1, 1), in.y + 0.1 * in.height, in.z),
                                  hours(dice)));
    if (dice.chance(0.1))
        d.drains.push_back(region(R"({ "type": "plane" })", d.vec(0, d.h() * dice.in(1, 2), 0), hours(dice)));
    if (dice.chance(0.3))
        d.initial.push_back(
            region(Draft::sphere(d.h() * dice.in(2, 5)),
                   d.vec(d.size * dice.in(0.2, 0.8), d.size * dice.in(0.6, 0.9), d.size * dice.in(0.3, 0.7)),
                   fmt::format(R"(, "velocity": {})", d.vec(d.size * dice.in(-1, 1), d.size * dice.in(-2, 0), 0))));
    if (dice.chance(0.15))
        d.initial.push_back(region(Draft::sphere(d.h() * dice.in(2, 4)),
                                   d.vec(d.size * dice.in(0.3, 0.7), d.size * dice.in(0.1, 0.4), d.size * 0.5),
                                   R"(, "air": true)"));
}

void jets(Draft& d) {
    Dice& dice = d.dice;
    const Inside& in = d.inside;
    for (int n = dice.below(3); n > 0; --n) {
        const double r = d.h() * dice.in(1.5, 3);
        const bool above = dice.chance(0.7);
        const double x = above ? in.x + 0.2 * in.width * dice.in(-1, 1) : d.size * dice.in(0.2, 0.8);
        const double y = above ? std::min(0.9 * d.size, in.y + in.height + 2 * r) : d.size * dice.in(0.1, 0.9);
        const std::string velocity = d.vec(d.size * dice.in(-0.5, 0.5), -d.size * dice.in(0, 3), 0);
        d.sources.push_back(region(dice.chance(0.5) ? Draft::sphere(r) : d.box(2 * r, 2 * r, 2 * r), d.vec(x, y, in.z),
                                   fmt::format(R"(, "velocity": {}{})", velocity, hours(dice))));
    }
}

}  // namespace

void add_liquid(Draft& d) {
    Dice& dice = d.dice;
    const Inside& in = d.inside;
    if (dice.chance(0.8)) {
        const double depth = in.height * (in.closed ? dice.in(0.4, 1) : dice.in(0.2, 0.9));
        const double width = in.width * dice.in(0.9, 1.02);
        d.initial.push_back(region(d.box(width, depth, width), d.vec(in.x, in.y + 0.5 * depth, in.z),
                                   fmt::format(R"(, "rotation": {})", d.turn(dice.chance(0.5) ? in.degrees : 0))));
    }
    if (d.initial.empty() || dice.chance(0.3)) {
        const double level = d.size * dice.in(0.1, 0.4);
        d.initial.push_back(region(R"({ "type": "plane" })", d.vec(0, level, 0)));
    }
    drains_and_drops(d);
    jets(d);
}

void add_gas(Draft& d) {
    Dice& dice = d.dice;
    const bool open = !d.walls.empty();
    for (int n = dice.below(3); n > 0; --n) {
        std::string more = fmt::format(R"(, "smoke": {:.2g}, "temperature": {:.4g})", dice.in(0, 2), dice.in(250, 450));
        if (dice.chance(0.6))
            more += fmt::format(R"(, "velocity": {})", d.vec(d.size * dice.in(-2, 2), d.size * dice.in(-2, 2), 0));
        if (more.find("velocity") != std::string::npos && open && dice.chance(0.5)) more += R"(, "inflow": true)";
        d.sources.push_back(
            region(dice.chance(0.5) ? Draft::sphere(d.h() * dice.in(2, 4)) : d.box(4 * d.h(), 3 * d.h(), 4 * d.h()),
                   d.vec(d.size * dice.in(0.2, 0.8), d.size * dice.in(0.1, 0.8), d.size * dice.in(0.3, 0.7)),
                   more + hours(dice)));
    }
    if (dice.chance(0.5))
        d.initial.push_back(region(Draft::sphere(d.h() * dice.in(2, 5)),
                                   d.vec(0.5 * d.size, 0.3 * d.size, 0.5 * d.size),
                                   fmt::format(R"(, "temperature": {:.4g}, "velocity": {})", dice.in(250, 450),
                                               d.vec(d.size * dice.in(-1, 1), 0, 0))));
}

}  // namespace tidelock
