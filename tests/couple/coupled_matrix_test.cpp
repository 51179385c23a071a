/// The matrices of [A18] eq. (17) as they come from bodies on a grid, against dense ones made from the faces
/// themselves: two bodies that share faces, a plate with fluid on both sides, a body whose motion is given.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "couple/flow_operator.h"
#include "dense_algebra.h"
#include "solve/colour_order.h"
#include "solve/multigrid.h"
#include "solve/reference_solver.h"
#include "tank.h"

namespace tidelock {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using enum ReferenceMethod;

template <class T>
class CoupledMatrixTest : public testing::Test {};
using Dims = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(CoupledMatrixTest, Dims);

template <int D>
Tank<D> crowded(double ratio, bool open_top) {
    Sides<D> sides;
    sides.open[1][1] = open_top;
    const Coord<D> cells = [] {
        if constexpr (D == 2)
            return Coord<2>(25, 21);
        else
            return Coord<3>(15, 11, 9);
    }();
    const double dx = 0.1;
    Tank<D> tank(cells, dx, sides);
    const auto at = [&](double x, double y) {
        Vec<D> p = 0.5 * dx * cells.template cast<double>();
        p[0] = x * dx;
        p[1] = y * dx;
        return p;
    };
    const auto box = [&](double x, double y, double z) {
        Vec<D> edges;
        edges[0] = x * dx;
        edges[1] = y * dx;
        if (D == 3) edges[D - 1] = z * dx;
        return std::make_shared<Box<D>>(edges);
    };
    const double density = ratio * tank.density;
    // The lower part of the second plate stands beside the first, between the same centres: they share faces. The upper
    // part has fluid on both sides.
    tank.add(box(0.4, 2.9, 3.1), 6 * density, at(4.73, 3.1));
    tank.add(box(0.3, 6, 4), 3 * density, at(5.2, 4.2));
    tank.add(std::make_shared<Sphere<D>>(1.5 * dx), density, at(8.4, 3.4));
    tank.add(std::make_shared<Sphere<D>>(1.4 * dx), density, at(D == 2 ? 16.0 : 12.7, 5.0));
    tank.bodies.back().type = BodyType::kinematic;
    return tank;
}

/// [A18] eq. (17) in p and lambda over area, by its definition (numerics/coupling 1, numerics/interface 2).
template <int D>
struct Dense {
    std::vector<Eigen::Index> places;  ///< of the unknowns
    MatrixXd a11, a12, a22;
    int shared = 0, shells = 0;

