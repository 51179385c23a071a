/// validate [ITEM...] [--quick] [--out FOLDER]: long comparisons with closed forms and experiments. docs/validation.md
/// holds their results.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/error.h"
#include "base/timer.h"
#include "items.h"

namespace {

using namespace tidelock;

struct Item {
    const char* name;
    const char* what;
    void (*run)(bool quick, const reproduce::ReportFolder& folder);
};

constexpr Item items[] = {
    {"drafts", "floating boxes and their drafts (A3)", validation::validate_drafts},
    {"released-sphere", "a sphere released below a free surface (A1)", validation::validate_released_sphere},
    {"dam-front", "front of a dam break (Martin and Moyce 1952)", validation::validate_dam_front},
    {"cap-bubble", "rise of a cap bubble (A16)", validation::validate_cap_bubble},
    {"sloshing", "volume of a sloshing tank, speed of one at rest", validation::validate_sloshing},
    {"bunnies", "overlap of twenty bunnies, and what they displace when they float", validation::validate_bunnies}};

int run(int argc, char** argv) {
    CLI::App app("Compares tidelock with closed forms and experiments; docs/validation.md has the results.");
    std::vector<std::string> wanted;
    std::string out = "validation";
    bool quick = false;
    std::string names;
    std::vector<std::string> known;
    for (const Item& item : items) {
        known.emplace_back(item.name);
        names += fmt::format("\n  {:16} {}", item.name, item.what);
    }
    app.add_option("ITEM", wanted, "by default all of them:" + names)->check(CLI::IsMember(known));
    app.add_flag("--quick", quick, "the coarsest sizes only");
    app.add_option("--out", out, "folder of the pages, created if it is not there")->capture_default_str();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    const reproduce::ReportFolder folder(out, [](const std::string& line) {
        fmt::print("{}\n", line);
        std::fflush(stdout);
    });
    for (const Item& item : items) {
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), item.name) == wanted.end()) continue;
        folder.say(item.what);
        const double begun = wall_seconds();
        item.run(quick, folder);
        folder.say(fmt::format("  {:.0f} s: {}", wall_seconds() - begun,
                               (folder.path() / (std::string(item.name) + ".md")).string()));
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const tidelock::Error& error) {
        fmt::print(stderr, "validate: {}\n", error.what());
        return 1;
    }
}
