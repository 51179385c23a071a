#include "poisson_problems.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/random.h"
#include "problem_scene.h"

namespace tidelock::bench {
namespace {

/// f(row, cell) for every fluid cell, in parallel over bricks; row is the place in the operator's vectors.
template <int D, class F>
void for_fluid(const Scene<D>& scene, F&& f) {
    const auto& set = *scene.set();
    parallel_for("fluid cells", set.count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(set.brick(b)) + local_coord<D>(i);
            if (scene.is_fluid(scene.kind(c))) f(b * Brick<D>::cells + i, c);
        }
    });
}

template <int D>
Coord<D> beside(Coord<D> cell, int axis, int side) {
    cell[axis] += side;
    return cell;
}

template <int D>
void write_coefficients(const Scene<D>& scene, std::ptrdiff_t slot, PoissonBrick<D>& out) {
    for (int i = 0; i < Brick<D>::cells; ++i) {
        const Coord<D> c = first_cell<D>(scene.set()->brick(slot)) + local_coord<D>(i);
        const Kind own = scene.kind(c);
        if (!scene.is_fluid(own)) continue;
        out.unknown[i] = 1;
        for (int a = 0; a < D; ++a)
            for (const int side : {-1, 1}) {
                const Coord<D> n = beside<D>(c, a, side);
                const Kind other = scene.kind(n);
                if (other == air)
                    out.excess[i] += scene.to_air(c, n) / scene.density(own);
                else if (side < 0 && scene.is_fluid(other))
                    out.conductance[a][i] = 2 / (scene.density(own) + scene.density(other));
            }
    }
}

/// Velocity on the lower a-face of a cell: a smooth field and noise.
template <int D>
double face_velocity(const Coord<D>& cell, int axis, const Coord<D>& cells) {
    static const Random random(20240607);
    double smooth = 1;
    std::uint64_t key = 0;
    for (int a = 0; a < D; ++a) {
        smooth *= std::sin(3.0 * (axis + 1) * (cell[a] + 0.3 * a) / cells[a] + 0.5 * a);
        key = key * 8192 + static_cast<std::uint64_t>(cell[a]);
    }
    return smooth + random.uniform(key, static_cast<std::uint32_t>(axis), -0.5, 0.5);
}

template <int D>
double divergence(const Scene<D>& scene, const Coord<D>& c) {
    double sum = 0;
    for (int a = 0; a < D; ++a)
        for (const int side : {-1, 1}) {
            const Kind other = scene.kind(beside<D>(c, a, side));
            if (other == air || scene.is_fluid(other))
                sum += side * face_velocity<D>(beside<D>(c, a, side > 0 ? 1 : 0), a, scene.cells());
        }
    return sum;
}

/// Mass, centre of mass and inertia of a body's voxels, as cubes of uniform density.
template <int D>
struct VoxelBody {
    double mass = 0;
    Vec<D> centre = Vec<D>::Zero();
    typename RigidTerms<D>::Block inertia = RigidTerms<D>::Block::Zero();
};

/// The row J of docs/conventions.md: reads component `axis` of the body's velocity at arm r from its centre of mass.
template <int D>
Eigen::Matrix<double, rigid_dof<D>, 1> velocity_row(const Vec<D>& r, int axis) {
    Eigen::Matrix<double, rigid_dof<D>, 1> j = Eigen::Matrix<double, rigid_dof<D>, 1>::Zero();
    j[axis] = 1;
    if constexpr (D == 2)
        j[2] = axis == 0 ? -r[1] : r[0];
    else
        j.template tail<3>() = r.cross(Vec3::Unit(axis));
    return j;
}

template <int D>
std::vector<VoxelBody<D>> measure_bodies(const Scene<D>& scene) {
    std::vector<VoxelBody<D>> bodies(scene.boxes().size());
    const auto sum_over = [&](std::size_t b, auto&& f) {
        const auto& box = scene.boxes()[b];
        const double reach = box.half.norm() + 1;
        Coord<D> first, size;
        for (int a = 0; a < D; ++a) {
            first[a] = std::max(0, static_cast<int>(box.centre[a] - reach));
            size[a] = std::min(scene.cells()[a], static_cast<int>(box.centre[a] + reach) + 1) - first[a];
        }
        for (int n = 0; n < size.prod(); ++n) {
            Coord<D> c;
            for (int a = 0, rest = n; a < D; rest /= size[a], ++a) c[a] = first[a] + rest % size[a];
            if (scene.kind(c) == first_body + static_cast<int>(b)) f(Vec<D>(c.template cast<double>().array() + 0.5));
        }
    };
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        auto& body = bodies[b];
        const double density = scene.boxes()[b].density;
        sum_over(b, [&](const Vec<D>& x) { body.mass += density, body.centre += density * x; });
        body.centre /= body.mass;
        sum_over(b, [&](const Vec<D>& x) {
            for (int a = 0; a < D; ++a) {
                const auto j = velocity_row<D>(x - body.centre, a);
                body.inertia += density * j * j.transpose();
            }
        });
        // A cube's inertia about its own centre is m/6 about any axis.
        for (int d = D; d < rigid_dof<D>; ++d) body.inertia(d, d) += body.mass / 6;
    }
    return bodies;
}

