#include "geometry/level_set_surface.h"

// OpenVDB's mesher takes long to compile: only this file includes it.
#include <openvdb/openvdb.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <array>
#include <memory>
#include <numeric>
#include <tuple>

#include "base/parallel.h"
#include "geometry/padded_level_set.h"
#include "grid/interpolate.h"

namespace tidelock {
namespace {

using Padded = PaddedLevelSet<3>;
using Leaf = openvdb::FloatTree::LeafNodeType;
constexpr int edge = 8;  // of an OpenVDB leaf
static_assert(Leaf::DIM == edge);

/// The domain and its padding, cut into blocks as large as OpenVDB's leaves.
class Blocks {
  public:
    explicit Blocks(const Padded& phi) : phi_(phi) {
        for (int a = 0; a < 3; ++a)
            count_[a] = (phi.grid().cells[a] + 1) / edge + 2;  // samples -8 to cells + 1 or more
        sign_.resize(static_cast<std::size_t>(count_.cast<std::ptrdiff_t>().prod()));
        parallel_for("signs of blocks", static_cast<std::ptrdiff_t>(sign_.size()), [&](std::ptrdiff_t n) {
            std::array<float, Leaf::SIZE> values;
            fill(first_sample(n), values.data());
            const auto negative = std::count_if(values.begin(), values.end(), [](float v) { return v < 0; });
            sign_[static_cast<std::size_t>(n)] = negative == 0 ? none : negative == Leaf::SIZE ? all : some;
        });
    }

    /// Leaves where the surface may be, tiles where all around is inside.
    [[nodiscard]] openvdb::FloatGrid::Ptr to_grid() const {
        auto grid = openvdb::FloatGrid::create(static_cast<float>(Padded::far));
        std::vector<std::unique_ptr<Leaf>> leaves(sign_.size());
        parallel_for("leaves of blocks", static_cast<std::ptrdiff_t>(sign_.size()), [&](std::ptrdiff_t n) {
            const auto [least, most] = signs_around(n);
            if (most == none || least == all) return;
            const Coord3 low = first_sample(n);
            auto leaf = std::make_unique<Leaf>(openvdb::Coord(low[0], low[1], low[2]));
            fill(low, leaf->buffer().data());
            leaf->setValuesOn();
            leaves[static_cast<std::size_t>(n)] = std::move(leaf);
        });
        for (std::size_t n = 0; n < leaves.size(); ++n) {
            const Coord3 low = first_sample(static_cast<std::ptrdiff_t>(n));
            if (leaves[n])
                grid->tree().addLeaf(leaves[n].release());
            else if (sign_[n] == all)
                grid->tree().addTile(1, openvdb::Coord(low[0], low[1], low[2]), static_cast<float>(-Padded::far), true);
        }
        return grid;
    }

  private:
    enum Sign : char { none, some, all };  // of the samples are inside

    [[nodiscard]] Coord3 block(std::ptrdiff_t n) const {
        return {static_cast<int>(n % count_[0]), static_cast<int>(n / count_[0] % count_[1]),
                static_cast<int>(n / count_[0] / count_[1])};
    }
    [[nodiscard]] Coord3 first_sample(std::ptrdiff_t n) const { return edge * (block(n).array() - 1); }

    [[nodiscard]] std::pair<Sign, Sign> signs_around(std::ptrdiff_t n) const {
        const Coord3 b = block(n), low = (b.array() - 1).max(0), high = (b.array() + 1).min(count_.array() - 1);
        Sign least = all, most = none;
        for (int z = low[2]; z <= high[2]; ++z)
            for (int y = low[1]; y <= high[1]; ++y)
                for (int x = low[0]; x <= high[0]; ++x) {
                    const auto at = (static_cast<std::ptrdiff_t>(z) * count_[1] + y) * count_[0] + x;
                    least = std::min(least, sign_[static_cast<std::size_t>(at)]);
                    most = std::max(most, sign_[static_cast<std::size_t>(at)]);
                }
        return {least, most};
    }

