#include "couple/coupled_pressure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/math.h"
#include "couple/cell_lookup.h"
#include "grid/divergence.h"
#include "solve/pressure_solver.h"

namespace tidelock {

namespace {

/// The brick below a brick along an axis.
template <int D>
std::ptrdiff_t lower_neighbour(const BrickSet<D>& set, std::ptrdiff_t slot, int axis) {
    Coord<D> back = Coord<D>::Zero();
    back[axis] = -1;
    return set.neighbours(slot)[static_cast<std::size_t>(neighbour_slot<D>(back))];
}

}  // namespace

template <int D>
void close_sides(const Grid<D>& grid, const Sides<D>& sides, FaceField<D, double>& velocity) {
    const auto& set = velocity.set();
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            if (sides.is_open(a, side)) continue;
            for_each_side_cell<D>(grid, set, a, side, [&](std::ptrdiff_t b, int i, const Coord<D>&) {
                if (side == 0) {
                    velocity[a].brick(b)[i] = 0;
                    return;
                }
                const auto [slot, j] = neighbour_cell<D>(set, b, i, a, 1);
                if (slot != set.void_slot()) velocity[a].brick(slot)[j] = 0;
            });
        }
}

template <int D>
std::unique_ptr<CoupledSolver<D>> make_solver(const CoupledMatrix<D>& matrix, const std::vector<RigidBody<D>>& bodies,
                                              std::optional<ReferenceMethod> method, MergedCells<D> merged) {
    if (!method)
        return std::make_unique<PressureSolver<D>>(matrix.make_operator(), matrix.make_terms(bodies),
                                                   MultigridOptions{}, std::move(merged));
    return std::make_unique<ReferenceSolver<D>>(
        *method, matrix.make_operator(), matrix.make_terms(bodies),
        needs_constraints(*method) ? matrix.make_constraints(bodies) : Constraints<D>());
}

template <int D>
CoupledPressure<D>::CoupledPressure(const FlowFaces<D>& flow, const Interface<D>& interface,
                                    const std::vector<RigidBody<D>>& bodies, const std::vector<JointRow<D>>& joints,
                                    std::optional<ReferenceMethod> reference)
    : flow_(flow),
      interface_(interface),
      grid_(flow.medium.grid),
      sides_(flow.medium.sides),
      matrix_(flow, interface, bodies, joints),
      solver_(make_solver<D>(matrix_, bodies, reference, flow.merged)) {
    find_side_faces(bodies);
}

template <int D>
void CoupledPressure<D>::find_side_faces(const std::vector<RigidBody<D>>& bodies) {
    if (bodies.empty()) return;
    const auto& set = interface_.solid.set();
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            if (!sides_.is_open(a, side)) continue;
            for (std::ptrdiff_t b = 0; b < set.count(); ++b)
                for_each_side_cell_in_brick<D>(grid_, set, a, side, b, [&](auto, int i, const Coord<D>& cell) {
                    if (interface_.dry.brick(b)[i] == 0) return;
                    const Vec<D> centre = grid_.cell_centre(cell);
                    SideFace face{static_cast<std::int32_t>(b),         i,     a, side, 0,
                                  flow_.pressure_beyond(a, side, cell), centre};
                    face.position[a] += (side == 0 ? -0.5 : 0.5) * grid_.dx;
                    if (side == 1) {
                        const auto [slot, local] = neighbour_cell<D>(set, b, i, a, 1);
                        face.slot = slot;
                        face.local = local;
                    }
                    double least = std::numeric_limits<double>::infinity();
                    for (std::size_t n = 0; n < bodies.size(); ++n) {
                        const double d = bodies[n].distance(bodies[n].pose().to_body(centre));
                        if (d < least) least = d, face.body = static_cast<int>(n);
                    }
                    side_faces_.push_back(face);
                });
        }
}

