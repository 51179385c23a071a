#include "solve/voxel_multigrid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/math.h"
#include "base/parallel.h"
#include "solve/vector_ops.h"

namespace tidelock {

namespace {

enum class CellType : std::uint8_t { closed = 0, unknown = 1, held = 2 };

constexpr std::ptrdiff_t band_block = 2048;  ///< cells of a band list that one task sweeps

}  // namespace

/// A dense box of cells with a rim of closed ones. In the plane it is one layer thick, without a rim across.
template <int D>
struct VoxelMultigrid<D>::Level {
    std::array<int, 3> extent{1, 1, 1};  ///< cells along each axis, rim included
    Coord<D> low = Coord<D>::Zero();     ///< lattice coordinates of the first cell
    std::vector<CellType> type;
    std::vector<std::uint8_t> at_shell;  ///< 1: an unknown next to a held face with fluid behind it; empty: none
    BigArray<float> conductance[D];      ///< of lower faces
    BigArray<float> diagonal, inverse;
    BigArray<float> share;  ///< 1 over the weights of the coarse cells that a cell interpolates from
    BigArray<float> x, other, r;
    std::vector<std::int32_t> band[2];  ///< boundary cells by colour
    int boundary_sweeps = 0;

    explicit Level(const Coord<D>& first, const Coord<D>& cells) : low(first) {
        std::size_t size = 1;
        for (int a = 0; a < D; ++a) size *= static_cast<std::size_t>(extent[static_cast<std::size_t>(a)] = cells[a]);
        type.assign(size, CellType::closed);
        for (auto& c : conductance) c = BigArray<float>(size);
        for (auto* array : {&diagonal, &inverse, &share, &x, &other, &r}) *array = BigArray<float>(size);
    }

    [[nodiscard]] int nx() const { return extent[0]; }
    [[nodiscard]] int ny() const { return extent[1]; }
    [[nodiscard]] int nz() const { return extent[2]; }
    [[nodiscard]] std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(type.size()); }
    [[nodiscard]] std::ptrdiff_t stride(int axis) const {
        return axis == 0 ? 1 : axis == 1 ? extent[0] : std::ptrdiff_t{extent[0]} * extent[1];
    }
    [[nodiscard]] std::ptrdiff_t index(int i, int j, int k) const {
        return i + std::ptrdiff_t{extent[0]} * (j + std::ptrdiff_t{extent[1]} * k);
    }
    [[nodiscard]] std::ptrdiff_t index(const Coord<D>& cell) const {
        const Coord<D> c = cell - low;
        return index(c[0], c[1], D == 3 ? c[D - 1] : 0);
    }
    [[nodiscard]] bool is_unknown(std::ptrdiff_t i) const {
        return type[static_cast<std::size_t>(i)] == CellType::unknown;
    }
    [[nodiscard]] bool is_at_shell(std::ptrdiff_t i) const {
        return !at_shell.empty() && at_shell[static_cast<std::size_t>(i)] != 0;
    }
    /// Calls f(j, k, begin) for every row inside the rim, in parallel; `begin` is the row's cell i = 0.
    template <class F>
    void for_each_row(const char* label, F&& f) const {
        const int rows = ny() - 2, layers = D == 3 ? nz() - 2 : 1;
        parallel_for(label, std::ptrdiff_t{rows} * layers, [&](std::ptrdiff_t n) {
            const int j = 1 + static_cast<int>(n % rows), k = (D == 3 ? 1 : 0) + static_cast<int>(n / rows);
            f(j, k, index(0, j, k));
        });
    }
    /// A x at a cell, without its diagonal part.
    [[nodiscard]] float neighbours(const float* v, std::ptrdiff_t i) const {
        float sum = 0;
        for (int a = 0; a < D; ++a) {
            const auto s = stride(a);
            const float* c = conductance[a].data();
            sum += c[i] * v[i - s] + c[i + s] * v[i + s];
        }
        return sum;
    }
    void finish(int band_width);
    [[nodiscard]] std::size_t bytes() const {
        std::size_t total = type.size() + at_shell.size() + 4 * (band[0].size() + band[1].size());
        for (const auto& c : conductance) total += c.bytes();
        for (const auto* array : {&diagonal, &inverse, &share, &x, &other, &r}) total += array->bytes();
        return total;
    }
};

