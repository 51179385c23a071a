#include "stage/measures.h"

#include <algorithm>

#include "stage/seen_surfaces.h"

namespace tidelock {

namespace {

constexpr double thin_share = 0.02;       ///< share of a body's volume whose lift may be missing without a note
constexpr double volume_mismatch = 1e-3;  ///< part of the right-hand side that no pressure can answer, without a note

}  // namespace

template <int D>
double largest_speed(const std::vector<RigidBody<D>>& bodies) {
    double speed = 0;
    for (const auto& body : bodies) {
        if (body.type == BodyType::fixed) continue;
        const double reach = std::isfinite(body.radius) ? body.radius : 0;
        speed = std::max(speed, body.velocity.norm() + reach * body.angular_velocity().norm());
    }
    return speed;
}

template <int D>
double largest_speed(const FaceField<D, double>& velocity, const std::vector<RigidBody<D>>& bodies) {
    const auto& set = velocity.set();
    std::vector<double> most(static_cast<std::size_t>(set.count()), 0.0);
    parallel_for("largest speed", set.count(), [&](std::ptrdiff_t b) {
        double here = 0;
        for (int a = 0; a < D; ++a) {
            const double* u = velocity[a].brick(b);
            for (int i = 0; i < Brick<D>::cells; ++i) here = std::max(here, std::abs(u[i]));
        }
        most[static_cast<std::size_t>(b)] = here;
    });
    double speed = largest_speed<D>(bodies);
    for (double v : most) speed = std::max(speed, v);
    return speed;
}

template <int D>
Interface<D> find_interface(const BrickSetPtr<D>& set, InterfaceScheme scheme, Step<D>& step) {
    const auto& bodies = step.world.solids.bodies;
    Interface<D> out = build_interface<D>(step.world.domain.grid, set, *seen_surfaces<D>(step.world), scheme);
    // Bodies whose volume the faces of an axis do not count move no fluid with that part.
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t a = 0; a < D; ++a) {
            const double missing = out.carrying[i][a];
            const bool reaches_out = !out.uncounted_moment[i][a].isZero(0);  // by design, then
            if (bodies[i].dynamic() && !reaches_out && missing > thin_share * bodies[i].volume)
                step.note("thin " + bodies[i].name,
                          fmt::format("'{}' is small for its cells: {:.0f} % of its volume along {} is lifted without "
                                      "moving the fluid; use smaller cells",
                                      bodies[i].name, 100 * missing / bodies[i].volume, "xyz"[a]));
        }
    return out;
}

template <int D>
void report_solve(NamedSolve solve, const SolveOptions& options, Step<D>& step) {
    if (solve.report.status == SolveStatus::not_finite)
        step.fail("solve", "the right-hand side holds a number that is not finite");
    if (solve.report.incompatibility > volume_mismatch)
        step.note("volume", fmt::format("a closed region changes its volume (prescribed motion or a source presses on "
                                        "a fluid that has no way out): {:.2g} of the flow could not be balanced",
                                        solve.report.incompatibility));
    if (failed(solve.report, options.tolerance))
        step.failed("solve",
                    fmt::format("the solve '{}' has no answer: {} after {} iterations, residual {:.3g}", solve.name,
                                to_string(solve.report.status), solve.report.iterations, solve.report.residual));
    step.report.solves.insert(step.report.solves.begin(), std::move(solve));
}

template <int D>
void report_sealed(const std::vector<SealedRegion<D>>& sealed, Step<D>& step) {
    for (const SealedRegion<D>& region : sealed) {
        std::string who, where;
        for (const std::size_t body : region.bodies)
            who += fmt::format("{}'{}'", who.empty() ? "" : ", ", step.world.solids.bodies[body].name);
        for (int a = 0; a < D; ++a) where += fmt::format("{}{:.3g}", a == 0 ? "" : ", ", region.centre[a]);
        step.note("sealed " + who,
                  fmt::format("a closed region of {:.3g} m{} around ({}) would have to {} by {:.3g} m{}/s for {}: the "
                              "fluid has no way {}, and this volume is lost",
                              region.volume, D, where, region.loss > 0 ? "shrink" : "grow", std::abs(region.loss), D,
                              who.empty() ? "what is poured or prescribed" : who, region.loss > 0 ? "out" : "in"));
    }
}

template <int D>
void report_flow(const FlowMeasures<D>& flow, Step<D>& step) {
    step.report.flow = flow;
    if (!std::isfinite(flow.max_speed)) step.fail("solve", "the velocity is not finite");
}

template <int D>
void report_loads(std::vector<Twist<D>> loads, Step<D>& step) {
    Solids<D>& solids = step.world.solids;
    for (std::size_t i = 0; i < solids.bodies.size(); ++i) {
        const RigidBody<D>& body = solids.bodies[i];
        step.report.loads.push_back({loads[i].template head<D>(), loads[i].template tail<rotation_dof<D>>()});
        if (!body.position.allFinite() || !body.twist().allFinite())
            step.fail("solve", fmt::format("the state of body '{}' is not finite", body.name));
    }
    solids.loads = std::move(loads);
}

template <int D>
void report_given_loads(const std::vector<Twist<D>>& loads, Step<D>& step) {
    for (std::size_t i = 0; i < loads.size(); ++i)
        if (!step.world.solids.bodies[i].dynamic())
            step.report.loads[i] = {loads[i].template head<D>(), loads[i].template tail<rotation_dof<D>>()};
}

#define TIDELOCK_INSTANTIATE(D)                                                                   \
    template double largest_speed(const std::vector<RigidBody<D>>&);                              \
    template double largest_speed(const FaceField<D, double>&, const std::vector<RigidBody<D>>&); \
    template Interface<D> find_interface(const BrickSetPtr<D>&, InterfaceScheme, Step<D>&);       \
    template void report_solve(NamedSolve, const SolveOptions&, Step<D>&);                        \
    template void report_sealed(const std::vector<SealedRegion<D>>&, Step<D>&);                   \
    template void report_flow(const FlowMeasures<D>&, Step<D>&);                                  \
    template void report_loads(std::vector<Twist<D>>, Step<D>&);                                  \
    template void report_given_loads(const std::vector<Twist<D>>&, Step<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