template <int D>
void CoupledPressure<D>::lift_uncounted(double dt, const std::vector<RigidBody<D>>& bodies,
                                        Eigen::VectorXd& momentum) const {
    constexpr int dof = rigid_dof<D>;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (matrix_.unknown_of(i) < 0) continue;
        for (int a = 0; a < D; ++a) {
            const auto axis = static_cast<std::size_t>(a);
            const double pull = -dt * flow_.medium.density * flow_.medium.gravity[a] * flow_.wet_share[i];
            momentum[dof * matrix_.unknown_of(i) + a] += pull * interface_.uncounted[i][axis];
            momentum.segment<rotation_dof<D>>(dof * matrix_.unknown_of(i) + D) +=
                pull * moment<D>(interface_.uncounted_moment[i][axis], Vec<D>::Unit(a));
        }
    }
    const double area = power(grid_.dx, D - 1);
    for (const SideFace& face : side_faces_) {
        const auto body = static_cast<std::size_t>(face.body);
        if (matrix_.unknown_of(body) < 0) continue;
        const double push = (face.side == 0 ? 1 : -1) * area * dt * face.pressure;
        momentum.segment<dof>(dof * matrix_.unknown_of(body)) +=
            push * velocity_row<D>(face.axis, face.position - matrix_.centre(body));
    }
}

template <int D>
double CoupledPressure<D>::prescribed(const BodyFace& face, const std::vector<RigidBody<D>>& bodies) const {
    double k = 0;
    for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
        const FaceShare& share = interface_.shares[static_cast<std::size_t>(s)];
        const auto& body = bodies[static_cast<std::size_t>(share.body)];
        const double weight = flow_.weights[static_cast<std::size_t>(s)];
        if (body.type != BodyType::kinematic || weight <= 0) continue;
        k += weight * velocity_at<D>(body.twist(), matrix_.arm(face, share.body))[face.axis];
    }
    return k;
}

template <int D>
double CoupledPressure<D>::carried(const BodyFace& face, const Eigen::VectorXd& twists) const {
    double u = 0;
    matrix_.for_each_row(face, [&](int unknown, const Twist<D>& row) {
        u += row.dot(twists.segment<rigid_dof<D>>(rigid_dof<D> * unknown));
    });
    return u;
}

template <int D>
void CoupledPressure<D>::set_body_faces(const Eigen::VectorXd& twists, const std::vector<RigidBody<D>>& bodies,
                                        FaceField<D, double>& velocity) const {
    parallel_for("velocity of solids", static_cast<std::ptrdiff_t>(interface_.faces.size()), [&](std::ptrdiff_t n) {
        const BodyFace& face = interface_.faces[static_cast<std::size_t>(n)];
        if (face.kind == FaceKind::cut) return;
        // u_c = J v + k, the closure W (u - J v) = 0 of [A18] section 4.3; [RMSG08] eq. (15), lower case.
        velocity[face.axis].brick(face.slot)[face.local] = carried(face, twists) + prescribed(face, bodies);
    });
    for (const SideFace& face : side_faces_) {
        const auto body = static_cast<std::size_t>(face.body);
        const Twist<D> twist = matrix_.unknown_of(body) < 0
                                   ? bodies[body].twist()
                                   : Twist<D>(twists.segment<rigid_dof<D>>(rigid_dof<D> * matrix_.unknown_of(body)));
        velocity[face.axis].brick(face.slot)[face.local] =
            velocity_at<D>(twist, face.position - matrix_.centre(body))[face.axis];
    }
}

