/// The V-cycle that [A18] preconditions with, for A11: bodies are cells of known value zero.
///
/// Source   [MST10], with the numbers of [A18] section 6: 4 levels, 3 boundary and 1 interior smoothing iterations.
///
///   types      a coarse cell is held (Dirichlet) if any of its children is, else an unknown if any child is, else
///              closed. A held face with fluid on both sides, a shell, makes the coarse cells on both sides held.
///   operator   real coefficients on the finest level, those of a uniform medium below
///   smoother   boundary sweeps, a damped Jacobi sweep over all (omega 2/3), boundary sweeps; afterwards the mirror
///              image
///   transfers  multilinear, restriction the transpose of prolongation
///
/// Chosen   what the papers leave open (numerics/multigrid 7): boundary sweeps are red-black Gauss-Seidel over a band
///          of three cells, twice as many on each coarser level; prolongation is divided by the weights of the coarse
///          cells that are not closed, so that constants survive at walls; the coarsest level is solved directly.
/// Promise  symmetric and positive definite; the same bits on any number of threads.
/// Layout   a reference, not a fast path: each level is a dense box around the unknowns, in float.
#pragma once

#include <Eigen/SparseCholesky>
#include <memory>
#include <vector>

#include "solve/poisson_operator.h"

namespace tidelock {

struct VoxelMultigridOptions {
    int levels = 4;
    int boundary_sweeps = 3;  ///< on the finest level, before and after each interior sweep
    int interior_sweeps = 1;
    int band = 3;           ///< cells that count as boundary, from the first that has a neighbour without unknown
    double omega = 2. / 3;  ///< damping of the interior sweeps
};

template <int D>
class VoxelMultigrid {
  public:
    /// A = op + diag(extra); `extra` has op.size() entries. `held`: cells of known value zero next to unknowns, or
    /// the unknowns on both sides of a face that is held itself.
    VoxelMultigrid(const PoissonOperator<D>& op, const double* extra, const std::vector<Coord<D>>& held,
                   const VoxelMultigridOptions& options = {});
    ~VoxelMultigrid();

    /// z = V r, over vectors of op.size() entries.
    void apply(const double* r, double* z);

    [[nodiscard]] int levels() const { return static_cast<int>(levels_.size()); }
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Level;

    template <class F>
    void for_each_span(std::ptrdiff_t brick, F&& f) const;
    void load_finest(const PoissonOperator<D>& op, const double* extra, const std::vector<Coord<D>>& held);
    static std::unique_ptr<Level> coarser(Level& fine, double conductance);
    void factor_coarsest();

    void cycle(std::size_t l);
    void smooth(std::size_t l, bool forwards);
    static void sweep_band(Level& level, int colour);
    void sweep_all(Level& level) const;
    static void restrict_residual(Level& fine, Level& coarse);
    static void prolong_add(const Level& coarse, Level& fine);
    void solve_coarsest();

    BrickSetPtr<D> set_;
    double uniform_;
    VoxelMultigridOptions options_;
    std::vector<std::unique_ptr<Level>> levels_;
    std::vector<std::ptrdiff_t> coarsest_places_;
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> coarsest_;
};

}  // namespace tidelock