/// Inverse diagonal and boundary band.
template <int D>
void VoxelMultigrid<D>::Level::finish(int band_width) {
    // 1: next to a cell without unknown or to a shell, 2: next to those, ...
    std::vector<std::uint8_t> layer(type.size(), 0);
    for_each_row("inverse", [&](int, int, std::ptrdiff_t row) {
        for (std::ptrdiff_t i = row + 1; i < row + nx() - 1; ++i) {
            if (!is_unknown(i)) continue;
            inverse[static_cast<std::size_t>(i)] = 1 / diagonal[static_cast<std::size_t>(i)];
            if (is_at_shell(i)) layer[static_cast<std::size_t>(i)] = 1;
            for (int a = 0; a < D; ++a)
                if (!is_unknown(i - stride(a)) || !is_unknown(i + stride(a))) layer[static_cast<std::size_t>(i)] = 1;
        }
    });
    for (int depth = 1; depth < band_width; ++depth) {
        auto next = layer;
        for_each_row("band", [&](int, int, std::ptrdiff_t row) {
            for (std::ptrdiff_t i = row + 1; i < row + nx() - 1; ++i) {
                if (!is_unknown(i) || layer[static_cast<std::size_t>(i)] != 0) continue;
                for (int a = 0; a < D; ++a)
                    if (layer[static_cast<std::size_t>(i - stride(a))] == depth ||
                        layer[static_cast<std::size_t>(i + stride(a))] == depth)
                        next[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(depth + 1);
            }
        });
        layer = std::move(next);
    }
    for (int k = 0; k < nz(); ++k)
        for (int j = 0; j < ny(); ++j)
            for (int i = 0; i < nx(); ++i)
                if (const auto n = index(i, j, k); layer[static_cast<std::size_t>(n)] != 0)
                    band[(i + j + k) % 2].push_back(static_cast<std::int32_t>(n));
}

template <int D>
VoxelMultigrid<D>::~VoxelMultigrid() = default;

template <int D>
VoxelMultigrid<D>::VoxelMultigrid(const PoissonOperator<D>& op, const double* extra, const std::vector<Coord<D>>& held,
                                  const VoxelMultigridOptions& options)
    : set_(op.set_ptr()), uniform_(op.uniform()), options_(options) {
    if (options.levels < 1) throw InputError("voxel multigrid.levels", "must be at least 1, got {}", options.levels);
    if (op.unknowns() == 0) throw InputError("voxel multigrid", "the operator has no unknowns");
    load_finest(op, extra, held);
    double conductance = 1;
    for (int l = 1; l < options.levels; ++l) {
        conductance *= power(2.0, D - 2);
        auto next = coarser(*levels_.back(), conductance);
        if (!next) break;
        next->boundary_sweeps = 2 * levels_.back()->boundary_sweeps;
        next->finish(options.band);
        levels_.push_back(std::move(next));
    }
    factor_coarsest();
}

template <int D>
std::size_t VoxelMultigrid<D>::bytes() const {
    std::size_t total = 0;
    for (const auto& level : levels_) total += level->bytes();
    return total + 12 * static_cast<std::size_t>(coarsest_.matrixL().nestedExpression().nonZeros());
}

template <int D>
void VoxelMultigrid<D>::load_finest(const PoissonOperator<D>& op, const double* extra,
                                    const std::vector<Coord<D>>& held) {
    Coord<D> low = Coord<D>::Constant(std::numeric_limits<int>::max()), high = -low;
    const auto& set = op.set();
    for (std::ptrdiff_t b = 0; b < set.count(); ++b) {
        const Coord<D> corner = first_cell<D>(set.brick(b));
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (op.unknown(b)[i] == 0) continue;
            const Coord<D> cell = corner + local_coord<D>(i);
            low = low.cwiseMin(cell);
            high = high.cwiseMax(cell);
        }
    }
    // Coarse cells cover whole fine ones on every level: the box starts at a multiple of the coarsest cell, with a rim
    // of one coarsest cell around it, so that every level keeps a rim.
    const int unit = 1 << (options_.levels - 1);
    const auto floor_to = [unit](int v) { return (v >= 0 ? v / unit : -((-v + unit - 1) / unit)) * unit; };
    for (int a = 0; a < D; ++a) low[a] = floor_to(low[a]) - unit, high[a] = floor_to(high[a]) + 2 * unit;
    const double cells = (high - low).template cast<double>().prod();
    if (cells > std::numeric_limits<std::int32_t>::max())
        throw InputError("voxel multigrid", "a box of {} cells is more than this reference solver can hold", cells);
    levels_.push_back(std::make_unique<Level>(low, Coord<D>(high - low)));
    Level& level = *levels_.back();
    level.boundary_sweeps = options_.boundary_sweeps;
    const double scale = 1 / uniform_;
    parallel_for("voxel cells", set.count(), [&](std::ptrdiff_t b) {
        const Coord<D> corner = first_cell<D>(set.brick(b));
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (op.unknown(b)[i] == 0) continue;
            const auto n = static_cast<std::size_t>(level.index(Coord<D>(corner + local_coord<D>(i))));
            level.type[n] = CellType::unknown;
            double diagonal = op.excess(b)[i] + extra[b * Brick<D>::cells + i];
            for (int a = 0; a < D; ++a) {
                level.conductance[a][n] = static_cast<float>(scale * op.conductance(a, b)[i]);
                diagonal += op.conductance(a, b)[i] + op.upper_conductance(a, b, i);
            }
            level.diagonal[n] = static_cast<float>(scale * diagonal);
        }
    });
    for (const Coord<D>& cell : held) {
        if ((cell.array() < low.array()).any() || (cell.array() >= high.array()).any())
            continue;  // far from any unknown
        const auto n = static_cast<std::size_t>(level.index(cell));
        if (level.type[n] == CellType::closed) level.type[n] = CellType::held;
        if (level.type[n] != CellType::unknown) continue;
        // Fluid on both sides of the face: each cell is the one across from the other.
        level.at_shell.resize(level.type.size(), 0);
        level.at_shell[n] = 1;
    }
    level.finish(options_.band);
}

