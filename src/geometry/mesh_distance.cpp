#include "geometry/mesh_distance.h"

// The only file that includes OpenVDB's templates: they take long to compile.
#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <openvdb/tree/LeafManager.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "base/length.h"
#include "base/parallel.h"
#include "geometry/distance_band.h"
#include "geometry/mesh_topology.h"

namespace tidelock {
namespace {

/// A mesh as the instance of meshToVolume that OpenVDB's library holds reads it: points in voxels, as floats. Rounding
/// moves them by 2e-6 voxels where the mesh is 100 of them across, by 2e-4 at 5000.
struct IndexSpaceMesh {
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;

    IndexSpaceMesh(const TriangleMesh& mesh, const Vec3& origin, double voxel_size) {
        points.reserve(mesh.points.size());
        triangles.reserve(mesh.triangles.size());
        for (const Vec3& x : mesh.points) {
            const Vec3 at = (x - origin) / voxel_size;
            points.emplace_back(static_cast<float>(at.x()), static_cast<float>(at.y()), static_cast<float>(at.z()));
        }
        for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    }
};

/// Whether a component bounds a hole that voxels of this size could show.
bool has_cavities(const TriangleMesh& mesh, double voxel_size) {
    const auto volumes = component_volumes(mesh, MeshTopology(mesh));
    const double smallest = -voxel_size * voxel_size * voxel_size;
    return std::any_of(volumes.begin(), volumes.end(), [smallest](double volume) { return volume < smallest; });
}

/// Gives every voxel of the band the sign that the parity of crossings says, and floods the rest from there.
/// `unit` is that of the grid's coordinates [m].
void sign_by_parity(openvdb::FloatGrid& grid, const MeshQueries& queries, double unit) {
    openvdb::tree::LeafManager<openvdb::FloatTree> leaves(grid.tree());
    leaves.foreach ([&](openvdb::FloatTree::LeafNodeType& leaf, std::size_t) {
        for (auto voxel = leaf.beginValueOn(); voxel; ++voxel) {
            const openvdb::Vec3d x = unit * grid.indexToWorld(voxel.getCoord());
            const float magnitude = std::abs(voxel.getValue());
            voxel.setValue(queries.inside({x.x(), x.y(), x.z()}) ? -magnitude : magnitude);
        }
    });
    openvdb::tools::signedFloodFill(grid.tree());
}

/// The same voxels for looking up.
DistanceBand band_of(const openvdb::FloatGrid& grid) {
    using Node = openvdb::FloatTree::RootNodeType::ChildNodeType::ChildNodeType;
    constexpr int edge = DistanceBand::edge, node_edge = DistanceBand::node_edge, node_voxels = edge * node_edge;
    static_assert(Node::DIM == node_voxels && openvdb::FloatTree::LeafNodeType::DIM == edge);
    const auto voxel = [](const Coord3& at) { return openvdb::Coord(at[0], at[1], at[2]); };
    const openvdb::tree::ValueAccessor<const openvdb::FloatTree> accessor(grid.tree());
    const auto inside = [&](const Coord3& at) { return accessor.getValue(voxel(at)) < 0; };
    const auto value = [&](const Coord3& at) {
        float out = 0;
        if (accessor.probeValue(voxel(at), out)) return out;
        return out < 0 ? -DistanceBand::beyond : DistanceBand::beyond;
    };
    const openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
    if (box.empty()) return {};
    Coord3 first, end;
    for (int a = 0; a < 3; ++a) {
        first[a] = (box.min()[a] - 1) >> 7;
        end[a] = ((box.max()[a] + 1) >> 7) + 1;
    }
    static_assert(node_voxels == 1 << 7);
    DistanceBand band(first, end);
    for (int i = first[0]; i < end[0]; ++i)
        for (int j = first[1]; j < end[1]; ++j)
            for (int k = first[2]; k < end[2]; ++k) {
                const Coord3 node(i, j, k);
                band.set_node_side(node, inside(node_voxels * node));
                if (grid.tree().probeConstNode<Node>(voxel(node_voxels * node)) == nullptr) continue;
                for (int n = 0; n < node_edge * node_edge * node_edge; ++n) {
                    const Coord3 block = node_edge * node + Coord3(n >> 8, n >> 4 & 15, n & 15);
                    if (grid.tree().probeConstLeaf(voxel(edge * block)) != nullptr)
                        band.add_block(block, value);
                    else
                        band.set_block_side(block, inside(edge * block));
                }
            }
    return band;
}

}  // namespace

struct MeshDistance::Impl {
    MeshQueries queries;
    Vec3 origin;
    double voxel_size, voxels = 0;  ///< [m], in a metre
    double unit = 1;  ///< of the grid's values and places, a power of two [m]: OpenVDB takes voxels below 1e-5 for flat
    DistanceBand band;
    double band_width = 0;  ///< less a voxel's diagonal: points beyond it may have corners out of the band [m]
    Bounds<3> box;
    Vec3 far_low = Vec3::Zero();
    double far_spacing = 0;
    Coord3 far_count = Coord3::Zero();
    std::vector<float> far_values;  ///< signed distances on the lattice; none if not wanted

