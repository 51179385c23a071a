#include "scene/coupling/method_keys.h"
#include "scene/keys/parts.h"

namespace tidelock::scene {

using enum KeyType;

namespace {

const ObjectSpec& solver_keys() {
    static const ObjectSpec spec = [] {
        ObjectSpec s{
            .name = "the solver",
            .doc = "How the coupled system of a step is solved, and when the solve may stop.",
            .keys = {{.name = "tolerance",
                      .type = number,
                      .doc = "relative residual",
                      .range = {1e-14, 0.5},
                      .default_json = "1e-6"},
                     {.name = "max_iterations",
                      .type = integer,
                      .doc = "at most",
                      .range = {1, 1000000},
                      .default_json = "500"},
                     {.name = "time_budget",
                      .type = number,
                      .doc = "longest time for a solve; 0: no limit",
                      .unit = "s",
                      .range = {0, 1e6},
                      .default_json = "0"},
                     flag_key("history", "write the residual after each iteration, and when, into steps.jsonl", false)},
            .follows = "method"};
        for (const MethodKeys& method : coupling_methods())
            s.variants.push_back({.word = method.name, .doc = method.doc, .keys = method.solver_keys});
        return s;
    }();
    return spec;
}

}  // namespace

const ObjectSpec& coupling_keys() {
    static const ObjectSpec spec = [] {
        ObjectSpec s{.name = "the coupling",
                     .doc = "How fluid and solids are joined.",
                     .keys = {word_key("on_failure",
                                       "a step whose solve has no answer: retry undoes it and takes shorter ones, stop "
                                       "ends the run, accept uses it and says so in every output",
                                       OnFailure::retry),
                              object_key("solver", solver_keys(), "the solver's defaults")},
                     .selector = "method",
                     .default_variant = coupling_methods().front().name,
                     .later_variants = {"lumped", "monolith", "partitioned", "adaptive"}};
        for (const MethodKeys& method : coupling_methods())
            s.variants.push_back({.word = method.name, .doc = method.doc, .keys = method.keys});
        return s;
    }();
    return spec;
}

}  // namespace tidelock::scene
