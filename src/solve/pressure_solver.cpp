#include "solve/pressure_solver.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "solve/pressure_kernels.h"

namespace tidelock {
namespace {

template <int D>
double norm(const BrickSet<D>& set, const double* v) {
    return std::sqrt(ordered_sum("norm", set.count(), 0.0, [&](std::ptrdiff_t b) {
        return pressure_kernels<D>().dot(v + b * Brick<D>::cells, v + b * Brick<D>::cells);
    }));
}

/// out += scale K^T y on one brick, out being its cells.
template <int D>
void scatter_brick(const RigidTerms<D>& bodies, const std::vector<std::int32_t>& run_start, std::ptrdiff_t b,
                   const Eigen::VectorXd& y, double* out) {
    for (auto run = run_start[static_cast<std::size_t>(b)]; run < run_start[static_cast<std::size_t>(b) + 1]; ++run) {
        const auto& range = bodies.runs()[static_cast<std::size_t>(run)];
        for (auto i = range.begin; i < range.end; ++i) {
            const auto& e = bodies.entries()[static_cast<std::size_t>(i)];
            for (int d = 0; d < rigid_dof<D>; ++d)
                out[e.local] += e.k[static_cast<std::size_t>(d)] * y[e.body * rigid_dof<D> + d];
        }
    }
}

template <int D>
Multigrid<D, float> make_multigrid(const PoissonOperator<D>& op, const RigidTerms<D>& bodies,
                                   const MultigridOptions& options, const MergedCells<D>& merged) {
    if (merged.empty()) return Multigrid<D, float>(op, bodies, options);
    return Multigrid<D, float>(hold_merged<D>(op, merged), bodies, options,
                               GroupUnknowns<D, float>(op, merged, bodies));
}

}  // namespace

template <int D>
PressureSolver<D>::PressureSolver(PoissonOperator<D> op, const RigidTerms<D>& bodies, const MultigridOptions& options,
                                  MergedCells<D> merged)
    : CoupledSolver<D>(std::move(op), bodies),
      run_start_(bodies_.run_starts(op_.set().count())),
      merged_(std::move(merged).on_unknowns(op_)),
      multigrid_(make_multigrid<D>(op_, bodies_, options, merged_)),
      balance_(bodies_, op_, merged_),
      body_step_(answer_),
      best_answer_(answer_) {
    const auto size = static_cast<std::size_t>(op_.size());
    r_ = BigArray<double>(size);
    p_ = BigArray<double>(size);
}

template <int D>
std::size_t PressureSolver<D>::bytes() const {
    return op_.bytes() + null_space_.regions().bytes() + multigrid_.bytes() + r_.bytes() + p_.bytes() + best_.bytes() +
           r_.bytes();  // the last: the caller's x
}

template <int D>
double PressureSolver<D>::bytes_per_iteration() const {
    // Per cell, each array once per pass, nothing for what a store fetches first:
    //   direction   reads z (4) and p (8), writes p (8)
    //   curvature   reads p (8)
    //   update      reads p, x, r (24), writes x, r (16) and r in float (4)
    //   start       reads r (4), writes x (4); with bodies on the level, x of one colour is read and written again (4)
    //   half sweep  reads r of its colour and x of the other (4), writes x (2)
    //   restrict    reads r of one colour and x (6), with groups r of both (8)
    //   correct     reads and writes x of one colour (4), with groups of both (8)
    //   r.z         reads the other colour's r (2), in the last half sweep; with groups r and x (8)
    // The next level's vectors, an eighth or a quarter of these, are counted there. Coefficients: the operator's,
    // twice; a masked brick's inverse diagonal and byte (4 and 1), a stored one's inverse diagonal and conductances (4
    // and 4 D). A half sweep and restrict read those of one colour, but the conductances of both; the start reads all
    // inverse diagonals, and bytes of one colour; correct the inverse diagonals of one. In bricks with bodies a half
    // sweep reads bytes and old values of its colour (2.5) besides, and both colours are transferred: restrict reads
    // the other colour's r, inverse diagonals and all bytes (5), correct its x, twice, and inverse diagonals (6).
    const double cells = Brick<D>::cells;
    double bytes = 72 * cells * static_cast<double>(op_.set().count()) + 2 * op_.coefficient_bytes();
    for (int l = 0; l + 1 < multigrid_.levels(); ++l) {
        const auto& level = multigrid_.level(l);
        const int halves = 4 * multigrid_.options().sweeps_on(static_cast<std::size_t>(l)) - 2;
        const bool groups = !level.groups.empty();
        const double vectors = (level.bodies.empty() ? 8 : 12) + 6 * halves + (groups ? 16 : 10) +
                               (l > 0    ? 0
                                : groups ? 8
                                         : 2);
        for (const auto kind : level.kind) {
            const bool stored = kind == BrickKind::stored || kind == BrickKind::bodied;
            const double faces = kind == BrickKind::masked ? 0.5 : stored ? 4 * D : 0;  // as a half sweep reads them
            const double own = kind == BrickKind::plain ? 0 : 2;                        // inverse diagonals of a colour
            bytes += cells * (vectors + (halves + 1) * (faces + own) + (faces + 2 * own) + own);
            if (kind == BrickKind::bodied) bytes += cells * (2.5 * halves + 5 + 6);
        }
    }
    return bytes;
}

/// Norms of r = b - Sigma x, of its null component, and of what is left without it.
template <int D>
struct PressureSolver<D>::Residual {
    double whole = 0, removed = 0, left = 0;
};

/// r = b - Sigma x without its null component, answer_ being Mbar^-1 K x. `x` is taken as zero unless `nonzero`.
template <int D>
typename PressureSolver<D>::Residual PressureSolver<D>::form_residual(const double* b, const double* x, bool nonzero) {
    const bool with_bodies = nonzero && !bodies_.empty();
    const auto& kernels = pressure_kernels<D>();
    const PoissonView<D> op = op_.view();
    const double square = ordered_sum("residual", op_.set().count(), 0.0, [&](std::ptrdiff_t slot) {
        const std::ptrdiff_t at = slot * Brick<D>::cells;
        double* r = r_.data() + at;
        if (!nonzero) {
            std::memcpy(r, b + at, Brick<D>::cells * sizeof(double));
            return kernels.dot(r, r);
        }
        alignas(64) double product[Brick<D>::cells];
        kernels.apply(op, slot, x, product);
        if (with_bodies) scatter_brick<D>(bodies_, run_start_, slot, answer_, product);
        return kernels.subtract(b + at, product, r);
    });
    Residual out{.whole = std::sqrt(square), .left = std::sqrt(square)};
    if (null_space_.dimension() > 0) {
        const auto projected = null_space_.project(r_.data());
        out.removed = projected.removed;
        out.left = projected.left;
    }
    if (merged_.empty()) return out;
    merged_.average(r_.data());
    out.left = norm<D>(op_.set(), r_.data());
    return out;
}

/// The cycle's right-hand side: r in float, scaled so that its size is near one.
template <int D>
void PressureSolver<D>::load_residual(double scale) {
    const auto part = pressure_kernels<D>().part;
    parallel_for("residual to float", op_.set().count(), [&](std::ptrdiff_t b) {
        part(r_.data() + b * Brick<D>::cells, scale, multigrid_.finest().r.data() + b * Brick<D>::cells);
    });
}

/// p = scale z + beta p and p.Sigma p, with Mbar^-1 K p.
template <int D>
double PressureSolver<D>::direction(const float* z, double scale, double beta) {
    const auto& kernels = pressure_kernels<D>();
    const PoissonView<D> op = op_.view();
    parallel_for("direction", op_.set().count(), [&](std::ptrdiff_t slot) {
        kernels.direct(z + slot * Brick<D>::cells, scale, beta, p_.data() + slot * Brick<D>::cells);
    });
    merged_.add(scale * multigrid_.finest().groups.z, p_.data());
    if (!bodies_.empty()) {
        // K of the cycle is that of Sigma / uniform.
        body_step_ = (scale * std::sqrt(op_.uniform())) * multigrid_.body_answer() + beta * body_step_;
        balance_.balance(bodies_, p_.data(), body_step_);
    }
    double curvature = ordered_sum("curvature", op_.set().count(), 0.0, [&](std::ptrdiff_t slot) {
        alignas(64) double product[Brick<D>::cells];
        kernels.apply(op, slot, p_.data(), product);
        return kernels.dot(p_.data() + slot * Brick<D>::cells, product);
    });
    if (!bodies_.empty()) curvature += body_step_.dot(bodies_.apply_mass(body_step_));
    return curvature;
}

/// x += alpha p, r -= alpha Sigma p, the cycle's r; returns |r|.
template <int D>
double PressureSolver<D>::update(double alpha, double* x, double scale) {
    const auto& kernels = pressure_kernels<D>();
    const PoissonView<D> op = op_.view();
    const double square = ordered_sum("update", op_.set().count(), 0.0, [&](std::ptrdiff_t slot) {
        alignas(64) double product[Brick<D>::cells];
        kernels.apply(op, slot, p_.data(), product);
        if (!bodies_.empty()) scatter_brick<D>(bodies_, run_start_, slot, body_step_, product);
        const std::ptrdiff_t at = slot * Brick<D>::cells;
        double* r = r_.data() + at;
        const double here = kernels.update(p_.data() + at, product, alpha, x + at, r);
        kernels.part(r, scale, multigrid_.finest().r.data() + at);
        return here;
    });
    answer_ += alpha * body_step_;
    if (merged_.empty()) return std::sqrt(square);
    merged_.average(r_.data());
    return norm<D>(op_.set(), r_.data());
}

/// Saves the iterate before the last update.
template <int D>
void PressureSolver<D>::step_back(const double* x, double alpha) {
    if (best_.size() == 0) best_ = BigArray<double>(r_.size());
    parallel_for("save best iterate", op_.set().count(), [&](std::ptrdiff_t b) {
        for (std::ptrdiff_t i = b * Brick<D>::cells; i < (b + 1) * Brick<D>::cells; ++i)
            best_.data()[i] = x[i] - alpha * p_.data()[i];
    });
    best_answer_ = answer_ - alpha * body_step_;
}

/// What one solve keeps between its iterations. Residuals are relative to |b| without its null component.
template <int D>
struct PressureSolver<D>::Run {
    const double* b;
    double* x;
    const SolveOptions& options;
    SolveReport report{};
    double started = wall_seconds();
    double size = 0;      ///< |b| without its null component
    double residual = 1;  ///< of x, by the recurrence
    double best = 1;      ///< lowest so far
    bool saved = false;   ///< best_ holds an iterate better than x

