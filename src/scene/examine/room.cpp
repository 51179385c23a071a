#include <fmt/format.h>

#include "scene/examine/parts.h"
#include "scene/mesh_scale.h"

namespace tidelock::scene {

namespace {

/// Whether a shape with this distance holds the centres of all cells from `first` on, `count` of them along each axis.
/// A box of cells is halved until it lies inside as a whole, as its distance says, or one of its cells does not.
template <int D, class Distance>
bool holds(const Distance& distance, const Coord<D>& first, const Coord<D>& count, double h) {
    const Vec<D> half = 0.5 * h * (count.array() - 1).matrix().template cast<double>();
    const Vec<D> middle = h * (first.template cast<double>() + Vec<D>::Constant(0.5)) + half;
    const double d = distance(middle);
    if (d < -half.norm()) return true;
    int longest = 0;
    count.maxCoeff(&longest);
    if (count[longest] == 1) return d < 0;
    if (d >= half.norm() + h) return false;
    Coord<D> low = count, high = count, next = first;
    low[longest] = count[longest] / 2;
    high[longest] -= low[longest];
    next[longest] += low[longest];
    return holds<D>(distance, first, low, h) && holds<D>(distance, next, high, h);
}

}  // namespace

template <int D>
bool fills_domain(Examination& e, const ShapeSpec& s, const Pose<D>& pose, const Bounds<D>& box) {
    const double h = e.scene.domain.cell_size();
    const Bounds<D> all = domain_box<D>(e.scene);
    // The centres of the outermost cells are half a cell inside.
    if ((box.low.array() >= 0.5 * h).any() || (box.high.array() <= all.high.array() - 0.5 * h).any()) return false;
    const auto shape = make_shape<D>(s, e.meshes, "shape");
    Coord<D> cells;
    for (int a = 0; a < D; ++a) cells[a] = e.scene.domain.cells[static_cast<std::size_t>(a)];
    const auto distance = [&](const Vec<D>& x) {
        return shape->distance(pose.rotation.transpose() * (x - pose.position));
    };
    return holds<D>(distance, Coord<D>(Coord<D>::Zero()), cells, h);
}

template <int D>
std::string scale_hint(Examination& e, const ShapeSpec& s) {
    if (s.kind != ShapeKind::mesh || !e.domain_sound) return {};
    const Vec3 size = bounds(e.meshes.get(s).mesh).size();
    const Vec3 domain = to_vec<3>(e.scene.domain.size);
    const bool large = (s.scale * size.array() > domain.array()).any();
    if (!large && s.scale * size.maxCoeff() >= 2 * e.scene.domain.cell_size()) return {};
    const double fit = fitting_scale(size, domain);
    return fmt::format("; the mesh is {} with \"scale\": {}, with {} it would be {}", size_text<3>(s.scale * size),
                       s.scale, fit, size_text<3>(fit * size));
}

template bool fills_domain<2>(Examination&, const ShapeSpec&, const Pose<2>&, const Bounds<2>&);
template bool fills_domain<3>(Examination&, const ShapeSpec&, const Pose<3>&, const Bounds<3>&);
template std::string scale_hint<2>(Examination&, const ShapeSpec&);
template std::string scale_hint<3>(Examination&, const ShapeSpec&);

}  // namespace tidelock::scene
