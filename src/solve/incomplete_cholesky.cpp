#include "solve/incomplete_cholesky.h"

#include <algorithm>

#include "base/error.h"

namespace tidelock {
namespace {

template <int D>
constexpr int stride(int axis) {
    int s = 1;
    for (int a = 0; a < axis; ++a) s *= Brick<D>::size[a];
    return s;
}

/// The slot of the neighbour one brick along an axis.
template <int D>
std::ptrdiff_t neighbour(const BrickSet<D>& set, std::ptrdiff_t slot, int axis, int side) {
    Coord<D> offset = Coord<D>::Zero();
    offset[axis] = side;
    return set.neighbours(slot)[static_cast<std::size_t>(neighbour_slot<D>(offset))];
}

/// A cell by its brick and its place in it.
struct Place {
    std::ptrdiff_t slot;
    int local;
};

template <int D>
Place lower_cell(const BrickSet<D>& set, std::ptrdiff_t slot, int local, const Coord<D>& c, int axis) {
    if (c[axis] > 0) return {slot, local - stride<D>(axis)};
    return {neighbour<D>(set, slot, axis, -1), local + (Brick<D>::size[axis] - 1) * stride<D>(axis)};
}

}  // namespace

template <int D>
IncompleteCholesky<D>::IncompleteCholesky(const PoissonOperator<D>& op, const IncompleteCholeskyOptions& options,
                                          const double* extra_diagonal)
    : op_(&op), inverse_(static_cast<std::size_t>(op.size())) {
    if (!(options.tau >= 0 && options.tau <= 1))
        throw InputError("incomplete_cholesky.tau", "must lie in [0, 1], got {}. 0.97 is usual.", options.tau);
    if (!(options.sigma >= 0 && options.sigma <= 1))
        throw InputError("incomplete_cholesky.sigma", "must lie in [0, 1], got {}. 0.25 is usual.", options.sigma);
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b) factor_brick(b, options, extra_diagonal);
}

template <int D>
void IncompleteCholesky<D>::factor_brick(std::ptrdiff_t slot, const IncompleteCholeskyOptions& options,
                                         const double* extra_diagonal) {
    constexpr int cells = Brick<D>::cells;
    const double tau = options.modified ? options.tau : 0.0;
    for (int i = 0; i < cells; ++i) {
        if (!op_->unknown(slot)[i]) continue;
        const Coord<D> c = local_coord<D>(i);
        double diagonal = op_->excess(slot)[i], removed = 0;
        if (extra_diagonal != nullptr) diagonal += extra_diagonal[slot * cells + i];
        for (int a = 0; a < D; ++a) {
            const double lower = op_->conductance(a, slot)[i];
            diagonal += lower + op_->upper_conductance(a, slot, i);
            if (lower == 0) continue;
            const Place j = lower_cell<D>(op_->set(), slot, i, c, a);
            double others = 0;
            for (int o = 0; o < D; ++o)
                if (o != a) others += op_->upper_conductance(o, j.slot, j.local);
            removed += lower * (lower + tau * others) * inverse_[static_cast<std::size_t>(j.slot * cells + j.local)];
        }
        const double pivot = diagonal - removed;
        // `>` and not `>=`: with sigma = 0 a vanished pivot must be caught as well.
        inverse_[static_cast<std::size_t>(slot * cells + i)] =
            1 / (pivot > options.sigma * diagonal ? pivot : diagonal);
    }
}

template <int D>
void IncompleteCholesky<D>::apply(const double* r, double* z) const {
    const auto count = op_->set().count();
    std::fill(z + op_->set().cells(), z + op_->size(), 0.0);
    for (std::ptrdiff_t b = 0; b < count; ++b) sweep_up(b, r, z);
    for (std::ptrdiff_t b = count; b-- > 0;) sweep_down(b, z);
}

/// (E + L) q = r, kept in z.
template <int D>
void IncompleteCholesky<D>::sweep_up(std::ptrdiff_t slot, const double* r, double* z) const {
    constexpr int cells = Brick<D>::cells, nx = Brick<D>::size[0];
    const double* inverse = inverse_.data() + slot * cells;
    const double* left = z + neighbour<D>(op_->set(), slot, 0, -1) * cells;
    double room[D][cells];
    const double* c[D];
    const double* below[D];
    for (int a = 0; a < D; ++a) {
        c[a] = op_->conductance(a, slot).values(room[a], cells);
        below[a] = z + neighbour<D>(op_->set(), slot, a, -1) * cells + (Brick<D>::size[a] - 1) * stride<D>(a);
    }
    double* q = z + slot * cells;
    for (int row = 0; row < cells; row += nx) {
        const Coord<D> at = local_coord<D>(row);
        double sum[nx];
        for (int i = 0; i < nx; ++i) sum[i] = r[slot * cells + row + i];
        for (int a = 1; a < D; ++a) {
            const double* from = (at[a] > 0 ? q - stride<D>(a) : below[a]) + row;
            for (int i = 0; i < nx; ++i) sum[i] += c[a][row + i] * from[i];
        }
        double previous = left[row + nx - 1];
        for (int i = 0; i < nx; ++i) q[row + i] = previous = (sum[i] + c[0][row + i] * previous) * inverse[row + i];
    }
}

/// (E + L^T) z = E q, in place.
template <int D>
void IncompleteCholesky<D>::sweep_down(std::ptrdiff_t slot, double* z) const {
    constexpr int cells = Brick<D>::cells, nx = Brick<D>::size[0];
    const double* inverse = inverse_.data() + slot * cells;
    std::ptrdiff_t upper[D];
    double room[D][cells];
    const double* own[D];
    for (int a = 0; a < D; ++a) {
        upper[a] = neighbour<D>(op_->set(), slot, a, 1);
        own[a] = op_->conductance(a, slot).values(room[a], cells);
    }
    double* q = z + slot * cells;
    for (int row = cells - nx; row >= 0; row -= nx) {
        const Coord<D> at = local_coord<D>(row);
        double sum[nx] = {};
        for (int a = 1; a < D; ++a) {
            const bool inside = at[a] + 1 < Brick<D>::size[a];
            const int place = inside ? row + stride<D>(a) : row - (Brick<D>::size[a] - 1) * stride<D>(a);
            const double* from = z + (inside ? slot : upper[a]) * cells + place;
            if (inside) {
                for (int i = 0; i < nx; ++i) sum[i] += own[a][place + i] * from[i];
            } else {
                const auto above = op_->conductance(a, upper[a]);
                for (int i = 0; i < nx; ++i) sum[i] += above[place + i] * from[i];
            }
        }
        double next = z[upper[0] * cells + row], c_next = op_->conductance(0, upper[0])[row];
        for (int i = nx - 1; i >= 0; --i) {
            q[row + i] = next = q[row + i] + (sum[i] + c_next * next) * inverse[row + i];
            c_next = own[0][row + i];
        }
    }
}

template class IncompleteCholesky<2>;
template class IncompleteCholesky<3>;

}  // namespace tidelock
