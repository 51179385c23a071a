#include "couple/coupled_pressure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grid/divergence.h"

namespace tidelock {

namespace {

constexpr double least_fluid = 0.01;  ///< METHODS 2.2: lower bound of a bound face's fluid share, for the smoother only

/// Bodies heavier than this, in masses of the fluid that they displace, converge as fast inside the cycle.
constexpr double heavy_alone = 4, heavy_with_fluid = 0.2;

/// Slot and place of the cell below or above (step = -1, +1) a cell.
template <int D>
std::pair<std::int32_t, int> neighbour_cell(const BrickSet<D>& set, std::ptrdiff_t slot, int local, int axis,
                                            int step) {
    Coord<D> c = local_coord<D>(local);
    Coord<D> offset = Coord<D>::Zero();
    c[axis] += step;
    if (c[axis] < 0) offset[axis] = -1, c[axis] += Brick<D>::size[axis];
    if (c[axis] >= Brick<D>::size[axis]) offset[axis] = 1, c[axis] -= Brick<D>::size[axis];
    return {set.neighbours(slot)[static_cast<std::size_t>(neighbour_slot<D>(offset))], local_index<D>(c)};
}

/// Calls f(slot, local, cell) for the first (side 0) or last (side 1) cells of the domain along an axis.
template <int D, class F>
void for_each_side_cell(const Grid<D>& grid, const BrickSet<D>& set, int axis, int side, F&& f) {
    const int layer = side == 0 ? 0 : grid.cells[axis] - 1;
    parallel_for("sides", set.count(), [&](std::ptrdiff_t b) {
        const Coord<D> corner = first_cell<D>(set.brick(b));
        if (corner[axis] > layer || corner[axis] + Brick<D>::size[axis] <= layer) return;
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = corner + local_coord<D>(i);
            if (cell[axis] == layer && grid.contains(cell)) f(b, i, cell);
        }
    });
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
CoupledPressure<D>::CoupledPressure(const Grid<D>& grid, const Sides<D>& sides, const Interface<D>& interface,
                                    const std::vector<RigidBody<D>>& bodies, double fluid_density,
                                    const Vec<D>& gravity)
    : grid_(grid),
      sides_(sides),
      interface_(interface),
      density_(fluid_density),
      gravity_(gravity),
      reference_(-std::numeric_limits<double>::infinity()),
      solver_([&] {
          for (const auto& body : bodies) {
              centres_.push_back(body.position);
              unknown_of_.push_back(body.dynamic() ? dynamic_++ : -1);
          }
          MultigridOptions options;
          options.bodies = treatment(bodies);
          return PressureSolver<D>(make_operator(grid, sides, interface, fluid_density), make_terms(bodies), options);
      }()) {
    // The open side that is highest is where the pressure is zero.
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side)
            if (sides.is_open(a, side)) {
                Vec<D> x = grid.to_world(0.5 * grid.cells.template cast<double>());
                x[a] = side == 0 ? grid.origin[a] - 0.5 * grid.dx : grid.upper()[a] + 0.5 * grid.dx;
                const double height = -gravity.dot(x);
                if (height > reference_) reference_ = height;
            }
    if (!std::isfinite(reference_)) reference_ = 0;
    find_side_faces(bodies);
}

template <int D>
void CoupledPressure<D>::find_side_faces(const std::vector<RigidBody<D>>& bodies) {
    if (bodies.empty()) return;
    const auto& set = interface_.solid.set();
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            if (!sides_.is_open(a, side)) continue;
            const int layer = side == 0 ? 0 : grid_.cells[a] - 1;
            for (std::ptrdiff_t b = 0; b < set.count(); ++b) {
                const Coord<D> corner = first_cell<D>(set.brick(b));
                if (corner[a] > layer || corner[a] + Brick<D>::size[a] <= layer) continue;
                for (int i = 0; i < Brick<D>::cells; ++i) {
                    const Coord<D> cell = corner + local_coord<D>(i);
                    if (cell[a] != layer || !grid_.contains(cell) || interface_.dry.brick(b)[i] == 0) continue;
                    const Vec<D> centre = grid_.cell_centre(cell);
                    SideFace face{static_cast<std::int32_t>(b),     i,     a, side, 0,
                                  boundary_pressure(a, side, cell), centre};
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
                }
            }
        }
}

