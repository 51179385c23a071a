/// The fluid's part of a pressure solve, whatever moves the solids: right-hand side, first guess, what the pressure
/// does to velocities, and what comes out of it.
///
/// Source   [A18] eq. (15) to (17) in the form of numerics/coupling 3, for solids that move with velocities v:
///            L_N p + ... = G_f^T u*_f + G_c^T (J v + k)     u_f = u*_f - beta_f^-1 G_f p     u_c = J v + k
///          The dots are the solids' answer to p, if they have one: K^T Mbar^-1 K p in couple/rigid_coupling.h.
///          With fractional faces [BBB07] the open share of a face counts among f, the rest among c, without mass.
/// Symbols  p      pressure times dt [Pa s]           u, v  velocities of faces, of solids
///          beta   fluid mass of a dual cell [kg]     f, c  free faces; bound and buried faces
/// Sides    closed: u = 0. Open: couple/flow_faces.h.
#pragma once

#include "base/big_array.h"
#include "couple/flow_measures.h"
#include "couple/solid_rows.h"
#include "grid/neighbour_cell.h"

namespace tidelock {

template <int D>
class FlowSystem {
  public:
    /// All are kept by reference. `op`: flow_operator() of the same faces, with the unknowns that the solver has.
    FlowSystem(const FlowFaces<D>& flow, const Interface<D>& interface, const SolidRows<D>& rows,
               const PoissonOperator<D>& op)
        : flow_(flow), interface_(interface), rows_(rows), op_(op), set_(interface.solid.set()) {}

    /// Of the system for p; `velocity` holds u*, and J v + k on the solids' faces. `b` is written whole.
    void right_hand_side(double dt, const FaceField<D, double>& velocity, const Eigen::VectorXd& v,
                         BigArray<double>& b) const;
    /// p of the step before, from its pressure [Pa].
    void first_guess(double dt, const Field<D, double>& pressure, double* p) const;
    /// u_f.
    void push(double dt, const double* p, FaceField<D, double>& velocity) const;
    /// u_c: bound and buried faces, and faces of open sides that solids cover.
    void set_solid_faces(const Eigen::VectorXd& v, FaceField<D, double>& velocity) const;

    [[nodiscard]] FlowMeasures<D> measure(const FaceField<D, double>& velocity, const Eigen::VectorXd& v) const;
    /// The fluid's momentum with the masses that p pushes: at the surface the share theta of a dual cell, where
    /// measure() counts the half that lies in a cell of fluid [kg m/s].
    [[nodiscard]] Vec<D> pushed_momentum(const FaceField<D, double>& velocity, const Eigen::VectorXd& v) const;
    /// Impulse that the sides of the domain gave the fluid, from the pressure [N s]. At open sides it is that of the
    /// mean of the pressures on both sides, since half of the dual cells there lies outside.
    [[nodiscard]] Vec<D> side_impulse(double dt, const Field<D, double>& pressure) const;

    [[nodiscard]] const FlowFaces<D>& flow() const { return flow_; }

  private:
    /// The part of push() between unknowns, and that at links.
    void push_between_cells(const double* p, FaceField<D, double>& velocity) const;
    void push_links(double dt, const double* p, FaceField<D, double>& velocity) const;
    void add_sources(BigArray<double>& b) const;
    /// Flux per area through the solid part of a cut face, beyond what `velocity` says: f(slot, local, excess) for the
    /// cells above (+) and below (-) it.
    template <class F>
    void for_each_excess_flux(const FaceField<D, double>& velocity, const Eigen::VectorXd& v, F&& f) const {
        for (std::size_t n = 0; n < interface_.faces.size(); ++n) {
            const BodyFace& face = interface_.faces[n];
            const FlowFace& flow = flow_.faces[n];
            if (face.kind != FaceKind::cut) continue;
            const double u = velocity[face.axis].brick(face.slot)[face.local];
            const double excess = (1 - flow.open) * (rows_.velocity(n, v) - u);
            if (flow.high_pressure) f(face.slot, face.local, excess);
            if (!flow.low_pressure) continue;
            const auto [slot, local] = neighbour_cell<D>(set_, face.slot, face.local, face.axis, -1);
            f(slot, local, -excess);
        }
    }
    /// Unknowns that are zero in `p` take the mean of their neighbours, from the rim inwards.
    void fill_uncovered(std::vector<CellPlace> uncovered, double* p) const;
    /// beta^-1 A of a free face [m^2/(kg)].
    [[nodiscard]] double push_of_free_face() const { return 1 / (flow_.medium.density * flow_.medium.grid.dx); }

    const FlowFaces<D>& flow_;
    const Interface<D>& interface_;
    const SolidRows<D>& rows_;
    const PoissonOperator<D>& op_;
    const BrickSet<D>& set_;
};

/// Sets the normal velocity on closed sides to 0.
template <int D>
void close_sides(const Grid<D>& grid, const Sides<D>& sides, FaceField<D, double>& velocity);

/// Bricks wholly inside a solid move with it, as `bodies` do now.
template <int D>
void fill_solids(const Grid<D>& grid, const Interface<D>& interface, const std::vector<RigidBody<D>>& bodies,
                 FaceField<D, double>& velocity);

/// The pressure [Pa] of a solve, from p.
template <int D>
void keep_pressure(double dt, const double* p, Field<D, double>& pressure);

}  // namespace tidelock
