/// Points on a body's surface that look for other bodies, with their neighbours and a tree of balls around them.
///
/// The tree makes a search near another body cheap: a signed distance grows no faster than the way, so that a ball
/// whose centre is farther from a solid than its radius and the margin holds no point within the margin
/// (steepest_distance allows for interpolated fields).
#pragma once

#include <span>
#include <vector>

#include "geometry/shape.h"

namespace tidelock {

/// How much faster than the way a distance field may grow: exact fields 1, interpolated ones a little more.
inline constexpr double steepest_distance = 1.1;

template <int D>
class SurfaceSamples {
  public:
    SurfaceSamples() = default;
    /// The corners of a surface, shifted by -offset.
    SurfaceSamples(const Surface<D>& surface, const Vec<D>& offset);

    [[nodiscard]] const std::vector<Vec<D>>& points() const { return points_; }  ///< [m]
    /// Points at the other ends of the edges that meet at a point.
    [[nodiscard]] std::span<const int> neighbours(int point) const;
    /// Longest of these edges [m].
    [[nodiscard]] double spacing(int point) const { return spacing_[static_cast<std::size_t>(point)]; }
    /// Greatest distance of a point from the origin [m].
    [[nodiscard]] double radius() const { return radius_; }

    /// Calls visit(index) for every point of each leaf whose ball may hold points with value < 0, where
    /// least(centre, radius, spacing) bounds the value in a ball, whose points have at most this spacing, from below.
    template <class Least, class Visit>
    void search(const Least& least, const Visit& visit) const {
        std::size_t i = 0;
        while (i < nodes_.size()) {
            const Node& node = nodes_[i];
            if (least(node.centre, node.radius, node.spacing) >= 0) {
                i = static_cast<std::size_t>(node.next);
                continue;
            }
            for (int k = node.begin; k < node.end; ++k) visit(order_[static_cast<std::size_t>(k)]);
            ++i;
        }
    }

  private:
    struct Node {
        Vec<D> centre;
        double radius = 0, spacing = 0;
        int begin = 0, end = 0;  ///< points of a leaf, in order_; none otherwise
        int next = 0;            ///< the node after this one's subtree
    };
    void build(int begin, int end);

    std::vector<Vec<D>> points_;
    std::vector<double> spacing_;
    std::vector<int> first_neighbour_, neighbours_;
    std::vector<int> order_;
    std::vector<Node> nodes_;  ///< depth first
    double radius_ = 0;
};

}  // namespace tidelock