template <int D>
template <class F>
void CoupledPressure<D>::for_each_excess_flux(const FaceField<D, double>& velocity, const Eigen::VectorXd& twists,
                                              const std::vector<RigidBody<D>>& bodies, F&& f) const {
    const auto& set = interface_.solid.set();
    for (std::size_t n = 0; n < interface_.faces.size(); ++n) {
        const BodyFace& face = interface_.faces[n];
        const FlowFace& flow = flow_.faces[n];
        if (face.kind != FaceKind::cut) continue;
        const double u = velocity[face.axis].brick(face.slot)[face.local];
        const double excess = (1 - flow.open) * (carried(face, twists) + prescribed(face, bodies) - u);
        if (flow.high_pressure) f(face.slot, face.local, excess);
        if (!flow.low_pressure) continue;
        const auto [slot, local] = neighbour_cell<D>(set, face.slot, face.local, face.axis, -1);
        f(slot, local, -excess);
    }
}

template <int D>
Eigen::VectorXd CoupledPressure<D>::twists_of(const std::vector<RigidBody<D>>& bodies) const {
    Eigen::VectorXd twists(rigid_dof<D> * matrix_.dynamic());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (matrix_.unknown_of(i) >= 0)
            twists.segment<rigid_dof<D>>(rigid_dof<D> * matrix_.unknown_of(i)) = bodies[i].twist();
    return twists;
}

template <int D>
void CoupledPressure<D>::right_hand_side(double dt, const FaceField<D, double>& velocity, const Eigen::VectorXd& twists,
                                         const std::vector<RigidBody<D>>& bodies, BigArray<double>& b) const {
    const auto& set = interface_.solid.set();
    const double volume = power(grid_.dx, D), c = power(grid_.dx, D - 2) / flow_.medium.density;
    Field<D, double> outflow(velocity.set_ptr(), 0.0);
    divergence<D, double, float>(velocity, nullptr, grid_.dx, outflow);
    parallel_for("right-hand side", set.count() + 1, [&](std::ptrdiff_t s) {
        double* out = b.data() + s * Brick<D>::cells;
        if (s == set.count()) {
            std::fill_n(out, Brick<D>::cells, 0.0);
            return;
        }
        const auto unknown = solver_->op().unknown(s);
        const double* d = outflow.brick(s);
        // G^T u*, the upper right-hand side of [A18] eq. (17); closed faces hold J v_bar + k.
        for (int i = 0; i < Brick<D>::cells; ++i) out[i] = unknown[i] != 0 ? -volume * d[i] : 0.0;
        if (flow_.divergence == 0) return;
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (flow_.contents.at(s, i) == CellContent::liquid && unknown[i] != 0) out[i] += volume * flow_.divergence;
    });
    // The flux out of a bubble: its source, where [A18] eq. (18) has 0. Its cells share one unknown, only the sum
    // counts.
    for (const FlowSource& source : flow_.sources) {
        const double part = source.flux / static_cast<double>(source.cells.size());
        for (const CellPlace& at : source.cells)
            if (solver_->op().unknown(at.slot)[at.local] != 0)
                b.data()[std::ptrdiff_t{at.slot} * Brick<D>::cells + at.local] += part;
    }
    const double area = volume / grid_.dx;
    for_each_excess_flux(velocity, twists, bodies, [&](std::int32_t slot, int local, double excess) {
        if (solver_->op().unknown(slot)[local] != 0)
            b.data()[std::ptrdiff_t{slot} * Brick<D>::cells + local] += area * excess;
    });
    for (const SurfaceLink& link : flow_.links)
        if (link.end == LinkEnd::side)
            b.data()[std::ptrdiff_t{link.slot} * Brick<D>::cells + link.local] += c / link.theta * dt * link.pressure;
}

