#include "solve/multigrid.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "solve/colour_order.h"
#include "solve/sweep.h"

namespace tidelock {

template <int D, class T>
Multigrid<D, T>::Multigrid(const PoissonOperator<D>& op, const RigidTerms<D>& bodies, const MultigridOptions& options,
                           GroupUnknowns<D, T> groups)
    : options_(options) {
    if (options.sweeps < 1) throw InputError("multigrid.sweeps", "must be at least 1, got {}", options.sweeps);
    if (options.extra_sweeps < 0)
        throw InputError("multigrid.extra_sweeps", "must be at least 0, got {}", options.extra_sweeps);
    if (options.coarsest_unknowns < 1)
        throw InputError("multigrid.coarsest_unknowns", "must be at least 1, got {}", options.coarsest_unknowns);
    const ScopedTimer timer("multigrid set-up");
    levels_.push_back(finest_level<D, T>(op, bodies));
    levels_.front().groups = std::move(groups);
    while (levels_.back().unknowns > options.coarsest_unknowns) {
        auto next = coarser_level<D, T>(levels_.back());
        order_by_colour(levels_.back());
        levels_.push_back(std::move(next));
    }
    double force = 0;
    for (const auto& e : levels_.front().bodies.entries())
        for (const double k : e.k) force += k * k;
    coarsest_ = CoarsestSolver<D, T>(levels_.back(), std::sqrt(force));
    order_by_colour(levels_.back());
    for (const auto& level : levels_) {
        y_.emplace_back(Eigen::VectorXd::Zero(level.bodies.bodies() * rigid_dof<D>));
        partial_.emplace_back(level.bodies.runs().size());
        body_bricks_.emplace_back();
        for (const auto& run : level.bodies.runs())
            if (body_bricks_.back().empty() || body_bricks_.back().back() != run.slot)
                body_bricks_.back().push_back(run.slot);
    }
    dots_.resize(static_cast<std::size_t>(op.set().count()));
}

template <int D, class T>
std::size_t Multigrid<D, T>::bytes() const {
    std::size_t total = 0;
    for (const auto& level : levels_) total += level.bytes();
    return total;
}

template <int D, class T>
const T* Multigrid<D, T>::apply(double& r_dot_z) {
    const ScopedTimer timer("v-cycle");
    return cycle(0, &r_dot_z);
}

template <int D, class T>
T* Multigrid<D, T>::cycle(std::size_t l, double* r_dot_z) {
    auto& level = levels_[l];
    T* x = level.x.data();
    if (l + 1 == levels_.size()) {
        coarsest_.solve(level.r.data(), x, level.groups, y_[l]);
        if (r_dot_z != nullptr) {
            *r_dot_z = level.groups.s.dot(level.groups.z);
            for (std::size_t i = 0; i < level.r.size(); ++i)
                *r_dot_z += static_cast<double>(level.r[i]) * static_cast<double>(x[i]);
        }
        return x;
    }
    auto& coarse = levels_[l + 1];
    const int sweeps = options_.sweeps_on(l);
    level.groups.start(level.r.data());
    start(l);
    relax_groups(l, true, x);
    for (int s = 1; s < sweeps; ++s) {
        relax(l, 0, nullptr);
        relax(l, 1, nullptr);
        relax_groups(l, true, x);
    }
    restrict_residual(l);
    // The residual's low-rank part is restricted through K of the coarse level: P^T K^T y = (K P)^T y.
    if (!level.bodies.empty()) coarse.bodies.scatter_add(y_[l], -1.0, coarse.r.data());
    if (!level.groups.empty()) coarse.groups.s = level.groups.residual(x, y_[l]);

    const T* correction = cycle(l + 1, nullptr);
    correct(l, correction);
    // K (P e - W K^T y') = Mbar y': the coarse level's own y, which knows more than K times what rounding left of e in T.
    if (!level.bodies.empty()) settle(l, y_[l + 1]);
    level.groups.correct(coarse.groups.z, level.r.data());
    // With groups r is not the right-hand side until it is restored.
    const bool fused = r_dot_z != nullptr && level.groups.empty();
    for (int s = 0; s < sweeps; ++s) {
        relax_groups(l, false, x);
        relax(l, 1, nullptr);
        relax(l, 0, s + 1 == sweeps && fused ? dots_.data() : nullptr);
    }
    if (r_dot_z != nullptr && !fused) {
        level.groups.restore(level.r.data());
        *r_dot_z =
            level.groups.s.dot(level.groups.z) + ordered_sum("r.z", level.set->count(), 0.0, [&](std::ptrdiff_t b) {
                return sweep_kernels<D, T>().dot(level.r.data() + b * Brick<D>::cells, x + b * Brick<D>::cells);
            });
    } else if (r_dot_z != nullptr) {
        *r_dot_z = 0;
        for (const double d : dots_) *r_dot_z += d;
    }
    return x;
}

namespace {

template <int D, class T>
std::size_t kind_of(const StencilLevel<D, T>& level, std::ptrdiff_t b) {
    return static_cast<std::size_t>(level.kind[static_cast<std::size_t>(b)]);
}

/// f(run, entry) for what the bodies have in a brick.
template <int D, class T, class F>
void for_each_entry(const StencilLevel<D, T>& level, std::ptrdiff_t b, const F& f) {
    for (auto run = level.run_start[static_cast<std::size_t>(b)];
         run < level.run_start[static_cast<std::size_t>(b) + 1]; ++run) {
        const auto& range = level.bodies.runs()[static_cast<std::size_t>(run)];
        for (auto i = range.begin; i < range.end; ++i)
            f(static_cast<std::size_t>(run), level.bodies.entries()[static_cast<std::size_t>(i)]);
    }
}

/// What the bodies take from a cell of this entry: its part of K^T y.
template <int D>
double push(const RigidEntry<D>& e, const Eigen::VectorXd& y) {
    double sum = 0;
    for (int d = 0; d < rigid_dof<D>; ++d) sum += e.k[static_cast<std::size_t>(d)] * y[e.body * rigid_dof<D> + d];
    return sum;
}

/// The brick's right-hand side without what bodies do to cells of a colour: `own` itself, or a copy of that colour's
/// half in `changed`.
template <int D, class T>
const T* without_bodies(const StencilLevel<D, T>& level, std::ptrdiff_t b, int colour, const Eigen::VectorXd& y,
                        const T* own, T* changed) {
    if (level.run_start[static_cast<std::size_t>(b)] == level.run_start[static_cast<std::size_t>(b) + 1]) return own;
    std::copy_n(own + colour * half_brick<D>, half_brick<D>, changed + colour * half_brick<D>);
    for_each_entry(level, b, [&](std::size_t, const RigidEntry<D>& e) {
        if (colour_at<D>(e.local) == colour) changed[e.local] -= static_cast<T>(push(e, y));
    });
    return changed;
}

}  // namespace

template <int D, class T>
void Multigrid<D, T>::relax_groups(std::size_t l, bool forwards, const T* x) {
    auto& level = levels_[l];
    if (!level.groups.empty()) level.groups.relax(x, forwards, y_[l], level.r.data());
}

template <int D, class T>
void Multigrid<D, T>::start(std::size_t l) {
    auto& level = levels_[l];
    T* x = level.x.data();
    const LevelView<D, T> view = level.view();
    const auto& kernels = sweep_kernels<D, T>();
    if (level.bodies.empty()) {
        parallel_for("smooth from zero", level.set->count(),
                     [&](std::ptrdiff_t b) { kernels.from_zero[kind_of(level, b)](view, b); });
        return;
    }
    y_[l].setZero();
    parallel_for("smooth from zero", level.set->count(), [&](std::ptrdiff_t b) {
        kernels.divide[kind_of(level, b)](view, b);
        std::fill_n(x + b * Brick<D>::cells + half_brick<D>, half_brick<D>, T{0});
        gather_brick(l, b, 0, 1);
    });
    step_bodies(l, 0, nullptr);
    relax(l, 1, nullptr);
}

template <int D, class T>
void Multigrid<D, T>::relax(std::size_t l, int colour, double* dots) {
    auto& level = levels_[l];
    const LevelView<D, T> view = level.view();
    const auto& kernels = sweep_kernels<D, T>();
    const auto& relax_kind = kernels.relax[static_cast<std::size_t>(colour)];
    parallel_for("smooth", level.set->count(), [&](std::ptrdiff_t b) {
        const T* own = level.r.data() + b * Brick<D>::cells;
        alignas(64) T changed[Brick<D>::cells];
        const T* r = without_bodies(level, b, colour, y_[l], own, changed);
        gather_brick(l, b, colour, -1);
        relax_kind[kind_of(level, b)](view, b, r);
        gather_brick(l, b, colour, 1);
        if (dots != nullptr) dots[b] = kernels.dot(own, level.x.data() + b * Brick<D>::cells);
    });
    if (!level.bodies.empty()) step_bodies(l, colour, dots);
}

template <int D, class T>
void Multigrid<D, T>::gather_brick(std::size_t l, std::ptrdiff_t b, int colour, double scale) {
    const T* x = levels_[l].x.data() + b * Brick<D>::cells;
    for_each_entry(levels_[l], b, [&](std::size_t run, const RigidEntry<D>& e) {
        if (colour_at<D>(e.local) != colour) return;
        for (std::size_t d = 0; d < e.k.size(); ++d)
            partial_[l][run][d] += scale * e.k[d] * static_cast<double>(x[e.local]);
    });
}

template <int D, class T>
void Multigrid<D, T>::step_bodies(std::size_t l, int colour, double* dots) {
    auto& level = levels_[l];
    Eigen::VectorXd v = Eigen::VectorXd::Zero(y_[l].size());
    for (std::size_t r = 0; r < partial_[l].size(); ++r) {
        for (int d = 0; d < rigid_dof<D>; ++d)
            v[level.bodies.runs()[r].body * rigid_dof<D> + d] += partial_[l][r][static_cast<std::size_t>(d)];
        partial_[l][r].fill(0);
    }
    const Eigen::VectorXd s = level.blocks.solve(colour, v);
    y_[l] += s;
    const auto& bricks = body_bricks_[l];
    parallel_for("scatter from bodies", static_cast<std::ptrdiff_t>(bricks.size()), [&](std::ptrdiff_t k) {
        const std::ptrdiff_t b = bricks[static_cast<std::size_t>(k)], base = b * Brick<D>::cells;
        const T* inverse = level.inverse.data() + level.offset(b);
        T* x = level.x.data() + base;
        for_each_entry(level, b, [&](std::size_t, const RigidEntry<D>& e) {
            if (colour_at<D>(e.local) == colour) x[e.local] -= inverse[e.local] * static_cast<T>(push(e, s));
        });
        if (dots != nullptr) dots[b] = sweep_kernels<D, T>().dot(level.r.data() + base, x);
    });
}

/// The bodies' answer to a coarse correction, and what the cells of W make of it (local_answer.h).
template <int D, class T>
void Multigrid<D, T>::settle(std::size_t l, const Eigen::VectorXd& answer) {
    auto& level = levels_[l];
    y_[l] += answer;
    const auto& bricks = body_bricks_[l];
    parallel_for("settle beside bodies", static_cast<std::ptrdiff_t>(bricks.size()), [&](std::ptrdiff_t k) {
        const std::ptrdiff_t b = bricks[static_cast<std::size_t>(k)];
        const T* inverse = level.inverse.data() + level.offset(b);
        T* x = level.x.data() + b * Brick<D>::cells;
        for_each_entry(level, b, [&](std::size_t, const RigidEntry<D>& e) {
            if (e.settles) x[e.local] -= inverse[e.local] * static_cast<T>(push(e, answer));
        });
    });
}

template <int D, class T>
void Multigrid<D, T>::restrict_residual(std::size_t l) {
    T* coarse = levels_[l + 1].r.data();
    auto& level = levels_[l];
    const LevelView<D, T> view = level.view();
    const auto& kernels = sweep_kernels<D, T>().restrict_residual;
    parallel_for("restrict", level.set->count(),
                 [&](std::ptrdiff_t b) { kernels[kind_of(level, b)](view, b, transfers_both(l, b), coarse); });
}

template <int D, class T>
void Multigrid<D, T>::correct(std::size_t l, const T* correction) {
    auto& level = levels_[l];
    const LevelView<D, T> view = level.view();
    const auto& kernels = sweep_kernels<D, T>().correct;
    parallel_for("correct", level.set->count(),
                 [&](std::ptrdiff_t b) { kernels[kind_of(level, b)](view, b, transfers_both(l, b), correction); });
}

template class Multigrid<2, float>;
template class Multigrid<2, double>;
template class Multigrid<3, float>;
template class Multigrid<3, double>;

}  // namespace tidelock
