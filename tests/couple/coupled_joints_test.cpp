/// Joints inside the coupled solve: against dense matrices, and by what must hold whatever the solver does.
#include <gtest/gtest.h>

#include "base/random.h"
#include "dense_algebra.h"
#include "solid/joint_groups.h"
#include "tank.h"

namespace tidelock {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

template <class T>
class CoupledJointsTest : public testing::Test {};
using Dims = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(CoupledJointsTest, Dims);

/// Two planks, hinge on hinge, the first one hung from the world; a ball on a slider; a box that is fixed to the world;
/// a free ball.
template <int D>
struct Jointed {
    Tank<D> tank;
    std::vector<Joint<D>> joints;

    explicit Jointed(double ratio, InterfaceScheme scheme, bool open_top = true) : tank(size(), 0.1, top(open_top)) {
        tank.scheme = scheme;
        const double density = ratio * tank.density;
        Vec<D> plank = Vec<D>::Constant(0.25);
        plank[0] = 0.4;
        tank.add(std::make_shared<Box<D>>(plank), density, at(0.45, 0.8));
        tank.add(std::make_shared<Box<D>>(plank), 2 * density, at(0.95, 0.75));
        tank.add(std::make_shared<Sphere<D>>(0.15), density, at(0.4, 0.35));
        tank.add(std::make_shared<Box<D>>(Vec<D>::Constant(0.24)), density, at(0.8, 0.3));
        tank.add(std::make_shared<Sphere<D>>(0.13), density, at(1.15, 0.33));
        const auto& bodies = tank.bodies;
        Vec<D> axis = Vec<D>::Unit(D - 1), slope = Vec<D>::Unit(0);
        if (D == 3) axis[0] = 0.2;
        slope[1] = 0.5;
        joints = {make_joint<D>(JointKind::hinge, 0, -1, at(0.2, 0.8), axis, bodies),
                  make_joint<D>(D == 2 ? JointKind::hinge : JointKind::ball, 1, 0, at(0.7, 0.78), axis, bodies),
                  make_joint<D>(JointKind::slider, 2, -1, at(0.4, 0.35), slope, bodies),
                  make_joint<D>(JointKind::fixed, 3, -1, at(0.8, 0.3), axis, bodies)};
    }
    static Coord<D> size() {
        Coord<D> cells = Coord<D>::Constant(8);
        cells[0] = 14, cells[1] = 11;
        return cells;
    }
    static Sides<D> top(bool open) {
        Sides<D> sides;
        sides.open[1][1] = open;
        return sides;
    }
    static Vec<D> at(double x, double y) {
        // Off the lattice: a surface that runs through the centres of cells closes them.
        Vec<D> p = Vec<D>::Constant(0.413);
        p[0] = x + 0.017, p[1] = y + 0.009;
        return p;
    }
    /// H over all bodies, all of which are dynamic.
    [[nodiscard]] MatrixXd rows() const {
        constexpr int dof = rigid_dof<D>;
        const auto all = rows_of<D>(joints, tank.bodies);
        MatrixXd h = MatrixXd::Zero(static_cast<Eigen::Index>(all.size()), dof * 5);
        for (Eigen::Index r = 0; r < h.rows(); ++r) {
            const auto& row = all[static_cast<std::size_t>(r)];
            h.row(r).template segment<dof>(dof * row.a) += row.row.a.transpose();
            if (row.b >= 0) h.row(r).template segment<dof>(dof * row.b) += row.row.b.transpose();
        }
        return h;
    }
    [[nodiscard]] VectorXd twists() const {
        VectorXd v(rigid_dof<D> * 5);
        for (int i = 0; i < 5; ++i)
            v.segment<rigid_dof<D>>(rigid_dof<D> * i) = tank.bodies[static_cast<std::size_t>(i)].twist();
        return v;
    }
    void release(double dt, double tolerance, std::optional<ReferenceMethod> method = {}) {
        interface = tank.interface();
        faces = tank.flow_faces(interface);
        system =
            std::make_unique<CoupledSystem<D>>(faces, interface, tank.bodies, rows_of<D>(joints, tank.bodies), method);
        tank.weigh(dt);
        JointGroups<D>(joints, tank.bodies).project_velocities(tank.bodies);
        before = twists();
        SolveOptions options;
        options.tolerance = tolerance;
        options.max_iterations = method ? 50000 : 500;
        const CoupledReport<D> solved = tank.solve(*system, dt, options);
        report = solved.solve;
        joint_impulses = solved.joint_impulses;
    }
    Interface<D> interface;
    FlowFaces<D> faces;
    std::unique_ptr<CoupledSystem<D>> system;
    std::vector<Twist<D>> joint_impulses;
    VectorXd before;
    SolveReport report;
};

/// M^-1 - M^-1 H^T (H M^-1 H^T)^-1 H M^-1.
MatrixXd constrained_inverse(const MatrixXd& mass, const MatrixXd& h) {
    const MatrixXd free = inverse(mass), yield = product(h, free);
    return free - transposed_product(yield, product(inverse(product(yield, h.transpose())), yield));
}

TYPED_TEST(CoupledJointsTest, TheSolverFindsWhatADenseSolveFinds) {
    constexpr int D = TypeParam::value;
    constexpr int dof = rigid_dof<D>;
    for (const auto scheme : {InterfaceScheme::constraint, InterfaceScheme::fractional})
        for (const double ratio : {1e-3, 1.0, 1e3}) {
            Jointed<D> j(ratio, scheme);
            auto& tank = j.tank;
            const auto interface = build_interface<D>(tank.grid, tank.set, RigidSurfaces<D>(tank.bodies), scheme);
            const auto faces = tank.flow_faces(interface);
            const SolidRows<D> rows(faces, interface, tank.bodies);
            const RigidCoupling<D> free(faces, interface, rows, tank.bodies);
            const CoupledSystem<D> held(faces, interface, tank.bodies, rows_of<D>(j.joints, tank.bodies));
            const auto& solver = held.solver;
            const auto& op = solver->op();
            // Everything dense: L_N, K, Mbar, H.
            std::vector<Eigen::Index> places;
            for (std::ptrdiff_t s = 0; s < tank.set->count(); ++s)
                for (int i = 0; i < Brick<D>::cells; ++i)
                    if (op.unknown(s)[i] != 0) places.push_back(s * Brick<D>::cells + i);
            const auto n = static_cast<Eigen::Index>(places.size());
            const RigidTerms<D> terms = free.terms();
            MatrixXd l(n, n), k(dof * 5, n), mass(dof * 5, dof * 5);
            VectorXd in = VectorXd::Zero(op.size()), out(op.size());
            for (Eigen::Index c = 0; c < n; ++c) {
                in[places[static_cast<std::size_t>(c)]] = 1;
                out.setZero();
                op.apply(in.data(), out.data());
                l.col(c) = out(places);
                k.col(c) = terms.gather(in.data());
                in[places[static_cast<std::size_t>(c)]] = 0;
            }
            for (int c = 0; c < dof * 5; ++c) mass.col(c) = terms.apply_mass(VectorXd::Unit(dof * 5, c));
            const MatrixXd answer = constrained_inverse(mass, j.rows());
            const MatrixXd sigma = l + transposed_product(k, product(answer, k));
            const Random random(7);
            VectorXd b = VectorXd::Zero(op.size()), x = VectorXd::Zero(op.size());
            for (Eigen::Index c = 0; c < n; ++c)
                b[places[static_cast<std::size_t>(c)]] = random.point<2>(static_cast<std::uint64_t>(c))[0] - 0.5;
            const VectorXd expected = solve_ldlt(sigma, VectorXd(b(places)));
            SolveOptions options;
            options.tolerance = 1e-13;
            const SolveReport report = solver->solve(b.data(), x.data(), options);
            EXPECT_LT((x(places) - expected).norm(), 1e-10 * expected.norm())
                << "ratio " << ratio << ", " << report.iterations << " iterations";
            EXPECT_LE(report.iterations, 40) << ratio;
            const VectorXd push = k * expected, moved = answer * push;
            EXPECT_LT((solver->bodies().solve_mass(push) - moved).norm(), 1e-9 * moved.norm());
        }
}

// Joints hold after the solve, the fluid has no divergence, and what joints did to the bodies does no work on what
// they allow: it is H^T mu.
TYPED_TEST(CoupledJointsTest, JointsHoldAndDoNoWork) {
    constexpr int D = TypeParam::value;
    constexpr int dof = rigid_dof<D>;
    for (const auto scheme : {InterfaceScheme::constraint, InterfaceScheme::fractional})
        for (const bool open_top : {true, false})
            for (const double ratio : {1e-3, 0.5, 1e3}) {
                Jointed<D> j(ratio, scheme, open_top);
                const double dt = 0.01, speed = 9.81 * dt;
                const MatrixXd h = j.rows();
                j.release(dt, 1e-12);
                ASSERT_TRUE(j.report.converged()) << ratio;
                EXPECT_LT((h * j.twists()).norm(), 1e-12 * speed * h.norm());
                EXPECT_LT(j.tank.measure(*j.system).max_divergence, 1e-7 * speed / 0.1);
                EXPECT_GT(j.tank.bodies[0].twist().norm(), 1e-3 * speed) << "something must have happened";
                EXPECT_LT(j.tank.bodies[3].twist().norm(), 1e-12 * speed) << "fixed to the world";
                VectorXd from_joints(dof * 5);
                for (int i = 0; i < 5; ++i)
                    from_joints.segment<dof>(dof * i) = j.joint_impulses[static_cast<std::size_t>(i)];
                const VectorXd fitted = projected_on_columns(h.transpose(), from_joints);
                EXPECT_LT((from_joints - fitted).norm(), 1e-9 * from_joints.norm()) << ratio;
                EXPECT_LT(from_joints.segment<dof>(dof * 4).norm(), 1e-9 * from_joints.norm()) << "free";
            }
}

// The solvers that it is compared with use Mbar^-1 in other ways.
TYPED_TEST(CoupledJointsTest, EverySolverMovesTheBodiesAlike) {
    constexpr int D = TypeParam::value;
    using enum ReferenceMethod;
    Jointed<D> expected(0.2, InterfaceScheme::constraint);
    expected.release(0.01, 1e-11);
    for (const auto method : {cg_full, cg_schur, p1}) {
        Jointed<D> j(0.2, InterfaceScheme::constraint);
        j.release(0.01, 1e-11, method);
        EXPECT_TRUE(j.report.converged()) << word_of(method);
        EXPECT_LT((j.twists() - expected.twists()).norm(), 1e-7 * expected.twists().norm()) << word_of(method);
    }
}

// What a joint ties to a body whose motion is given moves along with it, through the water.
TYPED_TEST(CoupledJointsTest, AMovingBodyPullsWhatHangsFromIt) {
    constexpr int D = TypeParam::value;
    Jointed<D> j(0.3, InterfaceScheme::fractional);
    auto& bodies = j.tank.bodies;
    bodies[0].type = BodyType::kinematic;
    bodies[0].velocity = 0.3 * Vec<D>::Unit(0);
    bodies[0].angular_momentum = Spin<D>::Constant(0.2);  // of a kinematic body: its angular velocity
    j.joints.erase(j.joints.begin());
    const auto interface = j.tank.interface();
    const auto faces = j.tank.flow_faces(interface);
    const CoupledSystem<D> system(faces, interface, bodies, rows_of<D>(j.joints, bodies));
    j.tank.weigh(0.01);
    JointGroups<D>(j.joints, bodies).project_velocities(bodies);
    SolveOptions options;
    options.tolerance = 1e-11;
    EXPECT_TRUE(j.tank.solve(system, 0.01, options).solve.converged());
    const auto rows = rows_of<D>(j.joints, bodies);
    EXPECT_GT(std::abs(rows[0].row.a.dot(bodies[1].twist())), 0.1) << "it is pulled";
    for (const auto& row : rows) {
        double speed = row.row.a.dot(bodies[static_cast<std::size_t>(row.a)].twist());
        if (row.b >= 0) speed += row.row.b.dot(bodies[static_cast<std::size_t>(row.b)].twist());
        EXPECT_NEAR(speed, 0, 1e-12);
    }
    EXPECT_LT(j.tank.measure(system).max_divergence, 1e-7);
}

// A gate that is fixed to the world parts a closed tank: pressure has a constant for each side.
TEST(CoupledJoints, AFixedGateLeavesEachSideItsPressure) {
    for (const auto kind : {JointKind::fixed, JointKind::hinge}) {
        Tank<2> tank(Coord2(20, 10), 0.1);
        tank.add(std::make_shared<Box<2>>(Vec2(0.3, 1.2)), 500, Vec2(1, 0.5));
        const std::vector<Joint<2>> joints{make_joint<2>(kind, 0, -1, Vec2(1, 0.5), Vec2::Zero(), tank.bodies)};
        const auto interface = tank.interface();
        const auto faces = tank.flow_faces(interface);
        const CoupledSystem<2> system(faces, interface, tank.bodies, rows_of<2>(joints, tank.bodies));
        tank.weigh(0.01);
        JointGroups<2>(joints, tank.bodies).project_velocities(tank.bodies);
        SolveOptions options;
        options.tolerance = 1e-11;
        const auto report = tank.solve(system, 0.01, options).solve;
        EXPECT_TRUE(report.converged());
        EXPECT_LT(report.iterations, 40);
        EXPECT_LT(tank.bodies[0].twist().norm(), 1e-9);
        EXPECT_LT(tank.measure(system).max_speed, 1e-8);
    }
}

}  // namespace
}  // namespace tidelock
