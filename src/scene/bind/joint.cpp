#include "scene/bind/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

/// Where among the solids the i-th body of a joint is; none for the world, and for a name that is reported as wrong.
std::optional<std::size_t> find_body(const Block& b, const std::string& name, std::size_t i,
                                     const std::vector<std::string_view>& known, const Context& context, bool& sound) {
    const std::string path = fmt::format("{}[{}]", b.path("bodies"), i);
    const auto found = std::find(known.begin(), known.end(), name);
    const bool is_solid = found != known.end();
    if (is_solid && name != world_name) return static_cast<std::size_t>(found - known.begin());
    if (name == world_name && !is_solid && i == 1) return std::nullopt;
    sound = false;
    if (name == world_name && is_solid)
        context.error(path, "is what joints call what never moves; give the solid of this name another one");
    else if (name == world_name)
        context.error(path, R"("world" comes second: ["a solid", "world"])");
    else
        context.error(
            path, fmt::format("\"{}\" is no solid{}; solids: {}", shorten(name), meant_text(nearest_word(name, known)),
                              known.empty() ? "none" : join_words(known)));
    return std::nullopt;
}

void check_bodies(const Block& b, const Joint& j, const std::vector<Solid>& solids, const Context& context) {
    std::vector<std::string_view> known;
    for (const Solid& s : solids) known.push_back(s.name);
    bool rigid = false, sound = true;
    for (std::size_t i = 0; i < 2; ++i)
        if (const auto body = find_body(b, j.bodies[i], i, known, context, sound))
            rigid = rigid || solids[*body].type == SolidType::rigid;
    if (!sound) return;
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
