/// The solvers that [A18] section 6 compares: for the paper's tables, and for whoever wants to check ours.
///
///   cg-full   conjugate gradients on the whole system of [A18] eq. (17), in p and lambda
///   cg-schur  conjugate gradients on its Schur complement Sigma
///   icpcg     the whole system, preconditioned block by block: incomplete Cholesky of A11, the diagonal of A22
///   p0 .. p3  Sigma, preconditioned by P(s) of eq. (10): V-cycles for A11 (solve/voxel_multigrid.h)
///
/// All stop on the residual of Sigma: for the whole system it is r1 - A12 A22^-1 r2, which vanishes with (r1, r2).
/// There the first lambda is A22^-1 (b2 - A21 p): all start from the same residual. P(s) as the paper's notes have it:
/// each V-cycle starts from the one before, z += V (r - Sigma z).
#pragma once

#include <memory>

#include "base/words.h"
#include "solve/constraints.h"
#include "solve/incomplete_cholesky.h"
#include "solve/krylov.h"
#include "solve/voxel_multigrid.h"

namespace tidelock {

enum class ReferenceMethod { cg_full, cg_schur, icpcg, p0, p1, p2, p3 };

template <>
inline constexpr auto words<ReferenceMethod> = word_table<ReferenceMethod>({
    {ReferenceMethod::cg_full, "cg-full"},
    {ReferenceMethod::cg_schur, "cg-schur"},
    {ReferenceMethod::icpcg, "icpcg"},
    {ReferenceMethod::p0, "p0"},
    {ReferenceMethod::p1, "p1"},
    {ReferenceMethod::p2, "p2"},
    {ReferenceMethod::p3, "p3"},
});

template <int D>
class ReferenceSolver final : public CoupledSolver<D> {
  public:
    /// `constraints` are those behind `bodies`; only cg_schur does without.
    ReferenceSolver(ReferenceMethod method, PoissonOperator<D> op, const RigidTerms<D>& bodies,
                    Constraints<D> constraints);

    SolveReport solve(const double* b, double* x, const SolveOptions& options = {}) override;

    [[nodiscard]] std::string name() const override;
    [[nodiscard]] std::string body_treatment() const override;
    [[nodiscard]] int levels() const override { return cycle_ ? cycle_->levels() : 0; }
    /// Vectors of the Krylov method included.
    [[nodiscard]] std::size_t bytes() const override;

    [[nodiscard]] const Constraints<D>& constraints() const { return constraints_; }
    /// out = P(s) r.
    void precondition(const double* r, double* out);
    /// The whole system: [A11 A12; A21 A22] applied to (p, lambda).
    void apply_whole(const double* in, double* out) const;

  private:
    SolveReport solve_schur(const double* b, double* x, const SolveOptions& options);
    SolveReport solve_whole(const double* b, double* x, const SolveOptions& options);
    [[nodiscard]] double schur_residual(const double* r);
    [[nodiscard]] bool whole() const;

    using CoupledSolver<D>::op_, CoupledSolver<D>::bodies_, CoupledSolver<D>::null_space_, CoupledSolver<D>::answer_;
    ReferenceMethod method_;
    Constraints<D> constraints_;
    std::vector<double> stiffness_;  ///< A11 - L_N
    std::vector<double> solid_;      ///< 1 / diagonal of A22
    std::unique_ptr<IncompleteCholesky<D>> cholesky_;
    std::unique_ptr<VoxelMultigrid<D>> cycle_;
    std::vector<double> correction_, product_;  ///< of P(s)
    std::vector<double> impulse_;               ///< A22^-1 r2
};

/// Whether the method needs the constraints of [A18] eq. (17).
bool needs_constraints(ReferenceMethod method);

}  // namespace tidelock
