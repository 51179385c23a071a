#include "solve/krylov_run.h"

#include <cmath>

#include "base/error.h"
#include "base/timer.h"
#include "solve/vector_ops.h"

namespace tidelock {

KrylovRun::KrylovRun(const LinearSystem& system, const double* b, double* x, const SolveOptions& options)
    : system_(system), options_(options), given_b_(b), x_(x), start_time_(wall_seconds()) {
    report_.initial_residual = std::nan("");
    validate(options);
    if (system.size < 0) throw InputError("linear system", "the size must be at least 0, got {}", system.size);
    if (!system.apply) throw InputError("linear system", "there is no operator");
}

bool KrylovRun::start() {
    if (!all_finite(size(), given_b_) || !all_finite(size(), x_)) {
        stop(SolveStatus::not_finite);
        return false;
    }
    b_ = vector();
    r_ = vector();
    if (!project_right_hand_side(given_b_)) return false;
    norm_ = best_norm_ = recompute();
    report_.initial_residual = norm_ / scale_;
    if (!std::isfinite(norm_)) return false;  // the operator overflows at x: breakdown, x untouched
    if (!met()) return true;
    stop(SolveStatus::converged);
    return false;
}

/// Sets b_, scale_ and the incompatibility. False if the solve ends here: b is zero, or its squares over- or underflow.
bool KrylovRun::project_right_hand_side(const double* b) {
    const double whole = size_of(b);
    copy(size(), b, b_.data());
    if (!std::isfinite(whole) || (whole == 0 && max_abs(size(), b) > 0)) return false;
    scale_ = whole;
    if (system_.project) {
        project(b_.data());
        scale_ = size_of(b_.data());
        copy(size(), b, r_.data());
        add_scaled(size(), -1.0, b_.data(), r_.data());
        if (whole > 0) report_.incompatibility = size_of(r_.data()) / whole;
    }
    // What projection leaves of a right-hand side in the null space is rounding.
    constexpr double rounding = 1e-13;
    if (scale_ > rounding * whole) return true;
    set_zero(size(), x_);
    report_.initial_residual = 0;
    stop(SolveStatus::converged);
    return false;
}

double KrylovRun::recompute() {
    system_.apply(x_, r_.data());
    const double squares = subtract_from_squares(size(), b_.data(), r_.data());
    if (!system_.project && !system_.measure) return std::sqrt(squares);
    project(r_.data());
    return size_of(r_.data());
}

double KrylovRun::size_of(const double* v) const {
    return system_.measure ? std::sqrt(system_.measure(v)) : norm(size(), v);
}

bool KrylovRun::may_continue() {
    if (report_.iterations >= options_.max_iterations)
        stop(SolveStatus::iteration_limit);
    else if (options_.time_limit > 0 && wall_seconds() - start_time_ >= options_.time_limit)
        stop(SolveStatus::time_limit);
    else
        return true;
    return false;
}

bool KrylovRun::accept(double squares) {
    const double next = system_.measure ? size_of(r_.data()) : std::sqrt(squares);
    if (!std::isfinite(next)) return false;
    if (next > norm_ && !saved_) {
        if (best_.size() == 0) best_ = vector();
        copy(size(), x_, best_.data());
        saved_ = true;
    }
    norm_ = next;
    recomputed_ = false;
    if (norm_ < best_norm_) best_norm_ = norm_, saved_ = false;
    ++report_.iterations;
    if (options_.record_history) {
        report_.history.push_back(norm_ / scale_);
        report_.times.push_back(wall_seconds() - start_time_);
    }
    return true;
}

bool KrylovRun::verify() {
    norm_ = best_norm_ = recompute();
    saved_ = false;
    recomputed_ = true;
    if (met()) {
        stop(SolveStatus::converged);
        return true;
    }
    constexpr double gain = 0.9;  // a restart that gains less than a tenth has reached the limit of the precision
    const bool stuck = !std::isfinite(norm_) || (verified_norm_ >= 0 && norm_ > gain * verified_norm_);
    verified_norm_ = norm_;
    if (stuck) stop(SolveStatus::breakdown);
    return stuck;
}

SolveReport KrylovRun::finish() {
    if (saved_ && (report_.status == SolveStatus::breakdown || drifted(norm_, best_norm_)))
        copy(size(), best_.data(), x_);
    if (!recomputed_) norm_ = recompute();
    report_.residual = report_.iterations > 0 ? norm_ / scale_ : report_.initial_residual;
    if (report_.residual <= options_.tolerance) stop(SolveStatus::converged);
    report_.seconds = wall_seconds() - start_time_;
    return std::move(report_);
}

void KrylovRun::precondition(const double* in, double* out) const {
    if (!system_.precondition) return copy(size(), in, out);
    system_.precondition(in, out);
    project(out);
}

void KrylovRun::project(double* v) const {
    if (system_.project) system_.project(v);
}

}  // namespace tidelock
