#include "poisson_test_domains.h"

namespace tidelock {

template <int D>
PoissonOperator<D> random_domain(const Coord<D>& lattice, std::uint64_t seed, bool with_excess, double brick_share) {
    const Random random(seed);
    const auto near_clean = [](const Coord<D>& b) { return (b.array() >= 0).all() && (b.array() <= 3).all(); };
    const auto set = make_where<D>(
        lattice, [&](const Coord<D>& b) { return near_clean(b) || random.uniform(cell_key<D>(b), 9) < brick_share; });
    const auto clean = [](const Coord<D>& c) {
        for (int a = 0; a < D; ++a)
            if (c[a] < Brick<D>::size[a] - 1 || c[a] > 3 * Brick<D>::size[a]) return false;
        return true;
    };
    const auto unknown = [=](const Coord<D>& c) {
        return set->find(brick_of<D>(c)) != set->void_slot() && (clean(c) || random.uniform(cell_key<D>(c), 0) > 0.2);
    };
    return PoissonOperator<D>(set, 1.0, [=](std::ptrdiff_t slot, PoissonBrick<D>& out) {
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(set->brick(slot)) + local_coord<D>(i);
            if (!unknown(c)) continue;
            out.unknown[i] = 1;
            for (int a = 0; a < D; ++a) {
                Coord<D> lower = c;
                --lower[a];
                if (!unknown(lower)) continue;
                const double draw = random.uniform(cell_key<D>(c), static_cast<std::uint32_t>(1 + a));
                const bool binary = random.uniform(cell_key<D>(set->brick(slot)), 8) < 0.67;
                out.conductance[a][i] = clean(c) && clean(lower) ? 1.0
                                        : draw < 0.2             ? 0.0
                                        : draw < 0.6 || binary   ? 1.0
                                                                 : 0.01 + 2 * (draw - 0.6);
            }
            const double draw = random.uniform(cell_key<D>(c), 5);
            if (with_excess && !clean(c) && draw < 0.1) out.excess[i] = 30 * draw;
        }
    });
}

template <int D>
Eigen::SparseMatrix<double> assemble(const PoissonOperator<D>& op) {
    const auto& set = op.set();
    const auto n = set.cells();
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](std::ptrdiff_t i, std::ptrdiff_t j, double v) {
        if (v != 0) entries.emplace_back(static_cast<int>(i), static_cast<int>(j), v);
    };
    for (std::ptrdiff_t b = 0; b < set.count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const auto row = b * Brick<D>::cells + i;
            add(row, row, op.excess(b)[i]);
            for (int a = 0; a < D; ++a) {
                const double c = op.conductance(a, b)[i];
                if (c == 0) continue;
                Coord<D> lower = first_cell<D>(set.brick(b)) + local_coord<D>(i);
                --lower[a];
                const auto column =
                    std::ptrdiff_t{set.find(brick_of<D>(lower))} * Brick<D>::cells + local_index<D>(lower);
                add(row, row, c), add(column, column, c), add(row, column, -c), add(column, row, -c);
            }
        }
    Eigen::SparseMatrix<double> matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

template <int D>
std::vector<double> random_values(const PoissonOperator<D>& op, std::uint64_t seed) {
    const Random random(seed);
    std::vector<double> x(static_cast<std::size_t>(op.size()), 0.0);
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const auto at = static_cast<std::size_t>(b * Brick<D>::cells + i);
            if (op.unknown(b)[i]) x[at] = random.uniform(at, 0, -1, 1);
        }
    return x;
}

template <int D>
PoissonOperator<D> box_domain(const Coord<D>& cells, bool open_top) {
    const auto set = make_dense<D>(lattice_for<D>(cells));
    return PoissonOperator<D>(set, 1.0, [=](std::ptrdiff_t slot, PoissonBrick<D>& out) {
        for (int i = 0; i < Brick<D>::cells; ++i) {
            const Coord<D> c = first_cell<D>(set->brick(slot)) + local_coord<D>(i);
            if ((c.array() >= cells.array()).any()) continue;
            out.unknown[i] = 1;
            for (int a = 0; a < D; ++a) out.conductance[a][i] = c[a] > 0 ? 1.0 : 0.0;
            if (open_top && c[1] == cells[1] - 1) out.excess[i] = 1.0;
        }
    });
}

#define TIDELOCK_INSTANTIATE(D)                                                                 \
    template PoissonOperator<D> random_domain<D>(const Coord<D>&, std::uint64_t, bool, double); \
    template Eigen::SparseMatrix<double> assemble<D>(const PoissonOperator<D>&);                \
    template std::vector<double> random_values<D>(const PoissonOperator<D>&, std::uint64_t);    \
    template PoissonOperator<D> box_domain<D>(const Coord<D>&, bool)
TIDELOCK_INSTANTIATE(2);
TIDELOCK_INSTANTIATE(3);
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
