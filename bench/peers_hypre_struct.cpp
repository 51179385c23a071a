#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_struct_ls.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/timer.h"
#include "peers_hypre.h"

namespace tidelock::bench {
namespace {

template <int D>
struct Box {
    Coord<D> low = Coord<D>::Constant(1 << 30), high = Coord<D>::Constant(-1);  // both included

    [[nodiscard]] Coord<D> size() const { return (high - low).array() + 1; }
    [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(size().prod()); }
    [[nodiscard]] Coord<D> cell(std::size_t n) const {
        Coord<D> c;
        for (int a = 0; a < D; ++a) {
            c[a] = low[a] + static_cast<int>(n % static_cast<std::size_t>(size()[a]));
            n /= static_cast<std::size_t>(size()[a]);
        }
        return c;
    }
};

/// The box around all unknowns, cut across the last axis in equal slabs (every cell of it costs the same), one per
/// rank.
template <int D>
Box<D> own_box(const PoissonOperator<D>& op, const Share& share) {
    Box<D> box;
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (!op.unknown(b)[i]) continue;
            const Coord<D> c = first_cell<D>(op.set().brick(b)) + local_coord<D>(i);
            box.low = box.low.cwiseMin(c);
            box.high = box.high.cwiseMax(c);
        }
    const int first = box.low[D - 1], total = box.high[D - 1] - first + 1;
    box.low[D - 1] = first + total * share.rank / share.ranks;
    box.high[D - 1] = first + total * (share.rank + 1) / share.ranks - 1;
    return box;
}

template <int D>
struct StructSystem {
    Box<D> box;
    HYPRE_StructGrid grid{};
    HYPRE_StructStencil stencil{};
    HYPRE_StructMatrix matrix{};
    HYPRE_StructVector b{}, x{};
    HYPRE_StructSolver pcg{}, pfmg{};

    void create(const PoissonProblem<D>& problem, const PoissonOperator<D>& op);
    void create_solver(const PfmgOptions& options);
    ~StructSystem() {
        HYPRE_StructPCGDestroy(pcg);
        HYPRE_StructPFMGDestroy(pfmg);
        HYPRE_StructVectorDestroy(x);
        HYPRE_StructVectorDestroy(b);
        HYPRE_StructMatrixDestroy(matrix);
        HYPRE_StructStencilDestroy(stencil);
        HYPRE_StructGridDestroy(grid);
    }
};

/// Symmetric storage: the diagonal and the D upper neighbours.
template <int D>
void StructSystem<D>::create(const PoissonProblem<D>& problem, const PoissonOperator<D>& op) {
    const auto& set = op.set();
    HYPRE_StructGridCreate(MPI_COMM_WORLD, D, &grid);
    HYPRE_StructGridSetExtents(grid, box.low.data(), box.high.data());
    HYPRE_StructGridAssemble(grid);
    HYPRE_StructStencilCreate(D, D + 1, &stencil);
    for (int e = 0; e <= D; ++e) {
        Coord<D> offset = Coord<D>::Zero();
        if (e > 0) offset[e - 1] = 1;
        HYPRE_StructStencilSetElement(stencil, e, offset.data());
    }
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &matrix);
    HYPRE_StructMatrixSetSymmetric(matrix, 1);
    HYPRE_StructMatrixInitialize(matrix);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &b);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &x);
    HYPRE_StructVectorInitialize(b);
    HYPRE_StructVectorInitialize(x);
    std::vector<double> values(box.cells() * (D + 1)), right(box.cells(), 0.0);
    for (std::size_t n = 0; n < box.cells(); ++n) {
        const Coord<D> c = box.cell(n);
        const auto slot = set.find(brick_of<D>(c));
        const int local = local_index<D>(c);
        double* row = values.data() + n * (D + 1);
        row[0] = 1;
        if (slot == set.void_slot() || !op.unknown(slot)[local]) continue;
        row[0] = op.excess(slot)[local];
        for (int a = 0; a < D; ++a) {
            const double upper = op.upper_conductance(a, slot, local);
            row[0] += upper + op.conductance(a, slot)[local];
            row[1 + a] = -upper;
        }
        right[n] = problem.rhs[static_cast<std::size_t>(slot) * Brick<D>::cells + static_cast<std::size_t>(local)];
    }
    int entries[D + 1];
    for (int e = 0; e <= D; ++e) entries[e] = e;
    HYPRE_StructMatrixSetBoxValues(matrix, box.low.data(), box.high.data(), D + 1, entries, values.data());
    HYPRE_StructMatrixAssemble(matrix);
    HYPRE_StructVectorSetBoxValues(b, box.low.data(), box.high.data(), right.data());
    HYPRE_StructVectorAssemble(b);
    HYPRE_StructVectorAssemble(x);
}

