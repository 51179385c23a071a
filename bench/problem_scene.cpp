#include "problem_scene.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace tidelock::bench {
namespace {

template <int D>
Mat<D> tilt(double about_z, double about_x) {
    if constexpr (D == 2)
        return Eigen::Rotation2Dd(about_z).toRotationMatrix();
    else
        return (Eigen::AngleAxisd(about_z, Vec3::UnitZ()) * Eigen::AngleAxisd(about_x, Vec3::UnitX()))
            .toRotationMatrix();
}

template <int D>
Vec<D> centre_of(const Coord<D>& cell) {
    return cell.template cast<double>().array() + 0.5;
}

void check(const std::string& what, const std::string& value, const std::vector<std::string>& allowed) {
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
        throw InputError("problem." + what, "\"{}\" is unknown. Known: {}", value, fmt::join(allowed, ", "));
}

}  // namespace

template <int D>
Scene<D>::Scene(const ProblemSpec& spec, const Coord<D>& cells)
    : spec_(spec),
      cells_(cells),
      open_top_(spec.domain != "closed"),
      surface_(spec.domain == "surface" || spec.domain == "sparse"),
      jump_(spec.body == "jump") {
    check("domain", spec.domain, {"closed", "open", "surface", "sparse"});
    check("body", spec.body, {"static", "dynamic", "eight", "jump"});
    const double share = spec.domain == "surface" ? 0.4 : spec.domain == "sparse" ? 0.03 : 1.0;
    depth_ = share * cells[1];
    wave_ = surface_ ? 0.25 * std::min(depth_, 0.2 * cells[0]) : 0;
    if (spec.body == "eight")
        place_eight();
    else
        place_block();
    const auto set = make_where<D>(lattice_for<D>(cells), [this](const Coord<D>& brick) {
        const Coord<D> first = first_cell<D>(brick);
        if (first[1] > depth_ + wave_ && !jump_) return false;
        for (int i = 0; i < Brick<D>::cells; ++i)
            if (is_fluid(decide(first + local_coord<D>(i)))) return true;
        return false;
    });
    Field<D, Kind> kinds(set, wall);
    parallel_for("classify cells", set->count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<D>::cells; ++i)
            kinds.brick(b)[i] = decide(first_cell<D>(set->brick(b)) + local_coord<D>(i));
    });
    kinds_ = std::move(kinds);
}

template <int D>
void Scene<D>::place_block() {
    const double width = cells_[0];
    Box<D> box{0.5 * cells_.template cast<double>(), Vec<D>::Constant(0.2 * width), tilt<D>(0.35, 0.25), spec_.ratio};
    box.half[1] = 0.12 * width;
    box.centre[1] = 0.45 * cells_[1];
    if (spec_.domain == "surface") box.centre[1] = 0.22 * cells_[1];
    if (spec_.domain == "sparse") {  // a raft that floats on the layer
        box.half[1] = std::max(1.0, 0.25 * depth_);
        box.centre[1] = depth_;
        box.turn = tilt<D>(0.03, 0.02);
    }
    boxes_ = {box};
}

template <int D>
void Scene<D>::place_eight() {
    // 2 x 2 x 2 of them, in the plane 2 x 4; their diagonals are shorter than their distances.
    const int rows = D == 3 ? 2 : 4;
    const double size = std::min(static_cast<double>(cells_[0]), 2 * depth_ / rows);
    for (int i = 0; i < 8; ++i) {
        const int column = i % 2, row = D == 3 ? i / 4 : i / 2;
        Box<D> box{Vec<D>::Constant(0), Vec<D>::Constant(0.11 * size), tilt<D>(0.4 * i, 0.3 * i),
                   std::pow(10, -2 + 4 * i / 7.0)};
        box.half[1] = 0.065 * size;
        box.centre[0] = (0.27 + 0.46 * column) * cells_[0];
        box.centre[1] = (row + 0.5) / rows * depth_;
        if constexpr (D == 3) box.centre[2] = (0.27 + 0.46 * (i / 2 % 2)) * cells_[2];
        if (spec_.domain == "sparse") float_as_raft(box, i);
        boxes_.push_back(box);
    }
}

/// One of eight flat boxes side by side on a thin layer, 4 x 2 of them, in the plane 8.
template <int D>
void Scene<D>::float_as_raft(Box<D>& box, int i) const {
    const int columns = D == 3 ? 4 : 8, row = i / columns;
    box.half[0] = 0.3 / columns * cells_[0];
    box.half[1] = std::max(1.0, 0.25 * depth_);
    box.centre[0] = (i % columns + 0.5) / columns * cells_[0];
    box.centre[1] = depth_;
    if constexpr (D == 3) {
        box.half[2] = 0.15 * cells_[2];
        box.centre[2] = (0.27 + 0.46 * row) * cells_[2];
    }
    box.turn = tilt<D>(0.01 * i, 0.005 * i);
}

/// Height of a cell's centre above the liquid's surface.
template <int D>
double Scene<D>::level(const Coord<D>& cell) const {
    const double k = 2 * std::numbers::pi;
    double shape = 0.6 * std::cos(k * 2 * (cell[0] + 0.5) / cells_[0]);
    if constexpr (D == 3)
        shape += 0.4 * std::cos(k * 3 * (cell[2] + 0.5) / cells_[2] + 0.7);
    else
        shape += 0.4 * std::cos(k * 5 * (cell[0] + 0.5) / cells_[0] + 0.7);
    return cell[1] + 0.5 - (depth_ + wave_ * shape);
}

template <int D>
Kind Scene<D>::decide(const Coord<D>& cell) const {
    for (int a = 0; a < D; ++a)
        if (cell[a] < 0 || cell[a] >= cells_[a]) return a == 1 && cell[1] >= cells_[1] && open_top_ ? air : wall;
    for (std::size_t b = 0; b < boxes_.size(); ++b) {
        const Vec<D> local = boxes_[b].turn.transpose() * (centre_of<D>(cell) - boxes_[b].centre);
        if ((local.array().abs() <= boxes_[b].half.array()).all())
            return static_cast<Kind>(first_body + static_cast<int>(b));
    }
    return surface_ && level(cell) >= 0 ? air : liquid;
}

template <int D>
double Scene<D>::to_air(const Coord<D>& liquid_cell, const Coord<D>& air_cell) const {
    if (!surface_) return 1.0;
    constexpr double smallest_theta = 0.01;  // enough for second order, keeps the diagonal bounded
    const double inside = level(liquid_cell), outside = level(air_cell);
    // A body that is fluid may stand out of the liquid: its top counts as a surface halfway.
    const double theta = inside < 0 && outside > 0 ? inside / (inside - outside) : 0.5;
    return 1.0 / std::max(theta, smallest_theta);
}

template class Scene<2>;
template class Scene<3>;

}  // namespace tidelock::bench
