#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>

#include <memory>
#include <vector>

#include "base/timer.h"
#include "peers_hypre.h"

namespace tidelock::bench {
namespace {

/// Unknowns numbered in the order of the operator's vectors over all ranks; each rank's are contiguous.
template <int D>
struct Numbering {
    std::vector<HYPRE_BigInt> number;  ///< of each place, or -1
    std::vector<std::ptrdiff_t> own;   ///< this rank's places
    HYPRE_BigInt first = 0;

    Numbering(const PoissonOperator<D>& op, const Share& share) : number(static_cast<std::size_t>(op.size()), -1) {
        HYPRE_BigInt next = 0;
        for (std::ptrdiff_t b = 0; b < op.set().count(); ++b) {
            if (b == share.first_slot) first = next;
            for (int i = 0; i < Brick<D>::cells; ++i) {
                if (!op.unknown(b)[i]) continue;
                const auto place = b * Brick<D>::cells + i;
                number[static_cast<std::size_t>(place)] = next++;
                if (b >= share.first_slot && b < share.end_slot) own.push_back(place);
            }
        }
    }
};

struct AmgSystem {
    HYPRE_IJMatrix matrix{};
    HYPRE_IJVector b{}, x{};
    HYPRE_ParCSRMatrix parcsr{};
    HYPRE_ParVector par_b{}, par_x{};
    HYPRE_Solver pcg{}, amg{};

    void create_solver(double strong);
    ~AmgSystem() {
        HYPRE_ParCSRPCGDestroy(pcg);
        HYPRE_BoomerAMGDestroy(amg);
        HYPRE_IJVectorDestroy(x);
        HYPRE_IJVectorDestroy(b);
        HYPRE_IJMatrixDestroy(matrix);
    }
};

template <int D>
void create_matrix(AmgSystem& system, const PoissonOperator<D>& op, const Share& share, const Numbering<D>& numbering) {
    const auto rows = static_cast<HYPRE_Int>(numbering.own.size());
    const HYPRE_BigInt last = numbering.first + rows - 1;
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, numbering.first, last, numbering.first, last, &system.matrix);
    HYPRE_IJMatrixSetObjectType(system.matrix, HYPRE_PARCSR);
    const std::vector<HYPRE_Int> sizes(numbering.own.size(), 2 * D + 1);
    HYPRE_IJMatrixSetRowSizes(system.matrix, sizes.data());
    HYPRE_IJMatrixInitialize(system.matrix);
    HYPRE_BigInt columns[2 * D + 1];
    double values[2 * D + 1];
    HYPRE_Int count = 0;
    for_entries<D>(op, share.first_slot, share.end_slot, [&](std::ptrdiff_t row, std::ptrdiff_t column, double value) {
        columns[count] = numbering.number[static_cast<std::size_t>(column)];
        values[count++] = value;
        if (row != column) return;  // the diagonal ends a row
        const HYPRE_BigInt at = numbering.number[static_cast<std::size_t>(row)];
        HYPRE_IJMatrixSetValues(system.matrix, 1, &count, &at, columns, values);
        count = 0;
    });
    HYPRE_IJMatrixAssemble(system.matrix);
    HYPRE_IJMatrixGetObject(system.matrix, reinterpret_cast<void**>(&system.parcsr));
}

void create_vector(HYPRE_IJVector& vector, HYPRE_ParVector& par, HYPRE_BigInt first,
                   const std::vector<double>& values) {
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, first + static_cast<HYPRE_BigInt>(values.size()) - 1, &vector);
    HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(vector);
    HYPRE_IJVectorSetValues(vector, static_cast<HYPRE_Int>(values.size()), nullptr, values.data());
    HYPRE_IJVectorAssemble(vector);
    HYPRE_IJVectorGetObject(vector, reinterpret_cast<void**>(&par));
}

void AmgSystem::create_solver(double strong) {
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg);
    HYPRE_PCGSetMaxIter(pcg, 500);
    HYPRE_PCGSetTwoNorm(pcg, 1);
    HYPRE_BoomerAMGCreate(&amg);
    HYPRE_BoomerAMGSetMaxIter(amg, 1);
    HYPRE_BoomerAMGSetTol(amg, 0.0);
    HYPRE_BoomerAMGSetCoarsenType(amg, 10);  // HMIS
    HYPRE_BoomerAMGSetInterpType(amg, 6);    // extended+i
    HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
    HYPRE_BoomerAMGSetAggNumLevels(amg, 1);
    HYPRE_BoomerAMGSetStrongThreshold(amg, strong);
    HYPRE_BoomerAMGSetRelaxType(amg, 6);  // hybrid symmetric Gauss-Seidel
    HYPRE_BoomerAMGSetNumSweeps(amg, 1);
    HYPRE_PCGSetPrecond(pcg, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                        reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), amg);
    HYPRE_ParCSRPCGSetup(pcg, parcsr, par_b, par_x);
}

}  // namespace

template <int D>
PreparedSolver prepare_boomeramg(const PoissonProblem<D>& problem, const PoissonOperator<D>& op, const Share& share,
                                 double strong) {
    auto numbering = std::make_shared<const Numbering<D>>(op, share);
    const double start = wall_seconds();
    auto system = std::make_shared<AmgSystem>();
    create_matrix<D>(*system, op, share, *numbering);
    std::vector<double> right;
    for (const auto place : numbering->own) right.push_back(problem.rhs[static_cast<std::size_t>(place)]);
    create_vector(system->b, system->par_b, numbering->first, right);
    create_vector(system->x, system->par_x, numbering->first, std::vector<double>(right.size(), 0.0));
    PreparedSolver prepared;
    prepared.assembly_seconds = wall_seconds() - start;
    system->create_solver(strong);
    prepared.setup_seconds = wall_seconds() - start - prepared.assembly_seconds;
    prepared.solve = [system](double tolerance) {
        HYPRE_ParVectorSetConstantValues(system->par_x, 0.0);
        HYPRE_PCGSetTol(system->pcg, tolerance);
        HYPRE_ParCSRPCGSolve(system->pcg, system->parcsr, system->par_b, system->par_x);
        HYPRE_Int iterations = 0;
        HYPRE_PCGGetNumIterations(system->pcg, &iterations);
        HYPRE_ClearAllErrors();  // "not converged" is judged by the true residual
        return static_cast<int>(iterations);
    };
    prepared.add_solution = [system, numbering](double* out) {
        std::vector<double> values(numbering->own.size());
        HYPRE_IJVectorGetValues(system->x, static_cast<HYPRE_Int>(values.size()), nullptr, values.data());
        for (std::size_t i = 0; i < values.size(); ++i) out[numbering->own[i]] = values[i];
    };
    return prepared;
}

template PreparedSolver prepare_boomeramg<2>(const PoissonProblem<2>&, const PoissonOperator<2>&, const Share&, double);
template PreparedSolver prepare_boomeramg<3>(const PoissonProblem<3>&, const PoissonOperator<3>&, const Share&, double);

}  // namespace tidelock::bench
