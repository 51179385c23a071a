/// One level of the multigrid hierarchy: coefficients, rigid terms and work vectors in the cycle's precision T.
///
/// Bricks that are uniform share one brick of coefficients; what a sweep has to read of them is their kind. Coefficient
/// slot 0 is the void brick's (all zero), 1 the uniform one, the rest stored. Conductances have slots of
/// their own: where faces are open or closed and nobody reads them there are none, and the slot is 0. Coefficients,
/// bodies and groups name cells by their place in the brick while levels are built; order_by_colour() ends that.
#pragma once

#include <cstdint>
#include <vector>

#include "base/big_array.h"
#include "solve/body_blocks.h"
#include "solve/brick_view.h"
#include "solve/group_unknowns.h"
#include "solve/poisson_operator.h"
#include "solve/rigid_terms.h"

namespace tidelock {

struct MultigridOptions {
    int sweeps = 2;               ///< [-] red-black sweeps before and after the coarse correction, at least 1
    int extra_sweeps = 1;         ///< [-] more of them on each coarser level, where they cost little; at least 0
    int coarsest_unknowns = 512;  ///< [-] solved directly from here on

    /// Sweeps before and after the correction on level l, the finest being 0.
    [[nodiscard]] int sweeps_on(std::size_t l) const { return sweeps + extra_sweeps * static_cast<int>(l); }
};

template <int D, class T>
struct StencilLevel {
    BrickSetPtr<D> set;
    T uniform{};  ///< conductance of a uniform brick's faces
    std::ptrdiff_t unknowns = 0;
    std::vector<std::int32_t> slots;  ///< brick -> coefficient slot, the void brick's last
    std::vector<std::int32_t> links;  ///< the same for conductances
    std::vector<BrickKind> kind;      ///< per brick
    BigArray<T> conductance[D];       ///< lower faces; at links
    BigArray<T> inverse;              ///< 1 / diagonal, in pockets 1 / cap; 0 without an unknown
    BigArray<std::uint8_t> flags;     ///< open faces, bits as in PoissonOperator; pocket_flag
    BigArray<T> excess;               ///< links to known values; kept until order_by_colour()

    RigidTerms<D> bodies;                 ///< K of this level
    BodyBlocks<D> blocks;                 ///< what the smoother solves for them
    std::vector<std::int32_t> run_start;  ///< per brick: its first run of `bodies`; one more at the end

    GroupUnknowns<D, T> groups;  ///< unknowns beside the cells'

    std::vector<std::int32_t> parent;  ///< per brick: slot of the coarse brick that covers it
    BigArray<T> r, x;                  ///< right-hand side and iterate, in colour order (solve/colour_order.h)

    [[nodiscard]] std::int32_t slot(std::ptrdiff_t brick) const { return slots[static_cast<std::size_t>(brick)]; }
    [[nodiscard]] bool is_uniform(std::ptrdiff_t brick) const { return slot(brick) == 1; }
    [[nodiscard]] std::ptrdiff_t offset(std::ptrdiff_t brick) const {
        return std::ptrdiff_t{slot(brick)} * Brick<D>::cells;
    }
    [[nodiscard]] std::int32_t link(std::ptrdiff_t brick) const { return links[static_cast<std::size_t>(brick)]; }
    [[nodiscard]] std::ptrdiff_t link_offset(std::ptrdiff_t brick) const {
        return std::ptrdiff_t{link(brick)} * Brick<D>::cells;
    }
    /// Coefficients for set-up code, wherever they are, before order_by_colour().
    [[nodiscard]] FaceLinks<T> lower_links(int axis, std::ptrdiff_t brick) const {
        return {.stored = link(brick) != 0 ? conductance[axis].data() + link_offset(brick) : nullptr,
                .open = flags.data() + offset(brick),
                .bit = lower_open(axis),
                .uniform = uniform};
    }
    [[nodiscard]] T diagonal_at(std::ptrdiff_t brick, int i) const {
        const T divisor = inverse.data()[offset(brick) + i];
        return divisor > 0 && (flags.data()[offset(brick) + i] & pocket_flag) == 0 ? 1 / divisor : T{0};
    }
    /// What sweeps read, once the level is in colour order.
    [[nodiscard]] LevelView<D, T> view();
    [[nodiscard]] std::size_t bytes() const;
};

/// The finest level: A / op.uniform(), so that a uniform face has conductance 1.
template <int D, class T>
StencilLevel<D, T> finest_level(const PoissonOperator<D>& op, const RigidTerms<D>& bodies);

/// The next coarser level by scaled aggregation of 2^D cells (solve/coarse_level.cpp has the formulas); also sets
/// fine.parent.
template <int D, class T>
StencilLevel<D, T> coarser_level(StencilLevel<D, T>& fine);

/// Brings coefficients, bodies and groups into the order that sweeps read, once the next level is built; drops what
/// only that needed.
template <int D, class T>
void order_by_colour(StencilLevel<D, T>& level);

}  // namespace tidelock
