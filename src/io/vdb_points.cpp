#include "io/vdb_points.h"

// OpenVDB's points take long to compile: only this file includes them.
#include <openvdb/points/PointAttribute.h>
#include <openvdb/points/PointConversion.h>
#include <openvdb/points/PointCount.h>
#include <openvdb/points/PointDataGrid.h>

#include <cmath>
#include <optional>
#include <span>

#include "base/file.h"
#include "io/vdb_grids.h"

namespace tidelock {
namespace {

namespace vp = openvdb::points;

/// Vectors as OpenVDB's conversions ask for them.
template <class Value>
class VectorList {
  public:
    using PosType = Value;
    using value_type = Value;
    explicit VectorList(const std::vector<Vec3>& list) : list_(list) {}
    [[nodiscard]] std::size_t size() const { return list_.size(); }
    void getPos(std::size_t n, Value& value) const {
        for (int a = 0; a < 3; ++a) value[a] = static_cast<typename Value::value_type>(list_[n][a]);
    }
    template <class Index>
    void get(Value& value, Index n, openvdb::Index = 0) const {
        getPos(static_cast<std::size_t>(n), value);
    }

  private:
    const std::vector<Vec3>& list_;
};

template <class PositionCodec, class VelocityCodec>
vp::PointDataGrid::Ptr make_points(const openvdb::math::Transform& transform, const std::vector<Vec3>& positions,
                                   const std::vector<Vec3>& velocities) {
    const VectorList<openvdb::Vec3d> places(positions);
    const auto order = openvdb::tools::createPointIndexGrid<openvdb::tools::PointIndexGrid>(places, transform);
    auto points = vp::createPointDataGrid<PositionCodec, vp::PointDataGrid>(*order, places, transform);
    if (velocities.empty()) return points;
    vp::appendAttribute<openvdb::Vec3s, VelocityCodec>(points->tree(), "v");
    const VectorList<openvdb::Vec3s> speeds(velocities);
    vp::populateAttribute(points->tree(), order->tree(), "v", speeds);
    return points;
}

/// Vectors of the plane get z = 0.
template <int D>
std::vector<Vec3> in_space(std::span<const Vec<D>> list) {
    std::vector<Vec3> out(list.size(), Vec3::Zero());
    for (std::size_t i = 0; i < list.size(); ++i) out[i].template head<D>() = list[i];
    return out;
}

template <int D>
void check_vectors(const std::string& name, const char* what, std::span<const Vec<D>> list, double limit) {
    for (std::size_t i = 0; i < list.size(); ++i)
        if (!list[i].allFinite() || list[i].cwiseAbs().maxCoeff() > limit)
            throw InputError(name, "{} of particle {} is ({}, {}{}), allowed: finite, up to {:g}", what, i, list[i][0],
                             list[i][1], D == 3 ? fmt::format(", {}", list[i][D - 1]) : "", limit);
}

VdbPoints copy_points(const vp::PointDataGrid& grid) {
    VdbPoints out;
    out.name = grid.getName();
    out.voxel_size = grid.voxelSize()[0];
    const auto total = static_cast<std::size_t>(vp::pointCount(grid.tree()));
    out.position.reserve(total);
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        const vp::AttributeHandle<openvdb::Vec3s> place(leaf->constAttributeArray("P"));
        const bool moves = leaf->hasAttribute("v");
        std::optional<vp::AttributeHandle<openvdb::Vec3s>> speed;
        if (moves) speed.emplace(leaf->constAttributeArray("v"));
        for (auto i = leaf->beginIndexOn(); i; ++i) {
            const openvdb::Vec3d x = grid.indexToWorld(openvdb::Vec3d(place.get(*i)) + i.getCoord().asVec3d());
            out.position.emplace_back(x[0], x[1], x[2]);
            if (!moves) continue;
            const openvdb::Vec3s v = speed->get(*i);
            out.velocity.emplace_back(double{v[0]}, double{v[1]}, double{v[2]});
        }
    }
    return out;
}

}  // namespace

template <int D>
void VdbWriter::add_points(const std::string& name, const Grid<D>& grid, std::span<const Vec<D>> positions,
                           std::span<const Vec<D>> velocities, VdbPointPrecision precision) {
    grids_->check_name(name);
    if (!velocities.empty() && velocities.size() != positions.size())
        throw InputError(name, "has {} velocities for {} particles", velocities.size(), positions.size());
    constexpr double most_voxels = 1 << 30;  // of OpenVDB's 32-bit coordinates
    check_vectors<D>(name, "the position", positions, most_voxels * grid.dx);
    const bool compact = precision == VdbPointPrecision::compact;
    check_vectors<D>(name, "the velocity", velocities, compact ? 65504.0 : 1e38);
    const auto transform = vdb_transform(grid);
    const auto points = compact ? make_points<vp::FixedPointCodec<false, vp::PositionRange>, vp::TruncateCodec>(
                                      *transform, in_space<D>(positions), in_space<D>(velocities))
                                : make_points<vp::NullCodec, vp::NullCodec>(*transform, in_space<D>(positions),
                                                                            in_space<D>(velocities));
    points->setName(name);
    points->insertMeta("unit", openvdb::StringMetadata("P: m, v: m/s"));
    grids_->list.push_back(points);
}

std::vector<VdbPoints> read_vdb_points(const std::filesystem::path& file) {
    std::vector<VdbPoints> out;
    open_vdb(file, [&](openvdb::io::File& in) {
        for (auto name = in.beginName(); name != in.endName(); ++name) {
            if (!in.readGridMetadata(name.gridName())->isType<vp::PointDataGrid>()) continue;
            const auto grid = openvdb::gridPtrCast<vp::PointDataGrid>(in.readGrid(name.gridName()));
            out.push_back(copy_points(*grid));
        }
    });
    return out;
}

template void VdbWriter::add_points(const std::string&, const Grid<2>&, std::span<const Vec<2>>,
                                    std::span<const Vec<2>>, VdbPointPrecision);
template void VdbWriter::add_points(const std::string&, const Grid<3>&, std::span<const Vec<3>>,
                                    std::span<const Vec<3>>, VdbPointPrecision);

}  // namespace tidelock
