#include "geometry/level_set_mesher.h"

// OpenVDB's mesher takes long to compile: only this file includes it.
#include <openvdb/openvdb.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>

#include "base/parallel.h"

namespace tidelock {
namespace {

using Leaf = openvdb::FloatTree::LeafNodeType;
constexpr int edge = LevelSamples::edge;
constexpr float outside = 3;  // [samples] what is not stored
static_assert(Leaf::DIM == edge && Leaf::SIZE == LevelSamples::size);

/// The box and its padding, cut into blocks as large as OpenVDB's leaves.
class Blocks {
  public:
    explicit Blocks(const LevelSamples& samples) : samples_(samples) {
        for (int a = 0; a < 3; ++a) count_[a] = (samples.cells()[a] + 1) / edge + 2;  // samples -8 to cells + 1 or more
        sign_.resize(static_cast<std::size_t>(count_.cast<std::ptrdiff_t>().prod()));
        parallel_for("signs of blocks", static_cast<std::ptrdiff_t>(sign_.size()), [&](std::ptrdiff_t n) {
            std::array<float, Leaf::SIZE> values;
            samples_.fill(first_sample(n), values.data());
            const auto negative = std::count_if(values.begin(), values.end(), [](float v) { return v < 0; });
            sign_[static_cast<std::size_t>(n)] = negative == 0 ? none : negative == Leaf::SIZE ? all : some;
        });
    }

    /// Leaves where the surface may be, tiles where all around is inside.
    [[nodiscard]] openvdb::FloatGrid::Ptr to_grid() const {
        auto grid = openvdb::FloatGrid::create(outside);
        std::vector<std::unique_ptr<Leaf>> leaves(sign_.size());
        parallel_for("leaves of blocks", static_cast<std::ptrdiff_t>(sign_.size()), [&](std::ptrdiff_t n) {
            const auto [least, most] = signs_around(n);
            if (most == none || least == all) return;
            const Coord3 low = first_sample(n);
            auto leaf = std::make_unique<Leaf>(openvdb::Coord(low[0], low[1], low[2]));
            samples_.fill(low, leaf->buffer().data());
            leaf->setValuesOn();
            leaves[static_cast<std::size_t>(n)] = std::move(leaf);
        });
        for (std::size_t n = 0; n < leaves.size(); ++n) {
            const Coord3 low = first_sample(static_cast<std::ptrdiff_t>(n));
            if (leaves[n])
                grid->tree().addLeaf(leaves[n].release());
            else if (sign_[n] == all)
                grid->tree().addTile(1, openvdb::Coord(low[0], low[1], low[2]), -outside, true);
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

    const LevelSamples& samples_;
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

/// Where a point of OpenVDB's lies: what is behind a side is moved onto it.
SampledPoint place(const openvdb::Vec3s& p, const Coord3& cells) {
    SampledPoint out;
    out.sample = Vec3(double{p[0]}, double{p[1]}, double{p[2]});
    for (int a = 0; a < 3; ++a) {
        // Half a sample behind the outermost is the wall, exactly; more is the cap.
        constexpr double rounding = 1e-3;  // of single precision, over thousands of samples
        const double low = -0.5, high = cells[a] - 0.5;
        double& x = out.sample[a];
        const bool at_wall = x < low + rounding || x > high - rounding;
        out.cap = out.cap || x < low - rounding || x > high + rounding;
        if (at_wall) x = x < low + rounding ? low : high;
        out.at_wall[static_cast<std::size_t>(a)] = at_wall;
    }
    return out;
}

class Assembly {
  public:
    Assembly(const Coord3& cells, const std::vector<openvdb::Vec3s>& points)
        : stands_for_(merge_behind_walls(points, cells)) {
        for (const auto& p : points) placed_.push_back(place(p, cells));
    }
    /// OpenVDB's polygons run counter-clockwise seen from outside, as ours do.
    void quad(const openvdb::Vec4I& q) {
        const int a = stands_for_[q[0]], b = stands_for_[q[1]], c = stands_for_[q[2]], d = stands_for_[q[3]];
        const auto x = [&](int p) -> const Vec3& { return placed_[static_cast<std::size_t>(p)].sample; };
        // Along the shorter diagonal: flatter triangles.
        if ((x(a) - x(c)).squaredNorm() <= (x(b) - x(d)).squaredNorm()) {
            add(a, b, c), add(a, c, d);
        } else {
            add(a, b, d), add(b, c, d);
        }
    }
    void triangle(const openvdb::Vec3I& t) { add(stands_for_[t[0]], stands_for_[t[1]], stands_for_[t[2]]); }
    /// Without the points that nothing uses.
    SampledSurface take() {
        std::vector<int> number(placed_.size(), -1);
        SampledSurface out;
        out.triangles = std::move(triangles_);
        for (auto& triangle : out.triangles)
            for (int& p : triangle) {
                int& n = number[static_cast<std::size_t>(p)];
                if (n < 0) {
                    n = static_cast<int>(out.points.size());
                    out.points.push_back(placed_[static_cast<std::size_t>(p)]);
                }
                p = n;
            }
        return out;
    }

  private:
    void add(int a, int b, int c) {
        if (a != b && b != c && c != a) triangles_.push_back({a, b, c});
    }

    std::vector<int> stands_for_;
    std::vector<SampledPoint> placed_;
    std::vector<std::array<int, 3>> triangles_;
};

}  // namespace

SampledSurface mesh_samples(const LevelSamples& samples, double adaptivity) {
    openvdb::initialize();
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(*Blocks(samples).to_grid(), points, triangles, quads, 0.0, adaptivity);
    Assembly assembly(samples.cells(), points);
    for (const auto& quad : quads) assembly.quad(quad);
    for (const auto& triangle : triangles) assembly.triangle(triangle);
    return assembly.take();
}

}  // namespace tidelock
