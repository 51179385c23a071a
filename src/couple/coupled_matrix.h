/// The matrices of the coupled pressure solve, from the faces at which fluid and bodies meet.
///
/// Source   [A18] eq. (15) to (17); Sigma = L_N + K^T Mbar^-1 K in the form of numerics/coupling 3.
#pragma once

#include "couple/flow_faces.h"
#include "solid/joint.h"
#include "solve/constraints.h"
#include "solve/multigrid.h"

namespace tidelock {

template <int D>
class CoupledMatrix {
  public:
    /// `bodies` with the poses that `interface` was built from; `flow` and `interface` are kept by reference. `joints`:
    /// velocities that they may not have.
    CoupledMatrix(const FlowFaces<D>& flow, const Interface<D>& interface, const std::vector<RigidBody<D>>& bodies,
                  const std::vector<JointRow<D>>& joints = {});

    /// L_N, the part of G^T beta^-1 G in [A18] eq. (17) that closed faces leave (numerics/coupling 3).
    [[nodiscard]] PoissonOperator<D> make_operator() const;
    /// K and Mbar of the dynamic bodies (numerics/coupling 3).
    [[nodiscard]] RigidTerms<D> make_terms(const std::vector<RigidBody<D>>& bodies) const;
    /// What [A18] eq. (17) holds beyond that. Only with InterfaceScheme::constraint: cut faces have no impulse of their
    /// own.
    [[nodiscard]] Constraints<D> make_constraints(const std::vector<RigidBody<D>>& bodies) const;

    [[nodiscard]] int dynamic() const { return dynamic_; }
    /// Place of a body among the dynamic ones, or -1.
    [[nodiscard]] int unknown_of(std::size_t body) const { return unknown_of_[body]; }
    [[nodiscard]] const Vec<D>& centre(std::size_t body) const { return centres_[body]; }
    /// From a body's centre of mass to where a face acts on it.
    [[nodiscard]] Vec<D> arm(const BodyFace& face, int body) const;

    /// Fluid that moves with the part of a body that no face counts, along an axis [kg]: a body that leaves the domain
    /// does not leave the fluid. Half of what it displaces, the added mass of a sphere.
    [[nodiscard]] double added_mass(std::size_t body, int axis) const;

    /// Calls f(unknown, row) for the dynamic bodies that a face moves with, row being their part of J.
    template <class F>
    void for_each_row(const BodyFace& face, F&& f) const {
        for (std::int32_t s = face.first; s < face.first + face.count; ++s) {
            const FaceShare& share = interface_.shares[static_cast<std::size_t>(s)];
            const int unknown = unknown_of_[static_cast<std::size_t>(share.body)];
            const double weight = flow_.weights[static_cast<std::size_t>(s)];
            if (unknown < 0 || weight <= 0) continue;
            f(unknown, Twist<D>(weight * velocity_row<D>(face.axis, arm(face, share.body))));
        }
    }

  private:
    using Block = typename RigidTerms<D>::Block;
    /// A mass matrix: blocks of bodies, and blocks between bodies that share a face.
    struct Mass {
        struct Pair {
            int i, j;
            Block block;
        };
        std::vector<Block> blocks;
        std::vector<Pair> pairs;
    };
    /// The bodies' masses with the fluid of bound and buried faces, or of buried ones only.
    [[nodiscard]] Mass mass(const std::vector<RigidBody<D>>& bodies, bool bound) const;
    [[nodiscard]] RigidTerms<D> terms(std::vector<RigidEntry<D>> entries, const Mass& mass) const;

    /// Coefficients of a brick beside a surface, a side or a solid.
    void fill_brick(std::ptrdiff_t slot, double c, PoissonBrick<D>& out) const;
    void add_links(std::ptrdiff_t slot, double c, PoissonBrick<D>& out) const;

    const FlowFaces<D>& flow_;
    const Interface<D>& interface_;
    std::vector<Vec<D>> centres_;  ///< of the bodies [m]
    std::vector<int> unknown_of_;  ///< per body
    int dynamic_ = 0;
    std::vector<RigidRow<D>> joints_;  ///< on the dynamic bodies
};

}  // namespace tidelock
