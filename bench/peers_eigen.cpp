#include <Eigen/IterativeLinearSolvers>
#include <Eigen/Sparse>
#include <cmath>

#include "base/timer.h"
#include "bench_common.h"
#include "peers.h"
#include "solve/vector_ops.h"

namespace tidelock::bench {
namespace {

/// Row-major and with both triangles stored: the form whose product Eigen runs on several threads (if built with
/// OpenMP).
using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

/// The unknowns alone, numbered in the order of the operator's vectors.
struct Compact {
    std::vector<std::ptrdiff_t> place;  ///< of each unknown
    std::vector<int> number;            ///< of each place, or -1
};

template <int D>
Compact number_unknowns(const PoissonOperator<D>& op) {
    Compact c;
    c.number.assign(static_cast<std::size_t>(op.size()), -1);
    for (std::ptrdiff_t b = 0; b < op.set().count(); ++b)
        for (int i = 0; i < Brick<D>::cells; ++i) {
            if (!op.unknown(b)[i]) continue;
            c.number[static_cast<std::size_t>(b * Brick<D>::cells + i)] = static_cast<int>(c.place.size());
            c.place.push_back(b * Brick<D>::cells + i);
        }
    return c;
}

template <int D>
Matrix assemble(const PoissonOperator<D>& op, const Compact& compact) {
    const auto n = static_cast<Eigen::Index>(compact.place.size());
    Matrix matrix(n, n);
    matrix.reserve(Eigen::VectorXi::Constant(n, 2 * D + 1));
    for_entries<D>(op, 0, op.set().count(), [&](std::ptrdiff_t row, std::ptrdiff_t column, double value) {
        matrix.insert(compact.number[static_cast<std::size_t>(row)], compact.number[static_cast<std::size_t>(column)]) =
            value;
    });
    matrix.makeCompressed();
    return matrix;
}

template <class Preconditioner, int D>
PeerResult solve(const std::string& name, const PoissonProblem<D>& problem, const PoissonOperator<D>& op,
                 const Compact& compact) {
    PeerResult result;
    result.solver = name;
    result.threads = Eigen::nbThreads();
    reset_peak_memory();
    const auto before = resident_memory();
    const double start = wall_seconds();
    const Matrix matrix = assemble(op, compact);
    Eigen::VectorXd b(matrix.rows());
    for (Eigen::Index i = 0; i < b.size(); ++i)
        b[i] = problem.rhs[static_cast<std::size_t>(compact.place[static_cast<std::size_t>(i)])];
    result.assembly_seconds = wall_seconds() - start;
    Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Preconditioner> cg;
    cg.setMaxIterations(20000);
    cg.compute(matrix);
    result.setup_seconds = wall_seconds() - start - result.assembly_seconds;
    std::vector<double> x(problem.rhs.size(), 0.0);
    double tolerance = target_residual;
    for (int attempt = 0; attempt < 6; ++attempt, tolerance *= 0.5) {
        cg.setTolerance(tolerance);
        const double begin = wall_seconds();
        const Eigen::VectorXd solution = cg.solve(b);
        result.solve_seconds = wall_seconds() - begin;
        result.iterations = static_cast<int>(cg.iterations());
        for (std::size_t i = 0; i < compact.place.size(); ++i)
            x[static_cast<std::size_t>(compact.place[i])] = solution[static_cast<Eigen::Index>(i)];
        result.residual = true_residual(op, problem.rhs, x);
        if (result.residual <= target_residual) break;
    }
    result.megabytes = static_cast<double>(peak_memory() - std::min(peak_memory(), before)) / (1 << 20);
    if (!(result.residual <= target_residual)) result.note = "did not converge";
    return result;
}

}  // namespace

template <int D>
double true_residual(const PoissonOperator<D>& op, const std::vector<double>& b, const std::vector<double>& x) {
    std::vector<double> r(b.size(), 0.0);
    op.apply(x.data(), r.data());
    return std::sqrt(subtract_from_squares(op.set().cells(), b.data(), r.data())) / norm(op.set().cells(), b.data());
}

template <int D>
std::vector<PeerResult> run_eigen(const PoissonProblem<D>& problem, const PoissonOperator<D>& op) {
    const Compact compact = number_unknowns(op);
    using Natural = Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::NaturalOrdering<int>>;
    return {solve<Natural>("Eigen ICCG", problem, op, compact)};
}

template double true_residual<2>(const PoissonOperator<2>&, const std::vector<double>&, const std::vector<double>&);
template double true_residual<3>(const PoissonOperator<3>&, const std::vector<double>&, const std::vector<double>&);
template std::vector<PeerResult> run_eigen<2>(const PoissonProblem<2>&, const PoissonOperator<2>&);
template std::vector<PeerResult> run_eigen<3>(const PoissonProblem<3>&, const PoissonOperator<3>&);

}  // namespace tidelock::bench