template <int D>
void CoupledPressure<D>::push_fluid(double dt, const double* impulse, FaceField<D, double>& velocity) const {
    const auto& set = interface_.solid.set();
    const auto& op = solver_->op();
    // u_f = u*_f - beta_f^-1 G_f p: [A18] eq. (13), [RMSG08] eq. (9).
    const double scale = 1 / (flow_.medium.density * grid_.dx);
    parallel_for("pressure gradient", set.count(), [&](std::ptrdiff_t b) {
        const double* here = impulse + b * Brick<D>::cells;
        for (int a = 0; a < D; ++a) {
            const std::uint8_t* open = op.flags(b);
            double* u = velocity[a].brick(b);
            const int stride = local_stride<D>(a), wrap = stride * (Brick<D>::size[a] - 1);
            const double* before = impulse + lower_neighbour<D>(set, b, a) * Brick<D>::cells;
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const bool edge = (i / stride & (Brick<D>::size[a] - 1)) == 0;
                const double low = edge ? before[i + wrap] : here[i - stride];
                u[i] -= (open[i] & lower_open(a)) != 0 ? scale * (here[i] - low) : 0.0;
            }
        }
    });
    push_links(dt, impulse, velocity);
}

template <int D>
void CoupledPressure<D>::push_links(double dt, const double* impulse, FaceField<D, double>& velocity) const {
    const auto& set = interface_.solid.set();
    const double scale = 1 / (flow_.medium.density * grid_.dx);
    // A face has one side with fluid only, so that no two links write the same one.
    parallel_for("pressure gradient at the surface", static_cast<std::ptrdiff_t>(flow_.links.size()),
                 [&](std::ptrdiff_t n) {
                     const SurfaceLink& link = flow_.links[static_cast<std::size_t>(n)];
                     const bool bubble = link.end == LinkEnd::bubble;
                     const auto [there, local] = neighbour_cell<D>(set, link.slot, link.local, link.axis, link.step);
                     const double inside = impulse[std::ptrdiff_t{link.slot} * Brick<D>::cells + link.local];
                     const double outside =
                         bubble ? impulse[std::ptrdiff_t{there} * Brick<D>::cells + local] : dt * link.pressure;
                     // Between two unknowns the plain difference has been taken already.
                     const double factor = bubble ? 1 / link.theta - 1 : 1 / link.theta;
                     double& u = link.step < 0 ? velocity[link.axis].brick(link.slot)[link.local]
                                               : velocity[link.axis].brick(there)[local];
                     if (link.step > 0 && there == set.void_slot()) return;
                     u -= scale * factor * link.step * (outside - inside);
                 });
}

template <int D>
void CoupledPressure<D>::first_guess(double dt, const Field<D, double>& pressure, double* impulse) const {
    const auto& set = interface_.solid.set();
    const auto& op = solver_->op();
    std::vector<std::vector<int>> bare(static_cast<std::size_t>(set.count()));
    parallel_for("first guess", set.count() + 1, [&](std::ptrdiff_t s) {
        double* x = impulse + s * Brick<D>::cells;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            x[i] = s < set.count() && op.unknown(s)[i] != 0 ? dt * pressure.brick(s)[i] : 0.0;
            if (x[i] == 0 && s < set.count() && op.unknown(s)[i] != 0) bare[static_cast<std::size_t>(s)].push_back(i);
        }
    });
    // Cells that a body has just left know no pressure, and next to that of a fluid at rest nothing is a bad guess:
    // they take the mean of their neighbours, from the rim inwards.
    std::vector<CellPlace> uncovered;
    for (std::ptrdiff_t s = 0; s < set.count(); ++s)
        for (const int i : bare[static_cast<std::size_t>(s)]) uncovered.push_back({static_cast<std::int32_t>(s), i});
    if (2 * static_cast<std::ptrdiff_t>(uncovered.size()) > op.unknowns()) return;  // the first step
    constexpr int layers = 8;
    for (int layer = 0; layer < layers && !uncovered.empty(); ++layer) {
        std::vector<std::pair<CellPlace, double>> filled;
        for (const CellPlace& cell : uncovered) {
            double sum = 0;
            int count = 0;
            for (int a = 0; a < D; ++a)
                for (const int step : {-1, 1}) {
                    const auto [slot, local] = neighbour_cell<D>(set, cell.slot, cell.local, a, step);
                    const double there = impulse[std::ptrdiff_t{slot} * Brick<D>::cells + local];
                    if (there != 0) sum += there, ++count;
                }
            if (count > 0) filled.emplace_back(cell, sum / count);
        }
        if (filled.empty()) break;
        for (const auto& [cell, value] : filled)
            impulse[std::ptrdiff_t{cell.slot} * Brick<D>::cells + cell.local] = value;
        std::erase_if(uncovered, [&](const CellPlace& cell) {
            return impulse[std::ptrdiff_t{cell.slot} * Brick<D>::cells + cell.local] != 0;
        });
    }
}