template <int D>
void CoupledPressure<D>::lift_uncounted(double dt, const std::vector<RigidBody<D>>& bodies,
                                        Eigen::VectorXd& momentum) const {
    constexpr int dof = rigid_dof<D>;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (unknown_of_[i] < 0) continue;
        for (int a = 0; a < D; ++a) {
            const auto axis = static_cast<std::size_t>(a);
            const double pull = -dt * density_ * gravity_[a];
            momentum[dof * unknown_of_[i] + a] += pull * interface_.uncounted[i][axis];
            momentum.segment<rotation_dof<D>>(dof * unknown_of_[i] + D) +=
                pull * moment<D>(interface_.uncounted_moment[i][axis], Vec<D>::Unit(a));
        }
    }
    const double area = std::pow(grid_.dx, D - 1);
    for (const SideFace& face : side_faces_) {
        const auto body = static_cast<std::size_t>(face.body);
        if (unknown_of_[body] < 0) continue;
        const double push = (face.side == 0 ? 1 : -1) * area * dt * face.pressure;
        momentum.segment<dof>(dof * unknown_of_[body]) +=
            push * velocity_row<D>(face.axis, face.position - centres_[body]);
    }
}

template <int D>
BodyTreatment CoupledPressure<D>::treatment(const std::vector<RigidBody<D>>& bodies) const {
    // Lumped fluid makes a body heavier in the system than it is; without, it counts as light as long as the fluid that
    // it displaces weighs on its motion.
    const double heavy_ratio = interface_.scheme == InterfaceScheme::constraint ? heavy_with_fluid : heavy_alone;
    const bool light = std::any_of(bodies.begin(), bodies.end(), [&](const RigidBody<D>& body) {
        return body.dynamic() && body.mass < heavy_ratio * density_ * body.volume;
    });
    return light ? BodyTreatment::woodbury : BodyTreatment::in_cycle;
}

template <int D>
PoissonOperator<D> CoupledPressure<D>::make_operator(const Grid<D>& grid, const Sides<D>& sides,
                                                     const Interface<D>& interface, double density) {
    // c = A^2 / beta of a free face (METHODS 0.4).
    const double c = std::pow(grid.dx, D - 2) / density;
    const auto& set = interface.solid.set_ptr();
    return PoissonOperator<D>(set, c, [&, c](std::ptrdiff_t slot, PoissonBrick<D>& out) {
        const Coord<D> corner = first_cell<D>(set->brick(slot));
        const MaskValue* dry = interface.dry.brick(slot);
        const std::int32_t first = interface.first_face[static_cast<std::size_t>(slot)];
        const std::int32_t last = interface.first_face[static_cast<std::size_t>(slot) + 1];
        bool plain = first == last;  // wholly inside, and no cell or face touched by a solid
        for (int a = 0; a < D; ++a) plain = plain && corner[a] > 0 && corner[a] + Brick<D>::size[a] < grid.cells[a];
        plain = plain && std::all_of(dry, dry + Brick<D>::cells, [](MaskValue d) { return d == 0; });
        if (plain) {
            for (int a = 0; a < D; ++a) std::fill_n(out.conductance[a], Brick<D>::cells, c);
            std::fill_n(out.unknown, Brick<D>::cells, std::uint8_t{1});
            return;
        }
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> cell = corner + local_coord<D>(i);
            if (!grid.contains(cell) || dry[i] != 0) continue;
            out.unknown[i] = 1;
            for (int a = 0; a < D; ++a) {
                if (cell[a] > 0 && interface.kind[a].brick(slot)[i] == 0) out.conductance[a][i] = c;
                if (cell[a] == 0 && sides.is_open(a, 0)) out.excess[i] += c;
                if (cell[a] == grid.cells[a] - 1 && sides.is_open(a, 1)) out.excess[i] += c;
            }
        }
        for (std::int32_t n = first; n < last; ++n) {
            const BodyFace& face = interface.faces[static_cast<std::size_t>(n)];
            if (face.kind == FaceKind::cut) out.conductance[face.axis][face.local] = c * face.open;
        }
    });
}

