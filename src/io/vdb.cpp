#include "io/vdb.h"

// OpenVDB's templates take long to compile: particles have a file of their own (vdb_points.cpp).
#include <openvdb/openvdb.h>
#include <openvdb/tools/SignedFloodFill.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "io/atomic_stream.h"
#include "io/vdb_grids.h"

namespace tidelock {
namespace {

constexpr int leaf_size = 8;          // edge of an OpenVDB leaf
constexpr double half_max = 65504.0;  // largest 16-bit float

template <int D>
openvdb::Coord to_vdb(const Coord<D>& c) {
    if constexpr (D == 3)
        return {c[0], c[1], c[2]};
    else
        return {c[0], c[1], 0};
}

openvdb::GridClass to_vdb(VdbClass grid_class) {
    switch (grid_class) {
        case VdbClass::fog_volume:
            return openvdb::GRID_FOG_VOLUME;
        case VdbClass::level_set:
            return openvdb::GRID_LEVEL_SET;
        case VdbClass::staggered:
            return openvdb::GRID_STAGGERED;
        case VdbClass::unknown:
            break;
    }
    return openvdb::GRID_UNKNOWN;
}

VdbClass from_vdb(openvdb::GridClass grid_class) {
    switch (grid_class) {
        case openvdb::GRID_FOG_VOLUME:
            return VdbClass::fog_volume;
        case openvdb::GRID_LEVEL_SET:
            return VdbClass::level_set;
        case openvdb::GRID_STAGGERED:
            return VdbClass::staggered;
        default:
            return VdbClass::unknown;
    }
}

/// What becomes of a voxel: left out, kept as an inactive value, or active.
enum class Use { no, inactive, active };

/// Fills a tree leaf by leaf. `voxel(slot, local, cell, value)` gives the value of a cell and its use.
template <int D, class Tree, class F>
void fill_tree(Tree& tree, const BrickSet<D>& set, F&& voxel) {
    using Leaf = typename Tree::LeafNodeType;
    std::vector<std::vector<std::unique_ptr<Leaf>>> leaves(static_cast<std::size_t>(set.count()));
    parallel_for("vdb leaves", set.count(), [&](std::ptrdiff_t slot) {
        const Coord<D> first = first_cell<D>(set.brick(slot));
        const Coord<D> leaf_counts = Eigen::Map<const Coord<D>>(Brick<D>::size).array() / leaf_size;
        const int count = leaf_counts.prod();
        for (int n = 0; n < count; ++n) {
            Coord<D> corner = first;  // of the leaf, x fastest
            for (int a = 0, rest = n; a < D; rest /= leaf_counts[a], ++a)
                corner[a] += leaf_size * (rest % leaf_counts[a]);
            auto leaf = std::make_unique<Leaf>(to_vdb<D>(corner), tree.background(), false);
            bool any = false;
            for (int i = 0; i < (D == 3 ? 512 : 64); ++i) {
                Coord<D> cell = corner;
                for (int a = 0; a < D; ++a) cell[a] += (i >> (3 * a)) & (leaf_size - 1);
                typename Tree::ValueType value = tree.background();
                const openvdb::Index offset = Leaf::coordToOffset(to_vdb<D>(cell));
                const Use use = voxel(slot, local_index<D>(cell), cell, value);
                if (use == Use::active)
                    leaf->setValueOn(offset, value);
                else
                    leaf->setValueOnly(offset, value);
                any = any || use != Use::no;
            }
            if (any) leaves[static_cast<std::size_t>(slot)].push_back(std::move(leaf));
        }
    });
    for (auto& of_brick : leaves) {
        for (auto& leaf : of_brick) tree.addLeaf(leaf.release());
    }
}

/// The float that is stored; NaN marks what cannot be (checked once the parallel loop is over).
float stored(double value, bool half) {
    const bool fits = std::abs(value) <= (half ? half_max : double{std::numeric_limits<float>::max()});
    return fits ? static_cast<float>(value) : std::numeric_limits<float>::quiet_NaN();
}

template <int D, class T>
void check_values(const std::string& name, const Grid<D>& grid, const Field<D, T>& field, bool half,
                  const Coord<D>& last, bool clamped) {
    for (std::ptrdiff_t slot = 0; slot < field.set().count(); ++slot) {
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const double value = field.brick(slot)[i];
            if (clamped ? !std::isnan(value) : !std::isnan(stored(value, half))) continue;
            const Coord<D> cell = first_cell<D>(field.set().brick(slot)) + local_coord<D>(i);
            if ((cell.array() > last.array()).any()) continue;
            const Vec<D> x = grid.cell_centre(cell);
            throw InputError(name, "holds {} near ({:g}, {:g}{}), allowed: finite numbers up to {:g}", value, x[0],
                             x[1], D == 3 ? fmt::format(", {:g}", x[D - 1]) : "",
                             half ? half_max : double{std::numeric_limits<float>::max()});
        }
    }
}

void check_options(const std::string& name, const VdbGridOptions& options) {
    const double background = options.background;
    if (std::isnan(stored(background, options.half))) {
        throw InputError(name, "has the background {}, allowed: finite numbers", background);
    }
    if (options.grid_class == VdbClass::level_set && !(background > 0)) {
        throw InputError(name, "is a level set with a band of {} m, allowed: > 0", background);
    }
    if (std::isnan(options.threshold)) throw InputError(name, "has a threshold that is not a number");
}

/// Archive whose protected writer takes any seekable stream; io::File would open the file by itself and lose errno.
class StreamArchive : public openvdb::io::Archive {
  public:
    void write_to(std::ostream& out, const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& metadata) const {
        openvdb::io::Archive::write(out, grids, /*seekable=*/true, metadata);
    }
};

std::uint32_t compression_flags(VdbCompression compression) {
    using namespace openvdb::io;
    if (compression == VdbCompression::blosc && Archive::hasBloscCompression()) {
        return COMPRESS_BLOSC | COMPRESS_ACTIVE_MASK;
    }
    return compression == VdbCompression::none ? COMPRESS_ACTIVE_MASK : COMPRESS_ZIP | COMPRESS_ACTIVE_MASK;
}

template <class T>
T metadata_or(const openvdb::MetaMap& map, const char* key, const T& otherwise) {
    const auto found = map.getMetadata<openvdb::TypedMetadata<T>>(key);
    return found ? found->value() : otherwise;
}

float component(float value, int) { return value; }
float component(const openvdb::Vec3s& value, int a) { return value[a]; }

/// The box of the voxels that say something: the active ones, of a staggered grid faces of the upper walls, and of a level
/// set what lies deep inside.
template <class GridType>
openvdb::CoordBBox told_box(const GridType& grid) {
    openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
    if (grid.getGridClass() == openvdb::GRID_STAGGERED)
        for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf)
            for (auto value = leaf->cbeginValueOff(); value; ++value)
                if (*value != grid.background()) box.expand(value.getCoord());
    if constexpr (std::is_same_v<typename GridType::ValueType, float>)
        if (grid.getGridClass() == openvdb::GRID_LEVEL_SET)
            for (auto value = grid.tree().cbeginValueOff(); value; ++value)
                if (*value < 0) box.expand(value.getBoundingBox());
    return box;
}

