/// Fields as OpenVDB files, as Houdini and Blender read them, and back.
///
/// Voxel (i, j, k) of a grid is cell (i, j, k): its centre lies at origin + (i + 1/2) dx in the world. Voxels are
/// active for cells of active bricks inside the domain, so a file is as sparse as its field. A staggered velocity is a
/// Vec3f grid of class "staggered": component a of voxel i is the velocity on the lower a-face of cell i, half a voxel
/// below the voxel's centre; those of the upper walls are in inactive voxels beyond the last, so that what is active
/// lies in the domain. A plane field becomes a slab one voxel thick around z = 0. Values are float, or half on
/// request.
///
/// The content of two files of the same fields differs only in the random tag that OpenVDB puts into every file.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grid/domain.h"
#include "grid/field.h"

namespace tidelock {

enum class VdbClass { unknown, fog_volume, level_set, staggered };

struct VdbGridOptions {
    VdbClass grid_class = VdbClass::fog_volume;
    /// Value of inactive voxels; must be finite. For a level set: the half width of the band [m], > 0. Distances beyond
    /// it are not stored, inactive voxels are +background outside and -background inside.
    double background = 0;
    /// Values within `threshold` of the background become inactive. Not for level sets.
    double threshold = -1;
    /// 16 bits a value: 3 significant digits, up to 65504. Larger values are refused.
    bool half = false;
    /// Of a level set: cells without a brick, and beyond the band, have the sign of the band around them. Not that of a
    /// liquid: it ends at the walls of its cup without a surface, and each of its cells has a sign of its own.
    bool closed = true;
    /// Written as the grid's metadata "unit": "m/s", "K", "Pa".
    std::string unit = {};
};

enum class VdbCompression { none, zip, blosc };

/// How particles are stored. The voxel that holds a particle is exact; within it:
///   full     three floats a position (error below 1e-7 voxels), three floats a velocity: 24 bytes a particle;
///   compact  16 bits a coordinate (error below 2e-5 voxels), 16-bit floats for velocities (3 digits, up to 65504 m/s):
///            12 bytes a particle.
/// The file's compression comes on top and loses nothing.
enum class VdbPointPrecision { full, compact };

/// Collects grids, then writes them as one file. The grids are copies: fields may change after add().
class VdbWriter {
  public:
    VdbWriter();
    ~VdbWriter();
    VdbWriter(const VdbWriter&) = delete;
    VdbWriter& operator=(const VdbWriter&) = delete;

    /// T is float or double. Throws InputError (place: the grid's name) for a name used twice, options out of range, or
    /// a value that is not finite or does not fit the stored type.
    template <int D, class T>
    void add(const std::string& name, const Grid<D>& grid, const Field<D, T>& field,
             const VdbGridOptions& options = {});
    /// The class is staggered, whatever the options say.
    template <int D, class T>
    void add(const std::string& name, const Grid<D>& grid, const FaceField<D, T>& field,
             const VdbGridOptions& options = {});

    /// Particles as a grid of points (class PointDataGrid) with the attributes P and, unless `velocities` is empty, v.
    /// They are stored voxel by voxel, so their order is lost; a set without particles is a grid without leaves. Throws
    /// InputError (place: the grid's name) for a name used twice, another number of velocities than positions, or a
    /// value that is not finite or does not fit. io/vdb_points.h reads them.
    template <int D>
    void add_points(const std::string& name, const Grid<D>& grid, std::span<const Vec<D>> positions,
                    std::span<const Vec<D>> velocities, VdbPointPrecision precision = VdbPointPrecision::full);

    /// Atomic (base/file.h); throws FileError. The metadata of the file: creator, frame, time [s], units.
    void write(const std::filesystem::path& file, int frame, double time,
               VdbCompression compression = VdbCompression::blosc) const;

  private:
    struct Grids;
    std::unique_ptr<Grids> grids_;
};

/// A grid read back, dense over the box of its active voxels, and of a staggered grid's faces on the upper walls.
struct VdbGrid {
    std::string name;
    std::string unit;
    VdbClass grid_class = VdbClass::unknown;
    int components = 1;            ///< 1, or 3 for vectors
    double voxel_size = 0;         ///< [m]
    Vec3 origin = Vec3::Zero();    ///< lower corner of voxel (0, 0, 0) [m]
    Coord3 low = Coord3::Zero();   ///< first voxel of the box
    Coord3 size = Coord3::Zero();  ///< voxels of the box along each axis; 0 for a grid without active voxels
    float background = 0;          ///< of the first component
    std::vector<float> values;     ///< x fastest, then y, then z; the components of a voxel side by side
    std::vector<char> active;      ///< 1 for each active voxel of the box

    [[nodiscard]] Vec3 centre(const Coord3& voxel) const {
        return origin + voxel_size * (voxel.cast<double>().array() + 0.5).matrix();
    }
    [[nodiscard]] bool contains(const Coord3& voxel) const {
        return ((voxel - low).array() >= 0).all() && ((voxel - low).array() < size.array()).all();
    }
    /// The background outside the box.
    [[nodiscard]] float at(const Coord3& voxel, int component = 0) const {
        return contains(voxel)
                   ? values[index(voxel) * static_cast<std::size_t>(components) + static_cast<std::size_t>(component)]
                   : background;
    }
    [[nodiscard]] bool is_active(const Coord3& voxel) const { return contains(voxel) && active[index(voxel)] != 0; }

  private:
    [[nodiscard]] std::size_t index(const Coord3& voxel) const {
        const Eigen::Matrix<std::ptrdiff_t, 3, 1> v = (voxel - low).cast<std::ptrdiff_t>();
        return static_cast<std::size_t>(v[0] + size[0] * (v[1] + size[1] * v[2]));
    }
};

struct VdbFile {
    std::string creator;
    int frame = 0;
    double time = 0;  ///< [s]
    std::vector<VdbGrid> grids;

    /// The grid of that name, or nullptr.
    [[nodiscard]] const VdbGrid* find(const std::string& name) const;
};

/// Reads every float and Vec3f grid with cubic voxels (half is widened), other kinds are skipped. Throws FileError for
/// a file that is missing or damaged, or whose boxes hold more than `max_voxels` voxels in all: a sparse file may be
/// far smaller than its box.
[[nodiscard]] VdbFile read_vdb(const std::filesystem::path& file, std::size_t max_voxels = std::size_t{1} << 30);

}  // namespace tidelock