template <int D>
Vec<D> CoupledPressure<D>::position(const BodyFace& face) const {
    const auto& set = interface_.solid.set();
    return grid_.position(Coord<D>(first_cell<D>(set.brick(face.slot)) + local_coord<D>(face.local)),
                          Centring<D>::face(face.axis));
}

template <int D>
Vec<D> CoupledPressure<D>::arm(const BodyFace& face, int body) const {
    const auto i = static_cast<std::size_t>(body);
    return position(face) - centres_[i] + interface_.arm_shift[i][static_cast<std::size_t>(face.axis)];
}

template <int D>
RigidTerms<D> CoupledPressure<D>::make_terms(const std::vector<RigidBody<D>>& bodies) {
    constexpr int dof = rigid_dof<D>;
    if (dynamic_ == 0) return {};
    const auto& set = interface_.solid.set();
    const double area = std::pow(grid_.dx, D - 1), dual_mass = density_ * std::pow(grid_.dx, D);
    Eigen::MatrixXd mass;
    std::vector<typename RigidTerms<D>::Block> blocks(static_cast<std::size_t>(dynamic_));
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (unknown_of_[i] >= 0) blocks[static_cast<std::size_t>(unknown_of_[i])] = bodies[i].mass_matrix();
    struct Pair {
        int i, j;
        typename RigidTerms<D>::Block block;
    };
    // The share of fluid that bounds a face's part of K^T Mbar^-1 K (METHODS 2.6). Without lumped fluid there is none,
    // and what matters is that the caps of all faces are alike.
    const auto cap_share = [&](const BodyFace& face) {
        return interface_.scheme == InterfaceScheme::constraint ? std::max(face.fluid, least_fluid) : 0.5;
    };
    std::vector<Pair> pairs;  // blocks between bodies that share a face
    std::vector<RigidEntry<D>> entries;
    for (const BodyFace& face : interface_.faces) {
        const double beta = dual_mass * face.fluid;
        for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
            const FaceShare& share = interface_.shares[static_cast<std::size_t>(s)];
            const int unknown = unknown_of_[static_cast<std::size_t>(share.body)];
            if (unknown < 0 || share.weight <= 0) continue;
            const Twist<D> row = share.weight * velocity_row<D>(face.axis, arm(face, share.body));
            blocks[static_cast<std::size_t>(unknown)] += beta * row * row.transpose();
            for (std::int32_t t = face.first; t < face.first + face.count; ++t) {
                const FaceShare& other = interface_.shares[static_cast<std::size_t>(t)];
                const int unknown2 = unknown_of_[static_cast<std::size_t>(other.body)];
                if (t == s || unknown2 < 0 || other.weight <= 0) continue;
                const Twist<D> row2 = other.weight * velocity_row<D>(face.axis, arm(face, other.body));
                pairs.push_back({unknown, unknown2, beta * row * row2.transpose()});
            }
            if (face.kind == FaceKind::buried) continue;
            const int sides = (face.low_fluid ? 1 : 0) + (face.high_fluid ? 1 : 0);
            const double closed = 1 - face.open;
            RigidEntry<D> entry;
            entry.body = unknown;
            entry.cap = closed * area * area * sides / (dual_mass * cap_share(face)) * share.weight;
            const auto add = [&](std::int32_t slot, int local, double sign) {
                entry.slot = slot;
                entry.local = local;
                for (int d = 0; d < dof; ++d) entry.k[static_cast<std::size_t>(d)] = sign * closed * area * row[d];
                entries.push_back(entry);
            };
            if (face.high_fluid) add(face.slot, face.local, 1);
            if (face.low_fluid) {
                const auto [slot, local] = neighbour_cell<D>(set, face.slot, face.local, face.axis, -1);
                add(slot, local, -1);
            }
        }
    }
    if (pairs.empty()) return RigidTerms<D>(std::move(entries), blocks);
    mass = Eigen::MatrixXd::Zero(dof * dynamic_, dof * dynamic_);
    for (int i = 0; i < dynamic_; ++i) mass.block<dof, dof>(dof * i, dof * i) = blocks[static_cast<std::size_t>(i)];
    for (const Pair& p : pairs) mass.block<dof, dof>(dof * p.i, dof * p.j) += p.block;
    return RigidTerms<D>(std::move(entries), mass);
}

