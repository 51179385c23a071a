/// The solids' side of the faces where they meet a fluid: the row of J that gives each face its velocity from the
/// unknown velocities of solids, and the velocity that is prescribed.
///
///   u_c = J v + k      J v  of dynamic bodies, rows [e_a, r x e_a] by their shares of the face
///                      k    of kinematic bodies, by theirs
/// Arms      reach from a body's centre of mass to where a face acts on it, shifted so that Archimedes holds
///           (couple/interface.h). Turns that leave a round body as it is move no fluid (solid/revolution.h).
/// Sides     A face on an open side whose cell inside is solid is in no interface: it moves with the nearest body, and
///           the pressure beyond pushes that body.
#pragma once

#include <span>

#include "couple/flow_faces.h"

namespace tidelock {

/// Where the unknown velocities of solids lie in one vector: the twists of dynamic bodies, one after the other.
template <int D>
class DofLayout {
  public:
    explicit DofLayout(const std::vector<RigidBody<D>>& bodies);

    /// Dynamic bodies.
    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] Eigen::Index size() const { return Eigen::Index{rigid_dof<D>} * count_; }
    /// Place of a body among the dynamic ones; -1: its velocity is given.
    [[nodiscard]] int place_of(std::size_t body) const { return place_[body]; }
    /// The part of a vector that is the place's.
    static auto part(Eigen::VectorXd& v, int place) { return v.segment<rigid_dof<D>>(rigid_dof<D> * place); }
    static auto part(const Eigen::VectorXd& v, int place) { return v.segment<rigid_dof<D>>(rigid_dof<D> * place); }
    /// The twists of the dynamic bodies.
    [[nodiscard]] Eigen::VectorXd gather(const std::vector<RigidBody<D>>& bodies) const;
    /// Of something that there is for every body, the part of the dynamic ones.
    [[nodiscard]] Eigen::VectorXd gather(const std::vector<Twist<D>>& of_bodies) const;

  private:
    std::vector<int> place_;  ///< per body
    int count_ = 0;
};

/// What a body's twist is to a face with this arm. [A18] eq. (17) has the plain row.
template <int D>
[[nodiscard]] Twist<D> surface_row(InterfaceScheme scheme, const RigidBody<D>& body, int axis, const Vec<D>& arm);

/// A dynamic body's part in a face: row . twist is what it adds to the face's velocity.
template <int D>
struct RowPart {
    int place;
    Twist<D> row;
};

/// A face on an open side whose cell inside is solid.
template <int D>
struct SideFace {
    std::int32_t slot = 0, local = 0;  ///< of the face
    int axis = 0, side = 0;
    int body = 0;                     ///< the nearest
    Twist<D> row = Twist<D>::Zero();  ///< row . twist: the body's velocity there
    double given = 0;                 ///< that velocity when it was listed [m/s]
    double pressure = 0;              ///< beyond it [Pa]
};

template <int D>
class SolidRows {
  public:
    /// `bodies` with the poses that `interface` was built from, and the velocities of those whose motion is given.
    SolidRows(const FlowFaces<D>& flow, const Interface<D>& interface, const std::vector<RigidBody<D>>& bodies);

    [[nodiscard]] const DofLayout<D>& layout() const { return layout_; }
    /// The row of a face of the interface, by its parts.
    [[nodiscard]] std::span<const RowPart<D>> row(std::size_t face) const {
        return std::span(parts_).subspan(static_cast<std::size_t>(first_part_[face]),
                                         static_cast<std::size_t>(first_part_[face + 1] - first_part_[face]));
    }
    /// J v + k of a face [m/s].
    [[nodiscard]] double velocity(std::size_t face, const Eigen::VectorXd& v) const {
        return unknown_velocity(face, v) + prescribed_[face];
    }
    /// J v [m/s].
    [[nodiscard]] double unknown_velocity(std::size_t face, const Eigen::VectorXd& v) const {
        double u = 0;
        for (const RowPart<D>& part : row(face)) u += part.row.dot(DofLayout<D>::part(v, part.place));
        return u;
    }
    /// k [m/s].
    [[nodiscard]] double prescribed(std::size_t face) const { return prescribed_[face]; }
    /// out += J^T impulse.
    void scatter_add(std::size_t face, double impulse, Eigen::VectorXd& out) const {
        for (const RowPart<D>& part : row(face)) DofLayout<D>::part(out, part.place) += impulse * part.row;
    }

    [[nodiscard]] const std::vector<SideFace<D>>& side_faces() const { return side_faces_; }
    [[nodiscard]] double velocity(const SideFace<D>& face, const Eigen::VectorXd& v) const;

  private:
    void find_rows(const FlowFaces<D>& flow, const Interface<D>& interface, const std::vector<RigidBody<D>>& bodies);
    void find_side_faces(const FlowFaces<D>& flow, const Interface<D>& interface,
                         const std::vector<RigidBody<D>>& bodies);

    DofLayout<D> layout_;
    std::vector<RowPart<D>> parts_;
    std::vector<std::int32_t> first_part_;  ///< per face: its first part; one more at the end
    std::vector<double> prescribed_;        ///< per face
    std::vector<SideFace<D>> side_faces_;
};

}  // namespace tidelock
