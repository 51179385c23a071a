#include "scene/keys/parts.h"

namespace tidelock::scene {

using enum KeyType;

namespace {

const ObjectSpec& solver_keys() {
    static const ObjectSpec spec{
        .name = "the solver",
        .doc = "How the coupled system of a step is solved, and when the solve may stop.",
        .keys = {
            {.name = "name",
             .type = word,
             .doc =
                 "auto: ours. The others are those that Aanjaneya 2018 compares; all but cg-schur need \"interface\": "
                 "\"constraint\" if there are rigid bodies",
             .default_json = "\"auto\"",
             .words = all_words<SolverName>()},
            {.name = "tolerance",
             .type = number,
             .doc = "relative residual",
             .range = {1e-14, 0.5},
             .default_json = "1e-6"},
            {.name = "max_iterations", .type = integer, .doc = "at most", .range = {1, 1000000}, .default_json = "500"},
            {.name = "time_budget",
             .type = number,
             .doc = "longest time for a solve; 0: no limit",
             .unit = "s",
             .range = {0, 1e6},
             .default_json = "0"},
            {.name = "history",
             .type = boolean,
             .doc = "write the residual after each iteration, and when, into steps.jsonl",
             .default_json = "false"}}};
    return spec;
}

}  // namespace

const ObjectSpec& coupling_keys() {
    static const ObjectSpec spec{.name = "the coupling",
                                 .doc = "How fluid and solids are joined.",
                                 .keys = {{.name = "method",
                                           .type = word,
                                           .doc = "the time step's method",
                                           .default_json = "\"schur\"",
                                           .words = all_words<CouplingMethod>(),
                                           .later = {"lumped", "monolith", "partitioned", "adaptive"}},
                                          {.name = "interface",
                                           .type = word,
                                           .doc = "how bodies meet the grid; constraint is the paper's, of first order",
                                           .default_json = "\"fractional\"",
                                           .words = all_words<BodyInterface>()},
                                          {.name = "solver",
                                           .type = object,
                                           .doc = solver_keys().doc,
                                           .derived = "the solver's defaults",
                                           .object = &solver_keys()}}};
    return spec;
}

}  // namespace tidelock::scene