template <int D>
double CoupledPressure<D>::prescribed(const BodyFace& face, const std::vector<RigidBody<D>>& bodies) const {
    double k = 0;
    for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
        const FaceShare& share = interface_.shares[static_cast<std::size_t>(s)];
        const auto& body = bodies[static_cast<std::size_t>(share.body)];
        if (body.type != BodyType::kinematic || share.weight <= 0) continue;
        k += share.weight * velocity_at<D>(body.twist(), arm(face, share.body))[face.axis];
    }
    return k;
}

template <int D>
double CoupledPressure<D>::carried(const BodyFace& face, const Eigen::VectorXd& twists) const {
    double u = 0;
    for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
        const FaceShare& share = interface_.shares[static_cast<std::size_t>(s)];
        const int unknown = unknown_of_[static_cast<std::size_t>(share.body)];
        if (unknown < 0 || share.weight <= 0) continue;
        const Twist<D> twist = twists.segment<rigid_dof<D>>(rigid_dof<D> * unknown);
        u += share.weight * velocity_at<D>(twist, arm(face, share.body))[face.axis];
    }
    return u;
}

template <int D>
double CoupledPressure<D>::boundary_pressure(int axis, int side, const Coord<D>& cell) const {
    Coord<D> beyond = cell;
    beyond[axis] += side == 0 ? -1 : 1;
    return density_ * (gravity_.dot(grid_.cell_centre(beyond)) + reference_);
}

template <int D>
void CoupledPressure<D>::set_body_faces(const Eigen::VectorXd& twists, const std::vector<RigidBody<D>>& bodies,
                                        FaceField<D, double>& velocity) const {
    parallel_for("velocity of solids", static_cast<std::ptrdiff_t>(interface_.faces.size()), [&](std::ptrdiff_t n) {
        const BodyFace& face = interface_.faces[static_cast<std::size_t>(n)];
        if (face.kind == FaceKind::cut) return;
        velocity[face.axis].brick(face.slot)[face.local] = carried(face, twists) + prescribed(face, bodies);
    });
    for (const SideFace& face : side_faces_) {
        const auto body = static_cast<std::size_t>(face.body);
        const Twist<D> twist = unknown_of_[body] < 0
                                   ? bodies[body].twist()
                                   : Twist<D>(twists.segment<rigid_dof<D>>(rigid_dof<D> * unknown_of_[body]));
        velocity[face.axis].brick(face.slot)[face.local] =
            velocity_at<D>(twist, face.position - centres_[body])[face.axis];
    }
}

template <int D>
template <class F>
void CoupledPressure<D>::for_each_excess_flux(const FaceField<D, double>& velocity, const Eigen::VectorXd& twists,
                                              const std::vector<RigidBody<D>>& bodies, F&& f) const {
    const auto& set = interface_.solid.set();
    for (const BodyFace& face : interface_.faces) {
        if (face.kind != FaceKind::cut) continue;
        const double u = velocity[face.axis].brick(face.slot)[face.local];
        const double excess = (1 - face.open) * (carried(face, twists) + prescribed(face, bodies) - u);
        if (face.high_fluid) f(face.slot, face.local, excess);
        if (!face.low_fluid) continue;
        const auto [slot, local] = neighbour_cell<D>(set, face.slot, face.local, face.axis, -1);
        f(slot, local, -excess);
    }
}

template <int D>
Eigen::VectorXd CoupledPressure<D>::twists_of(const std::vector<RigidBody<D>>& bodies) const {
    Eigen::VectorXd twists(rigid_dof<D> * dynamic_);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (unknown_of_[i] >= 0) twists.segment<rigid_dof<D>>(rigid_dof<D> * unknown_of_[i]) = bodies[i].twist();
    return twists;
}