/// Null if there is nothing left to solve for.
template <int D>
std::unique_ptr<typename VoxelMultigrid<D>::Level> VoxelMultigrid<D>::coarser(Level& fine, double conductance) {
    Coord<D> low, cells;
    for (int a = 0; a < D; ++a) low[a] = fine.low[a] / 2, cells[a] = fine.extent[static_cast<std::size_t>(a)] / 2;
    auto out = std::make_unique<Level>(low, cells);
    const int dk = D == 3 ? 2 : 1;
    for (int k = 0; k < out->nz(); ++k)
        for (int j = 0; j < out->ny(); ++j)
            for (int i = 0; i < out->nx(); ++i) {
                bool unknown = false, held = false;
                for (int n = 0; n < 4 * dk; ++n) {
                    const auto child = fine.index(2 * i + n % 2, 2 * j + n / 2 % 2, dk * k + n / 4);
                    const CellType type = fine.type[static_cast<std::size_t>(child)];
                    unknown = unknown || type == CellType::unknown;
                    held = held || type == CellType::held || fine.is_at_shell(child);
                }
                if (held || unknown)
                    out->type[static_cast<std::size_t>(out->index(i, j, k))] =
                        held ? CellType::held : CellType::unknown;
            }
    bool any = false;
    const auto c = static_cast<float>(conductance);
    for (std::ptrdiff_t i = 0; i < out->size(); ++i) {
        if (!out->is_unknown(i)) continue;
        any = true;
        const auto n = static_cast<std::size_t>(i);
        for (int a = 0; a < D; ++a)
            for (const std::ptrdiff_t j : {i - out->stride(a), i + out->stride(a)}) {
                if (out->type[static_cast<std::size_t>(j)] != CellType::closed) out->diagonal[n] += c;
                if (j < i && out->is_unknown(j)) out->conductance[a][n] = c;
            }
        // Unknowns without a link stay out of the way of everything else.
        if (out->diagonal[n] == 0) out->diagonal[n] = c;
    }
    if (!any) return nullptr;
    // Weights of the coarse cells that count, for each fine cell: 3/4 its parent, 1/4 the neighbour on its own side.
    fine.for_each_row("transfer weights", [&](int j, int k, std::ptrdiff_t row) {
        for (int i = 1; i < fine.nx() - 1; ++i) {
            if (!fine.is_unknown(row + i)) continue;
            float sum = 0;
            for (int n = 0; n < 4 * dk; ++n) {
                const int side[3] = {n % 2, n / 2 % 2, n / 4}, at[3] = {i, j, k};
                int parent[3];
                float weight = 1;
                for (int a = 0; a < D; ++a) {
                    parent[a] = at[a] / 2 + (side[a] == 0 ? 0 : at[a] % 2 == 0 ? -1 : 1);
                    weight *= side[a] == 0 ? 0.75F : 0.25F;
                }
                if (D == 2) parent[2] = 0;
                if (out->type[static_cast<std::size_t>(out->index(parent[0], parent[1], parent[2]))] !=
                    CellType::closed)
                    sum += weight;
            }
            fine.share[static_cast<std::size_t>(row + i)] = sum > 0 ? 1 / sum : 0;
        }
    });
    return out;
}

