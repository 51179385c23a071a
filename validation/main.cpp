/// validate [ITEM...] [--quick] [--band FIGURE=LOW:HIGH] [--out FOLDER]: long comparisons with closed forms and
/// experiments. docs/validation.md holds their results. Exit code 1 if a figure lies outside its band.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>

#include "base/error.h"
#include "items.h"

namespace {

using namespace tidelock;

double number(std::string_view text, const std::string& band) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw InputError("--band", "must be FIGURE=LOW:HIGH with two numbers, got '{}'", band);
    return value;
}

/// The figure's name may hold anything but an equals sign.
validation::OtherBands read_bands(const std::vector<std::string>& texts) {
    validation::OtherBands out;
    for (const std::string& text : texts) {
        const std::string_view band = text;
        const auto equals = std::min(band.find('='), band.size() - 1), colon = band.find(':', equals);
        const auto low = band.substr(equals + 1, colon - equals - 1);
        const auto high = colon < band.size() ? band.substr(colon + 1) : "";
        out[text.substr(0, equals)] = {number(low, text), number(high, text)};
    }
    return out;
}

int run(int argc, char** argv) {
    CLI::App app("Compares tidelock with closed forms and experiments; docs/validation.md has the results.");
    validation::Request request;
    std::vector<std::string> bands, known;
    std::string out = "validation", names;
    for (const auto& item : validation::items()) {
        known.emplace_back(item.name);
        names += fmt::format("\n  {:16} {}", item.name, item.what);
    }
    app.add_option("ITEM", request.items, "by default all of them:" + names)->check(CLI::IsMember(known));
    app.add_flag("--quick", request.quick, "the coarsest sizes only");
    app.add_option("--band", bands, "FIGURE=LOW:HIGH: where a figure must lie, instead of where it should");
    app.add_option("--out", out, "folder of the pages, created if it is not there")->capture_default_str();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    request.bands = read_bands(bands);
    const ReportFolder folder(out, [](const std::string& line) {
        fmt::print("{}\n", line);
        std::fflush(stdout);
    });
    const auto missed = validation::run_items(request, folder);
    for (const auto& line : missed) fmt::print(stderr, "validate: {}\n", line);
    return missed.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const tidelock::InputError& error) {
        fmt::print(stderr, "validate: {}\n", error.what());
        return 2;
    } catch (const tidelock::Error& error) {
        fmt::print(stderr, "validate: {}\n", error.what());
        return 3;
    }
}
