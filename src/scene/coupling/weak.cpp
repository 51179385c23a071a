#include "scene/coupling/weak.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "couple/interface.h"
#include "scene/keys/parts.h"
#include "scene/shapes.h"

namespace tidelock::scene {

double added_mass_of_ellipse(double a, double b) { return std::max(a, b) / std::min(a, b); }

double added_mass_of_ellipsoid(const std::array<double, 3>& semi_axes) {
    // alpha = a b c integral of 1 / ((s^2 + l) sqrt((a^2 + l) (b^2 + l) (c^2 + l))) over l > 0, s the least semi-axis,
    // with l = s^2 (1 / t^2 - 1), which turns it into an integral over t from 0 to 1 of a smooth function.
    const double least = *std::min_element(semi_axes.begin(), semi_axes.end());
    constexpr int intervals = 2000;
    double sum = 0;
    for (int n = 0; n < intervals; ++n) {
        const double t = (n + 0.5) / intervals;
        double root = 1;
        for (const double axis : semi_axes) {
            const double ratio = axis / least;
            root *= 1 + (ratio * ratio - 1) * t * t;
        }
        sum += t * t / std::sqrt(root) / intervals;
    }
    double volume = 2;
    for (const double axis : semi_axes) volume *= axis / least;
    const double alpha = volume * sum;
    return alpha / (2 - alpha);
}

namespace {

/// What a solid's fluid weighs over what the solid displaces (numerics/partitioned 3). `margin`: how much larger the fluid
/// takes it for [m].
template <int D>
double added_mass(const Solid& solid, double margin, MeshStore& meshes) {
    std::array<double, 3> reach{};
    double larger = 1;
    for (int a = 0; a < D; ++a) {
        const double own = extent_along<D>(solid.shape, Vec<D>::Unit(a), meshes);
        reach[static_cast<std::size_t>(a)] = own + margin;
        larger *= 1 + margin / own;
    }
    const double around = D == 2 ? added_mass_of_ellipse(reach[0], reach[1]) : added_mass_of_ellipsoid(reach);
    double within = solid.shell ? larger : larger - 1;
    if (solid.shape.kind == ShapeKind::mesh) within += meshes.share_held(solid.shape);
    return around * (solid.shell ? larger : 1 + within) + within;
}

void warn_of(const Scene& scene, std::size_t index, MeshStore& meshes, const Complain& complain) {
    const Solid& solid = scene.solids[index];
    const double relaxation = scene.coupling.settings.number("relaxation");
    const double ratio = solid.density / scene.fluid.density;
    if (solid.shape.kind == ShapeKind::plane || !is_sound(solid.shape, scene.dimension, meshes)) return;
    const bool closes = scene.coupling.settings.choice<InterfaceScheme>("interface") == InterfaceScheme::constraint;
    const double margin = closes ? 0.5 * scene.domain.cell_size() : 0;
    const double added =
        scene.dimension == 2 ? added_mass<2>(solid, margin, meshes) : added_mass<3>(solid, margin, meshes);
    const double least = added * relaxation / (2 - relaxation);  // of the densities' ratio, numerics/partitioned 2
    if (ratio > least) return;
    complain(
        Severity::warning, fmt::format("solids[{}].density", index),
        fmt::format("'{}' has {:.3g} of the fluid's density, and the fluid that moves with it weighs about {:.2g} of "
                    "what it displaces: the method \"weak\" with \"relaxation\": {:.3g} is unstable below about "
                    "{:.2g}. Take \"coupling.relaxation\" below {:.2g} with more \"coupling.rounds\", or "
                    "\"coupling.method\": \"schur\"",
                    solid.name, ratio, added, relaxation, least, 2 / (1 + added / ratio)));
}

void check_weak(const Scene& scene, MeshStore& meshes, const Complain& complain) {
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
        if (scene.solids[i].type == SolidType::rigid) warn_of(scene, i, meshes, complain);
}

}  // namespace

MethodKeys weak_keys() {
    return {.name = "weak",
            .doc = "fluid and bodies in turns, each with what the other did: the common way, to compare with",
            .keys = {word_key("interface", "how bodies meet the grid", InterfaceScheme::fractional),
                     {.name = "rounds",
                      .type = KeyType::integer,
                      .doc = "times that fluid and bodies take turns in a step, at most",
                      .range = {1, 10000},
                      .default_json = "1"},
                     {.name = "relaxation",
                      .type = KeyType::number,
                      .doc = "share of the new force that a round takes over, the rest is the one before",
                      .range = {0, 1, true},
                      .default_json = "1"},
                     {.name = "round_tolerance",
                      .type = KeyType::number,
                      .doc = "rounds end when the force changes by less, relative to the force",
                      .range = {1e-12, 0.5},
                      .default_json = "1e-3"}},
            .solver_keys = {},
            .check = check_weak};
}

}  // namespace tidelock::scene
