#include "scene/bind/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/fit_cells.h"

namespace tidelock::scene {

namespace {

std::string cells_text(const std::array<int, 3>& v, int dimension) {
    return dimension == 2 ? fmt::format("[{}, {}]", v[0], v[1]) : fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
}

/// Takes the nearest cells that would be cubes, and says so.
void not_cubes(const Block& b, Domain& d, int longest, const std::string& path, const Context& context) {
    const int dimension = b.dimension();
    std::string text = fmt::format("the cells would not be cubes in a box of size {} m", list_text(d.size, dimension));
    if (const auto fit = nearest_cells(d.size, dimension, longest)) {
        d.cells = *fit;
        text +=
            fmt::format("; cells {} would fit (cells of {:.9g} m)", cells_text(*fit, dimension), d.size[0] / (*fit)[0]);
    } else {
        Vector fit_size{};
        const double edge = d.size[static_cast<std::size_t>(longest_axis(d.size, dimension))] / longest;
        for (std::size_t a = 0; a < static_cast<std::size_t>(dimension); ++a) {
            d.cells[a] = std::clamp(static_cast<int>(std::round(d.size[a] / edge)), 1, 16384);
            fit_size[a] = d.cells[a] * edge;
        }
        text += fmt::format("; size {} would fit with cells {}", list_text(fit_size, dimension),
                            cells_text(d.cells, dimension));
    }
    context.error(path, text);
}

void bind_cells(const Block& b, Domain& d, const Context& context) {
    const int dimension = b.dimension();
    const double longest_edge = d.size[static_cast<std::size_t>(longest_axis(d.size, dimension))];
    const Json* given = b.get("cells");
    int longest = 0;
    std::string path = b.path("cells");
    if (given && given->kind == JsonKind::array) {
        std::array<int, 3> cells{1, 1, 1};
        for (std::size_t a = 0; a < given->items.size(); ++a) cells[a] = static_cast<int>(given->items[a].number);
        d.cells = cells;
        if (are_cubes(d.size, dimension, cells)) return;
        longest = cells[static_cast<std::size_t>(longest_axis(d.size, dimension))];
    } else if (given) {
        longest = static_cast<int>(given->number);
    } else if (const Json* edge = b.get("cell_size")) {
        path = b.path("cell_size");
        const double count = std::round(longest_edge / edge->number);
        if (!(count >= 1 && count <= 16384))
            return context.error(
                path,
                fmt::format("{:.9g} m gives {:.4g} cells along the longest edge of {:.9g} m; allowed are 1 to 16384",
                            edge->number, longest_edge / edge->number, longest_edge));
        longest = static_cast<int>(count);
        const auto cells = cells_for_longest(d.size, dimension, longest);
        if (cells && std::abs(longest_edge / longest - edge->number) <= 1e-6 * edge->number) {
            d.cells = *cells;
            return;
        }
    } else {
        return;
    }
    if (given && given->kind != JsonKind::array)
        if (const auto cells = cells_for_longest(d.size, dimension, longest)) {
            d.cells = *cells;
            return;
        }
    not_cubes(b, d, longest, path, context);
}

}  // namespace

std::string list_text(const Vector& v, int dimension) {
    return dimension == 2 ? fmt::format("[{:.9g}, {:.9g}]", v[0], v[1])
                          : fmt::format("[{:.9g}, {:.9g}, {:.9g}]", v[0], v[1], v[2]);
}

Domain bind_domain(const Block& b, const Context& context) {
    Domain d;
    d.size = b.vector("size", {1, 1, b.dimension() == 3 ? 1.0 : 0.0});
    const Block walls = b.object("walls");
    for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(b.dimension()); ++i)
        d.walls[i] = walls.word<Wall>(wall_names[i]);
    if (b.given("cells") && b.given("cell_size"))
        context.error(b.path("cell_size"), "give either cells or cell_size, not both");
    else if (b.valid() && !b.given("cells") && !b.given("cell_size"))
        context.error(b.path("cells"),
                      "is missing, and only you can know it: cells along each axis, or cell_size [m] instead");
    if (b.get("size")) bind_cells(b, d, context);
    return d;
}

Time bind_time(const Block& b) {
    Time t;
    t.duration = b.number("duration", 1);
    t.fps = b.number("fps");
    t.cfl = b.number("cfl");
    const Json* step = b.get("step");
    if (step && step->kind == JsonKind::number) t.step = step->number;
    return t;
}

}  // namespace tidelock::scene