/// K, cap and Mbar: one constraint per pair of a fluid cell and a body cell that share a face.
template <int D>
RigidTerms<D> couple_bodies(const Scene<D>& scene) {
    constexpr double beta = 0.5;  // rho V f, f = 1/2 for a voxel face (numerics/interface 2)
    const auto bodies = measure_bodies<D>(scene);
    std::vector<typename RigidTerms<D>::Block> mass;
    mass.reserve(bodies.size());
    for (const auto& body : bodies) mass.push_back(body.inertia);
    std::vector<RigidEntry<D>> entries;
    const auto& set = *scene.set();
    for (std::ptrdiff_t slot = 0; slot < set.count(); ++slot)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(set.brick(slot)) + local_coord<D>(i);
            if (scene.kind(c) != liquid) continue;
            for (int a = 0; a < D; ++a)
                for (const int side : {-1, 1}) {
                    const Kind other = scene.kind(beside<D>(c, a, side));
                    if (other < first_body) continue;
                    const auto b = static_cast<std::size_t>(other - first_body);
                    Vec<D> face = c.template cast<double>().array() + 0.5;
                    face[a] += 0.5 * side;
                    const auto j = velocity_row<D>(face - bodies[b].centre, a);
                    mass[b] += beta * j * j.transpose();
                    RigidEntry<D> entry{static_cast<std::int32_t>(slot), i, static_cast<std::int32_t>(b), {}, 1 / beta};
                    for (int d = 0; d < rigid_dof<D>; ++d) entry.k[static_cast<std::size_t>(d)] = side * j[d];
                    entries.push_back(entry);
                }
        }
    return RigidTerms<D>(std::move(entries), mass);
}

/// Every body falls at speed 1 and turns a little: K^T v is the flux that fluid cells lose into bodies.
template <int D>
void add_falling_bodies(const RigidTerms<D>& bodies, std::vector<double>& rhs) {
    Eigen::VectorXd v = Eigen::VectorXd::Constant(bodies.bodies() * rigid_dof<D>, 0.01);
    for (int b = 0; b < bodies.bodies(); ++b) v.segment<D>(b * rigid_dof<D>) = -Vec<D>::Unit(1);
    bodies.scatter_add(v, -1.0, rhs.data());
}

}  // namespace

std::string ProblemSpec::name() const {
    return body == "dynamic" ? fmt::format("{} dynamic {:g}", domain, ratio) : domain + " " + body;
}

template <int D>
PoissonProblem<D> make_problem(const ProblemSpec& spec, const Coord<D>& cells) {
    const auto scene = std::make_shared<const Scene<D>>(spec, cells);
    PoissonProblem<D> problem;
    problem.spec = spec;
    problem.cells = cells;
    problem.set = scene->set();
    problem.author = [scene](std::ptrdiff_t slot, PoissonBrick<D>& out) { write_coefficients<D>(*scene, slot, out); };
    problem.singular = spec.domain == "closed";
    problem.rhs.assign(static_cast<std::size_t>(problem.set->cells() + Brick<D>::cells), 0.0);
    std::vector<std::uint8_t> fluid(problem.rhs.size(), 0);
    for_fluid<D>(*scene, [&](std::ptrdiff_t row, const Coord<D>& c) {
        problem.rhs[static_cast<std::size_t>(row)] = -divergence<D>(*scene, c);
        fluid[static_cast<std::size_t>(row)] = 1;
    });
    if (spec.body == "dynamic" || spec.body == "eight") {
        problem.bodies = couple_bodies<D>(*scene);
        add_falling_bodies<D>(problem.bodies, problem.rhs);
    }
    double sum = 0;
    for (std::size_t i = 0; i < fluid.size(); ++i) sum += problem.rhs[i], problem.fluid_cells += fluid[i];
    if (problem.singular)
        for (std::size_t i = 0; i < fluid.size(); ++i)
            problem.rhs[i] -= fluid[i] * sum / static_cast<double>(problem.fluid_cells);
    return problem;
}

template PoissonProblem<2> make_problem<2>(const ProblemSpec&, const Coord<2>&);
template PoissonProblem<3> make_problem<3>(const ProblemSpec&, const Coord<3>&);

}  // namespace tidelock::bench