template <int D>
SolveReport CoupledPressure<D>::project(double dt, const SolveOptions& options, FaceField<D, double>& velocity,
                                        std::vector<RigidBody<D>>& bodies, Field<D, double>& pressure,
                                        const SystemObserver<D>& observe) {
    constexpr int dof = rigid_dof<D>;
    const auto& set = interface_.solid.set();
    close_sides<D>(grid_, sides_, velocity);

    // v_bar = Mbar^-1 (M v* + J^T beta_c (u*_c - k)): [A18] eq. (16), lambda taken from eq. (15) (numerics/coupling 3).
    // The fluid of buried faces comes along with the bodies.
    const Eigen::VectorXd before = twists_of(bodies);
    Eigen::VectorXd momentum(dof * matrix_.dynamic());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (matrix_.unknown_of(i) >= 0) {
            momentum.segment<dof>(dof * matrix_.unknown_of(i)) = bodies[i].mass_matrix() * bodies[i].twist();
            // The fluid that the uncounted part carries along has no weight in the fluid around it.
            for (int a = 0; a < D; ++a)
                momentum[dof * matrix_.unknown_of(i) + a] +=
                    matrix_.added_mass(i, a) * (bodies[i].velocity[a] - dt * flow_.medium.gravity[a]);
        }
    for (std::size_t n = 0; n < interface_.faces.size(); ++n) {
        const BodyFace& face = interface_.faces[n];
        const double mass = flow_.faces[n].mass;
        if (mass <= 0) continue;
        const double u = face.kind == FaceKind::buried
                             ? carried(face, before)
                             : velocity[face.axis].brick(face.slot)[face.local] - prescribed(face, bodies);
        matrix_.for_each_row(
            face, [&](int unknown, const Twist<D>& row) { momentum.segment<dof>(dof * unknown) += mass * u * row; });
    }
    lift_uncounted(dt, bodies, momentum);
    const RigidTerms<D>& terms = solver_->bodies();
    Eigen::VectorXd carried_along = momentum;
    if (terms.jointed())
        carried_along = before + terms.solve_mass(momentum - terms.apply_mass(before));
    else if (matrix_.dynamic() > 0)
        carried_along = terms.solve_mass(momentum);
    set_body_faces(carried_along, bodies, velocity);

    BigArray<double> b(static_cast<std::size_t>(solver_->op().size())), impulse(b.size());
    right_hand_side(dt, velocity, carried_along, bodies, b);
    first_guess(dt, pressure, impulse.data());
    if (observe.system) observe.system({*this, bodies, b.data(), impulse.data()});
    const auto momentum_of = [&](const Eigen::VectorXd& twists) {
        Vec<D> sum = measure(velocity, bodies).momentum;
        for (std::size_t i = 0; i < bodies.size(); ++i)
            if (const int unknown = matrix_.unknown_of(i); unknown >= 0)
                sum += bodies[i].mass * twists.segment<D>(dof * unknown);
        return sum;
    };
    // With M v_bar and J v_bar: the momentum of u* and v*.
    const Vec<D> momentum_before = observe.momentum ? momentum_of(carried_along) : Vec<D>::Zero();
    SolveReport report = solver_->solve(b.data(), impulse.data(), options);
    if (report.status == SolveStatus::not_finite) return report;

    push_fluid(dt, impulse.data(), velocity);
    Eigen::VectorXd after = carried_along;
    joint_impulses_.assign(bodies.size(), Twist<D>::Zero());
    if (matrix_.dynamic() > 0) {
        const Eigen::VectorXd pushed = terms.gather(impulse.data());
        after -= terms.solve_mass(pushed);  // v = v_bar - Mbar^-1 K p, [A18] eq. (16)
        if (terms.jointed()) {
            const Eigen::VectorXd reaction = terms.apply_mass(after) - momentum + pushed;
            for (std::size_t i = 0; i < bodies.size(); ++i)
                if (const int unknown = matrix_.unknown_of(i); unknown >= 0)
                    joint_impulses_[i] = reaction.segment<dof>(dof * unknown);
        }
    }
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (matrix_.unknown_of(i) >= 0) bodies[i].set_twist(after.segment<dof>(dof * matrix_.unknown_of(i)));
    set_body_faces(after, bodies, velocity);
    parallel_for("velocity of solids", static_cast<std::ptrdiff_t>(interface_.full.size()), [&](std::ptrdiff_t n) {
        const auto& [slot, index] = interface_.full[static_cast<std::size_t>(n)];
        const auto& body = bodies[static_cast<std::size_t>(index)];
        const Twist<D> twist = body.twist();
        const Coord<D> corner = first_cell<D>(set.brick(slot));
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < Brick<D>::cells; ++i)
                velocity[a].brick(slot)[i] =
                    velocity_at<D>(twist, grid_.position(Coord<D>(corner + local_coord<D>(i)), Centring<D>::face(a)) -
                                              body.position)[a];
    });
    close_sides<D>(grid_, sides_, velocity);
    parallel_for("pressure", set.count(), [&](std::ptrdiff_t s) {
        for (int i = 0; i < Brick<D>::cells; ++i) pressure.brick(s)[i] = impulse.data()[s * Brick<D>::cells + i] / dt;
    });
    if (observe.momentum) {
        const FlowMeasures<D> flow = measure(velocity, bodies);
        observe.momentum(momentum_of(after) - momentum_before - side_impulse(dt, pressure),
                         flow_.medium.density * flow.volume * flow.max_speed);
    }
    return report;
}

