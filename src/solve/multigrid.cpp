#include "solve/multigrid.h"

#include "base/error.h"
#include "base/parallel.h"
#include "solve/sweep.h"

namespace tidelock {

template <int D, class T>
Multigrid<D, T>::Multigrid(const PoissonOperator<D>& op, const RigidTerms<D>& bodies, const MultigridOptions& options) : options_(options) {
    if (options.sweeps < 1) throw InputError("multigrid.sweeps", "must be at least 1, got {}", options.sweeps);
    if (options.coarsest_unknowns < 1) throw InputError("multigrid.coarsest_unknowns", "must be at least 1, got {}", options.coarsest_unknowns);
    const ScopedTimer timer("multigrid set-up");
    levels_.push_back(finest_level<D, T>(op, bodies));
    while (levels_.back().unknowns > options.coarsest_unknowns) {
        auto next = coarser_level<D, T>(levels_.back(), options);
        levels_.push_back(std::move(next));
    }
    coarsest_ = CoarsestSolver<D, T>(levels_.back());
    for (const auto& level : levels_) {
        y_.emplace_back(Eigen::VectorXd::Zero(bodies.bodies() * rigid_dof<D>));
        partial_.emplace_back(level.bodies.runs().size());
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
    T *x = level.x.data(), *other = level.y.data();
    if (l + 1 == levels_.size()) {
        coarsest_.solve(level.r.data(), x);
        if (r_dot_z != nullptr) {
            *r_dot_z = 0;
            for (std::size_t i = 0; i < level.r.size(); ++i) *r_dot_z += static_cast<double>(level.r[i]) * static_cast<double>(x[i]);
        }
        return x;
    }
    auto& coarse = levels_[l + 1];

    if (options_.sweeps == 1) {
        pass<true, false, true>(l, nullptr, x, 0, nullptr, nullptr);
    } else {
        pass<true, false, false>(l, nullptr, x, 0, nullptr, nullptr);
        for (int s = 1; s < options_.sweeps; ++s, std::swap(x, other)) {
            gather_bodies(l);
            if (s + 1 < options_.sweeps)
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

    for (int s = 0; s < options_.sweeps; ++s, std::swap(x, other)) {
        double* dot = s + 1 == options_.sweeps ? r_dot_z : nullptr;
        if (s == 0) {
            pass<false, true, false>(l, x, other, 1, correction, dot);
        } else {
            gather_bodies(l);
            pass<false, false, false>(l, x, other, 1, nullptr, dot);
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
        for (int d = 0; d < rigid_dof<D>; ++d) s[bodies.runs()[r].body * rigid_dof<D> + d] += partial_[l][r][static_cast<std::size_t>(d)];
    y_[l] = bodies.solve_mass(s);
}

namespace {

/// r -= K^T y in the window, for the brick's own entries and those of its neighbours that the rim reaches.
template <int D, class T, class Window>
void subtract_bodies(Window& w, const StencilLevel<D, T>& level, std::ptrdiff_t b, const Eigen::VectorXd& y) {
    constexpr int H = Window::H;
    const auto& near = level.set->neighbours(b);
    for (int n = 0; n < Brick<D>::neighbours; ++n) {
        const auto other = near[static_cast<std::size_t>(n)];
        if (other == level.set->void_slot()) continue;
        Coord<D> shift;
        for (int a = 0, rest = n; a < D; ++a, rest /= 3) shift[a] = (rest % 3 - 1) * Brick<D>::size[a];
        for (auto run = level.run_start[static_cast<std::size_t>(other)]; run < level.run_start[static_cast<std::size_t>(other) + 1]; ++run) {
            const auto& range = level.bodies.runs()[static_cast<std::size_t>(run)];
            for (auto i = range.begin; i < range.end; ++i) {
                const auto& e = level.bodies.entries()[static_cast<std::size_t>(i)];
                const Coord<D> c = local_coord<D>(e.local) + shift;
                bool inside = true;
                for (int a = 0; a < D; ++a) inside = inside && c[a] >= -H && c[a] < Brick<D>::size[a] + H;
                if (!inside) continue;
                double sum = 0;
                for (int d = 0; d < rigid_dof<D>; ++d) sum += e.k[static_cast<std::size_t>(d)] * y[e.body * rigid_dof<D> + d];
                w.r.v[Window::Buffer::at(c[0], c[1], D == 3 ? c[D - 1] : 0)] -= static_cast<T>(sum);
            }
        }
    }
}

/// The brick's own part of K x, one sum per run.
template <int D, class T, class Window>
void gather_from_window(const Window& w, const StencilLevel<D, T>& level, std::ptrdiff_t b, std::vector<std::array<double, rigid_dof<D>>>& out) {
    for (auto run = level.run_start[static_cast<std::size_t>(b)]; run < level.run_start[static_cast<std::size_t>(b) + 1]; ++run) {
        const auto& range = level.bodies.runs()[static_cast<std::size_t>(run)];
        std::array<double, rigid_dof<D>> sum{};
        for (auto i = range.begin; i < range.end; ++i) {
            const auto& e = level.bodies.entries()[static_cast<std::size_t>(i)];
            const Coord<D> c = local_coord<D>(e.local);
            const auto x = static_cast<double>(w.x.v[Window::Buffer::at(c[0], c[1], D == 3 ? c[D - 1] : 0)]);
            for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += e.k[d] * x;
        }
        out[static_cast<std::size_t>(run)] = sum;
    }
}

template <int D, class T, class Window>
void load_coefficients(Window& w, const StencilLevel<D, T>& level, std::ptrdiff_t b) {
    std::int32_t near[Brick<D>::neighbours];
    for (int n = 0; n < Brick<D>::neighbours; ++n) near[n] = level.slot(level.set->neighbours(b)[static_cast<std::size_t>(n)]);
    for (int a = 0; a < D; ++a) w.conductance[a].load(level.conductance[a].data(), near);
    w.diagonal.load(level.diagonal.data(), near);
    w.inverse.load(level.inverse.data(), near);
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

template <int D, class T>
double dot_brick(const T* a, const T* b) {
    double sum = 0;
    for (int i = 0; i < Brick<D>::cells; i += 64) {
        T part[16] = {};
        for (int j = 0; j < 64; j += 16)
            for (int k = 0; k < 16; ++k) part[k] += a[i + j + k] * b[i + j + k];
        for (const T p : part) sum += static_cast<double>(p);
    }
    return sum;
}

}  // namespace

template <int D, class T>
template <bool FromZero, bool Correct, bool Residual>
void Multigrid<D, T>::pass(std::size_t l, const T* in, T* out, int first_colour, const T* correction, double* dot) {
    using Window = SweepWindow<D, T, FromZero, Residual>;
    auto& level = levels_[l];
    const T inverse_centre = 1 / (static_cast<T>(2 * D) * level.uniform);
    const ColourRow<T> plain_weight(inverse_centre), unit_weight(T{1});
    static constexpr const char* label = FromZero ? "smooth from zero" : Correct ? "correct and smooth" : Residual ? "smooth and restrict" : "smooth";
    parallel_for(label, level.set->count(), [&](std::ptrdiff_t b) {
        thread_local Window w;
        constexpr int E = Window::E;
        const auto& near = level.set->neighbours(b);
        const bool plain = level.plain[static_cast<std::size_t>(b)] != 0;
        w.r.load(level.r.data(), near.data());
        if (!plain) load_coefficients(w, level, b);
        const auto& weight = plain ? plain_weight : unit_weight;
        if constexpr (FromZero) {
            start_from_zero<D, T>(w, E + 1, first_colour, plain, weight);
        } else {
            if (level.near_body[static_cast<std::size_t>(b)]) subtract_bodies(w, level, b, y_[l]);
            w.x.load(in, near.data());
            if constexpr (Correct)
                add_correction<D, T>(w, plain, correction, levels_[l + 1].set->neighbours(level.parent[static_cast<std::size_t>(b)]).data(), level.set->brick(b));
            if (plain)
                sweep_plain<D, T>(w, E + 1, first_colour, level.uniform, weight);
            else
                sweep_stored<D, T>(w, E + 1, first_colour, weight);
        }
        if (plain)
            sweep_plain<D, T>(w, E, 1 - first_colour, level.uniform, weight);
        else
            sweep_stored<D, T>(w, E, 1 - first_colour, weight);
        store_brick<D, T>(w.x, out + b * Brick<D>::cells);
        if (!level.bodies.empty()) gather_from_window(w, level, b, partial_[l]);
        if constexpr (Residual) {
            // K^T y of this sweep is not part of the residual; the caller subtracts the new one on the coarse level.
            if (!FromZero && level.near_body[static_cast<std::size_t>(b)]) w.r.load(level.r.data(), near.data());
            auto& coarse = levels_[l + 1];
            restrict_residual<D, T>(w, plain, level.uniform, coarse.r.data() + std::ptrdiff_t{level.parent[static_cast<std::size_t>(b)]} * Brick<D>::cells, level.set->brick(b));
        }
        if (dot != nullptr) dots_[static_cast<std::size_t>(b)] = dot_brick<D, T>(level.r.data() + b * Brick<D>::cells, out + b * Brick<D>::cells);
    });
}

template class Multigrid<2, float>;
template class Multigrid<2, double>;
template class Multigrid<3, float>;
template class Multigrid<3, double>;

}  // namespace tidelock
