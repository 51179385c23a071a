#include "scene/bind/parts.h"

#include <fmt/format.h>

#include "scene/coupling/method_keys.h"

namespace tidelock::scene {

Coupling bind_coupling(const Block& b) {
    Coupling c;
    const Block solver = b.object("solver");
    c.solver = {solver.number("tolerance"), solver.integer("max_iterations"), solver.number("time_budget"),
                solver.boolean("history")};
    c.on_failure = b.word<OnFailure>("on_failure");
    if (!b.variant()) return c;
    c.method = b.variant()->word;
    c.settings = read_settings(*find_method(c.method), b);
    return c;
}

}  // namespace tidelock::scene