namespace {

/// A brick's part in FlowMeasures, in units of dual cells.
template <int D>
struct FlowSums {
    std::ptrdiff_t cells = 0;
    Vec<D> velocity = Vec<D>::Zero();
    double squares = 0, max_speed = 0, max_divergence = 0;

    FlowSums& operator+=(const FlowSums& other) {
        cells += other.cells;
        velocity += other.velocity;
        squares += other.squares;
        // A NaN must not get lost in a maximum.
        max_speed = other.max_speed <= max_speed ? max_speed : other.max_speed;
        max_divergence = other.max_divergence <= max_divergence ? max_divergence : other.max_divergence;
        return *this;
    }
};

}  // namespace

template <int D>
FlowMeasures<D> CoupledPressure<D>::measure(const FaceField<D, double>& velocity,
                                            const std::vector<RigidBody<D>>& bodies) const {
    const auto& set = interface_.solid.set();
    Field<D, double> outflow(velocity.set_ptr(), 0.0);
    divergence<D, double, float>(velocity, nullptr, grid_.dx, outflow);
    for_each_excess_flux(velocity, twists_of(bodies), bodies, [&](std::int32_t slot, int local, double excess) {
        outflow.brick(slot)[local] -= excess / grid_.dx;
    });
    FlowSums<D> sums = ordered_sum("measure flow", set.count(), FlowSums<D>{}, [&](std::ptrdiff_t b) {
        FlowSums<D> part;
        const auto unknown = solver_->op().unknown(b);
        constexpr auto liquid = static_cast<MaskValue>(CellContent::liquid);
        const MaskValue* content = flow_.contents.mask.brick(b);
        const double* d = outflow.brick(b);
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (unknown[i] != 0 && content[i] == liquid) {
                ++part.cells;
                const double size = std::abs(d[i]);
                part.max_divergence = size <= part.max_divergence ? part.max_divergence : size;
            }
        for (int a = 0; a < D; ++a) {
            const double* u = velocity[a].brick(b);
            const MaskValue* kind = interface_.kind[a].brick(b);
            const int stride = local_stride<D>(a), wrap = stride * (Brick<D>::size[a] - 1);
            const MaskValue* before = flow_.contents.mask.brick(lower_neighbour<D>(set, b, a));
            for (int i = 0; i < Brick<D>::cells; ++i) {
                if (kind[i] != 0) continue;
                const bool edge = (i / stride & (Brick<D>::size[a] - 1)) == 0;
                const MaskValue below = edge ? before[i + wrap] : content[i - stride];
                // The half of a dual cell on a side with fluid.
                const double mass = (content[i] == liquid ? 0.5 : 0.0) + (below == liquid ? 0.5 : 0.0);
                if (mass == 0) continue;
                part.velocity[a] += mass * u[i];
                part.squares += mass * u[i] * u[i];
                const double size = std::abs(u[i]);
                part.max_speed = size <= part.max_speed ? part.max_speed : size;
            }
        }
        return part;
    });
    for (std::size_t n = 0; n < interface_.faces.size(); ++n) {
        const BodyFace& face = interface_.faces[n];
        const FlowFace& flow = flow_.faces[n];
        const double u = velocity[face.axis].brick(face.slot)[face.local];
        const double mass = 0.5 * flow.fluids() * flow.open + flow.mass / flow_.medium.dual_mass();
        sums.velocity[face.axis] += mass * u;
        sums.squares += mass * u * u;
    }
    const double volume = power(grid_.dx, D), dual_mass = flow_.medium.density * volume;
    FlowMeasures<D> out;
    out.cells = sums.cells;
    out.volume = volume * static_cast<double>(sums.cells);
    out.momentum = dual_mass * sums.velocity;
    out.kinetic_energy = 0.5 * dual_mass * sums.squares;
    out.max_speed = sums.max_speed;
    out.max_divergence = sums.max_divergence;
    return out;
}

