#include "solve/multigrid.h"

#include "base/error.h"
#include "base/parallel.h"
#include "solve/dot_brick.h"
#include "solve/sweep.h"

namespace tidelock {

template <int D, class T>
Multigrid<D, T>::Multigrid(const PoissonOperator<D>& op, const RigidTerms<D>& bodies, const MultigridOptions& options)
    : options_(options) {
    if (options.sweeps < 1) throw InputError("multigrid.sweeps", "must be at least 1, got {}", options.sweeps);
    if (options.extra_sweeps < 0)
        throw InputError("multigrid.extra_sweeps", "must be at least 0, got {}", options.extra_sweeps);
    if (options.coarsest_unknowns < 1)
        throw InputError("multigrid.coarsest_unknowns", "must be at least 1, got {}", options.coarsest_unknowns);
    const ScopedTimer timer("multigrid set-up");
    using Light = LightBodies<D, T>;
    const bool light = options.bodies != BodyTreatment::in_cycle && Light::possible(bodies) &&
                       (options.bodies == BodyTreatment::woodbury || Light::needed(bodies));
    levels_.push_back(finest_level<D, T>(op, light ? RigidTerms<D>() : bodies));
    while (levels_.back().unknowns > options.coarsest_unknowns) {
        auto next = coarser_level<D, T>(levels_.back());
        levels_.push_back(std::move(next));
    }
    coarsest_ = CoarsestSolver<D, T>(levels_.back());
    for (const auto& level : levels_) {
        y_.emplace_back(Eigen::VectorXd::Zero(level.bodies.bodies() * rigid_dof<D>));
        partial_.emplace_back(level.bodies.runs().size());
    }
    dots_.resize(static_cast<std::size_t>(op.set().count()));
    if (light) {
        const ScopedTimer columns("light bodies set-up");
        light_ = LightBodies<D, T>(bodies, op.uniform(), static_cast<std::size_t>(op.size()), [&](const auto& fill) {
            T* r = levels_.front().r.data();
            std::fill_n(r, levels_.front().r.size(), T{0});
            fill(r);
            return cycle(0, nullptr);
        });
    }
}

template <int D, class T>
const char* Multigrid<D, T>::treatment() const {
    if (!light_.empty()) return "woodbury";
    return levels_.front().bodies.empty() ? "none" : "in-cycle";
}

template <int D, class T>
std::size_t Multigrid<D, T>::bytes() const {
    std::size_t total = 0;
    for (const auto& level : levels_) total += level.bytes();
    return total + light_.bytes();
}

template <int D, class T>
const T* Multigrid<D, T>::apply(double& r_dot_z) {
    const ScopedTimer timer("v-cycle");
    T* z = cycle(0, &r_dot_z);
    if (!light_.empty()) light_.correct(z, static_cast<std::ptrdiff_t>(dots_.size()), r_dot_z);
    return z;
}

template <int D, class T>
T* Multigrid<D, T>::cycle(std::size_t l, double* r_dot_z) {
    auto& level = levels_[l];
    T *x = level.x.data(), *other = level.y.data();
    if (l + 1 == levels_.size()) {
        coarsest_.solve(level.r.data(), x);
        if (r_dot_z != nullptr) {
            *r_dot_z = 0;
            for (std::size_t i = 0; i < level.r.size(); ++i)
                *r_dot_z += static_cast<double>(level.r[i]) * static_cast<double>(x[i]);
        }
        return x;
    }
    auto& coarse = levels_[l + 1];
    const int sweeps = options_.sweeps_on(l);
    start(l, x);
    for (int s = 1; s < sweeps; ++s) {
        gather_bodies(l);
        relax<false>(l, 0, x, other, nullptr);
        relax<true>(l, 1, other, x, nullptr);
    }
    gather_bodies(l);
    restrict_residual(l, x);
    // The residual's low-rank part is restricted through K of the coarse level: P^T K^T y = (K P)^T y.
    if (!level.bodies.empty()) coarse.bodies.scatter_add(y_[l], -1.0, coarse.r.data());

    const T* correction = cycle(l + 1, nullptr);
    if (!level.bodies.empty()) y_[l] += level.bodies.solve_mass(coarse.bodies.gather(correction));
    correct(l, correction, x);
    for (int s = 0; s < sweeps; ++s) {
        if (s > 0) gather_bodies(l);
        relax<false>(l, 1, x, other, nullptr);
        relax<true>(l, 0, other, x, s + 1 == sweeps && r_dot_z != nullptr ? dots_.data() : nullptr);
    }
    if (r_dot_z != nullptr) {
        *r_dot_z = 0;
        for (const double d : dots_) *r_dot_z += d;
    }
    return x;
}

template <int D, class T>
void Multigrid<D, T>::gather_bodies(std::size_t l) {
    const auto& bodies = levels_[l].bodies;
    if (bodies.empty()) return;
    Eigen::VectorXd s = Eigen::VectorXd::Zero(bodies.bodies() * rigid_dof<D>);
    for (std::size_t r = 0; r < bodies.runs().size(); ++r)
        for (int d = 0; d < rigid_dof<D>; ++d)
            s[bodies.runs()[r].body * rigid_dof<D> + d] += partial_[l][r][static_cast<std::size_t>(d)];
    y_[l] = bodies.solve_mass(s);
}

namespace {

/// The brick's right-hand side without what bodies do: `own` itself, or a copy in `changed`.
template <int D, class T>
const T* without_bodies(const StencilLevel<D, T>& level, std::ptrdiff_t b, const Eigen::VectorXd& y, const T* own,
                        T* changed) {
    const auto first = level.run_start[static_cast<std::size_t>(b)];
    const auto last = level.run_start[static_cast<std::size_t>(b) + 1];
    if (first == last) return own;
    std::copy_n(own, Brick<D>::cells, changed);
    for (auto run = first; run < last; ++run) {
        const auto& range = level.bodies.runs()[static_cast<std::size_t>(run)];
        for (auto i = range.begin; i < range.end; ++i) {
            const auto& e = level.bodies.entries()[static_cast<std::size_t>(i)];
            double sum = 0;
            for (int d = 0; d < rigid_dof<D>; ++d)
                sum += e.k[static_cast<std::size_t>(d)] * y[e.body * rigid_dof<D> + d];
            changed[e.local] -= static_cast<T>(sum);
        }
    }
    return changed;
}

/// The brick's part of K x, one sum per run.
template <int D, class T>
void gather_brick(const StencilLevel<D, T>& level, std::ptrdiff_t b, const T* x,
                  std::vector<std::array<double, rigid_dof<D>>>& out) {
    for (auto run = level.run_start[static_cast<std::size_t>(b)];
         run < level.run_start[static_cast<std::size_t>(b) + 1]; ++run) {
        const auto& range = level.bodies.runs()[static_cast<std::size_t>(run)];
        std::array<double, rigid_dof<D>> sum{};
        for (auto i = range.begin; i < range.end; ++i) {
            const auto& e = level.bodies.entries()[static_cast<std::size_t>(i)];
            for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += e.k[d] * static_cast<double>(x[e.local]);
        }
        out[static_cast<std::size_t>(run)] = sum;
    }
}

/// Calls f.template operator()<kind>(b) for each brick of a level, in parallel.
template <int D, class T, class F>
void for_each_brick(const char* label, const StencilLevel<D, T>& level, const F& f) {
    parallel_for(label, level.set->count(), [&](std::ptrdiff_t b) {
        switch (level.kind[static_cast<std::size_t>(b)]) {
            case BrickKind::plain:
                return f.template operator()<BrickKind::plain>(b);
            case BrickKind::masked:
                return f.template operator()<BrickKind::masked>(b);
            case BrickKind::stored:
                return f.template operator()<BrickKind::stored>(b);
            case BrickKind::bodied:
                return f.template operator()<BrickKind::bodied>(b);
        }
    });
}

}  // namespace

template <int D, class T>
void Multigrid<D, T>::start(std::size_t l, T* x) {
    const auto& level = levels_[l];
    for_each_brick("smooth from zero", level, [&]<BrickKind kind>(std::ptrdiff_t b) {
        T* out = x + b * Brick<D>::cells;
        sweep_from_zero<D, T, kind>(level, b, 0, out);
        gather_brick(level, b, out, partial_[l]);
    });
}

template <int D, class T>
template <bool Last>
void Multigrid<D, T>::relax(std::size_t l, int colour, const T* in, T* out, double* dots) {
    const auto& level = levels_[l];
    for_each_brick("smooth", level, [&]<BrickKind kind>(std::ptrdiff_t b) {
        const T* own = level.r.data() + b * Brick<D>::cells;
        T* to = out + b * Brick<D>::cells;
        alignas(64) T changed[Brick<D>::cells];
        const T* r = without_bodies(level, b, y_[l], own, changed);
        relax_brick<D, T, kind>(level, b, colour, in, r, to);
        if constexpr (Last) gather_brick(level, b, to, partial_[l]);
        if (dots != nullptr) dots[b] = dot_brick<D>(own, to);
    });
}

template <int D, class T>
void Multigrid<D, T>::restrict_residual(std::size_t l, const T* x) {
    const auto& level = levels_[l];
    T* coarse = levels_[l + 1].r.data();
    for_each_brick("restrict", level, [&]<BrickKind kind>(std::ptrdiff_t b) {
        restrict_brick<D, T, kind>(
            level, b, x, coarse + std::ptrdiff_t{level.parent[static_cast<std::size_t>(b)]} * Brick<D>::cells);
    });
}

template <int D, class T>
void Multigrid<D, T>::correct(std::size_t l, const T* correction, T* x) {
    const auto& level = levels_[l];
    for_each_brick("correct", level, [&]<BrickKind kind>(std::ptrdiff_t b) {
        correct_brick<D, T, kind>(level, b, correction, x + b * Brick<D>::cells);
    });
}

template class Multigrid<2, float>;
template class Multigrid<2, double>;
template class Multigrid<3, float>;
template class Multigrid<3, double>;

}  // namespace tidelock