    [[nodiscard]] double elapsed() const { return wall_seconds() - started; }
    SolveReport finish(SolveStatus status) {
        report.status = status;
        report.seconds = elapsed();
        return report;
    }
};

template <int D>
SolveReport PressureSolver<D>::solve(const double* b, double* x, const SolveOptions& options) {
    const ScopedTimer timer("pressure solve");
    validate(options);
    Run run{b, x, options};
    auto status = begin(run);
    if (!status) {
        constexpr int restarts = 3;  // each follows a recurrence that believed itself converged
        status = SolveStatus::converged;
        for (int attempt = 0; attempt <= restarts && run.residual > options.tolerance; ++attempt) {
            status = iterate(run);
            recompute_residual(run);
            if (*status != SolveStatus::converged) break;
        }
        if (!(run.residual < 1)) {  // no better than nothing
            start_from_zero(x);
            run.residual = 1;
        }
        if (null_space_.dimension() > 0) null_space_.project(x);
        run.report.residual = run.residual;
        if (run.residual <= options.tolerance)
            status = SolveStatus::converged;
        else if (*status == SolveStatus::converged)
            status = SolveStatus::breakdown;  // rounding stops it short of the tolerance
    }
    return run.finish(*status);
}

/// Checks the vectors and forms the first residual; returns a status if the solve is over already.
template <int D>
std::optional<SolveStatus> PressureSolver<D>::begin(Run& run) {
    // Non-finite numbers are refused before x is written.
    const double x_size = norm<D>(op_.set(), run.x);
    if (!std::isfinite(x_size)) return SolveStatus::not_finite;
    // Sigma x has no null component, so that of r = b - Sigma x is that of b, and removing it from r removes it from b.
    answer_.setZero();
    const Residual right = form_residual(run.b, run.x, false);
    if (!std::isfinite(right.whole)) return SolveStatus::not_finite;
    run.size = right.left;
    run.report.incompatibility = right.whole > 0 ? right.removed / right.whole : 0;
    if (run.size <= 1e-14 * right.whole) {  // nothing but null component, up to rounding
        start_from_zero(run.x);
        return SolveStatus::converged;
    }
    merged_.average(run.x);
    run.report.initial_residual = run.residual;
    if (x_size > 0) choose_start(run);
    run.best = run.report.residual = run.residual;
    return std::nullopt;
}

/// The guess that was given; with what bodies feel of it balanced if it is worse than none, as after a light body has
/// moved; else zero.
template <int D>
void PressureSolver<D>::choose_start(Run& run) {
    const auto measure = [&] { run.residual = form_residual(run.b, run.x, true).left / run.size; };
    if (!bodies_.empty()) answer_ = bodies_.solve_mass(bodies_.gather(run.x));
    measure();
    run.report.initial_residual = run.residual;
    constexpr double bad_guess = 10;  // one that is off by little still saves iterations
    if (run.residual <= bad_guess) return;
    if (!bodies_.empty()) {
        answer_.setZero();
        balance_.balance(bodies_, run.x, answer_);
        measure();
    }
    if (run.residual <= bad_guess) return;
    start_from_zero(run.x);
    form_residual(run.b, run.x, false);
    run.residual = 1;
}

template <int D>
void PressureSolver<D>::start_from_zero(double* x) {
    std::memset(x, 0, r_.bytes());
    answer_.setZero();
}

/// Conjugate gradients from r on, until the recurrence's residual meets the tolerance (`converged`) or something stops
/// them. Leaves the best iterate in x.
template <int D>
SolveStatus PressureSolver<D>::iterate(Run& run) {
    const double scale = 1 / (run.size * std::max(run.residual, 1e-300));  // of the cycle's input
    load_residual(scale);
    double last_rz = 0, iteration_seconds = 0;
    auto status = SolveStatus::converged;
    while (run.residual > run.options.tolerance && status == SolveStatus::converged) {
        const double before = run.elapsed();
        if (run.report.iterations >= run.options.max_iterations) {
            status = SolveStatus::iteration_limit;
        } else if (run.options.time_limit > 0 && before + iteration_seconds > run.options.time_limit) {
            status = SolveStatus::time_limit;
        } else if (!step(run, scale, last_rz)) {
            status = SolveStatus::breakdown;
        } else {
            iteration_seconds = run.elapsed() - before;
            if (run.options.record_history)
                run.report.history.push_back(run.residual), run.report.times.push_back(run.elapsed());
        }
    }
    if (run.saved && (status == SolveStatus::breakdown || drifted(run.residual, run.best))) {
        std::memcpy(run.x, best_.data(), r_.bytes());
        answer_ = best_answer_;
    }
    run.saved = false;
    return status;
}

/// One iteration. False if the numbers break down: then x is the iterate before, or zero if that is not finite.
template <int D>
bool PressureSolver<D>::step(Run& run, double scale, double& last_rz) {
    const double cycle_scale = 1 / op_.uniform();
    double rz = 0;
    multigrid_.finest().groups.s = merged_.take_sums(multigrid_.finest().r.data());
    const float* z = multigrid_.apply(rz);
    rz *= cycle_scale / (scale * scale);
    if (!(rz > 0) || !std::isfinite(rz)) return false;
    const double curvature = direction(z, cycle_scale / scale, last_rz > 0 ? rz / last_rz : 0.0);
    if (!(curvature > 0) || !std::isfinite(curvature)) return false;
    last_rz = rz;
    const double alpha = rz / curvature, previous = run.residual;
    run.residual = update(alpha, run.x, scale) / run.size;
    ++run.report.iterations;
    if (!std::isfinite(run.residual)) {  // overflow
        if (!run.saved) step_back(run.x, alpha);
        run.saved = std::isfinite(norm<D>(op_.set(), best_.data()));
        if (!run.saved) start_from_zero(run.x);
        return false;
    }
    if (run.residual < run.best) {
        run.best = run.residual;
        run.saved = false;
    } else if (!run.saved && previous <= run.best) {
        step_back(run.x, alpha);
        run.saved = true;
    }
    return true;
}

template <int D>
void PressureSolver<D>::recompute_residual(Run& run) {
    run.residual = run.best = form_residual(run.b, run.x, true).left / run.size;
}

template class PressureSolver<2>;
template class PressureSolver<3>;

}  // namespace tidelock