    /// The samples of a block in the order of a leaf: z fastest.
    void fill(const Coord3& low, float* out) const {
        const Coord3 high = low.array() + edge;
        const auto& field = phi_.field();
        if ((low.array() >= 0).all() && (high.array() <= phi_.grid().cells.array()).all()) {
            const auto slot = field.set().find(brick_of<3>(low));
            if (slot == field.set().void_slot()) {
                std::fill_n(out, Leaf::SIZE, static_cast<float>(Padded::far));
                return;
            }
            const double* values = field.brick(slot);
            for (int k = 0; k < static_cast<int>(Leaf::SIZE); ++k) {
                const Coord3 cell = low + Coord3(k >> 6, (k >> 3) & 7, k & 7);
                out[k] = static_cast<float>(phi_.in_cells(values[local_index<3>(cell)]));
            }
            return;
        }
        for (int k = 0; k < static_cast<int>(Leaf::SIZE); ++k)
            out[k] = static_cast<float>(phi_(low + Coord3(k >> 6, (k >> 3) & 7, k & 7)));
    }

    const Padded& phi_;
    Coord3 count_;
    std::vector<Sign> sign_;
};

/// Which point stands for each point once what lies behind the walls is moved onto them.
///
/// The cube of samples that a wall cuts, or that its rim of two or three walls cut, and the cubes behind it all end in
/// one place: their points become one, that of the cube nearest to the inside, whose place along the walls is right.
/// Cubes with several sheets stay as they are.
std::vector<int> merge_behind_walls(const std::vector<openvdb::Vec3s>& points, const Coord3& cells) {
    struct Entry {
        std::array<int, 3> end, cube;
        int behind, point;
        bool operator<(const Entry& o) const {
            return std::tie(end, behind, cube, point) < std::tie(o.end, o.behind, o.cube, o.point);
        }
    };
    std::vector<Entry> entries;
    for (std::size_t p = 0; p < points.size(); ++p) {
        Entry entry{{}, {}, 0, static_cast<int>(p)};
        bool at_wall = false;
        for (std::size_t a = 0; a < 3; ++a) {
            const int last = cells[static_cast<int>(a)] - 1;
            entry.cube[a] = static_cast<int>(std::floor(points[p][static_cast<int>(a)]));
            entry.end[a] = std::clamp(entry.cube[a], -1, last);
            entry.behind += entry.cube[a] != entry.end[a] ? 1 : 0;
            at_wall = at_wall || entry.end[a] == -1 || entry.end[a] == last;
        }
        if (at_wall) entries.push_back(entry);
    }
    std::sort(entries.begin(), entries.end());
    std::vector<int> stands_for(points.size());
    std::iota(stands_for.begin(), stands_for.end(), 0);
    for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
        bool one_sheet = true;
        for (end = begin + 1; end < entries.size() && entries[end].end == entries[begin].end; ++end)
            one_sheet = one_sheet && entries[end].cube != entries[end - 1].cube;
        for (std::size_t k = begin; one_sheet && k < end; ++k)
            stands_for[static_cast<std::size_t>(entries[k].point)] = entries[begin].point;
    }
    return stands_for;
}

/// Places points of the mesher, in samples, into the world.
class Placer {
  public:
    explicit Placer(const Padded& phi) : phi_(phi), sampler_(phi.field(), Centring<3>::cell(), phi.grid()) {}

    Vec3 operator()(const openvdb::Vec3s& p) {
        Vec3 sample(double{p[0]}, double{p[1]}, double{p[2]});
        bool behind = false, at_wall[3];
        for (int a = 0; a < 3; ++a) {
            // Half a sample behind the outermost is the wall, exactly; more is the cap.
            constexpr double rounding = 1e-3;  // of single precision, over thousands of samples
            const double low = -0.5, high = phi_.grid().cells[a] - 0.5;
            at_wall[a] = sample[a] < low + rounding || sample[a] > high - rounding;
            behind = behind || sample[a] < low - rounding || sample[a] > high + rounding;
            if (at_wall[a]) sample[a] = sample[a] < low + rounding ? low : high;
        }
        if (!behind) sample += correction(sample, at_wall);
        return phi_.place(sample);
    }