template <int D>
void StructSystem<D>::create_solver(const PfmgOptions& options) {
    HYPRE_StructPCGCreate(MPI_COMM_WORLD, &pcg);
    HYPRE_StructPCGSetMaxIter(pcg, 500);
    HYPRE_StructPCGSetTwoNorm(pcg, 1);
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &pfmg);
    HYPRE_StructPFMGSetMaxIter(pfmg, 1);
    HYPRE_StructPFMGSetTol(pfmg, 0.0);
    HYPRE_StructPFMGSetZeroGuess(pfmg);
    HYPRE_StructPFMGSetRelaxType(pfmg, options.relax);
    HYPRE_StructPFMGSetRAPType(pfmg, options.rap);
    HYPRE_StructPFMGSetSkipRelax(pfmg, options.skip);
    if (options.levels > 0) HYPRE_StructPFMGSetMaxLevels(pfmg, options.levels);
    HYPRE_StructPFMGSetNumPreRelax(pfmg, options.sweeps);
    HYPRE_StructPFMGSetNumPostRelax(pfmg, options.sweeps);
    HYPRE_StructPCGSetPrecond(pcg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg);
    HYPRE_StructPCGSetup(pcg, matrix, b, x);
}

/// PFMG halves one axis a level. Measured on the closed box of 64^3: red-black takes 37 iterations with all levels,
/// whose last is one cell of a singular matrix, and 9 if it stops at about 4 cells an axis; regular systems want all
/// levels.
template <int D>
int levels_for(const PfmgOptions& options, bool singular, const Coord<D>& size, int ranks) {
    if (options.levels > 0 || !singular) return options.levels;
    double halvings = std::log2(ranks);
    for (int a = 0; a < D; ++a) halvings += std::log2(size[a]);
    return std::max(2, static_cast<int>(std::ceil(halvings)) - 2 * D);
}

}  // namespace

template <int D>
PreparedSolver prepare_pfmg(const PoissonProblem<D>& problem, const PoissonOperator<D>& op, const Share& share,
                            const PfmgOptions& options) {
    const double start = wall_seconds();
    auto system = std::make_shared<StructSystem<D>>();
    system->box = own_box<D>(op, share);
    system->create(problem, op);
    PreparedSolver prepared;
    prepared.assembly_seconds = wall_seconds() - start;
    PfmgOptions limited = options;
    limited.levels = levels_for<D>(options, problem.singular, system->box.size(), share.ranks);
    system->create_solver(limited);
    prepared.setup_seconds = wall_seconds() - start - prepared.assembly_seconds;
    prepared.solve = [system](double tolerance) {
        HYPRE_StructVectorSetConstantValues(system->x, 0.0);
        HYPRE_StructPCGSetTol(system->pcg, tolerance);
        HYPRE_StructPCGSolve(system->pcg, system->matrix, system->b, system->x);
        HYPRE_Int iterations = 0;
        HYPRE_StructPCGGetNumIterations(system->pcg, &iterations);
        HYPRE_ClearAllErrors();  // "not converged" is judged by the true residual
        return static_cast<int>(iterations);
    };
    prepared.add_solution = [system, &op](double* out) {
        std::vector<double> values(system->box.cells());
        HYPRE_StructVectorGetBoxValues(system->x, system->box.low.data(), system->box.high.data(), values.data());
        for (std::size_t n = 0; n < values.size(); ++n) {
            const Coord<D> c = system->box.cell(n);
            const auto slot = op.set().find(brick_of<D>(c));
            if (slot != op.set().void_slot() && op.unknown(slot)[local_index<D>(c)])
                out[std::ptrdiff_t{slot} * Brick<D>::cells + local_index<D>(c)] = values[n];
        }
    };
    return prepared;
}

template PreparedSolver prepare_pfmg<2>(const PoissonProblem<2>&, const PoissonOperator<2>&, const Share&,
                                        const PfmgOptions&);
template PreparedSolver prepare_pfmg<3>(const PoissonProblem<3>&, const PoissonOperator<3>&, const Share&,
                                        const PfmgOptions&);

}  // namespace tidelock::bench