/// Copies that box; `budget` is what is left of max_voxels.
template <class GridType>
void copy_dense(const GridType& grid, const std::filesystem::path& file, VdbGrid& out, std::size_t& budget) {
    out.components = openvdb::VecTraits<typename GridType::ValueType>::Size;
    out.background = component(grid.background(), 0);
    const openvdb::CoordBBox box = told_box(grid);
    if (box.empty()) return;
    const std::size_t volume = box.volume();
    if (volume > budget) {
        throw FileError(file, fmt::format("grid '{}' spans {} voxels, more than the {} that are left of the limit",
                                          out.name, volume, budget));
    }
    budget -= volume;
    const openvdb::Coord low = box.min(), size = box.dim();
    out.low = Coord3(low.x(), low.y(), low.z());
    out.size = Coord3(size.x(), size.y(), size.z());
    out.values.resize(volume * static_cast<std::size_t>(out.components));
    out.active.resize(volume);
    parallel_for("read vdb", size.z(), [&](std::ptrdiff_t z) {
        const auto accessor = grid.getConstUnsafeAccessor();
        std::size_t at =
            static_cast<std::size_t>(z) * static_cast<std::size_t>(size.x()) * static_cast<std::size_t>(size.y());
        for (int y = 0; y < size.y(); ++y) {
            for (int x = 0; x < size.x(); ++x, ++at) {
                typename GridType::ValueType value;
                out.active[at] = accessor.probeValue(low.offsetBy(x, y, static_cast<int>(z)), value);
                for (int a = 0; a < out.components; ++a) {
                    out.values[at * static_cast<std::size_t>(out.components) + static_cast<std::size_t>(a)] =
                        component(value, a);
                }
            }
        }
    });
}