    Dense(const Tank<D>& tank, const Interface<D>& interface, const PoissonOperator<D>& op) {
        constexpr int dof = rigid_dof<D>;
        const auto& grid = tank.grid;
        const auto& set = *tank.set;
        std::map<Eigen::Index, Eigen::Index> column;
        const auto place = [&](const Coord<D>& c) {
            return Eigen::Index{set.find(brick_of<D>(c))} * Brick<D>::cells + local_index<D>(c);
        };
        for (std::ptrdiff_t s = 0; s < set.count(); ++s)
            for (int i = 0; i < Brick<D>::cells; ++i)
                if (op.unknown(s)[i] != 0) {
                    column[s * Brick<D>::cells + i] = static_cast<Eigen::Index>(places.size());
                    places.push_back(s * Brick<D>::cells + i);
                }
        const auto n = static_cast<Eigen::Index>(places.size());
        const double area = std::pow(grid.dx, D - 1), dual = tank.density * std::pow(grid.dx, D);
        // Free faces: rows of G with beta = rho V; an open side has one cell.
        a11 = MatrixXd::Zero(n, n);
        for (const auto& [p, i] : column) {
            const Coord<D> c =
                first_cell<D>(set.brick(p / Brick<D>::cells)) + local_coord<D>(static_cast<int>(p % Brick<D>::cells));
            for (int a = 0; a < D; ++a) {
                if (c[a] == grid.cells[a] - 1 && tank.sides.is_open(a, 1)) a11(i, i) += area * area / dual;
                if (c[a] == 0 && tank.sides.is_open(a, 0)) a11(i, i) += area * area / dual;
                if (c[a] == 0 || interface.kind[a].at(c) != 0) continue;
                const auto j = column.at(place(c - Coord<D>::Unit(a)));
                const double g2 = area * area / dual;
                a11(i, i) += g2, a11(j, j) += g2, a11(i, j) -= g2, a11(j, i) -= g2;
            }
        }
        std::vector<int> number;
        int dynamic = 0;
        for (const auto& body : tank.bodies) number.push_back(body.dynamic() ? dynamic++ : -1);
        MatrixXd mass = MatrixXd::Zero(dof * dynamic, dof * dynamic);
        for (std::size_t b = 0; b < tank.bodies.size(); ++b)
            if (number[b] >= 0)
                mass.template block<dof, dof>(dof * number[b], dof * number[b]) =
                    carrying_mass(tank.bodies[b], 0.5 * tank.density, interface.carrying[b]);
        std::vector<VectorXd> rows;                             // of W J
        std::vector<double> beta;                               // of W beta W^T
        std::vector<std::pair<Eigen::Index, double>> gradient;  // of W G: one entry a row
        for (const BodyFace& f : interface.faces) {
            const Coord<D> high = first_cell<D>(set.brick(f.slot)) + local_coord<D>(f.local);
            VectorXd row = VectorXd::Zero(dof * dynamic);
            std::set<int> movers;
            for (int s = f.first; s < f.first + f.count; ++s) {
                const FaceShare& share = interface.shares[static_cast<std::size_t>(s)];
                const auto b = static_cast<std::size_t>(share.body);
                if (number[b] < 0 || share.weight <= 0) continue;
                movers.insert(share.body);
                const Vec<D> arm = grid.position(high, Centring<D>::face(f.axis)) - tank.bodies[b].position +
                                   interface.arm_shift[b][static_cast<std::size_t>(f.axis)];
                row.template segment<dof>(dof * number[b]) += share.weight * velocity_row<D>(f.axis, arm);
            }
            if (movers.empty()) continue;
            if (f.kind == FaceKind::buried) {
                mass += dual * f.fluid * row * row.transpose();
                continue;
            }
            shared += movers.size() > 1 ? 1 : 0;
            shells += f.low_fluid && f.high_fluid ? 1 : 0;
            for (const int side : {1, -1}) {
                if (!(side > 0 ? f.high_fluid : f.low_fluid)) continue;
                rows.push_back(row);
                beta.push_back(dual * f.fluid / (f.low_fluid && f.high_fluid ? 2 : 1));
                const Coord<D> cell = side > 0 ? high : Coord<D>(high - Coord<D>::Unit(f.axis));
                gradient.emplace_back(column.at(place(cell)), side * area);
            }
        }
        const auto m = static_cast<Eigen::Index>(rows.size());
        MatrixXd wj(m, dof * dynamic);
        a12 = MatrixXd::Zero(n, m);
        const VectorXd inverse = Eigen::Map<VectorXd>(beta.data(), m).cwiseInverse();
        for (Eigen::Index i = 0; i < m; ++i) {
            const auto [cell, g] = gradient[static_cast<std::size_t>(i)];
            wj.row(i) = rows[static_cast<std::size_t>(i)];
            a11(cell, cell) += g * inverse[i] * g;
            a12(cell, i) = -area * g * inverse[i];
        }
        a22 = area * area * (MatrixXd(inverse.asDiagonal()) + product(wj, solve_llt(mass, MatrixXd(wj.transpose()))));
    }
    /// With what the part that no face counts carries along, in turning as much as on average (numerics/interface 7).
    static MatrixXd carrying_mass(const RigidBody<D>& body, double density, const std::array<double, D>& carrying) {
        MatrixXd mass = body.mass_matrix();
        double sum = 0;
        for (const double volume : carrying) sum += density * volume;
        mass.bottomRightCorner(rotation_dof<D>, rotation_dof<D>) *= 1 + sum / (D * body.mass);
        for (int a = 0; a < D; ++a) mass(a, a) += density * carrying[static_cast<std::size_t>(a)];
        return mass;
    }
    [[nodiscard]] MatrixXd schur() const { return a11 - product(a12, solve_ldlt(a22, MatrixXd(a12.transpose()))); }
};

double largest(const MatrixXd& a) { return a.cwiseAbs().maxCoeff(); }

/// The matrix of f on some of the places of a vector of `length`.
template <class F>
MatrixXd matrix_of(const std::vector<Eigen::Index>& places, Eigen::Index length, F&& f) {
    const auto n = static_cast<Eigen::Index>(places.size());
    MatrixXd out(n, n);
    VectorXd in = VectorXd::Zero(length), y(length);
    for (Eigen::Index i = 0; i < n; ++i) {
        const auto at = places[static_cast<std::size_t>(i)];
        in[at] = 1;
        y.setZero();
        f(in.data(), y.data());
        out.col(i) = y(places);
        in[at] = 0;
    }
    return out;
}

TYPED_TEST(CoupledMatrixTest, IsThatOfTheFacesThemselves) {
    constexpr int D = TypeParam::value;
    for (const double ratio : {1e-3, 1.0, 1e3}) {
        const auto tank = crowded<D>(ratio, true);
        const auto interface = tank.interface();
        const auto faces = tank.flow_faces(interface);
        const CoupledSystem<D> system(faces, interface, tank.bodies);
        const auto& ours = system.solver;
        const Dense<D> dense(tank, interface, ours->op());
        ASSERT_GT(dense.shared, 0);
        ASSERT_GT(dense.shells, 0);
        ASSERT_EQ(system.rows.layout().count(), 3);

        const auto constraints = system.coupling.constraints();
        const auto n = static_cast<Eigen::Index>(ours->op().size()), m = static_cast<Eigen::Index>(constraints.size());
        ASSERT_EQ(m, dense.a22.rows());
        MatrixXd a22(m, m), a12(n, m);
        for (Eigen::Index i = 0; i < m; ++i) {
            const VectorXd unit = VectorXd::Unit(m, i);
            constraints.a22(unit.data(), a22.col(i).data());
            a12.col(i).setZero();
            constraints.add_a12(unit.data(), a12.col(i).data());
        }
        EXPECT_LE(largest(a22 - dense.a22), 1e-12 * largest(dense.a22)) << ratio;
        EXPECT_LE(largest(a12(dense.places, Eigen::all) - dense.a12), 1e-13 * largest(dense.a12)) << ratio;
        const auto diagonal = constraints.a22_diagonal();
        for (Eigen::Index i = 0; i < m; ++i)
            ASSERT_NEAR(diagonal[static_cast<std::size_t>(i)], dense.a22(i, i), 1e-12 * dense.a22(i, i));

        const MatrixXd sigma = matrix_of(dense.places, n, [&](const double* x, double* y) { ours->apply(x, y); });
        EXPECT_LE(largest(sigma - dense.schur()), 1e-12 * largest(dense.a11)) << ratio;
    }
}

TYPED_TEST(CoupledMatrixTest, WholeSystemIsSymmetricAndPositive) {
    constexpr int D = TypeParam::value;
    const auto tank = crowded<D>(0.1, true);
    const auto interface = tank.interface();
    const auto faces = tank.flow_faces(interface);
    const CoupledSystem<D> system(faces, interface, tank.bodies);
    const ReferenceSolver<D> solver(cg_full, flow_operator<D>(faces, interface), system.coupling.terms(),
                                    system.coupling.constraints());
    const Dense<D> dense(tank, interface, solver.op());
    const auto n = static_cast<Eigen::Index>(solver.op().size()), m = dense.a22.rows();
    auto places = dense.places;
    for (Eigen::Index i = 0; i < m; ++i) places.push_back(n + i);
    const MatrixXd whole = matrix_of(places, n + m, [&](const double* x, double* y) { solver.apply_whole(x, y); });
    EXPECT_LE(largest(whole - whole.transpose()), 1e-14 * largest(whole));
    EXPECT_TRUE(is_positive_definite(whole));
    const auto k = static_cast<Eigen::Index>(dense.places.size());
    EXPECT_LE(largest(whole.topLeftCorner(k, k) - dense.a11), 1e-13 * largest(dense.a11));
}

// A held cell is a neighbour of the constraint's own: a solid one, or fluid beyond a plate; and the layer beyond an
// open side.
TYPED_TEST(CoupledMatrixTest, HeldCellsLieAcrossTheFaces) {
    constexpr int D = TypeParam::value;
    for (const bool open_top : {false, true}) {
        const auto tank = crowded<D>(1, open_top);
        const auto interface = tank.interface();
        const auto faces = tank.flow_faces(interface);
        const CoupledSystem<D> system(faces, interface, tank.bodies);
        const auto constraints = system.coupling.constraints();
        const auto m = constraints.list.size();
        const auto side = static_cast<std::size_t>(tank.grid.cells.prod() / tank.grid.cells[1]);
        ASSERT_EQ(constraints.held.size(), m + (open_top ? side : 0));
        int across_plate = 0;
        for (std::size_t i = 0; i < constraints.held.size(); ++i) {
            const Coord<D>& held = constraints.held[i];
            if (i >= m) {
                EXPECT_EQ(held[1], tank.grid.cells[1]);
                continue;
            }
            const Constraint& c = constraints.list[i];
            const Coord<D> way = first_cell<D>(tank.set->brick(c.slot)) + local_coord<D>(c.local) - held;
            EXPECT_EQ(way.cwiseAbs().sum(), 1);
            EXPECT_EQ(way.sum(), c.side);  // the cell is above its face: the held one below
            if (interface.solid.at(held) == 0) ++across_plate;
        }
        EXPECT_GT(across_plate, 0);
    }
}

TYPED_TEST(CoupledMatrixTest, WithoutDynamicBodiesThereIsNothingToConstrain) {
    constexpr int D = TypeParam::value;
    const auto fixed = [] {
        auto tank = crowded<D>(1, true);
        for (auto& body : tank.bodies) body.type = BodyType::fixed;
        return tank;
    };
    const auto tank = fixed();
    const auto interface = tank.interface();
    const auto faces = tank.flow_faces(interface);
    const CoupledSystem<D> system(faces, interface, tank.bodies);
    EXPECT_TRUE(system.coupling.terms().empty());
    EXPECT_EQ(system.coupling.constraints().size(), 0);
    for (const auto method : {cg_full, icpcg, p0, p1}) {
        auto one = fixed(), two = fixed();
        EXPECT_TRUE(one.release(0.01, 1e-9).converged());
        EXPECT_TRUE(two.release(0.01, 1e-9, method).converged()) << word_of(method);
        for (std::size_t i = 0; i < one.pressure.values().size(); ++i)
            ASSERT_NEAR(one.pressure.values()[i], two.pressure.values()[i], 1e-2);  // of 2e4 Pa
    }
}

// numerics/cases 3, 4: what weighs as much as the fluid stays where it is, whoever solves.
TYPED_TEST(CoupledMatrixTest, NeutralBodyStaysAtRestWithEverySolver) {
    constexpr int D = TypeParam::value;
    const double dt = 0.01, speed = 9.81 * dt;
    for (const bool open_top : {true, false})
        for (const auto method : {cg_full, cg_schur, icpcg, p0, p1, p2, p3}) {
            Sides<D> sides;
            sides.open[1][1] = open_top;
            Tank<D> tank(Coord<D>::Constant(D == 2 ? 30 : 17), 0.1, sides);
            Vec<D> edges = Vec<D>::Constant(0.53);
            edges[1] *= 0.7;
            tank.add(std::make_shared<Box<D>>(edges), tank.density, Vec<D>::Constant(0.83), turned_by<D>(0.35));
            const auto report = tank.release(dt, 1e-10, method);
            EXPECT_TRUE(report.converged()) << word_of(method);
            EXPECT_LT(tank.bodies[0].velocity.norm(), 1e-8 * speed) << word_of(method);
            EXPECT_LT(0.5 * tank.bodies[0].angular_velocity().norm(), 1e-8 * speed) << word_of(method);
        }
}

// A whole stirred tank: the plate, the pair that shares faces, the given motion; all solvers, one state.
TYPED_TEST(CoupledMatrixTest, EverySolverMovesTheBodiesAlike) {
    constexpr int D = TypeParam::value;
    for (const bool open_top : {true, false}) {
        auto expected = crowded<D>(0.1, open_top);
        EXPECT_TRUE(expected.release(0.01, 1e-10).converged());
        ASSERT_GT(expected.bodies[0].velocity.norm(), 1e-3);
        for (const auto method : {cg_full, cg_schur, icpcg, p0, p1, p2, p3}) {
            auto tank = crowded<D>(0.1, open_top);
            const auto report = tank.release(0.01, 1e-10, method);
            EXPECT_TRUE(report.converged()) << word_of(method) << ": " << to_string(report.status);
            for (std::size_t b = 0; b < 3; ++b)
                EXPECT_LT((tank.bodies[b].twist() - expected.bodies[b].twist()).norm(),
                          1e-6 * expected.bodies[b].twist().norm())
                    << word_of(method) << ", body " << b;
        }
    }
}

// A plate without a cell of its own is held by its faces alone. Coarse levels must know of it: P(1) and P(3) were not
// positive definite when they did not, and broke down at once.
TYPED_TEST(CoupledMatrixTest, RepeatedCyclesConvergeAroundAPlate) {
    constexpr int D = TypeParam::value;
    for (const bool open_top : {true, false}) {
        int before = 1000;
        for (const auto method : {icpcg, p0, p1, p2, p3}) {
            Sides<D> sides;
            sides.open[1][1] = open_top;
            Tank<D> tank(Coord<D>::Constant(D == 2 ? 64 : 24), 0.1, sides);
            Vec<D> edges = Vec<D>::Constant(0.8 * tank.grid.upper()[0]);
            edges[0] = 0.03;
            tank.add(std::make_shared<Box<D>>(edges), 100, Vec<D>::Constant(0.5 * tank.grid.upper()[0]));
            const auto report = tank.release(0.01, 1e-6, method);
            EXPECT_TRUE(report.converged()) << word_of(method) << ": " << to_string(report.status);
            EXPECT_LT(report.iterations, before) << word_of(method);  // the paper's order
            before = report.iterations;
        }
        EXPECT_LE(before, 25);  // measured 19 and less
    }
}

// Of a body that lies in one coarse cell only rounding is left of K there: it must not pass for a force that holds the
// constant pressure of a closed tank, or the coarsest system is singular.
TEST(CoupledMatrixInTheCycle, ABodyInOneCoarseCellLeavesTheCycleBounded) {
    Tank<3> tank(Coord3::Constant(20), 1.0);
    tank.scheme = InterfaceScheme::fractional;
    tank.add(std::make_shared<Sphere<3>>(1.2), tank.density, Vec3(10.3, 9.9, 10.3));
    const auto interface = tank.interface();
    const auto faces = tank.flow_faces(interface);
    const CoupledSystem<3> system(faces, interface, tank.bodies);
    const auto op = flow_operator<3>(faces, interface);
    Multigrid<3, double> multigrid(op, system.coupling.terms());
    const Random random(5);
    double r_square = 0, z_square = 0, product = 0;
    auto& r = multigrid.finest().r;
    for (std::ptrdiff_t i = 0; i < op.set().cells(); ++i) {
        if (op.unknown(i / Brick<3>::cells)[static_cast<int>(i % Brick<3>::cells)] == 0) continue;
        double& value = r[static_cast<std::size_t>(colour_order<3>(i))];
        value = random.uniform(static_cast<std::uint64_t>(i), 1, -1, 1);
        r_square += value * value;
    }
    const double* z = multigrid.apply(product);
    for (std::ptrdiff_t i = 0; i < op.set().cells(); ++i) z_square += z[i] * z[i];
    // The least eigenvalue of 20 cells between walls is (pi / 20)^2 = 0.025.
    EXPECT_LE(z_square, 40 * 40 * r_square);
}

}  // namespace
}  // namespace tidelock
