#include "solve/poisson_operator.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"
#include "grid/rows.h"

namespace tidelock {
namespace {

template <int D>
bool in_lowest_layer(int local, int axis) {
    return local_coord<D>(local)[axis] == 0;
}

/// What the classification keeps of a brick: bit 0, its own rows are uniform; bit 1 + a, its lowest layer of a-faces
/// is.
template <int D>
unsigned uniformity(const PoissonBrick<D>& brick, double uniform) {
    unsigned bits = (2u << D) - 1;
    for (int i = 0; i < Brick<D>::cells; ++i) {
        if (!brick.unknown[i] || brick.excess[i] != 0) bits &= ~1u;
        for (int a = 0; a < D; ++a)
            if (brick.conductance[a][i] != uniform) {
                bits &= ~1u;
                if (in_lowest_layer<D>(i, a)) bits &= ~(2u << a);
            }
    }
    return bits;
}

template <int D>
int upper_neighbour(int axis) {
    Coord<D> offset = Coord<D>::Zero();
    offset[axis] = 1;
    return neighbour_slot<D>(offset);
}

template <int D>
void write_brick(PoissonBrick<D>& brick, const typename PoissonOperator<D>::Author& author, std::ptrdiff_t slot) {
    std::memset(&brick, 0, sizeof(brick));
    author(slot, brick);
}

}  // namespace

template <int D>
PoissonOperator<D>::PoissonOperator(BrickSetPtr<D> set, double uniform, const Author& author)
    : set_(std::move(set)), uniform_(uniform) {
    if (!(uniform > 0) || !std::isfinite(uniform))
        throw InputError("poisson operator", "the uniform conductance must be positive and finite, got {}", uniform);
    classify(author);
    store(author);
    drop_empty_rows();
}

template <int D>
void PoissonOperator<D>::classify(const Author& author) {
    const std::ptrdiff_t n = set_->count();
    std::vector<unsigned> bits(static_cast<std::size_t>(n + 1), 0);
    parallel_for("classify bricks", n, [&](std::ptrdiff_t b) {
        thread_local PoissonBrick<D> brick;
        write_brick<D>(brick, author, b);
        bits[static_cast<std::size_t>(b)] = uniformity<D>(brick, uniform_);
    });
    slots_.assign(static_cast<std::size_t>(n + 1), void_coefficients);
    for (std::ptrdiff_t b = 0; b < n; ++b) {
        bool is_uniform = bits[static_cast<std::size_t>(b)] & 1u;
        for (int a = 0; a < D && is_uniform; ++a) {
            const auto upper = set_->neighbours(b)[static_cast<std::size_t>(upper_neighbour<D>(a))];
            is_uniform = bits[static_cast<std::size_t>(upper)] & (2u << a);
        }
        slots_[static_cast<std::size_t>(b)] =
            is_uniform ? uniform_slot : first_stored + static_cast<std::int32_t>(stored_++);
    }
}

template <int D>
void PoissonOperator<D>::store(const Author& author) {
    constexpr int cells = Brick<D>::cells;
    const auto total = static_cast<std::size_t>((stored_ + first_stored) * cells);
    for (auto& c : conductance_) c = BigArray<double>(total);
    excess_ = BigArray<double>(total);
    unknown_ = BigArray<std::uint8_t>(total);
    for (int i = 0; i < cells; ++i) {
        for (auto& c : conductance_) c[static_cast<std::size_t>(cells + i)] = uniform_;
        unknown_[static_cast<std::size_t>(cells + i)] = 1;
    }
    parallel_for("store coefficients", set_->count(), [&](std::ptrdiff_t b) {
        if (is_uniform(b)) return;
        thread_local PoissonBrick<D> brick;
        write_brick<D>(brick, author, b);
        for (int a = 0; a < D; ++a)
            std::memcpy(conductance_[a].data() + offset(b), brick.conductance[a], sizeof(brick.conductance[a]));
        std::memcpy(excess_.data() + offset(b), brick.excess, sizeof(brick.excess));
        std::memcpy(unknown_.data() + offset(b), brick.unknown, sizeof(brick.unknown));
    });
}

/// An unknown none of whose faces is open has the row 0 = b_i: it is no unknown, unless a body determines it.
template <int D>
void PoissonOperator<D>::drop_empty_rows() {
    constexpr std::uint8_t dropped = 2;
    std::vector<std::uint8_t> has_pockets(static_cast<std::size_t>(set_->count()), 0);
    unknowns_ =
        ordered_sum("drop empty rows", set_->count(), std::ptrdiff_t{0}, [&](std::ptrdiff_t b) -> std::ptrdiff_t {
            if (is_uniform(b)) return Brick<D>::cells;
            std::ptrdiff_t kept = 0;
            std::uint8_t* unknown = unknown_.data() + offset(b);
            for (int i = 0; i < Brick<D>::cells; ++i) {
                double diagonal = excess(b)[i];
                for (int a = 0; a < D; ++a) diagonal += conductance(a, b)[i] + upper_conductance(a, b, i);
                TIDELOCK_ASSERT(diagonal >= 0 && std::isfinite(diagonal), "diagonal {} in brick {} cell {}", diagonal,
                                b, i);
                TIDELOCK_ASSERT(unknown[i] || diagonal == 0, "diagonal {} without an unknown in brick {} cell {}",
                                diagonal, b, i);
                kept += unknown[i] && diagonal > 0;
                if (!unknown[i] || diagonal > 0) continue;
                unknown[i] = dropped;
                has_pockets[static_cast<std::size_t>(b)] = 1;
            }
            return kept;
        });
    for (std::ptrdiff_t b = 0; b < set_->count(); ++b)
        for (int i = 0; i < Brick<D>::cells && has_pockets[static_cast<std::size_t>(b)]; ++i)
            if (auto& unknown = unknown_.data()[offset(b) + i]; unknown == dropped) {
                unknown = 0;
                pockets_.push_back({static_cast<std::int32_t>(b), i});
            }
}

template <int D>
void PoissonOperator<D>::keep_pocket(const CellPlace& cell) {
    TIDELOCK_ASSERT(std::binary_search(pockets_.begin(), pockets_.end(), cell), "brick {} cell {} is no pocket",
                    cell.slot, cell.local);
    auto& unknown = unknown_.data()[offset(cell.slot) + cell.local];
    unknowns_ += unknown == 0;
    unknown = 1;
}

template <int D>
double PoissonOperator<D>::upper_conductance(int axis, std::ptrdiff_t slot, int local) const {
    Coord<D> c = local_coord<D>(local);
    if (++c[axis] < Brick<D>::size[axis]) return conductance(axis, slot)[local_index<D>(c)];
    c[axis] = 0;
    return conductance(axis,
                       set_->neighbours(slot)[static_cast<std::size_t>(upper_neighbour<D>(axis))])[local_index<D>(c)];
}

template <int D>
std::size_t PoissonOperator<D>::bytes() const {
    return static_cast<std::size_t>(D + 1) * excess_.bytes() + unknown_.bytes() + slots_.size() * sizeof(std::int32_t);
}

template <int D>
void PoissonOperator<D>::apply(const double* x, double* y) const {
    parallel_for("apply poisson", set_->count(), [&](std::ptrdiff_t b) { apply_brick(b, x, y + b * Brick<D>::cells); });
}

template <int D>
void PoissonOperator<D>::apply_brick(std::ptrdiff_t slot, const double* x, double* y) const {
    using Reader = RowReader<D, double>;
    using V = typename Reader::V;
    const auto* near = set_->neighbours(slot).data();
    Reader value(x, FaceSlots<D>(near));
    if (is_uniform(slot)) {
        for_each_brick_row<D>([&](int j, int z) {
            value.go(j, z);
            for (int i = 0; i < Reader::nx; i += Reader::lanes) {
                V sum{};
                for (int a = 0; a < D; ++a) sum += value.lower(a, i) + value.upper(a, i);
                store_pack(y + Reader::nx * (j + Reader::ny * z) + i, V(uniform_ * (2 * D * value.centre(i) - sum)));
            }
        });
        return;
    }
    const FaceSlots<D> places(near, [&](std::int32_t s) { return std::ptrdiff_t{coefficient_slot(s)}; });
    for_each_brick_row<D>([&](int j, int z) {
        value.go(j, z);
        const int row = Reader::nx * (j + Reader::ny * z);
        for (int i = 0; i < Reader::nx; i += Reader::lanes) {
            const V here = value.centre(i);
            V sum = load_pack<V>(excess(slot) + row + i) * here;
            for (int a = 0; a < D; ++a) {
                Reader conductance(conductance_[a].data(), places);
                conductance.go(j, z);
                sum += conductance.centre(i) * (here - value.lower(a, i)) +
                       conductance.upper(a, i) * (here - value.upper(a, i));
            }
            store_pack(y + row + i, sum);
        }
    });
}

template class PoissonOperator<2>;
template class PoissonOperator<3>;

}  // namespace tidelock
