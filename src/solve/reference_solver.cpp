#include "solve/reference_solver.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/timer.h"
#include "solve/vector_ops.h"

namespace tidelock {

namespace {

using enum ReferenceMethod;

/// s of P(s); negative for the others.
int cycles_after_first(ReferenceMethod method) { return static_cast<int>(method) - static_cast<int>(p0); }

}  // namespace

bool needs_constraints(ReferenceMethod method) { return method != cg_schur; }

template <int D>
ReferenceSolver<D>::ReferenceSolver(ReferenceMethod method, PoissonOperator<D> op, const RigidTerms<D>& bodies,
                                    Constraints<D> constraints)
    : CoupledSolver<D>(std::move(op), bodies), method_(method), constraints_(std::move(constraints)) {
    if (!needs_constraints(method)) return;
    std::sort(constraints_.list.begin(), constraints_.list.end(), [](const Constraint& a, const Constraint& c) {
        return std::tuple(Constraints<D>::cell(a), a.first) < std::tuple(Constraints<D>::cell(c), c.first);
    });
    stiffness_.assign(static_cast<std::size_t>(op_.size()), 0.0);
    constraints_.add_stiffness(stiffness_.data());
    impulse_.resize(constraints_.list.size());
    if (method == icpcg) {
        cholesky_ = std::make_unique<IncompleteCholesky<D>>(op_, IncompleteCholeskyOptions{.modified = false},
                                                            stiffness_.data());
        solid_ = constraints_.a22_diagonal();
        for (double& d : solid_) d = 1 / d;
    }
    if (cycles_after_first(method) < 0 || op_.unknowns() == 0) return;
    cycle_ = std::make_unique<VoxelMultigrid<D>>(op_, stiffness_.data(), constraints_.held);
    if (cycles_after_first(method) == 0) return;
    correction_.resize(static_cast<std::size_t>(op_.size()));
    product_.resize(static_cast<std::size_t>(op_.size()));
}

template <int D>
std::string ReferenceSolver<D>::name() const {
    return std::string(word_of(method_));
}

template <int D>
std::string ReferenceSolver<D>::body_treatment() const {
    if (constraints_.list.empty()) return "none";
    return method_ == icpcg ? "diagonal" : cycle_ ? "held" : "none";
}

template <int D>
bool ReferenceSolver<D>::whole() const {
    return method_ == cg_full || method_ == icpcg;
}

template <int D>
std::size_t ReferenceSolver<D>::bytes() const {
    const auto length = static_cast<std::size_t>(op_.size() + (whole() ? constraints_.size() : 0)) * sizeof(double);
    const std::size_t vectors = 7;  // b and x, the caller's; b, r, z, p, q of the Krylov method
    return op_.bytes() + null_space_.regions().bytes() + vectors * length +
           (stiffness_.size() + solid_.size() + correction_.size() + product_.size()) * sizeof(double) +
           (cholesky_ ? cholesky_->bytes() : 0) + (cycle_ ? cycle_->bytes() : 0);
}

template <int D>
void ReferenceSolver<D>::precondition(const double* r, double* out) {
    const auto n = op_.size();
    cycle_->apply(r, out);
    for (int s = 0; s < cycles_after_first(method_); ++s) {  // [A18] algorithm 1, lines 2 to 7: eq. (10)
        this->apply(out, product_.data());
        set_zero(Brick<D>::cells, product_.data() + op_.set().cells());
        (void)subtract_from_squares(n, r, product_.data());  // of its result only the difference is wanted
        cycle_->apply(product_.data(), correction_.data());
        add_scaled(n, 1.0, correction_.data(), out);
    }
}

template <int D>
void ReferenceSolver<D>::apply_whole(const double* in, double* out) const {
    const auto n = op_.size();
    op_.apply(in, out);
    set_zero(Brick<D>::cells, out + op_.set().cells());
    for (const Constraint& c : constraints_.list) {
        const auto i = Constraints<D>::cell(c);
        out[i] += c.stiffness * in[i];
    }
    constraints_.add_a12(in + n, out);
    constraints_.a22(in + n, out + n);
    for (std::size_t i = 0; i < constraints_.list.size(); ++i) {
        const Constraint& c = constraints_.list[i];
        out[n + static_cast<std::ptrdiff_t>(i)] -= c.side * c.stiffness * in[Constraints<D>::cell(c)];
    }
}

/// |r1 - A12 A22^-1 r2|^2: step 2 of [A18] section 3.1 for a residual. The second part is not zero at the bodies' cells
/// only.
template <int D>
double ReferenceSolver<D>::schur_residual(const double* r) {
    const auto n = op_.size();
    constraints_.solve_a22(bodies_, r + n, impulse_.data());
    double squares = dot(n, r, r);
    for (std::size_t i = 0; i < impulse_.size();) {  // in order of their cells
        const auto cell = Constraints<D>::cell(constraints_.list[i]);
        double change = 0;
        for (; i < impulse_.size() && Constraints<D>::cell(constraints_.list[i]) == cell; ++i)
            change += constraints_.list[i].side * constraints_.list[i].stiffness * impulse_[i];
        squares += change * (2 * r[cell] + change);
    }
    return std::max(squares, 0.0);
}

template <int D>
SolveReport ReferenceSolver<D>::solve(const double* b, double* x, const SolveOptions& options) {
    const ScopedTimer timer("reference solve");
    SolveReport report = whole() && !bodies_.empty() ? solve_whole(b, x, options) : solve_schur(b, x, options);
    if (report.status != SolveStatus::not_finite) answer_ = bodies_.solve_mass(bodies_.gather(x));
    return report;
}

template <int D>
SolveReport ReferenceSolver<D>::solve_schur(const double* b, double* x, const SolveOptions& options) {
    LinearSystem system;
    system.size = op_.size();
    system.apply = [this](const double* in, double* out) {
        this->apply(in, out);
        set_zero(Brick<D>::cells, out + op_.set().cells());
    };
    if (null_space_.dimension() > 0) system.project = [this](double* v) { null_space_.project(v); };
    if (cholesky_) system.precondition = [this](const double* r, double* z) { cholesky_->apply(r, z); };
    if (cycle_) system.precondition = [this](const double* r, double* z) { precondition(r, z); };
    SolveReport report = conjugate_gradients(system, b, x, options);
    if (null_space_.dimension() > 0 && report.status != SolveStatus::not_finite) null_space_.project(x);
    return report;
}

template <int D>
SolveReport ReferenceSolver<D>::solve_whole(const double* b, double* x, const SolveOptions& options) {
    const auto n = op_.size(), m = constraints_.size();
    BigArray<double> right(static_cast<std::size_t>(n + m)), both(static_cast<std::size_t>(n + m));
    copy(n, b, right.data());
    copy(n, x, both.data());
    LinearSystem system;
    system.size = n + m;
    system.apply = [this](const double* in, double* out) { apply_whole(in, out); };
    system.measure = [this](const double* r) { return schur_residual(r); };
    if (method_ == icpcg)
        system.precondition = [this, n](const double* r, double* z) {
            cholesky_->apply(r, z);
            for (std::size_t i = 0; i < solid_.size(); ++i) {
                const auto at = n + static_cast<std::ptrdiff_t>(i);
                z[at] = solid_[i] * r[at];
            }
        };
    // The null vectors of the whole system are those of Sigma with the impulses that belong to them: it is enough that
    // the right-hand side has none.
    double incompatibility = 0;
    if (null_space_.dimension() > 0 && all_finite(n, b)) {
        const double size = norm(n, b), removed = null_space_.project(right.data()).removed;
        incompatibility = size > 0 ? removed / size : 0;
        // What is left of a right-hand side in the null space is rounding, and no impulse answers it.
        constexpr double rounding = 1e-13;
        if (norm(n, right.data()) <= rounding * size) set_zero(n, right.data());
    }
    // Step 4 of [A18] section 3.1 with b2 = 0, since b is f1 of step 2 already.
    if (all_finite(n, x)) {
        std::vector<double> pull(static_cast<std::size_t>(m));
        constraints_.a21(x, pull.data());
        for (double& v : pull) v = -v;
        constraints_.solve_a22(bodies_, pull.data(), both.data() + n);
    }
    SolveReport report = conjugate_gradients(system, right.data(), both.data(), options);
    report.incompatibility = incompatibility;
    if (report.status == SolveStatus::not_finite) return report;
    copy(n, both.data(), x);
    if (null_space_.dimension() > 0) null_space_.project(x);
    return report;
}

template class ReferenceSolver<2>;
template class ReferenceSolver<3>;

}  // namespace tidelock