template <int D>
void VoxelMultigrid<D>::factor_coarsest() {
    const Level& level = *levels_.back();
    std::vector<int> number(level.type.size(), -1);
    for (std::ptrdiff_t i = 0; i < level.size(); ++i)
        if (level.is_unknown(i)) {
            number[static_cast<std::size_t>(i)] = static_cast<int>(coarsest_places_.size());
            coarsest_places_.push_back(i);
        }
    std::vector<Eigen::Triplet<double>> entries;
    const auto n = static_cast<Eigen::Index>(coarsest_places_.size());
    // A box without held cells has the constants in its null space; a shift far below the smallest other eigenvalue
    // keeps the factor positive.
    const double shift = 1e-3 / static_cast<double>(n);
    for (const std::ptrdiff_t i : coarsest_places_) {
        const int row = number[static_cast<std::size_t>(i)];
        entries.emplace_back(row, row, (1 + shift) * static_cast<double>(level.diagonal[static_cast<std::size_t>(i)]));
        for (int a = 0; a < D; ++a)
            if (const float c = level.conductance[a][static_cast<std::size_t>(i)]; c > 0)
                entries.emplace_back(row, number[static_cast<std::size_t>(i - level.stride(a))],
                                     -static_cast<double>(c));
    }
    Eigen::SparseMatrix<double> lower(n, n);
    lower.setFromTriplets(entries.begin(), entries.end());
    coarsest_.compute(lower);
}

template <int D>
void VoxelMultigrid<D>::solve_coarsest() {
    Level& level = *levels_.back();
    Eigen::VectorXd b(static_cast<Eigen::Index>(coarsest_places_.size()));
    for (Eigen::Index i = 0; i < b.size(); ++i)
        b[i] = static_cast<double>(level.r[static_cast<std::size_t>(coarsest_places_[static_cast<std::size_t>(i)])]);
    const Eigen::VectorXd x = coarsest_.solve(b);
    for (Eigen::Index i = 0; i < b.size(); ++i)
        level.x[static_cast<std::size_t>(coarsest_places_[static_cast<std::size_t>(i)])] = static_cast<float>(x[i]);
}

