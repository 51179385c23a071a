#include "couple/coupled_solve.h"

#include <gtest/gtest.h>

#include <array>

#include "base/random.h"
#include "couple/flow_operator.h"
#include "solid/revolution.h"
#include "solve/pressure_solver.h"
#include "tank.h"

namespace tidelock {
namespace {

/// Tank with a tilted box and a ball of other densities, random velocities everywhere.
template <int D>
Tank<D> stirred(const Sides<D>& sides, InterfaceScheme scheme = InterfaceScheme::constraint) {
    Tank<D> tank(Coord<D>::Constant(D == 2 ? 48 : 24), 0.1, sides);
    tank.scheme = scheme;
    const double size = tank.grid.upper()[0];
    Vec<D> edges = Vec<D>::Constant(0.25 * size);
    edges[1] *= 0.6;
    tank.add(std::make_shared<Box<D>>(edges), 300, Vec<D>::Constant(0.35 * size), turned_by<D>(0.4));
    tank.add(std::make_shared<Sphere<D>>(0.13 * size), 5000, Vec<D>::Constant(0.7 * size));
    const Random random(11);
    for (int a = 0; a < D; ++a)
        for (std::size_t i = 0; i < tank.velocity[a].values().size(); ++i)
            tank.velocity[a].values()[i] = random.uniform(i, static_cast<std::uint32_t>(a)) - 0.4;
    for (std::size_t b = 0; b < tank.bodies.size(); ++b) {
        Twist<D> twist;
        for (int d = 0; d < rigid_dof<D>; ++d) twist[d] = random.uniform(b, 10 + static_cast<std::uint32_t>(d)) - 0.5;
        tank.bodies[b].set_twist(twist);
    }
    return tank;
}

template <int D>
Vec<D> body_momentum(const Tank<D>& tank) {
    Vec<D> sum = Vec<D>::Zero();
    for (const auto& body : tank.bodies)
        if (body.dynamic()) sum += body.mass * body.velocity;
    return sum;
}

/// What the bodies say about the velocity of a face.
template <int D>
double rigid_velocity(const Tank<D>& tank, const Interface<D>& interface, const BodyFace& face) {
    const Vec<D> x = tank.grid.position(
        Coord<D>(first_cell<D>(tank.set->brick(face.slot)) + local_coord<D>(face.local)), Centring<D>::face(face.axis));
    double u = 0;
    for (int s = face.first; s < face.first + face.count; ++s) {
        const auto& share = interface.shares[static_cast<std::size_t>(s)];
        const auto index = static_cast<std::size_t>(share.body);
        const Vec<D> arm =
            x - tank.bodies[index].position + interface.arm_shift[index][static_cast<std::size_t>(face.axis)];
        Twist<D> row = velocity_row<D>(face.axis, arm);
        if (interface.scheme == InterfaceScheme::fractional)  // balls move no fluid by turning
            row.template tail<rotation_dof<D>>() =
                felt_by_surface<D>(tank.bodies[index], row.template tail<rotation_dof<D>>());
        u += share.weight * row.dot(tank.bodies[index].twist());
    }
    return u;
}

/// Puts the bodies' velocities on the buried faces: the fluid there comes along with them.
template <int D>
void carry_buried(Tank<D>& tank, const Interface<D>& interface) {
    for (const BodyFace& f : interface.faces)
        if (f.kind == FaceKind::buried)
            tank.velocity[f.axis].brick(f.slot)[f.local] = rigid_velocity<D>(tank, interface, f);
}

template <class T>
class CoupledSolveTest : public testing::Test {};
template <int D>
using Dim = std::integral_constant<int, D>;
using Dims = testing::Types<Dim<2>, Dim<3>>;
TYPED_TEST_SUITE(CoupledSolveTest, Dims);

// numerics/cases 6, numerics/coupling 6: total momentum changes by what the walls give, however early the solver stops.
TYPED_TEST(CoupledSolveTest, MomentumChangesOnlyThroughTheWalls) {
    constexpr int D = TypeParam::value;
    for (int n = 0; n < 6; ++n) {
        const int iterations = std::array{1, 3, 200}[static_cast<std::size_t>(n % 3)];
        auto tank = stirred<D>({}, n < 3 ? InterfaceScheme::constraint : InterfaceScheme::fractional);
        tank.gravity.setZero();
        const auto interface = tank.interface();
        const auto faces = tank.flow_faces(interface);
        const CoupledSystem<D> system(faces, interface, tank.bodies);
        carry_buried<D>(tank, interface);
        close_sides<D>(tank.grid, tank.sides, tank.velocity);
        const Vec<D> before = tank.measure(system).momentum + body_momentum<D>(tank);
        SolveOptions options;
        options.tolerance = 1e-12;
        options.max_iterations = iterations;
        const double dt = 0.01;
        const auto report = tank.solve(system, dt, options).solve;
        EXPECT_EQ(report.converged(), iterations == 200);
        const Vec<D> after = tank.measure(system).momentum + body_momentum<D>(tank);
        const double scale = tank.measure(system).volume * tank.density;  // at 1 m/s
        EXPECT_LT((after - before - system.flow.side_impulse(dt, tank.pressure)).norm(), 1e-10 * scale)
            << iterations << " iterations";
    }
}

// The bodies and the fluid around them have one velocity, and no cell gains or loses fluid.
TYPED_TEST(CoupledSolveTest, MakesTheFlowFreeOfDivergenceAndTheFacesFollowTheBodies) {
    constexpr int D = TypeParam::value;
    Sides<D> top;
    top.open[1][1] = true;
    for (int n = 0; n < 4; ++n) {
        auto tank = stirred<D>(n % 2 == 0 ? Sides<D>{} : top,
                               n < 2 ? InterfaceScheme::constraint : InterfaceScheme::fractional);
        const auto interface = tank.interface();
        const auto faces = tank.flow_faces(interface);
        const CoupledSystem<D> system(faces, interface, tank.bodies);
        tank.weigh(0.01);
        SolveOptions options;
        options.tolerance = 1e-12;
        EXPECT_TRUE(tank.solve(system, 0.01, options).solve.converged());
        EXPECT_LT(tank.measure(system).max_divergence, 1e-8);
        for (const BodyFace& f : interface.faces) {
            if (f.kind == FaceKind::cut) continue;
            ASSERT_NEAR(tank.velocity[f.axis].brick(f.slot)[f.local], rigid_velocity<D>(tank, interface, f), 1e-12);
        }
    }
}

// numerics/cases 7: what the pressure does to the bodies is the adjoint of how they move the fluid: the power that
// leaves one side arrives on the other. <K p, v> = <p, K^T v>, and K^T v is the flux of the rigid velocity field.
TYPED_TEST(CoupledSolveTest, PowerInIsPowerOut) {
    constexpr int D = TypeParam::value;
    auto tank = stirred<D>({});
    const auto interface = tank.interface();
    const auto faces = tank.flow_faces(interface);
    const CoupledSystem<D> system(faces, interface, tank.bodies);
    const auto& terms = system.solver->bodies();
    const auto size = static_cast<std::size_t>(system.solver->op().size());
    std::vector<double> p(size, 0.0), flux(size, 0.0);
    const Random random(3);
    for (std::size_t i = 0; i < size; ++i)
        if (system.solver->op().unknown(static_cast<std::ptrdiff_t>(i) / Brick<D>::cells)[i % Brick<D>::cells] != 0)
            p[i] = random.uniform(i) - 0.5;
    Eigen::VectorXd twists(rigid_dof<D> * 2);
    for (int b = 0; b < 2; ++b)
        twists.template segment<rigid_dof<D>>(rigid_dof<D> * b) = tank.bodies[static_cast<std::size_t>(b)].twist();
    const double done = terms.gather(p.data()).dot(twists);
    terms.scatter_add(twists, 1.0, flux.data());
    double received = 0;
    for (std::size_t i = 0; i < size; ++i) received += p[i] * flux[i];
    EXPECT_NEAR(done, received, 1e-13 * std::max(1.0, std::abs(done)));
    // The flux that K^T v says is the one that the velocity field has: only bound faces, rigid velocities.
    FaceField<D, double> rigid(tank.set, 0.0);
    for (const BodyFace& f : interface.faces)
        if (f.kind == FaceKind::bound) rigid[f.axis].brick(f.slot)[f.local] = rigid_velocity<D>(tank, interface, f);
    const double area = std::pow(tank.grid.dx, D - 1);
    double direct = 0;
    for (std::ptrdiff_t b = 0; b < tank.set->count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = first_cell<D>(tank.set->brick(b)) + local_coord<D>(i);
            for (int a = 0; a < D; ++a) {
                const Coord<D> above = cell + Coord<D>::Unit(a);
                direct += p[static_cast<std::size_t>(b) * Brick<D>::cells + static_cast<std::size_t>(i)] * area *
                          (rigid[a].at(cell) - rigid[a].at(above));
            }
        }
    EXPECT_NEAR(direct, received, 1e-12 * std::max(1.0, std::abs(received)));
}

// numerics/cases 5: pressure is known up to a constant in a closed tank, and the constant moves nothing.
TYPED_TEST(CoupledSolveTest, AConstantPressureMovesNothingInAClosedTank) {
    constexpr int D = TypeParam::value;
    auto one = stirred<D>({}), two = stirred<D>({});
    for (double& p : two.pressure.values()) p += 1e5;
    EXPECT_TRUE(one.release(0.01, 1e-11).converged());
    EXPECT_TRUE(two.release(0.01, 1e-11).converged());
    for (std::size_t i = 0; i < one.bodies.size(); ++i)
        EXPECT_LT((one.bodies[i].twist() - two.bodies[i].twist()).norm(), 1e-8);
}

// A kinematic piston in an open tank sets the flow that it displaces in motion: flux in = flux out.
TYPED_TEST(CoupledSolveTest, AKinematicBodyDisplacesItsVolume) {
    constexpr int D = TypeParam::value;
    Sides<D> top;
    top.open[1][1] = true;
    Tank<D> tank(Coord<D>::Constant(24), 0.1, top);
    tank.gravity.setZero();
    // A box as wide as the tank: it pushes everything above it out.
    Vec<D> edges = Vec<D>::Constant(2.4);
    edges[1] = 0.5;
    Vec<D> at = Vec<D>::Constant(1.2);
    at[1] = 0.25;
    tank.add(std::make_shared<Box<D>>(edges), 1000, at);
    tank.bodies[0].type = BodyType::kinematic;
    Twist<D> twist = Twist<D>::Zero();
    twist[1] = 0.7;
    tank.bodies[0].set_twist(twist);
    EXPECT_TRUE(tank.release(0.01, 1e-12).converged());
    Coord<D> above = Coord<D>::Constant(12);
    above[1] = 24;
    EXPECT_NEAR(tank.velocity[1].at(above), 0.7, 1e-9);
    EXPECT_EQ(tank.bodies[0].twist(), twist);
}

// Solved once more for bodies whose motion is given, that which came out: the same pressure, and what it does to them
// is what they have got. A partitioned method rests on this.
TYPED_TEST(CoupledSolveTest, GivenItsMotionThePressureAndItsImpulseAreTheSame) {
    constexpr int D = TypeParam::value;
    Sides<D> top;
    top.open[1][1] = true;
    for (const auto scheme : {InterfaceScheme::constraint, InterfaceScheme::fractional}) {
        auto tank = stirred<D>(top, scheme);
        const double dt = 0.01;
        tank.weigh(dt);
        const auto interface = tank.interface();
        const auto faces = tank.flow_faces(interface);
        const auto start = tank.bodies;
        auto velocity = tank.velocity.remapped(tank.set);
        close_sides<D>(tank.grid, tank.sides, velocity);
        SolveOptions options;
        options.tolerance = 1e-12;
        const CoupledSystem<D> system(faces, interface, tank.bodies);
        EXPECT_TRUE(tank.solve(system, dt, options).solve.converged());
        const Eigen::VectorXd given = system.coupling.velocities();

        const SolidRows<D> rows(faces, interface, start);
        const RigidCoupling<D> coupling(faces, interface, rows, start);
        PressureSolver<D> solver(flow_operator<D>(faces, interface));
        const FlowSystem<D> flow(faces, interface, rows, solver.op());
        const Eigen::VectorXd momentum = coupling.momentum(dt, velocity);
        flow.set_solid_faces(given, velocity);
        BigArray<double> b(static_cast<std::size_t>(solver.op().size())), p(b.size());
        flow.right_hand_side(dt, velocity, given, b);
        EXPECT_TRUE(solver.solve(b.data(), p.data(), options).converged());
        const double scale = tank.density * 9.81 * tank.grid.upper()[1];
        for (std::ptrdiff_t s = 0; s < tank.set->count(); ++s)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                if (solver.op().unknown(s)[i] == 0) continue;
                ASSERT_NEAR(p.data()[s * Brick<D>::cells + i] / dt, tank.pressure.brick(s)[i], 1e-8 * scale);
            }
        const Eigen::VectorXd impulse = coupling.impulse(coupling.terms(), momentum, given, p.data());
        for (std::size_t i = 0; i < start.size(); ++i) {
            const Twist<D> gained = start[i].mass_matrix() * (tank.bodies[i].twist() - start[i].twist());
            EXPECT_GT(gained.norm(), 0);
            EXPECT_LT((DofLayout<D>::part(impulse, static_cast<int>(i)) - gained).norm(), 1e-7 * gained.norm());
        }
    }
}

}  // namespace
}  // namespace tidelock
