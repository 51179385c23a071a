#include "solve/multigrid.h"

#include "base/error.h"
#include "base/parallel.h"
#include "base/scratch.h"
#include "grid/prefetch.h"
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

    if (sweeps == 1) {
        pass<true, false, true>(l, nullptr, x, 0, nullptr, nullptr);
    } else {
        pass<true, false, false>(l, nullptr, x, 0, nullptr, nullptr);
        for (int s = 1; s < sweeps; ++s, std::swap(x, other)) {
            gather_bodies(l);
            if (s + 1 < sweeps)
                pass<false, false, false>(l, x, other, 0, nullptr, nullptr);
            else
                pass<false, false, true>(l, x, other, 0, nullptr, nullptr);
        }
    }
    gather_bodies(l);
    // The residual's low-rank part is restricted through K of the coarse level: P^T K^T y = (K P)^T y.
    if (!level.bodies.empty()) coarse.bodies.scatter_add(y_[l], -1.0, coarse.r.data());

    const T* correction = cycle(l + 1, nullptr);
    if (!level.bodies.empty()) y_[l] += level.bodies.solve_mass(coarse.bodies.gather(correction));

    for (int s = 0; s < sweeps; ++s, std::swap(x, other)) {
        double* dots = s + 1 == sweeps && r_dot_z != nullptr ? dots_.data() : nullptr;
        if (s == 0) {
            pass<false, true, false>(l, x, other, 1, correction, dots);
        } else {
            gather_bodies(l);
            pass<false, false, false>(l, x, other, 1, nullptr, dots);
        }
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

/// r -= K^T y in the window, for the brick's own entries and those of its neighbours that the rim reaches.
template <int D, class T, class Window>
void subtract_bodies(Window& w, const StencilLevel<D, T>& level, std::ptrdiff_t b, const Eigen::VectorXd& y) {
    constexpr int H = Window::E + 1;  // the right-hand side's rim
    const auto& near = level.set->neighbours(b);
    for (int n = 0; n < Brick<D>::neighbours; ++n) {
        const auto other = near[static_cast<std::size_t>(n)];
        if (other == level.set->void_slot()) continue;
        Coord<D> shift;
        for (int a = 0, rest = n; a < D; ++a, rest /= 3) shift[a] = (rest % 3 - 1) * Brick<D>::size[a];
        for (auto run = level.run_start[static_cast<std::size_t>(other)];
             run < level.run_start[static_cast<std::size_t>(other) + 1]; ++run) {
            const auto& range = level.bodies.runs()[static_cast<std::size_t>(run)];
            for (auto i = range.begin; i < range.end; ++i) {
                const auto& e = level.bodies.entries()[static_cast<std::size_t>(i)];
                const Coord<D> c = local_coord<D>(e.local) + shift;
                bool inside = true;
                for (int a = 0; a < D; ++a) inside = inside && c[a] >= -H && c[a] < Brick<D>::size[a] + H;
                if (!inside) continue;
                double sum = 0;
                for (int d = 0; d < rigid_dof<D>; ++d)
                    sum += e.k[static_cast<std::size_t>(d)] * y[e.body * rigid_dof<D> + d];
                w.r.v[Window::Narrow::at(c[0], c[1], D == 3 ? c[D - 1] : 0)] -= static_cast<T>(sum);
            }
        }
    }
}

/// The brick's own part of K x, one sum per run.
template <int D, class T, class Window>
void gather_from_window(const Window& w, const StencilLevel<D, T>& level, std::ptrdiff_t b,
                        std::vector<std::array<double, rigid_dof<D>>>& out) {
    for (auto run = level.run_start[static_cast<std::size_t>(b)];
         run < level.run_start[static_cast<std::size_t>(b) + 1]; ++run) {
        const auto& range = level.bodies.runs()[static_cast<std::size_t>(run)];
        std::array<double, rigid_dof<D>> sum{};
        for (auto i = range.begin; i < range.end; ++i) {
            const auto& e = level.bodies.entries()[static_cast<std::size_t>(i)];
            const Coord<D> c = local_coord<D>(e.local);
            const auto x = static_cast<double>(w.x.v[Window::Wide::at(c[0], c[1], D == 3 ? c[D - 1] : 0)]);
            for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += e.k[d] * x;
        }
        out[static_cast<std::size_t>(run)] = sum;
    }
}

template <int D, class T, BrickKind kind, class Window>
void load_coefficients(Window& w, const StencilLevel<D, T>& level, std::ptrdiff_t b) {
    if constexpr (kind == BrickKind::plain) return;
    std::int32_t near[Brick<D>::neighbours];
    for (int n = 0; n < Brick<D>::neighbours; ++n)
        near[n] = level.slot(level.set->neighbours(b)[static_cast<std::size_t>(n)]);
    w.inverse.load_diamond(level.inverse.data(), near);
    if constexpr (kind == BrickKind::masked)
        w.flags.load_diamond(level.flags.data(), near);
    else
        for (int a = 0; a < D; ++a) w.conductance[a].load_diamond(level.conductance[a].data(), near);
    if constexpr (kind == BrickKind::bodied) w.diagonal.load_diamond(level.diagonal.data(), near);
}

/// Copies the brick's own cells out of the window.
template <int D, class T, class Buffer>
void store_brick(const Buffer& buffer, T* out) {
    for (int z = 0; z < Buffer::nz; ++z)
        for (int y = 0; y < Buffer::ny; ++y) {
            const T* x = buffer.v + Buffer::at(0, y, z);
            T* row = out + Buffer::nx * (y + Buffer::ny * z);
            for (int i = 0; i < Buffer::nx; ++i) row[i] = x[i];
        }
}

}  // namespace