/// Gauss-Seidel over the boundary cells of one colour.
template <int D>
void VoxelMultigrid<D>::sweep_band(Level& level, int colour) {
    const auto& cells = level.band[colour];
    const auto count = static_cast<std::ptrdiff_t>(cells.size());
    float* x = level.x.data();
    parallel_for("boundary sweep", (count + band_block - 1) / band_block, [&](std::ptrdiff_t n) {
        for (std::ptrdiff_t m = n * band_block; m < std::min(count, (n + 1) * band_block); ++m) {
            const std::ptrdiff_t i = cells[static_cast<std::size_t>(m)];
            const auto at = static_cast<std::size_t>(i);
            x[i] = level.inverse[at] * (level.r[at] + level.neighbours(x, i));
        }
    });
}

/// One damped Jacobi sweep: x += omega D^-1 (r - A x).
template <int D>
void VoxelMultigrid<D>::sweep_all(Level& level) const {
    const auto omega = static_cast<float>(options_.omega);
    level.for_each_row("interior sweep", [&](int, int, std::ptrdiff_t row) {
        const float *x = level.x.data(), *r = level.r.data(), *inverse = level.inverse.data();
        float* out = level.other.data();
        for (std::ptrdiff_t i = row + 1; i < row + level.nx() - 1; ++i)
            out[i] = (1 - omega) * x[i] + omega * inverse[i] * (r[i] + level.neighbours(x, i));
    });
    std::swap(level.x, level.other);
}

template <int D>
void VoxelMultigrid<D>::smooth(std::size_t l, bool forwards) {
    Level& level = *levels_[l];
    const int first = forwards ? 0 : 1;
    const auto boundary = [&] {
        for (int sweep = 0; sweep < level.boundary_sweeps; ++sweep) {
            sweep_band(level, first);
            sweep_band(level, 1 - first);
        }
    };
    boundary();
    for (int sweep = 0; sweep < options_.interior_sweeps; ++sweep) sweep_all(level);
    boundary();
}

/// coarse.r = P^T (r - A x); coarse.x = 0.
template <int D>
void VoxelMultigrid<D>::restrict_residual(Level& fine, Level& coarse) {
    // Each fine residual is divided by its weights first: then the transpose is the plain stencil (1 3 3 1) / 4 per
    // axis.
    float* residual = fine.other.data();
    fine.for_each_row("voxel residual", [&](int, int, std::ptrdiff_t row) {
        const float *x = fine.x.data(), *r = fine.r.data(), *share = fine.share.data(),
                    *diagonal = fine.diagonal.data();
        for (std::ptrdiff_t i = row + 1; i < row + fine.nx() - 1; ++i)
            residual[i] = share[i] * (r[i] + fine.neighbours(x, i) - diagonal[i] * x[i]);
    });
    static constexpr float weight[4] = {0.25F, 0.75F, 0.75F, 0.25F};
    coarse.for_each_row("restrict", [&](int j, int k, std::ptrdiff_t row) {
        thread_local std::vector<float> line;
        line.assign(static_cast<std::size_t>(fine.nx()), 0.0F);
        for (int n = 0; n < (D == 3 ? 16 : 4); ++n) {
            const float w = weight[n % 4] * (D == 3 ? weight[n / 4] : 1);
            const float* source = residual + fine.index(0, 2 * j + n % 4 - 1, D == 3 ? 2 * k + n / 4 - 1 : 0);
            for (int i = 0; i < fine.nx(); ++i) line[static_cast<std::size_t>(i)] += w * source[i];
        }
        for (int i = 1; i < coarse.nx() - 1; ++i) {
            const float* four = line.data() + 2 * i - 1;
            coarse.x[static_cast<std::size_t>(row + i)] = 0;
            coarse.r[static_cast<std::size_t>(row + i)] =
                coarse.is_unknown(row + i) ? 0.25F * (four[0] + four[3]) + 0.75F * (four[1] + four[2]) : 0;
        }
    });
}