template <int D>
void CoupledPressure<D>::right_hand_side(double dt, const FaceField<D, double>& velocity, const Eigen::VectorXd& twists,
                                         const std::vector<RigidBody<D>>& bodies, BigArray<double>& b) const {
    const auto& set = interface_.solid.set();
    const double volume = std::pow(grid_.dx, D), c = std::pow(grid_.dx, D - 2) / density_;
    Field<D, double> outflow(velocity.set_ptr(), 0.0);
    divergence<D, double, float>(velocity, nullptr, grid_.dx, outflow);
    parallel_for("right-hand side", set.count() + 1, [&](std::ptrdiff_t s) {
        double* out = b.data() + s * Brick<D>::cells;
        if (s == set.count()) {
            std::fill_n(out, Brick<D>::cells, 0.0);
            return;
        }
        const std::uint8_t* unknown = solver_.op().unknown(s);
        const double* d = outflow.brick(s);
        for (int i = 0; i < Brick<D>::cells; ++i) out[i] = unknown[i] != 0 ? -volume * d[i] : 0.0;
    });
    const double area = volume / grid_.dx;
    for_each_excess_flux(velocity, twists, bodies, [&](std::int32_t slot, int local, double excess) {
        if (solver_.op().unknown(slot)[local] != 0)
            b.data()[std::ptrdiff_t{slot} * Brick<D>::cells + local] += area * excess;
    });
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            if (!sides_.is_open(a, side)) continue;
            for_each_side_cell<D>(grid_, set, a, side, [&](std::ptrdiff_t s, int i, const Coord<D>& cell) {
                if (solver_.op().unknown(s)[i] != 0)
                    b.data()[s * Brick<D>::cells + i] += c * dt * boundary_pressure(a, side, cell);
            });
        }
}

template <int D>
void CoupledPressure<D>::push_fluid(double dt, const double* impulse, FaceField<D, double>& velocity) const {
    const auto& set = interface_.solid.set();
    const auto& op = solver_.op();
    const double scale = 1 / (density_ * grid_.dx);
    parallel_for("pressure gradient", set.count(), [&](std::ptrdiff_t b) {
        const double* here = impulse + b * Brick<D>::cells;
        for (int a = 0; a < D; ++a) {
            const double* open = op.conductance(a, b);
            double* u = velocity[a].brick(b);
            int stride = 1;
            for (int k = 0; k < a; ++k) stride *= Brick<D>::size[k];
            Coord<D> back = Coord<D>::Zero();
            back[a] = -1;
            const double* before =
                impulse +
                std::ptrdiff_t{set.neighbours(b)[static_cast<std::size_t>(neighbour_slot<D>(back))]} * Brick<D>::cells;
            const int wrap = stride * (Brick<D>::size[a] - 1);
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const bool edge = (i / stride & (Brick<D>::size[a] - 1)) == 0;
                const double low = edge ? before[i + wrap] : here[i - stride];
                u[i] -= open[i] > 0 ? scale * (here[i] - low) : 0.0;
            }
        }
    });
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            if (!sides_.is_open(a, side)) continue;
            for_each_side_cell<D>(grid_, set, a, side, [&](std::ptrdiff_t s, int i, const Coord<D>& cell) {
                if (op.unknown(s)[i] == 0) return;
                const double inside = impulse[s * Brick<D>::cells + i];
                const double outside = dt * boundary_pressure(a, side, cell);
                if (side == 0) {
                    velocity[a].brick(s)[i] -= scale * (inside - outside);
                } else {
                    const auto [slot, j] = neighbour_cell<D>(set, s, i, a, 1);
                    velocity[a].brick(slot)[j] -= scale * (outside - inside);
                }
            });
        }
}