    Impl(const TriangleMesh& mesh, const MeshDistanceOptions& options)
        : queries(mesh), origin(bounds(mesh).centre()), voxel_size(options.voxel_size) {
        if (!(voxel_size >= 0) || !std::isfinite(voxel_size)) {
            throw InputError("mesh voxel_size", "must be finite and >= 0 m (0: chosen), got {}", voxel_size);
        }
        if (!(options.band >= 3) || !(options.band <= 100)) {
            throw InputError("mesh band", "must be from 3 to 100 voxels, got {}", options.band);
        }
        box = bounds(mesh);
        const double diagonal = box.diagonal();
        if (voxel_size == 0) voxel_size = diagonal / 100;
        if (diagonal / voxel_size > 5000) {
            throw InputError("mesh voxel_size", "must be at least 1/5000 of the mesh's diagonal = {} m, got {}",
                             diagonal / 5000, voxel_size);
        }
        voxels = 1 / voxel_size;
        while (voxel_size / unit < 1e-4) unit /= 2;
        auto transform = openvdb::math::Transform::createLinearTransform(voxel_size / unit);
        transform->postTranslate(openvdb::Vec3d(origin.x(), origin.y(), origin.z()) / unit);
        const auto width = static_cast<float>(options.band);
        const IndexSpaceMesh source(mesh, origin, voxel_size);
        const openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> adapter(source.points,
                                                                                                 source.triangles);
        const bool cavities = has_cavities(mesh, voxel_size);
        const int flags = cavities ? openvdb::tools::UNSIGNED_DISTANCE_FIELD : 0;
        const auto grid = openvdb::tools::meshToVolume<openvdb::FloatGrid>(adapter, *transform, width, width, flags);
        if (cavities) sign_by_parity(*grid, queries, unit);
        band = band_of(*grid);
        band_width = (options.band - std::numbers::sqrt3) * voxel_size;
        if (options.far_cells < 0 || options.far_cells > 256)
            throw InputError("mesh far_cells", "must be from 0 to 256, got {}", options.far_cells);
        if (options.far_cells > 0) sample_far(options.far_cells);
    }

    /// The eight values around x [units] if all are in the band.
    struct Corners {
        bool inside_band = true;
        DistanceBand::Corners at;
        Vec3 fraction;  // position of x between them, in [0, 1)
    };
    [[nodiscard]] Corners corners(const Vec3& x) const {
        const Vec3 index = (x - origin) * voxels, base = index.array().floor();
        Corners result;
        result.fraction = index - base;
        result.inside_band = index.cwiseAbs().maxCoeff() < 1e6 &&  // farther away an int could overflow
                             band.corners(base.cast<int>(), result.at);
        return result;
    }

    /// Sign of the nearest voxel; the caller knows that the surface is farther than that voxel.
    [[nodiscard]] double far_sign(const Vec3& x) const {
        const Vec3 index = ((x - origin) * voxels).array().round();
        if (index.cwiseAbs().maxCoeff() > 1e6) return 1;
        return band.inside(index.cast<int>()) ? -1 : 1;
    }