/// fine.x += P coarse.x.
template <int D>
void VoxelMultigrid<D>::prolong_add(const Level& coarse, Level& fine) {
    fine.for_each_row("prolong", [&](int j, int k, std::ptrdiff_t row) {
        thread_local std::vector<float> line;
        line.assign(static_cast<std::size_t>(coarse.nx()), 0.0F);
        for (int n = 0; n < (D == 3 ? 4 : 2); ++n) {
            const int side_j = n % 2, side_k = n / 2;
            const float w = (side_j == 0 ? 0.75F : 0.25F) * (D == 3 ? (side_k == 0 ? 0.75F : 0.25F) : 1);
            const int cj = j / 2 + (side_j == 0 ? 0 : j % 2 == 0 ? -1 : 1);
            const int ck = D == 3 ? k / 2 + (side_k == 0 ? 0 : k % 2 == 0 ? -1 : 1) : 0;
            const float* source = coarse.x.data() + coarse.index(0, cj, ck);
            for (int i = 0; i < coarse.nx(); ++i) line[static_cast<std::size_t>(i)] += w * source[i];
        }
        float* x = fine.x.data() + row;
        const float* share = fine.share.data() + row;
        for (int i = 1; i < fine.nx() - 1; ++i) {
            const float* at = line.data() + i / 2;
            x[i] += share[i] * (0.75F * at[0] + 0.25F * at[i % 2 == 0 ? -1 : 1]);
        }
    });
}

template <int D>
void VoxelMultigrid<D>::cycle(std::size_t l) {
    if (l + 1 == levels_.size()) return solve_coarsest();
    smooth(l, true);
    restrict_residual(*levels_[l], *levels_[l + 1]);
    cycle(l + 1);
    prolong_add(*levels_[l + 1], *levels_[l]);
    smooth(l, false);
}

/// Calls f(local, place, count) for the rows of a brick that lie in the finest box: `count` cells from `local` in the
/// brick and from `place` in the box.
template <int D>
template <class F>
void VoxelMultigrid<D>::for_each_span(std::ptrdiff_t brick, F&& f) const {
    const Level& level = *levels_.front();
    const Coord<D> corner = first_cell<D>(set_->brick(brick)) - level.low;
    const int begin = std::max(0, -corner[0]), end = std::min(Brick<D>::size[0], level.nx() - corner[0]);
    if (begin >= end) return;
    for (int local = 0; local < Brick<D>::cells; local += Brick<D>::size[0]) {
        const Coord<D> cell = corner + local_coord<D>(local);
        bool within = true;
        for (int a = 1; a < D; ++a)
            within = within && cell[a] >= 0 && cell[a] < level.extent[static_cast<std::size_t>(a)];
        if (within) f(local + begin, level.index(cell[0] + begin, cell[1], D == 3 ? cell[D - 1] : 0), end - begin);
    }
}

template <int D>
void VoxelMultigrid<D>::apply(const double* r, double* z) {
    const ScopedTimer timer("voxel v-cycle");
    Level& level = *levels_.front();
    // Scaled so that floats neither over- nor underflow.
    const double most = max_abs(set_->cells(), r);
    const double scale = most > 0 ? 1 / most : 1, back = 1 / (scale * uniform_);
    parallel_for("to voxels", set_->count(), [&](std::ptrdiff_t b) {
        for_each_span(b, [&](int local, std::ptrdiff_t place, int count) {
            const double* in = r + b * Brick<D>::cells + local;
            for (int i = 0; i < count; ++i) {
                level.r[static_cast<std::size_t>(place + i)] = static_cast<float>(scale * in[i]);
                level.x[static_cast<std::size_t>(place + i)] = 0;
            }
        });
    });
    cycle(0);
    parallel_for("from voxels", set_->count() + 1, [&](std::ptrdiff_t b) {
        double* out = z + b * Brick<D>::cells;
        std::fill_n(out, Brick<D>::cells, 0.0);
        if (b == set_->count()) return;
        for_each_span(b, [&](int local, std::ptrdiff_t place, int count) {
            for (int i = 0; i < count; ++i)
                out[local + i] = back * static_cast<double>(level.x[static_cast<std::size_t>(place + i)]);
        });
    });
}

template class VoxelMultigrid<2>;
template class VoxelMultigrid<3>;

}  // namespace tidelock
