#include "solve/poisson_operator.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"
#include "solve/pressure_kernels.h"

namespace tidelock {
namespace {

/// What the classification keeps of a brick's own faces, and of those in its lowest layer along each axis.
template <int D>
struct Traits {
    bool uniform = false;        ///< all cells are unknowns without excess, and all faces uniform
    bool binary = true;          ///< faces are uniform or closed
    bool exceeds = false;        ///< some excess is set
    bool layer_uniform[D] = {};  ///< of the lowest layer of a-faces
    bool layer_binary[D] = {};   ///< a brick that is not there has closed faces
};

template <int D>
Traits<D> find_traits(const PoissonBrick<D>& brick, double uniform) {
    Traits<D> out;
    out.uniform = true;
    for (int a = 0; a < D; ++a) out.layer_uniform[a] = out.layer_binary[a] = true;
    for (int i = 0; i < Brick<D>::cells; ++i) {
        out.exceeds |= brick.excess[i] != 0;
        out.uniform &= brick.unknown[i] != 0;
        for (int a = 0; a < D; ++a) {
            const double c = brick.conductance[a][i];
            if (c == uniform) continue;
            const bool lowest = local_coord<D>(i)[a] == 0;
            out.uniform = false;
            if (lowest) out.layer_uniform[a] = false;
            if (c == 0) continue;
            out.binary = false;
            if (lowest) out.layer_binary[a] = false;
        }
    }
    out.uniform &= !out.exceeds;
    return out;
}

template <int D>
std::int32_t beside(const BrickSet<D>& set, std::ptrdiff_t brick, int axis, int side) {
    Coord<D> offset = Coord<D>::Zero();
    offset[axis] = side;
    return set.neighbours(brick)[static_cast<std::size_t>(neighbour_slot<D>(offset))];
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
    std::vector<Traits<D>> traits(static_cast<std::size_t>(n + 1));
    for (auto& binary : traits.back().layer_binary) binary = true;
    parallel_for("classify bricks", n, [&](std::ptrdiff_t b) {
        thread_local PoissonBrick<D> brick;
        write_brick<D>(brick, author, b);
        traits[static_cast<std::size_t>(b)] = find_traits<D>(brick, uniform_);
    });
    places_.assign(static_cast<std::size_t>(n + 1), {void_place, void_place, void_place});
    masked_.assign(static_cast<std::size_t>(n + 1), 1);
    for (std::ptrdiff_t b = 0; b < n; ++b) {
        auto own = traits[static_cast<std::size_t>(b)];
        for (int a = 0; a < D; ++a) {
            const auto& upper = traits[static_cast<std::size_t>(beside<D>(*set_, b, a, 1))];
            own.uniform &= upper.layer_uniform[a];
            own.binary &= upper.layer_binary[a];
        }
        auto& place = places_[static_cast<std::size_t>(b)];
        place.row = own.uniform ? uniform_place : first_stored + static_cast<std::int32_t>(stored_++);
        if (own.exceeds) place.excess = first_stored + static_cast<std::int32_t>(exceeding_++);
        masked_[static_cast<std::size_t>(b)] = own.binary;
    }
    for (std::ptrdiff_t b = 0; b < n; ++b) {
        bool read = !is_masked(b);
        for (int a = 0; a < D; ++a) read |= !is_masked(beside<D>(*set_, b, a, -1));
        auto& place = places_[static_cast<std::size_t>(b)];
        if (place.row == uniform_place)
            place.link = uniform_place;
        else if (read)
            place.link = first_stored + static_cast<std::int32_t>(linked_++);
    }
}

template <int D>
void PoissonOperator<D>::allocate() {
    constexpr int cells = Brick<D>::cells;
    const auto room = [](std::ptrdiff_t bricks) { return static_cast<std::size_t>((bricks + first_stored) * cells); };
    for (auto& c : conductance_) c = BigArray<double>(room(linked_));
    excess_ = BigArray<double>(room(exceeding_));
    flags_ = BigArray<std::uint8_t>(room(stored_));
    for (std::size_t i = cells; i < 2 * cells; ++i) {
        for (auto& c : conductance_) c[i] = uniform_;
        flags_[i] = unknown_bit;
        for (int a = 0; a < D; ++a) flags_[i] = static_cast<std::uint8_t>(flags_[i] | lower_open(a) | upper_open(a));
    }
}

template <int D>
void PoissonOperator<D>::store(const Author& author) {
    constexpr int cells = Brick<D>::cells;
    allocate();
    BigArray<std::uint8_t> lower(flags_.size());
    std::copy_n(flags_.begin(), 2 * cells, lower.begin());
    parallel_for("store coefficients", set_->count(), [&](std::ptrdiff_t b) {
        if (is_uniform(b)) return;
        thread_local PoissonBrick<D> brick;
        write_brick<D>(brick, author, b);
        const auto [row, link, excess] = place(b);
        std::uint8_t* flags = lower.data() + offset(row);
        for (int i = 0; i < cells; ++i) flags[i] = brick.unknown[i] != 0 ? unknown_bit : 0;
        if (excess != void_place) std::memcpy(excess_.data() + offset(excess), brick.excess, sizeof(brick.excess));
        for (int a = 0; a < D; ++a) {
            for (int i = 0; i < cells; ++i) {
                const double c = brick.conductance[a][i];
                TIDELOCK_ASSERT(c >= 0 && std::isfinite(c), "conductance {} in brick {} cell {}", c, b, i);
                if (c > 0) flags[i] = static_cast<std::uint8_t>(flags[i] | lower_open(a));
            }
            if (link != void_place)
                std::memcpy(conductance_[a].data() + offset(link), brick.conductance[a], sizeof(brick.conductance[a]));
        }
    });
    find_open_faces(lower);
}

/// A cell's upper faces are the lower ones of the next.
template <int D>
void PoissonOperator<D>::find_open_faces(const BigArray<std::uint8_t>& lower) {
    parallel_for("open faces", set_->count(), [&](std::ptrdiff_t b) {
        if (is_uniform(b)) return;
        const std::uint8_t* own = lower.data() + offset(place(b).row);
        std::uint8_t* out = flags_.data() + offset(place(b).row);
        std::memcpy(out, own, Brick<D>::cells);
        for (int a = 0; a < D; ++a) {
            const std::uint8_t* above = lower.data() + offset(place(beside<D>(*set_, b, a, 1)).row);
            const int stride = local_stride<D>(a), last = Brick<D>::size[a] - 1;
            const auto upper = [&](int i, std::uint8_t next) {
                out[i] = static_cast<std::uint8_t>(out[i] | ((next & lower_open(a)) << 3));
            };
            for (int layer = 0; layer < last; ++layer)
                for_each_in_layer<D>(a, layer, [&](int i) { upper(i, own[i + stride]); });
            for_each_in_layer<D>(a, last, [&](int i) { upper(i, above[i - stride * last]); });
        }
    });
}

/// An unknown none of whose faces is open has the row 0 = b_i: it is no unknown, unless a body determines it.
template <int D>
void PoissonOperator<D>::drop_empty_rows() {
    std::vector<std::vector<CellPlace>> pockets(static_cast<std::size_t>(set_->count()));
    unknowns_ =
        ordered_sum("drop empty rows", set_->count(), std::ptrdiff_t{0}, [&](std::ptrdiff_t b) -> std::ptrdiff_t {
            if (is_uniform(b)) return Brick<D>::cells;
            std::ptrdiff_t kept = 0;
            std::uint8_t* flags = flags_.data() + offset(place(b).row);
            const double* known = excess(b);
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const bool linked = (flags[i] & any_open) != 0 || known[i] > 0, unknown = flags[i] & unknown_bit;
                TIDELOCK_ASSERT(known[i] >= 0 && std::isfinite(known[i]), "excess {} in brick {} cell {}", known[i], b,
                                i);
                TIDELOCK_ASSERT(unknown || !linked, "links without an unknown in brick {} cell {}", b, i);
                kept += unknown && linked;
                if (!unknown || linked) continue;
                flags[i] = 0;
                pockets[static_cast<std::size_t>(b)].push_back({static_cast<std::int32_t>(b), i});
            }
            return kept;
        });
    for (const auto& some : pockets) pockets_.insert(pockets_.end(), some.begin(), some.end());
}

template <int D>
void PoissonOperator<D>::keep_pocket(const CellPlace& cell) {
    TIDELOCK_ASSERT(std::binary_search(pockets_.begin(), pockets_.end(), cell), "brick {} cell {} is no pocket",
                    cell.slot, cell.local);
    auto& flags = flags_.data()[offset(place(cell.slot).row) + cell.local];
    unknowns_ += flags == 0;
    flags = unknown_bit;
}

template <int D>
double PoissonOperator<D>::upper_conductance(int axis, std::ptrdiff_t slot, int local) const {
    Coord<D> c = local_coord<D>(local);
    if (++c[axis] < Brick<D>::size[axis]) return conductance(axis, slot)[local_index<D>(c)];
    c[axis] = 0;
    return conductance(axis, beside<D>(*set_, slot, axis, 1))[local_index<D>(c)];
}

template <int D>
std::size_t PoissonOperator<D>::bytes() const {
    return D * conductance_[0].bytes() + excess_.bytes() + flags_.bytes() + places_.size() * sizeof(Place) +
           masked_.size();
}

template <int D>
double PoissonOperator<D>::coefficient_bytes() const {
    const auto stored = std::count(masked_.begin(), masked_.end(), std::uint8_t{0});
    const double bytes = static_cast<double>(stored_ - stored) + 8.0 * D * static_cast<double>(stored) +
                         8.0 * static_cast<double>(exceeding_);
    return bytes * Brick<D>::cells;
}

template <int D>
PoissonView<D> PoissonOperator<D>::view() const {
    PoissonView<D> out{};
    out.neighbours = set_->neighbour_rows();
    out.places = places_.data(), out.masked = masked_.data();
    for (int a = 0; a < D; ++a) out.conductance[a] = conductance_[a].data();
    out.excess = excess_.data(), out.flags = flags_.data();
    out.uniform = uniform_;
    return out;
}

template <int D>
void PoissonOperator<D>::apply(const double* x, double* y) const {
    const PoissonView<D> op = view();
    const auto apply_one = pressure_kernels<D>().apply;
    parallel_for("apply poisson", set_->count(),
                 [&](std::ptrdiff_t b) { apply_one(op, b, x, y + b * Brick<D>::cells); });
}

template <int D>
void PoissonOperator<D>::apply_brick(std::ptrdiff_t slot, const double* x, double* y) const {
    pressure_kernels<D>().apply(view(), slot, x, y);
}

template class PoissonOperator<2>;
template class PoissonOperator<3>;

}  // namespace tidelock
