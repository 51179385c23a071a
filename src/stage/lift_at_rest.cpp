#include "stage/lift_at_rest.h"

#include <algorithm>

namespace tidelock {

namespace {

/// Force and torque of a fluid at rest on a body: the weight of what it displaces, at the middle of that. On a lighter
/// body it is what is left of that for a ball that sets off, as its fluid must move too (numerics/cases 1): one that
/// cannot, under a lid, is held too weakly in this step. The share that is wet is counted in cells.
template <int D>
Twist<D> lift_at_rest(const Domain<D>& domain, const RigidBody<D>& body, double density, const PointTest<D>& wet) {
    const Grid<D>& grid = domain.grid;
    const Pose<D> pose = body.pose();
    const Vec<D> reach = Vec<D>::Constant(body.radius + grid.dx);
    const Coord<D> low = grid.to_cells(body.position - reach).array().floor().template cast<int>(),
                   count = grid.to_cells(body.position + reach).array().ceil().template cast<int>() - low.array();
    const auto rows = count.template tail<D - 1>().template cast<std::ptrdiff_t>().prod();
    double all = 0, below = 0;
    Vec<D> middle = Vec<D>::Zero(), wet_middle = middle;
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
        Coord<D> cell = low;
        auto rest = row;
        for (int a = 1; a < D; rest /= count[a], ++a) cell[a] += static_cast<int>(rest % count[a]);
        const Vec<D> start = grid.cell_centre(cell);
        const double half = 0.5 * count[0] * grid.dx;
        if (body.distance(pose.to_body(start + half * Vec<D>::Unit(0))) > half + grid.dx) continue;
        for (int i = 0; i < count[0]; ++i) {
            const Vec<D> x = start + i * grid.dx * Vec<D>::Unit(0);
            const double share = std::clamp(0.5 - body.distance(pose.to_body(x)) / grid.dx, 0.0, 1.0);
            if (share <= 0) continue;
            all += share, middle += share * x;
            if (wet(x)) below += share, wet_middle += share * x;
        }
    }
    Twist<D> load = Twist<D>::Zero();
    if (below <= 0) return load;
    constexpr double added = 1.0 / (D - 1);  // mass of a ball over that of the fluid it displaces
    const double displaced = density * body.volume * (below / all);
    const double held = std::min(1.0, (1 + added) * body.mass / (body.mass + added * displaced));
    const Vec<D> lift = -held * displaced * domain.gravity, arm = wet_middle / below - middle / all;
    load.template head<D>() = lift;
    load.template tail<rotation_dof<D>>() = moment<D>(arm, lift);
    return load;
}

}  // namespace

template <int D>
void expect_rest(double density, const PointTest<D>& wet, Step<D>& step) {
    if (step.world.clock.step > 0) return;
    Solids<D>& solids = step.world.solids;
    solids.loads.assign(solids.bodies.size(), Twist<D>::Zero());
    parallel_for("lift at rest", static_cast<std::ptrdiff_t>(solids.bodies.size()), [&](std::ptrdiff_t n) {
        const auto i = static_cast<std::size_t>(n);
        const RigidBody<D>& body = solids.bodies[i];
        if (body.dynamic() && body.volume > 0) solids.loads[i] = lift_at_rest<D>(step.world.domain, body, density, wet);
    });
}

template void expect_rest(double, const PointTest<2>&, Step<2>&);
template void expect_rest(double, const PointTest<3>&, Step<3>&);

}  // namespace tidelock
