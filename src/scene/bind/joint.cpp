#include "scene/bind/parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace tidelock::scene {

namespace {

JointMotor motor(const Block& b, bool angle, const Context& context) {
    const std::string_view push = angle ? "torque" : "force", most = angle ? "max_torque" : "max_force";
    JointMotor m;
    m.torque = b.number(push, 0);
    if (b.get("speed")) m.speed = b.number("speed", 0);
    m.most = b.number(most, 0);
    if (b.given(push) == b.given("speed"))
        context.error(b.path(), fmt::format("needs either {} or speed with {}", push, most));
    else if (b.given("speed") != b.given(most))
        context.error(b.path(), fmt::format("{} and speed belong together: give both or none", most));
    return m;
}

void check_bodies(const Block& b, const Joint& j, const std::vector<Solid>& solids, const Context& context) {
    std::vector<std::string_view> known;
    for (const Solid& s : solids) known.push_back(s.name);
    bool rigid = false;
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string path = fmt::format("{}[{}]", b.path("bodies"), i);
        const std::string& name = j.bodies[i];
        const auto found = std::find(known.begin(), known.end(), name);
        if (name == world_name) {
            if (found != known.end())
                return context.error(path,
                                     "is what joints call what never moves; give the solid of this name another one");
            if (i == 0) return context.error(path, R"("world" comes second: ["a solid", "world"])");
            continue;
        }
        if (found == known.end()) {
            const std::string near = nearest_word(name, known);
            return context.error(path, fmt::format("\"{}\" is no solid{}; solids: {}", shorten(name), meant_text(near),
                                                   known.empty() ? "none" : join_words(known)));
        }
        rigid = rigid || solids[static_cast<std::size_t>(found - known.begin())].type == SolidType::rigid;
    }
    if (j.bodies[0] == j.bodies[1])
        context.error(b.path("bodies"), fmt::format("\"{}\" cannot be joined to itself", shorten(j.bodies[0])));
    else if (!rigid)
        context.error(b.path("bodies"), "at least one of the two must be a rigid solid: nothing else can be held");
}

}  // namespace

Joint bind_joint(const Block& b, const std::vector<Solid>& solids, const Context& context) {
    Joint j;
    j.name = b.text("name");
    j.bodies = b.names("bodies");
    if (!b.variant()) return j;
    j.type = b.chosen<JointKind>();
    if (b.get("bodies")) check_bodies(b, j, solids, context);
    if (has_anchor(j.type)) j.anchor = b.vector("anchor", {});
    const bool angle = turns(j.type);
    if (has_axis(j.type, b.dimension())) j.axis = bind_unit(b, "axis", angle ? j.axis : Vector{1, 0, 0}, context);
    if (!has_coordinate(j.type)) return j;
    j.limits = b.pair("limits");
    if (j.limits && ((*j.limits)[0] > 0 || (*j.limits)[1] < 0))
        context.error(b.path("limits"),
                      fmt::format("must hold 0, where the joint starts, not [{}, {}]", (*j.limits)[0], (*j.limits)[1]));
    if (b.given("motor") && b.get("motor")) j.motor = motor(b.object("motor"), angle, context);
    return j;
}

}  // namespace tidelock::scene