template <int D>
Vec<D> CoupledPressure<D>::side_impulse(double dt, const Field<D, double>& pressure) const {
    const auto& set = interface_.solid.set();
    const double area = power(grid_.dx, D - 1);
    Vec<D> sum = Vec<D>::Zero();
    for (int a = 0; a < D; ++a)
        sum[a] = ordered_sum("side impulse", set.count(), 0.0, [&](std::ptrdiff_t b) {
            const Coord<D> corner = first_cell<D>(set.brick(b));
            double part = 0;
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> cell = corner + local_coord<D>(i);
                if (!grid_.contains(cell) || solver_->op().unknown(b)[i] == 0) continue;
                const double p = pressure.brick(b)[i];
                for (int side = 0; side < 2; ++side)
                    if (cell[a] == (side == 0 ? 0 : grid_.cells[a] - 1))
                        part += (side == 0 ? 1 : -1) *
                                (sides_.is_open(a, side) ? 0.5 * (p + flow_.pressure_beyond(a, side, cell)) : p);
            }
            return part;
        });
    return dt * area * sum;
}

template void close_sides(const Grid<2>&, const Sides<2>&, FaceField<2, double>&);
template void close_sides(const Grid<3>&, const Sides<3>&, FaceField<3, double>&);
template std::unique_ptr<CoupledSolver<2>> make_solver(const CoupledMatrix<2>&, const std::vector<RigidBody<2>>&,
                                                       std::optional<ReferenceMethod>, MergedCells<2>);
template std::unique_ptr<CoupledSolver<3>> make_solver(const CoupledMatrix<3>&, const std::vector<RigidBody<3>>&,
                                                       std::optional<ReferenceMethod>, MergedCells<3>);
template class CoupledPressure<2>;
template class CoupledPressure<3>;

}  // namespace tidelock
