#include "solid/surface_samples.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tidelock {

namespace {

constexpr int leaf_size = 8;

std::vector<std::pair<int, int>> edges_of(const Polyline& line) {
    std::vector<std::pair<int, int>> edges;
    for (const auto& s : line.segments) edges.insert(edges.end(), {{s[0], s[1]}, {s[1], s[0]}});
    return edges;
}

std::vector<std::pair<int, int>> edges_of(const TriangleMesh& mesh) {
    std::vector<std::pair<int, int>> edges;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const int from = t[k], to = t[(k + 1) % 3];
            edges.insert(edges.end(), {{from, to}, {to, from}});
        }
    return edges;
}

}  // namespace

template <int D>
SurfaceSamples<D>::SurfaceSamples(const Surface<D>& surface, const Vec<D>& offset) {
    for (const Vec<D>& x : surface.points) {
        points_.push_back(x - offset);
        radius_ = std::max(radius_, points_.back().norm());
    }
    auto edges = edges_of(surface);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    const std::size_t count = points_.size();
    spacing_.assign(count, 0.0);
    first_neighbour_.assign(count + 1, 0);
    for (const auto& [from, to] : edges) {
        const auto i = static_cast<std::size_t>(from);
        ++first_neighbour_[i + 1];
        neighbours_.push_back(to);
        spacing_[i] = std::max(spacing_[i], (points_[i] - points_[static_cast<std::size_t>(to)]).norm());
    }
    std::partial_sum(first_neighbour_.begin(), first_neighbour_.end(), first_neighbour_.begin());
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0);
    if (count > 0) build(0, static_cast<int>(count));
}

template <int D>
std::span<const int> SurfaceSamples<D>::neighbours(int point) const {
    const auto i = static_cast<std::size_t>(point);
    const auto begin = static_cast<std::size_t>(first_neighbour_[i]),
               end = static_cast<std::size_t>(first_neighbour_[i + 1]);
    return std::span(neighbours_).subspan(begin, end - begin);
}

template <int D>
void SurfaceSamples<D>::build(int begin, int end) {
    const auto at = [&](int k) -> const Vec<D>& {
        return points_[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])];
    };
    Bounds<D> box;
    for (int k = begin; k < end; ++k) box.include(at(k));
    Node node;
    node.centre = box.centre();
    for (int k = begin; k < end; ++k) {
        node.radius = std::max(node.radius, (at(k) - node.centre).norm());
        node.spacing = std::max(node.spacing, spacing(order_[static_cast<std::size_t>(k)]));
    }
    const std::size_t self = nodes_.size();
    nodes_.push_back(node);
    if (end - begin <= leaf_size) {
        nodes_[self].begin = begin;
        nodes_[self].end = end;
    } else {
        int axis = 0;
        box.size().maxCoeff(&axis);
        const int middle = (begin + end) / 2;
        std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int i, int j) {
            const double x = points_[static_cast<std::size_t>(i)][axis], y = points_[static_cast<std::size_t>(j)][axis];
            return x != y ? x < y : i < j;
        });
        build(begin, middle);
        build(middle, end);
    }
    nodes_[self].next = static_cast<int>(nodes_.size());
}

template class SurfaceSamples<2>;
template class SurfaceSamples<3>;

}  // namespace tidelock