template <int D>
SolveReport CoupledPressure<D>::project(double dt, const SolveOptions& options, FaceField<D, double>& velocity,
                                        std::vector<RigidBody<D>>& bodies, Field<D, double>& pressure) {
    constexpr int dof = rigid_dof<D>;
    const double dual_mass = density_ * std::pow(grid_.dx, D);
    const auto& set = interface_.solid.set();
    close_sides<D>(grid_, sides_, velocity);

    // v_bar = Mbar^-1 (M v* + J^T beta_c (u*_c - k)); the fluid of buried faces comes along with the bodies.
    const Eigen::VectorXd before = twists_of(bodies);
    Eigen::VectorXd momentum(dof * dynamic_);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (unknown_of_[i] >= 0)
            momentum.segment<dof>(dof * unknown_of_[i]) = bodies[i].mass_matrix() * bodies[i].twist();
    for (const BodyFace& face : interface_.faces) {
        if (face.fluid <= 0) continue;
        const double u = face.kind == FaceKind::buried
                             ? carried(face, before)
                             : velocity[face.axis].brick(face.slot)[face.local] - prescribed(face, bodies);
        for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
            const FaceShare& share = interface_.shares[static_cast<std::size_t>(s)];
            const int unknown = unknown_of_[static_cast<std::size_t>(share.body)];
            if (unknown < 0 || share.weight <= 0) continue;
            momentum.segment<dof>(dof * unknown) +=
                dual_mass * face.fluid * u * share.weight * velocity_row<D>(face.axis, arm(face, share.body));
        }
    }
    lift_uncounted(dt, bodies, momentum);
    const Eigen::VectorXd carried_along = dynamic_ > 0 ? solver_.bodies().solve_mass(momentum) : momentum;
    set_body_faces(carried_along, bodies, velocity);

    BigArray<double> b(static_cast<std::size_t>(solver_.op().size())), impulse(b.size());
    right_hand_side(dt, velocity, carried_along, bodies, b);
    parallel_for("first guess", set.count() + 1, [&](std::ptrdiff_t s) {
        double* x = impulse.data() + s * Brick<D>::cells;
        for (int i = 0; i < Brick<D>::cells; ++i)
            x[i] = s < set.count() && solver_.op().unknown(s)[i] != 0 ? dt * pressure.brick(s)[i] : 0.0;
    });
    SolveReport report = solver_.solve(b.data(), impulse.data(), options);
    if (report.status == SolveStatus::not_finite) return report;

    push_fluid(dt, impulse.data(), velocity);
    Eigen::VectorXd after = carried_along;
    if (dynamic_ > 0) after -= solver_.bodies().solve_mass(solver_.bodies().gather(impulse.data()));
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (unknown_of_[i] >= 0) bodies[i].set_twist(after.segment<dof>(dof * unknown_of_[i]));
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
        const Coord<D> corner = first_cell<D>(set.brick(b));
        const std::uint8_t* unknown = solver_.op().unknown(b);
        const double* d = outflow.brick(b);
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (unknown[i] != 0) {
                ++part.cells;
                const double size = std::abs(d[i]);
                part.max_divergence = size <= part.max_divergence ? part.max_divergence : size;
            }
        for (int a = 0; a < D; ++a) {
            const Coord<D> last = grid_.last_index(Centring<D>::face(a));
            const double* u = velocity[a].brick(b);
            const MaskValue* kind = interface_.kind[a].brick(b);
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> cell = corner + local_coord<D>(i);
                if (kind[i] != 0 || !(cell.array() <= last.array()).all()) continue;
                const double mass = cell[a] == 0 || cell[a] == grid_.cells[a] ? 0.5 : 1.0;  // half of it is outside
                part.velocity[a] += mass * u[i];
                part.squares += mass * u[i] * u[i];
                const double size = std::abs(u[i]);
                part.max_speed = size <= part.max_speed ? part.max_speed : size;
            }
        }
        return part;
    });
    for (const BodyFace& face : interface_.faces) {
        const double u = velocity[face.axis].brick(face.slot)[face.local];
        sums.velocity[face.axis] += (face.open + face.fluid) * u;
        sums.squares += (face.open + face.fluid) * u * u;
    }
    const double volume = std::pow(grid_.dx, D), dual_mass = density_ * volume;
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
    const double area = std::pow(grid_.dx, D - 1);
    Vec<D> sum = Vec<D>::Zero();
    for (int a = 0; a < D; ++a)
        sum[a] = ordered_sum("side impulse", set.count(), 0.0, [&](std::ptrdiff_t b) {
            const Coord<D> corner = first_cell<D>(set.brick(b));
            double part = 0;
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const Coord<D> cell = corner + local_coord<D>(i);
                if (!grid_.contains(cell) || solver_.op().unknown(b)[i] == 0) continue;
                if (cell[a] == 0 && !sides_.is_open(a, 0)) part += pressure.brick(b)[i];
                if (cell[a] == grid_.cells[a] - 1 && !sides_.is_open(a, 1)) part -= pressure.brick(b)[i];
            }
            return part;
        });
    return dt * area * sum;
}

template void close_sides(const Grid<2>&, const Sides<2>&, FaceField<2, double>&);
template void close_sides(const Grid<3>&, const Sides<3>&, FaceField<3, double>&);
template class CoupledPressure<2>;
template class CoupledPressure<3>;

}  // namespace tidelock
