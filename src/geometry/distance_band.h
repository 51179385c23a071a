/// Signed distances on the voxels around a surface, kept for looking them up at points: all that one point needs lies
/// in one block of floats.
///
/// Voxels are counted from the middle of a mesh, both ways. Blocks of 8^3 of them exist where the surface is near,
/// each with the first voxels of the next blocks; the others only know on which side they lie. They are found through
/// a table of nodes of 16^3 blocks.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/vec.h"

namespace tidelock {

class DistanceBand {
  public:
    static constexpr int edge = 8;                                           ///< voxels of a block
    static constexpr int node_edge = 16;                                     ///< blocks of a node
    static constexpr float beyond = std::numeric_limits<float>::infinity();  ///< of a voxel out of the band; - inside

    DistanceBand() = default;
    /// Nodes from `first` to before `end`, all outside.
    DistanceBand(const Coord3& first, const Coord3& end);

    void set_node_side(const Coord3& node, bool inside);
    void set_block_side(const Coord3& block, bool inside);
    /// `value(voxel)`: the distance, or `beyond` with a sign.
    template <class Value>
    void add_block(const Coord3& block, Value&& value) {
        float* out = new_block(block);
        for (int n = 0; n < stored; ++n)
            *out++ = value(Coord3(edge * block + Coord3(n / (width * width), n / width % width, n % width)));
    }

    /// The eight values around a point; bit a of the index: upper along axis a.
    struct Corners {
        float value[8];
    };
    /// False if not all voxels around (`low` the lowest of them) are in the band.
    [[nodiscard]] bool corners(const Coord3& low, Corners& out) const {
        const std::int32_t block = find(Coord3(low[0] >> 3, low[1] >> 3, low[2] >> 3));
        if (block < 0) return false;
        const float* p = values_.data() + static_cast<std::size_t>(block) * stored + place(low);
        float none = 0;  // or not a number
        for (int c = 0; c < 8; ++c) {
            out.value[c] = p[(c & 1) * width * width + (c >> 1 & 1) * width + (c >> 2)];
            none += 0.0f * out.value[c];
        }
        return none == 0;
    }
    [[nodiscard]] bool inside(const Coord3& voxel) const {
        const std::int32_t block = find(Coord3(voxel[0] >> 3, voxel[1] >> 3, voxel[2] >> 3));
        if (block < 0) return block == side_inside;
        return values_[static_cast<std::size_t>(block) * stored + static_cast<std::size_t>(place(voxel))] < 0;
    }

  private:
    static_assert(edge == 8 && node_edge == 16);  // shifts and masks say so
    static constexpr int width = edge + 1, stored = width * width * width;
    static constexpr std::int32_t side_outside = -1, side_inside = -2;

    static int place(const Coord3& voxel) { return ((voxel[0] & 7) * width + (voxel[1] & 7)) * width + (voxel[2] & 7); }
    /// Where a block's values are, or its side.
    [[nodiscard]] std::int32_t find(const Coord3& block) const {
        const std::int32_t node = node_at(Coord3(block[0] >> 4, block[1] >> 4, block[2] >> 4));
        return node < 0 ? node : blocks_[entry(node, block)];
    }
    [[nodiscard]] std::int32_t node_at(const Coord3& node) const {
        const Coord3 at = node - first_;
        for (int a = 0; a < 3; ++a)
            if (at[a] < 0 || at[a] >= count_[a]) return side_outside;
        return nodes_[node_place(at)];
    }
    [[nodiscard]] std::size_t node_place(const Coord3& at) const {
        return (static_cast<std::size_t>(at[0]) * static_cast<std::size_t>(count_[1]) +
                static_cast<std::size_t>(at[1])) *
                   static_cast<std::size_t>(count_[2]) +
               static_cast<std::size_t>(at[2]);
    }
    static std::size_t entry(std::int32_t node, const Coord3& block) {
        return static_cast<std::size_t>(node) * (node_edge * node_edge * node_edge) +
               static_cast<std::size_t>((block[0] & 15) << 8 | (block[1] & 15) << 4 | (block[2] & 15));
    }
    std::int32_t& block_entry(const Coord3& block);
    float* new_block(const Coord3& block);

    Coord3 first_ = Coord3::Zero(), count_ = Coord3::Zero();
    std::vector<std::int32_t> nodes_, blocks_;
    std::vector<float> values_;
};

}  // namespace tidelock
