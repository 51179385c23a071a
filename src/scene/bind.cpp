#include "scene/bind.h"

#include <fmt/format.h>

#include <set>

#include "scene/bind/parts.h"
#include "scene/scene_name.h"

namespace tidelock::scene {

namespace {

/// Names of solids or joints are unique; those without one get a number.
template <class Named>
void name_all(std::vector<Named>& all, const std::vector<Block>& blocks, std::string_view what,
              const Context& context) {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!blocks[i].get("name")) continue;
        if (all[i].name.empty() || all[i].name.size() > 100)
            context.error(blocks[i].path("name"), "must have 1 to 100 characters");
        else if (!taken.insert(all[i].name).second)
            context.error(blocks[i].path("name"),
                          fmt::format("\"{}\" is taken by another {}; names are unique", shorten(all[i].name), what));
    }
    std::size_t number = 1;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (blocks[i].get("name")) continue;
        number = i + 1;
        do all[i].name = fmt::format("{}-{}", what, number++);
        while (!taken.insert(all[i].name).second);
    }
}

}  // namespace

Scene bind_scene(const Json& root, int dimension, const ReadOptions& options, const Places& places,
                 Problems& problems) {
    const Context context{options, places, problems};
    const Block b(&root, scene_keys(), dimension, "");
    Scene s;
    s.name = b.get("name") ? b.text("name") : safe_name(options.name);
    if (const std::string fault = fault_of_name(s.name); !fault.empty()) context.error("name", fault);
    s.comment = b.text("comment");
    s.dimension = b.dimension();
    s.domain = bind_domain(b.object("domain"), context);
    s.gravity = b.vector("gravity", {0, -9.81, 0});
    s.time = bind_time(b.object("time"));
    s.fluid = bind_fluid(b.object("fluid"), context);
    const std::vector<Block> solids = b.list("solids");
    for (const Block& solid : solids) s.solids.push_back(bind_solid(solid, s.solids.size(), context));
    name_all(s.solids, solids, "solid", context);
    const std::vector<Block> joints = b.list("joints");
    for (const Block& joint : joints) s.joints.push_back(bind_joint(joint, s.solids, context));
    name_all(s.joints, joints, "joint", context);
    s.coupling = bind_coupling(b.object("coupling"));
    s.output = bind_output(b.object("output"));
    s.render = bind_render(b.object("render"), s, context);
    return s;
}

}  // namespace tidelock::scene
