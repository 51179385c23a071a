/// How fast liquids of the library are, coarse, and whether the log says so.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/dimension.h"
#include "couple/cut_surface.h"
#include "run/open_session.h"
#include "scene/fit_cells.h"
#include "scene/library.h"
#include "scene/reader.h"
#include "stage/measures.h"

namespace tidelock {
namespace {

constexpr int coarse = 24;            ///< cells along the longest axis, or nearly
constexpr double duration = 0.3;      ///< [s]
constexpr double slow = 0.2;          ///< [m/s]
constexpr double louder = 1.2;        ///< issue: than what the log names
constexpr double greatest_jet = 1.5;  ///< issue: of the speed that the fall gives

scene::Scene coarse_scene(const scene::LibraryScene& from) {
    const auto read = [&](const std::vector<std::string>& sets) {
        scene::ReadOptions options;
        options.name = from.name;
        options.sets = sets;
        scene::Reading reading = scene::read_scene(from.text, options);
        EXPECT_TRUE(reading.ok()) << from.name;
        return std::move(reading.scene);
    };
    const scene::Scene whole = read({});
    const auto cells = scene::nearest_cells(whole.domain.size, whole.dimension, coarse).value();
    const std::span<const int> some(cells.data(), static_cast<std::size_t>(whole.dimension));
    return read({fmt::format("domain.cells=[{}]", fmt::join(some, ","))});
}

/// Half of the square of the speed that anything could have [m^2/s^2]: the highest liquid or body falls to the floor.
template <int D>
double head(const World<D>& world) {
    const Grid<D>& grid = world.domain.grid;
    const auto& phi = world.liquid().phi;
    double top = 0;
    for (std::ptrdiff_t b = 0; b < phi.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (phi.brick(b)[i] < 0)
                top =
                    std::max(top, grid.cell_centre(Coord<D>(first_cell<D>(phi.set().brick(b)) + local_coord<D>(i)))[1]);
    for (const auto& body : world.solids.bodies)
        if (body.dynamic()) top = std::max(top, body.position[1] + body.radius);
    return world.domain.gravity.norm() * (top - grid.origin[1]);
}

template <int D>
double fastest_point(const World<D>& world) {
    const auto solids = standing_surfaces<D>(world.solids.bodies);
    const auto surface = cut_surface<D>(world.domain.grid, world.liquid().phi, solids, 0);
    double most = 0;
    for (const Vec<D>& v :
         cut_surface_velocity<D>(std::span<const Vec<D>>(surface.points), world.domain.grid, world.velocity(), solids))
        most = std::max(most, v.norm());
    return most;
}

template <int D>
void watch(const scene::Scene& scene, double inflow) {
    scene::MeshStore meshes;
    auto session = open_session<D>(scene, meshes);
    const double falls = std::sqrt(2 * head<D>(session.world()) + inflow * inflow);
    while (session.time() < duration && !session.complete()) {
        const auto done = session.step_to_frame();
        const World<D>& world = session.world();
        double particles = 0;
        for (const Vec<D>& v : world.liquid().particles.velocity) particles = std::max(particles, v.norm());
        const double log = done.report.flow.max_speed, bodies = largest_speed<D>(world.solids.bodies);
        EXPECT_LE(particles, louder * std::max(log, slow)) << scene.name << " at " << session.time();
        EXPECT_LT(particles, greatest_jet * falls) << scene.name << " at " << session.time();
        if (!done.ends_frame) continue;
        // What lies on a body has its velocity.
        EXPECT_LE(fastest_point<D>(world), louder * std::max({log, bodies, slow}))
            << scene.name << " at " << session.time();
    }
}

// Those of the library's liquids that take a second or two.
TEST(LibraryLiquids, AreNoFasterThanTheirFallAndTheLogSaysHowFast) {
    for (const char* name : {"dam-break", "glug", "rising-bubble-2d", "floating-crates", "water-wheel"}) {
        const scene::LibraryScene* found = scene::find_scene(name);
        ASSERT_NE(found, nullptr) << name;
        const scene::Scene scene = coarse_scene(*found);
        double inflow = 0;
        for (const auto& source : scene.fluid.sources)
            if (source.velocity)
                for (const double v : *source.velocity) inflow = std::max(inflow, std::abs(v));
        visit_dimension(scene.dimension, [&]<int D>(Dimension<D>) { watch<D>(scene, inflow); });
    }
}

}  // namespace
}  // namespace tidelock