template <int D, class GridType>
void finish(const std::string& name, const Grid<D>& grid, const VdbGridOptions& options,
            const typename GridType::Ptr& out, openvdb::GridCPtrVec& list) {
    out->setName(name);
    out->setTransform(vdb_transform(grid));
    out->setGridClass(to_vdb(options.grid_class));
    out->setSaveFloatAsHalf(options.half);
    if (!options.unit.empty()) out->insertMeta("unit", openvdb::StringMetadata(options.unit));
    list.push_back(out);
}

}  // namespace

VdbWriter::VdbWriter() : grids_(std::make_unique<Grids>()) { openvdb::initialize(); }
VdbWriter::~VdbWriter() = default;

template <int D, class T>
void VdbWriter::add(const std::string& name, const Grid<D>& grid, const Field<D, T>& field,
                    const VdbGridOptions& options) {
    grids_->check_name(name);
    check_options(name, options);
    const bool level_set = options.grid_class == VdbClass::level_set;
    const Coord<D> last = grid.cells.array() - 1;
    check_values(name, grid, field, options.half, last, level_set);
    const auto out = openvdb::FloatGrid::create(static_cast<float>(options.background));
    fill_tree<D>(
        out->tree(), field.set(), [&](std::ptrdiff_t slot, int local, const Coord<D>& cell, float& value) -> Use {
            if (!grid.contains(cell)) return Use::no;
            const double v = field.brick(slot)[local];
            const bool far =
                level_set ? !(std::abs(v) < options.background) : std::abs(v - options.background) <= options.threshold;
            if (far) {
                if (!level_set || v >= 0) return Use::no;
                value = -value;
                return options.closed ? Use::no : Use::inactive;
            }
            value = static_cast<float>(v);
            return Use::active;
        });
    // What lies deep inside has no leaf: the flood gives it the sign of the band around it. In the plane it would also
    // flood the leaves' voxels above and below the slab.
    if (level_set && options.closed && D == 3) openvdb::tools::signedFloodFill(out->tree());
    if (!level_set || !options.closed) out->tree().prune();
    finish<D, openvdb::FloatGrid>(name, grid, options, out, grids_->list);
}

template <int D, class T>
void VdbWriter::add(const std::string& name, const Grid<D>& grid, const FaceField<D, T>& field,
                    const VdbGridOptions& options) {
    grids_->check_name(name);
    VdbGridOptions staggered = options;
    staggered.grid_class = VdbClass::staggered;
    check_options(name, staggered);
    for (int a = 0; a < D; ++a) {
        check_values(name, grid, field[a], options.half, grid.last_index(Centring<D>::face(a)), false);
    }
    const auto out = openvdb::Vec3SGrid::create(openvdb::Vec3s(static_cast<float>(options.background)));
    fill_tree<D>(out->tree(), field.set(),
                 [&](std::ptrdiff_t slot, int local, const Coord<D>& cell, openvdb::Vec3s& value) -> Use {
                     // A voxel beyond the last cell carries the upper wall's face of one axis, and no other value. It
                     // is not of the domain: inactive.
                     bool any = false, far = true;
                     openvdb::Vec3s v(D == 2 ? 0.0f : static_cast<float>(options.background));
                     for (int a = 0; a < D; ++a) {
                         v[a] = static_cast<float>(options.background);
                         const Coord<D> last = grid.last_index(Centring<D>::face(a));
                         if ((cell.array() > last.array()).any()) continue;
                         any = true;
                         v[a] = static_cast<float>(field[a].brick(slot)[local]);
                         far = far && std::abs(v[a] - options.background) <= options.threshold;
                     }
                     const bool beyond = !grid.contains(cell);
                     if (!any || far || (beyond && v == out->background())) return Use::no;
                     value = v;
                     return beyond ? Use::inactive : Use::active;
                 });
    out->tree().prune();
    finish<D, openvdb::Vec3SGrid>(name, grid, staggered, out, grids_->list);
}

