#include "geometry/distance_band.h"

namespace tidelock {

DistanceBand::DistanceBand(const Coord3& first, const Coord3& end) : first_(first), count_(end - first) {
    nodes_.assign(
        static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) * static_cast<std::size_t>(count_[2]),
        side_outside);
}

void DistanceBand::set_node_side(const Coord3& node, bool inside) {
    nodes_[node_place(node - first_)] = inside ? side_inside : side_outside;
}

std::int32_t& DistanceBand::block_entry(const Coord3& block) {
    std::int32_t& node = nodes_[node_place(Coord3(block[0] >> 4, block[1] >> 4, block[2] >> 4) - first_)];
    if (node < 0) {
        constexpr std::size_t blocks = node_edge * node_edge * node_edge;
        const std::int32_t side = node;
        node = static_cast<std::int32_t>(blocks_.size() / blocks);
        blocks_.resize(blocks_.size() + blocks, side);
    }
    return blocks_[entry(node, block)];
}

void DistanceBand::set_block_side(const Coord3& block, bool inside) {
    block_entry(block) = inside ? side_inside : side_outside;
}

float* DistanceBand::new_block(const Coord3& block) {
    block_entry(block) = static_cast<std::int32_t>(values_.size() / stored);
    values_.resize(values_.size() + stored);
    return values_.data() + values_.size() - stored;
}

}  // namespace tidelock