template <int D, class T>
template <BrickKind kind, bool FromZero, bool Correct, bool Residual>
void Multigrid<D, T>::sweep_brick(std::size_t l, std::ptrdiff_t b, const Sweep& sweep) {
    using Window = SweepWindow<D, T, FromZero, Correct, Residual>;
    auto& w = thread_scratch<Window>();
    constexpr int E = Window::E;
    auto& level = levels_[l];
    const auto& near = level.set->neighbours(b);
    T* out = sweep.out + b * Brick<D>::cells;

    prefetch_for_writing<D>(sweep.out, b);
    w.r.load_diamond(level.r.data(), near.data());
    load_coefficients<D, T, kind>(w, level, b);
    if constexpr (FromZero) {
        start_from_zero<D, T, kind>(w, E + 1, sweep.first_colour, level.uniform);
    } else {
        if (level.near_body[static_cast<std::size_t>(b)]) subtract_bodies(w, level, b, y_[l]);
        w.x.load_diamond(sweep.in, near.data());
        if constexpr (Correct) {
            const auto parent = level.parent[static_cast<std::size_t>(b)];
            add_correction<D, T, kind>(w, sweep.correction, levels_[l + 1].set->neighbours(parent).data(),
                                       level.set->brick(b));
        }
        relax<D, T, kind>(w, E + 1, sweep.first_colour, level.uniform);
    }
    prefetch_next<D, E + 1>(*level.set, b, level.r.data());
    if constexpr (!FromZero) prefetch_next<D, Window::H>(*level.set, b, sweep.in);
    relax<D, T, kind>(w, E, 1 - sweep.first_colour, level.uniform);
    store_brick<D, T>(w.x, out);
    if (!level.bodies.empty()) gather_from_window(w, level, b, partial_[l]);
    const T* r = level.r.data() + b * Brick<D>::cells;
    if constexpr (Residual) {
        // The bodies' part of the residual is subtracted on the coarse level.
        T* coarse =
            levels_[l + 1].r.data() + std::ptrdiff_t{level.parent[static_cast<std::size_t>(b)]} * Brick<D>::cells;
        restrict_residual<D, T, kind>(w, level.uniform, r, level.diagonal.data() + level.offset(b), coarse,
                                      level.set->brick(b));
    }
    if (sweep.dots != nullptr) sweep.dots[b] = dot_brick<D>(r, out);
}

template <int D, class T>
template <bool FromZero, bool Correct, bool Residual>
void Multigrid<D, T>::pass(std::size_t l, const T* in, T* out, int first_colour, const T* correction, double* dots) {
    const auto& level = levels_[l];
    const Sweep sweep{in, out, correction, first_colour, dots};
    static constexpr const char* label = FromZero   ? "smooth from zero"
                                         : Correct  ? "correct and smooth"
                                         : Residual ? "smooth and restrict"
                                                    : "smooth";
    parallel_for(label, level.set->count(), [&](std::ptrdiff_t b) {
        switch (level.kind[static_cast<std::size_t>(b)]) {
            case BrickKind::plain:
                return sweep_brick<BrickKind::plain, FromZero, Correct, Residual>(l, b, sweep);
            case BrickKind::masked:
                return sweep_brick<BrickKind::masked, FromZero, Correct, Residual>(l, b, sweep);
            case BrickKind::stored:
                return sweep_brick<BrickKind::stored, FromZero, Correct, Residual>(l, b, sweep);
            case BrickKind::bodied:
                return sweep_brick<BrickKind::bodied, FromZero, Correct, Residual>(l, b, sweep);
        }
    });
}

template class Multigrid<2, float>;
template class Multigrid<2, double>;
template class Multigrid<3, float>;
template class Multigrid<3, double>;

}  // namespace tidelock