    /// Fills the lattice of distances around the mesh.
    void sample_far(int cells) {
        far_spacing = box.diagonal() / cells;
        far_low = box.low - Vec3::Constant(0.5 * box.diagonal());
        const Vec3 size = box.size() + Vec3::Constant(box.diagonal());
        for (int a = 0; a < 3; ++a) far_count[a] = static_cast<int>(std::ceil(size[a] / far_spacing)) + 1;
        far_values.resize(static_cast<std::size_t>(far_count.prod()));
        parallel_for("distances far from a mesh", far_count[2], [&](std::ptrdiff_t k) {
            for (int j = 0; j < far_count[1]; ++j)
                for (int i = 0; i < far_count[0]; ++i) {
                    const Vec3 x = far_low + far_spacing * Vec3(i, j, static_cast<double>(k));
                    far_values[far_place(i, j, static_cast<int>(k))] =
                        static_cast<float>(far_sign(x) * nearest(x).distance);
                }
        });
    }
    [[nodiscard]] std::size_t far_place(int i, int j, int k) const {
        return (static_cast<std::size_t>(k) * static_cast<std::size_t>(far_count[1]) + static_cast<std::size_t>(j)) *
                   static_cast<std::size_t>(far_count[0]) +
               static_cast<std::size_t>(i);
    }
    /// Beyond the band. Interpolation makes convex distances too great by up to a fifth of the spacing.
    [[nodiscard]] double far_distance(const Vec3& x) const {
        const Vec3 at = (x - far_low) / far_spacing;
        bool covered = !far_values.empty();
        for (int a = 0; a < 3; ++a) covered = covered && at[a] >= 0 && at[a] < far_count[a] - 1;
        const double sign = far_sign(x);
        if (far_values.empty()) return sign * nearest(x).distance;
        if (!covered) return (x - box.low.cwiseMax(x.cwiseMin(box.high))).norm();  // half a diagonal at least
        const Coord3 low = at.cast<int>();
        const Vec3 f = at - low.cast<double>();
        double sum = 0;
        for (int c = 0; c < 8; ++c) {
            double weight = 1;
            for (int a = 0; a < 3; ++a) weight *= c >> a & 1 ? f[a] : 1 - f[a];
            sum += weight * static_cast<double>(
                                far_values[far_place(low[0] + (c & 1), low[1] + (c >> 1 & 1), low[2] + (c >> 2))]);
        }
        return sign * std::max(band_width, std::abs(sum) - 0.2 * far_spacing);
    }

    [[nodiscard]] ClosestPoint nearest(const Vec3& x) const {
        return queries.closest_point(x, std::numeric_limits<double>::infinity()).value();
    }
};

MeshDistance::MeshDistance(const TriangleMesh& mesh, const MeshDistanceOptions& options)
    : impl_(std::make_unique<Impl>(mesh, options)) {}
MeshDistance::~MeshDistance() = default;
MeshDistance::MeshDistance(MeshDistance&&) noexcept = default;
MeshDistance& MeshDistance::operator=(MeshDistance&&) noexcept = default;

double MeshDistance::distance(const Vec3& x) const {
    const auto around = impl_->corners(x);
    if (!around.inside_band) return impl_->far_distance(x);
    double sum = 0;
    for (int c = 0; c < 8; ++c) {
        double weight = 1;
        for (int a = 0; a < 3; ++a) weight *= c >> a & 1 ? around.fraction[a] : 1 - around.fraction[a];
        sum += weight * static_cast<double>(around.at.value[c]);
    }
    return impl_->unit * sum;
}

Vec3 MeshDistance::gradient(const Vec3& x) const {
    const auto around = impl_->corners(x);
    if (around.inside_band) {
        Vec3 slope = Vec3::Zero();
        for (int c = 0; c < 8; ++c) {
            for (int a = 0; a < 3; ++a) {
                double weight = c >> a & 1 ? 1 : -1;
                for (int b = 0; b < 3; ++b) {
                    if (b != a) weight *= c >> b & 1 ? around.fraction[b] : 1 - around.fraction[b];
                }
                slope[a] += weight * static_cast<double>(around.at.value[c]);
            }
        }
        slope *= impl_->unit;
        if (slope.norm() > 1e-3 * impl_->voxel_size) return slope.normalized();  // flatter only on a medial axis
    }
    const ClosestPoint nearest = impl_->nearest(x);
    if (!(nearest.distance > 0)) {
        const Vec3 normal = area_normal(impl_->queries.mesh(), nearest.triangle);
        return normal / length_of<3>(normal);
    }
    const double sign = around.inside_band ? (distance(x) < 0 ? -1 : 1) : impl_->far_sign(x);
    return sign * (x - nearest.point) / nearest.distance;
}

double MeshDistance::exact_distance(const Vec3& x) const {
    return (impl_->queries.inside(x) ? -1 : 1) * impl_->nearest(x).distance;
}

Vec3 MeshDistance::exact_gradient(const Vec3& x) const {
    const ClosestPoint nearest = impl_->nearest(x);
    if (!(nearest.distance > 0)) {
        const Vec3 normal = area_normal(impl_->queries.mesh(), nearest.triangle);
        return normal / length_of<3>(normal);
    }
    return (impl_->queries.inside(x) ? -1 : 1) / nearest.distance * (x - nearest.point);
}

double MeshDistance::voxel_size() const { return impl_->voxel_size; }
const MeshQueries& MeshDistance::queries() const { return impl_->queries; }

}  // namespace tidelock