  private:
    /// Means of crossings lie inside a convex surface, and so do linear interpolants: a step of Newton's method on the
    /// cubic one, within the walls that the point is on, leaves a third of that error. [cells]
    Vec3 correction(const Vec3& sample, const bool* at_wall) {
        const Vec3 x = sample.array() + 0.5;
        const double value = sampler_.cubic(x) / phi_.grid().dx;
        Vec3 slope = sampler_.gradient(x) / phi_.grid().dx;
        for (int a = 0; a < 3; ++a)
            if (at_wall[a]) slope[a] = 0;
        const double square = slope.squaredNorm();
        constexpr double least_slope = 0.25, longest = 0.2;  // near kinks and thin parts the gradient says little
        if (!(square > least_slope) || !std::isfinite(value)) return Vec3::Zero();
        const Vec3 step = -value / square * slope;
        return step.squaredNorm() < longest * longest ? step : Vec3::Zero();
    }

    const Padded& phi_;
    Sampler<3, double> sampler_;
};

class Assembly {
  public:
    Assembly(const Padded& phi, const std::vector<openvdb::Vec3s>& points)
        : stands_for_(merge_behind_walls(points, phi.grid().cells)), number_(points.size(), -1) {
        Placer place(phi);
        for (std::size_t p = 0; p < points.size(); ++p) {
            if (stands_for_[p] != static_cast<int>(p)) continue;
            number_[p] = static_cast<int>(mesh_.points.size());
            mesh_.points.push_back(place(points[p]));
        }
    }
    /// OpenVDB's polygons run counter-clockwise seen from outside, as ours do.
    void quad(const openvdb::Vec4I& q) {
        const int a = index(q[0]), b = index(q[1]), c = index(q[2]), d = index(q[3]);
        const auto& x = mesh_.points;
        // Along the shorter diagonal: flatter triangles.
        if ((x[a] - x[c]).squaredNorm() <= (x[b] - x[d]).squaredNorm()) {
            add(a, b, c), add(a, c, d);
        } else {
            add(a, b, d), add(b, c, d);
        }
    }
    void triangle(const openvdb::Vec3I& t) { add(index(t[0]), index(t[1]), index(t[2])); }
    TriangleMesh take() {
        // Merging may have left points that nothing uses.
        std::vector<int> number(mesh_.points.size(), -1);
        TriangleMesh out;
        out.triangles = std::move(mesh_.triangles);
        for (auto& triangle : out.triangles)
            for (int& p : triangle) {
                int& n = number[static_cast<std::size_t>(p)];
                if (n < 0) {
                    n = static_cast<int>(out.points.size());
                    out.points.push_back(mesh_.points[static_cast<std::size_t>(p)]);
                }
                p = n;
            }
        return out;
    }

  private:
    [[nodiscard]] int index(openvdb::Index32 p) const { return number_[static_cast<std::size_t>(stands_for_[p])]; }
    void add(int a, int b, int c) {
        if (a != b && b != c && c != a) mesh_.triangles.push_back({a, b, c});
    }

    std::vector<int> stands_for_, number_;
    TriangleMesh mesh_;
};

}  // namespace

TriangleMesh level_set_surface(const Grid<3>& grid, const Field<3, double>& phi,
                               const LevelSetSurfaceOptions& options) {
    check_grid(grid, "level set");
    if (!(options.adaptivity >= 0 && options.adaptivity <= 1))
        throw InputError("level set", "adaptivity must be in [0, 1], got {}", options.adaptivity);
    const Padded padded(grid, phi);
    padded.check();
    openvdb::initialize();
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(*Blocks(padded).to_grid(), points, triangles, quads, 0.0, options.adaptivity);
    Assembly assembly(padded, points);
    for (const auto& quad : quads) assembly.quad(quad);
    for (const auto& triangle : triangles) assembly.triangle(triangle);
    return assembly.take();
}

}  // namespace tidelock