void VdbWriter::write(const std::filesystem::path& file, int frame, double time, VdbCompression compression) const {
    openvdb::MetaMap metadata;
    metadata.insertMeta("creator", openvdb::StringMetadata("tidelock"));
    metadata.insertMeta("frame", openvdb::Int32Metadata(frame));
    metadata.insertMeta("time", openvdb::DoubleMetadata(time));
    metadata.insertMeta("units", openvdb::StringMetadata("SI: m, s, kg, K, Pa"));
    AtomicFile out(file);
    AtomicStreamBuffer buffer(out);
    std::ostream stream(&buffer);
    stream.exceptions(std::ios::badbit | std::ios::failbit);
    StreamArchive archive;
    archive.setCompression(compression_flags(compression));
    try {
        archive.write_to(stream, grids_->list, metadata);
        stream.flush();
    } catch (const openvdb::Exception& error) {
        throw FileError(file, fmt::format("cannot be written: {}", error.what()));
    }
    out.commit();
}

const VdbGrid* VdbFile::find(const std::string& name) const {
    const auto found = std::find_if(grids.begin(), grids.end(), [&](const VdbGrid& grid) { return grid.name == name; });
    return found == grids.end() ? nullptr : &*found;
}

VdbFile read_vdb(const std::filesystem::path& file, std::size_t max_voxels) {
    VdbFile out;
    open_vdb(file, [&](openvdb::io::File& in) {
        const auto metadata = in.getMetadata();
        out.creator = metadata_or<std::string>(*metadata, "creator", "");
        out.frame = metadata_or<std::int32_t>(*metadata, "frame", 0);
        out.time = metadata_or<double>(*metadata, "time", 0);
        std::size_t budget = max_voxels;
        for (auto name = in.beginName(); name != in.endName(); ++name) {
            const auto kind = in.readGridMetadata(name.gridName());
            if (!kind->isType<openvdb::FloatGrid>() && !kind->isType<openvdb::Vec3SGrid>()) continue;
            const auto grid = in.readGrid(name.gridName());
            const auto scalar = openvdb::gridPtrCast<openvdb::FloatGrid>(grid);
            const auto vector = openvdb::gridPtrCast<openvdb::Vec3SGrid>(grid);
            if ((!scalar && !vector) || !grid->hasUniformVoxels() || !grid->transform().isLinear()) continue;
            VdbGrid copy;
            copy.name = grid->getName();
            copy.unit = metadata_or<std::string>(*grid, "unit", "");
            copy.grid_class = from_vdb(grid->getGridClass());
            copy.voxel_size = grid->voxelSize()[0];
            const openvdb::Vec3d centre = grid->indexToWorld(openvdb::Vec3d(0.0));
            copy.origin = Vec3(centre[0], centre[1], centre[2]).array() - 0.5 * copy.voxel_size;
            if (scalar) copy_dense(*scalar, file, copy, budget);
            if (vector) copy_dense(*vector, file, copy, budget);
            out.grids.push_back(std::move(copy));
        }
    });
    return out;
}

template void VdbWriter::add(const std::string&, const Grid<2>&, const Field<2, float>&, const VdbGridOptions&);
template void VdbWriter::add(const std::string&, const Grid<2>&, const Field<2, double>&, const VdbGridOptions&);
template void VdbWriter::add(const std::string&, const Grid<3>&, const Field<3, float>&, const VdbGridOptions&);
template void VdbWriter::add(const std::string&, const Grid<3>&, const Field<3, double>&, const VdbGridOptions&);
template void VdbWriter::add(const std::string&, const Grid<2>&, const FaceField<2, float>&, const VdbGridOptions&);
template void VdbWriter::add(const std::string&, const Grid<2>&, const FaceField<2, double>&, const VdbGridOptions&);
template void VdbWriter::add(const std::string&, const Grid<3>&, const FaceField<3, float>&, const VdbGridOptions&);
template void VdbWriter::add(const std::string&, const Grid<3>&, const FaceField<3, double>&, const VdbGridOptions&);

}  // namespace tidelock
