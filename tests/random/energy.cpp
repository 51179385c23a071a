#include "random/energy.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fluid/volume.h"
#include "grid/interpolate.h"
#include "scene/shapes.h"

namespace tidelock {

namespace {

/// Section of a ball.
template <int D>
double section(double r) {
    return D == 2 ? 2 * r : std::numbers::pi * r * r;
}

template <int D>
double largest_pressure(World<D> const& world) {
    const Field<D, double>& p = world.has_liquid() ? world.liquid().pressure : world.smoke().pressure;
    double most = 0;
    for (const double value : p.values()) most = std::max(most, std::abs(value));
    return most;
}

/// Of the fluid at the start, by its faces.
template <int D>
double kinetic(const World<D>& world, double density) {
    const auto& u = world.velocity();
    const double h = world.domain.grid.dx;
    double sum = 0;
    for (int a = 0; a < D; ++a)
        for (const double value : u[a].values()) sum += 0.5 * density * power(h, D) * value * value;
    return sum;
}

}  // namespace

template <int D>
EnergyAccount<D>::EnergyAccount(const scene::Scene& scene, const Session<D>& session) : scene_(scene) {
    const World<D>& world = session.world();
    g_ = world.domain.gravity.norm();
    if (g_ > 0) down_ = world.domain.gravity / g_;
    const Vec<D> upper = world.domain.grid.upper();
    for (int a = 0; a < D; ++a) {
        lowest_ -= std::max(0.0, down_[a]) * upper[a];
        height_ += std::abs(down_[a]) * upper[a];
    }
    for (const RigidBody<D>& body : world.solids.bodies) moved_ = moved_ || body.type == BodyType::kinematic;
    for (const scene::Source& source : scene.fluid.sources) judged_ = judged_ && !source.inflow;
    judged_ = judged_ && scene.fluid.vorticity_confinement == 0;
    const scene::LiquidOptions& liquid = scene.fluid.liquid;
    counted_ = world.has_liquid() && liquid.surface == LiquidSurface::particles &&
               liquid.transport != LiquidTransport::narrow_band_flip;
    body_motion_ = bodies(world, true);
    start_ = kinetic<D>(world, scene.fluid.density) + bodies(world, false);
    if (world.has_liquid()) start_ += scene.fluid.density * g_ * liquid_lift(world);
    now_ = start_;
}

template <int D>
double EnergyAccount<D>::height_of(const Vec<D>& x) const {
    return -down_.dot(x) - lowest_;
}

/// Volume times height, of as much as there should be: how much there is, is judged by itself.
template <int D>
double EnergyAccount<D>::liquid_lift(const World<D>& world) const {
    const Liquid<D>& liquid = world.liquid();
    const Grid<D>& grid = world.domain.grid;
    const double expected = std::max(0.0, liquid.ledger.expected);
    if (counted_) {
        double sum = 0;
        for (const Vec<D>& x : liquid.particles.position) sum += height_of(x);
        return sum > 0 ? expected * sum / static_cast<double>(liquid.particles.position.size()) : 0;
    }
    double volume = 0, lift = 0;
    Sampler<D, double> phi(liquid.phi, Centring<D>::cell(), grid);
    const auto& set = liquid.phi.set();
    for (std::ptrdiff_t b = 0; b < set.count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(set.brick(b)) + local_coord<D>(i);
            if (!grid.contains(cell) || liquid.phi.brick(b)[i] > grid.dx) continue;
            const Vec<D> x = grid.cell_centre(cell);
            double open = 1;
            for (const RigidBody<D>& body : world.solids.bodies)
                open = std::min(open, 0.5 + body.distance(body.pose().to_body(x)) / grid.dx);
            const double share = std::clamp(open, 0.0, 1.0) * liquid_share<D>(grid, phi, cell, liquid.phi.brick(b)[i]);
            volume += share, lift += share * height_of(x);
        }
    return volume > 0 ? expected * lift / volume : 0;
}

/// The grid sees drops and sheets thicker than they are: of a liquid the mass is that of the ledger.
template <int D>
double EnergyAccount<D>::motion(const World<D>& world, const FlowMeasures<D>& flow) const {
    if (!world.has_liquid()) return flow.kinetic_energy;
    const Liquid<D>& liquid = world.liquid();
    const double expected = std::max(0.0, liquid.ledger.expected);
    if (counted_) {
        double sum = 0;
        for (const Vec<D>& v : liquid.particles.velocity) sum += 0.5 * v.squaredNorm();
        return sum > 0 ? scene_.fluid.density * expected * sum / static_cast<double>(liquid.particles.velocity.size())
                       : 0;
    }
    const double seen = static_cast<double>(flow.cells) * power(world.domain.grid.dx, D);
    return flow.kinetic_energy * (seen > expected ? expected / seen : 1);
}

template <int D>
double EnergyAccount<D>::bodies(const World<D>& world, bool kinetic_only) const {
    double sum = 0;
    for (const RigidBody<D>& body : world.solids.bodies)
        if (body.dynamic())
            sum += body.kinetic_energy() + (kinetic_only ? 0 : body.mass * g_ * height_of(body.position));
    return sum;
}

template <int D>
double EnergyAccount<D>::by_sources(const World<D>& world, double dt) {
    double given = 0, fastest = 0;
    for (const scene::Source& source : scene_.fluid.sources) {
        if (!source.velocity) continue;
        const Vec<D> v = scene::to_vec<D>(*source.velocity);
        const double reach = source.shape.kind == scene::ShapeKind::sphere ? source.shape.radius
                                                                           : scene::to_vec<D>(source.shape.size).norm();
        fastest = std::max(fastest, v.norm());
        given += scene_.fluid.density * power(v.norm(), 3) * section<D>(reach) * dt;
        if (world.has_smoke()) given += 0.5 * scene_.fluid.density * v.squaredNorm() * section<D>(reach) * 2 * reach;
    }
    if (!world.has_liquid()) return given;
    const double poured = world.liquid().ledger.poured - poured_;
    poured_ += poured;
    return given + scene_.fluid.density * std::max(0.0, poured) * (g_ * height_ + 0.5 * fastest * fastest);
}

template <int D>
double EnergyAccount<D>::by_movers(const World<D>& world, double dt) const {
    double given = 0;
    for (const RigidBody<D>& body : world.solids.bodies) {
        if (body.type != BodyType::kinematic) continue;
        const double speed = body.velocity.norm() + body.radius * body.angular_velocity().norm();
        given += 2 * largest_pressure<D>(world) * section<D>(body.radius) * speed * dt;
    }
    return given;
}

template <int D>
double EnergyAccount<D>::by_motors(const World<D>& world, double dt) const {
    double given = 0;
    for (const Joint<D>& joint : world.solids.joints) {
        if (!joint.moves()) continue;
        const double most = std::max(std::abs(joint.torque), joint.motor ? joint.motor->most : 0);
        const double speed = coordinate_of<D>(joint, world.solids.bodies).row.a.norm();
        const RigidBody<D>& body = world.solids.bodies[static_cast<std::size_t>(joint.a)];
        double moved = body.velocity.norm() + body.angular_velocity().norm();
        if (joint.b >= 0) {
            const RigidBody<D>& other = world.solids.bodies[static_cast<std::size_t>(joint.b)];
            moved += other.velocity.norm() + other.angular_velocity().norm();
        }
        given += 2 * most * std::max(1.0, speed) * moved * dt;
    }
    return given;
}

template <int D>
double EnergyAccount<D>::by_gas(const World<D>& world, double dt) const {
    const Smoke<D>& smoke = world.smoke();
    const scene::Fluid& fluid = scene_.fluid;
    const Grid<D>& grid = world.domain.grid;
    double fastest = 0, given = 0;
    for (int a = 0; a < D; ++a)
        for (const double value : smoke.velocity[a].values()) fastest = std::max(fastest, std::abs(value));
    for (std::size_t i = 0; i < smoke.density.values().size(); ++i) {
        const double lift =
            fluid.buoyancy.smoke * std::abs(smoke.density.values()[i]) +
            fluid.buoyancy.temperature * std::abs(smoke.temperature.values()[i] - fluid.ambient_temperature);
        given += scene_.fluid.density * g_ * lift * fastest * power(grid.dx, D) * dt;
    }
    for (int a = 0; a < D; ++a)
        for (const int side : {0, 1}) {
            if (!world.domain.sides.is_open(a, side)) continue;
            const double area = std::pow(grid.dx * grid.cells.maxCoeff(), D - 1);
            given += 0.5 * scene_.fluid.density * power(fastest, 3) * area * dt;
        }
    return given;
}

template <int D>
void EnergyAccount<D>::step(const Session<D>& session, const StepReport<D>& report) {
    const World<D>& world = session.world();
    const double dt = report.dt, gained = bodies(world, true);
    given_ += by_sources(world, dt) + by_movers(world, dt) + by_motors(world, dt);
    if (world.has_smoke()) given_ += by_gas(world, dt);
    if (moved_ && report.contacts > 0) given_ += std::max(0.0, gained - body_motion_);
    body_motion_ = gained;
    for (const NamedSolve& solve : report.solves)  // what `weak` has not agreed on with the bodies is given or taken
        judged_ = judged_ && (solve.name != "rounds" || solve.report.converged());
    now_ = motion(world, report.flow) + bodies(world, false);
    double mass = 0;
    if (world.has_liquid()) {
        now_ += scene_.fluid.density * g_ * liquid_lift(world);
        mass = scene_.fluid.density * std::max(world.liquid().ledger.present, world.liquid().ledger.expected);
    }
    double free = mass;
    for (const RigidBody<D>& body : world.solids.bodies)
        if (body.dynamic()) free += body.mass;
    slack_ = 0.5 * free * g_ * world.domain.grid.dx + 0.02 * std::max(start_, 0.0);
    scale_ = free * g_ * height_ + start_;
}

template class EnergyAccount<2>;
template class EnergyAccount<3>;

}  // namespace tidelock
