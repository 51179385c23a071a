/// A staggered velocity as a point of the fluid sees it: linear between faces; where a solid stands between the point
/// and a face, that face has the velocity of what slips along the solid (numerics/transport 2): the solid's across its
/// surface, along it what the point sees. With the solid's own along it, too, liquid would stick to walls, and what
/// particles take for the velocity's gradient there would be a shear that no flow has.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "fluid/obstacles.h"
#include "fluid/particles.h"
#include "grid/halo.h"
#include "grid/interpolate.h"

namespace tidelock {

/// The 2^D samples of one centring around a point, held inside the domain as the Sampler does.
template <int D>
struct LinearStencil {
    Coord<D> low;
    Vec<D> fraction;
    std::array<bool, D> held;  ///< the point lies beyond the outermost samples along this axis

    LinearStencil(const Centring<D>& centring, const Coord<D>& last, const Vec<D>& x) {
        for (int a = 0; a < D; ++a) {
            double s = x[a] - centring.offset[a];
            held[static_cast<std::size_t>(a)] = s < 0 || s > last[a];
            s = s > 0 ? s : 0;
            s = s < last[a] ? s : last[a];
            low[a] = std::min(static_cast<int>(s), std::max(last[a] - 1, 0));
            fraction[a] = s - low[a];
        }
    }
    [[nodiscard]] Coord<D> sample(int n) const {
        Coord<D> at = low;
        for (int a = 0; a < D; ++a) at[a] += n >> a & 1;
        return at;
    }
    /// N of sample n without the factors of the axes in the mask `skip`.
    [[nodiscard]] double weight(int n, int skip = 0) const {
        double w = 1;
        for (int a = 0; a < D; ++a)
            if ((skip >> a & 1) == 0) w *= (n >> a & 1) != 0 ? fraction[a] : 1 - fraction[a];
        return w;
    }
    /// Derivative of N along an axis [1/cell].
    [[nodiscard]] double slope(int n, int axis) const {
        if (held[static_cast<std::size_t>(axis)]) return 0;
        return ((n >> axis & 1) != 0 ? 1 : -1) * weight(n, 1 << axis);
    }
};

/// With more room than this around a point [m] no solid stands between it and the samples around.
template <int D>
double room_to_see(const Grid<D>& grid) {
    return std::sqrt(double{D}) * grid.dx;
}

template <int D>
Clearance solid_clearance(const Grid<D>& grid, const Obstacles<D>* obstacles, const Vec<D>& x) {
    return obstacles != nullptr ? obstacles->clearance(x, 1.001 * room_to_see(grid)) : Clearance{};
}

/// Whether a solid may stand between a point with this clearance and the samples around it.
template <int D>
bool near_solid(const Grid<D>& grid, const Clearance& clearance) {
    return clearance.least <= room_to_see(grid);
}

/// The velocity around a brick, copied close together: linear interpolation there without asking which brick a sample
/// is in. The same values as a Sampler's.
template <int D>
class VelocityWindow {
  public:
    VelocityWindow(const Grid<D>& grid, const FaceField<D, double>& u, std::ptrdiff_t slot)
        : first_(first_cell<D>(u.set().brick(slot))) {
        for (int a = 0; a < D; ++a) {
            last_[static_cast<std::size_t>(a)] = grid.last_index(Centring<D>::face(a));
            component_[a].load(u[a].data(), u.set().neighbours(slot).data());
        }
    }

    /// Whether the faces around x [cell units] are in the window.
    [[nodiscard]] bool covers(const Vec<D>& x) const {
        bool all = true;
        for (int a = 0; a < D; ++a) {
            const double local = x[a] - first_[a];
            all = all && local >= 0.5 - rim && local < Brick<D>::size[a] + rim - 1;
        }
        return all;
    }
    [[nodiscard]] double linear(int axis, const Vec<D>& x) const {
        Vec<D> f;
        bool held[D];
        const double* p = locate(axis, x, f, held);
        if constexpr (D == 2) {
            return mix(f[1], mix(f[0], p[0], p[1]), mix(f[0], p[sy], p[sy + 1]));
        } else {
            const double low = mix(f[1], mix(f[0], p[0], p[1]), mix(f[0], p[sy], p[sy + 1]));
            const double high = mix(f[1], mix(f[0], p[sz], p[sz + 1]), mix(f[0], p[sz + sy], p[sz + sy + 1]));
            return mix(f[2], low, high);
        }
    }
    /// And the gradient [value per cell]; 0 along an axis on which x lies beyond the outermost samples.
    [[nodiscard]] double linear(int axis, const Vec<D>& x, Vec<D>& gradient) const {
        Vec<D> f;
        bool held[D];
        const double* p = locate(axis, x, f, held);
        double value;
        if constexpr (D == 2) {
            const double x0 = mix(f[0], p[0], p[1]), x1 = mix(f[0], p[sy], p[sy + 1]);
            gradient[0] = mix(f[1], p[1] - p[0], p[sy + 1] - p[sy]);
            gradient[1] = x1 - x0;
            value = mix(f[1], x0, x1);
        } else {
            const double x00 = mix(f[0], p[0], p[1]), x10 = mix(f[0], p[sy], p[sy + 1]);
            const double x01 = mix(f[0], p[sz], p[sz + 1]), x11 = mix(f[0], p[sz + sy], p[sz + sy + 1]);
            const double y0 = mix(f[1], x00, x10), y1 = mix(f[1], x01, x11);
            gradient[0] = mix(f[2], mix(f[1], p[1] - p[0], p[sy + 1] - p[sy]),
                              mix(f[1], p[sz + 1] - p[sz], p[sz + sy + 1] - p[sz + sy]));
            gradient[1] = mix(f[2], x10 - x00, x11 - x01);
            gradient[2] = y1 - y0;
            value = mix(f[2], y0, y1);
        }
        for (int a = 0; a < D; ++a)
            if (held[a]) gradient[a] = 0;
        return value;
    }

  private:
    static constexpr int rim = 2;
    using Buffer = HaloBuffer<D, rim, double>;
    static constexpr int sy = Buffer::sy, sz = Buffer::sz;
    static double mix(double f, double low, double high) { return low + f * (high - low); }

    /// The lowest sample around x, and the way to the next.
    const double* locate(int axis, const Vec<D>& x, Vec<D>& fraction, bool (&held)[D]) const {
        const Coord<D>& last = last_[static_cast<std::size_t>(axis)];
        int place = 0;
        for (int a = 0; a < D; ++a) {
            double s = a == axis ? x[a] : x[a] - 0.5;
            const double top = last[a];
            held[a] = s < 0 || s > top;
            s = s > 0 ? s : 0;
            s = s < top ? s : top;
            const int low = static_cast<int>(s);
            fraction[a] = s - low;
            place += (low - first_[a]) * Buffer::stride(a);
        }
        return component_[axis].v + Buffer::at(0, 0, 0) + place;
    }

    Coord<D> first_;
    std::array<Coord<D>, D> last_;
    Buffer component_[D];
};

/// Velocities at points anywhere in the domain. One per thread; the field outlives it.
template <int D>
class VisibleVelocity {
  public:
    VisibleVelocity(const Grid<D>& grid, const FaceField<D, double>& u, const Obstacles<D>* obstacles, Moment moment)
        : grid_(grid), u_(u), obstacles_(obstacles), moment_(moment), samplers_(u, grid) {}

    /// The next `count` points lie in this brick: worth a window if they are many.
    void enter(std::ptrdiff_t slot, std::size_t count) {
        constexpr std::size_t many = 128;  // loading takes as long as reading at about as many
        if (count < many || slot == u_.set().void_slot())
            window_.reset();
        else
            window_ = std::make_unique<VelocityWindow<D>>(grid_, u_, slot);
    }

    /// Velocity at x [m], and row a of `affine`: the gradient of component a [1/s].
    Vec<D> read(const Vec<D>& x, Mat<D>& affine) {
        const Clearance clearance = solid_clearance(grid_, obstacles_, x);
        if (near_solid(grid_, clearance)) return read_visible(x, clearance[moment_], affine);
        Vec<D> v;
        const Vec<D> place = grid_.to_cells(x);
        const bool in_window = window_ != nullptr && window_->covers(place);
        for (int a = 0; a < D; ++a) {
            Vec<D> gradient;
            v[a] = in_window ? window_->linear(a, place, gradient) : samplers_.component(a).linear(place, gradient);
            affine.row(a) = gradient.transpose() / grid_.dx;
        }
        return v;
    }

    /// The same without the gradients.
    Vec<D> read(const Vec<D>& x) { return read(x, solid_clearance(grid_, obstacles_, x)); }
    /// The same where the clearance is known.
    Vec<D> read(const Vec<D>& x, const Clearance& clearance) {
        if (near_solid(grid_, clearance)) {
            Mat<D> affine;
            return read_visible(x, clearance[moment_], affine);
        }
        const Vec<D> place = grid_.to_cells(x);
        if (window_ == nullptr || !window_->covers(place)) return sample_velocity(samplers_, place);
        Vec<D> v;
        for (int a = 0; a < D; ++a) v[a] = window_->linear(a, place);
        return v;
    }

  private:
    /// The samples around a point, and which of them it sees: bit n of `hidden` is that of sample n.
    struct View {
        LinearStencil<D> stencil;
        std::array<double, 1 << D> u{};
        unsigned hidden = 0;
    };
    Vec<D> read_visible(const Vec<D>& x, double clearance, Mat<D>& affine) const {
        std::array<View, D> views = look_around(x, clearance, std::make_index_sequence<D>());
        Vec<D> seen;
        unsigned hidden = 0;
        for (int a = 0; a < D; ++a) {
            const View& view = views[static_cast<std::size_t>(a)];
            seen[a] = mean_of_seen(view);
            hidden |= view.hidden;
        }
        Vec<D> v;
        for (int a = 0; a < D; ++a) {
            View& view = views[static_cast<std::size_t>(a)];
            if (hidden != 0) fill_hidden(a, x, seen, view);
            Vec<D> gradient = Vec<D>::Zero();
            v[a] = 0;
            for (int n = 0; n < (1 << D); ++n) {
                const double u = view.u[static_cast<std::size_t>(n)];
                v[a] += view.stencil.weight(n) * u;
                for (int b = 0; b < D; ++b) gradient[b] += view.stencil.slope(n, b) * u;
            }
            affine.row(a) = gradient.transpose() / grid_.dx;
        }
        return v;
    }
    template <std::size_t... Axes>
    [[nodiscard]] std::array<View, D> look_around(const Vec<D>& x, double clearance,
                                                  std::index_sequence<Axes...> /*axes*/) const {
        return {look(static_cast<int>(Axes), x, clearance)...};
    }
    [[nodiscard]] View look(int axis, const Vec<D>& x, double clearance) const {
        const auto centring = Centring<D>::face(axis);
        View view{LinearStencil<D>(centring, grid_.last_index(centring), grid_.to_cells(x))};
        view.hidden = obstacles_->hidden(x, clearance, moment_, {axis, view.stencil.low});
        for (int n = 0; n < (1 << D); ++n)
            if ((view.hidden >> n & 1) == 0) view.u[static_cast<std::size_t>(n)] = u_[axis].at(view.stencil.sample(n));
        return view;
    }
    /// Not a number if none is.
    static double mean_of_seen(const View& view) {
        double sum = 0, weight = 0;
        for (int n = 0; n < (1 << D); ++n) {
            if ((view.hidden >> n & 1) != 0) continue;
            sum += view.stencil.weight(n) * view.u[static_cast<std::size_t>(n)];
            weight += view.stencil.weight(n);
        }
        return weight > 0 ? sum / weight : std::numeric_limits<double>::quiet_NaN();
    }
    /// Where a solid is there is what slips along it.
    void fill_hidden(int axis, const Vec<D>& x, const Vec<D>& seen, View& view) const {
        for (int n = 0; n < (1 << D); ++n) {
            if ((view.hidden >> n & 1) == 0) continue;
            const auto centring = Centring<D>::face(axis);
            const Wall<D> wall = obstacles_->wall(x, grid_.position(view.stencil.sample(n), centring), moment_);
            Vec<D> fluid = seen;
            for (int a = 0; a < D; ++a)
                if (std::isnan(fluid[a])) fluid[a] = wall.velocity[a];
            view.u[static_cast<std::size_t>(n)] = wall.slip(fluid)[axis];
        }
    }

    const Grid<D>& grid_;
    const FaceField<D, double>& u_;
    const Obstacles<D>* obstacles_;
    Moment moment_;
    VelocitySampler<D, double> samplers_;
    std::unique_ptr<VelocityWindow<D>> window_;
};

/// Some of a list of points, from `first` to before `end`.
struct PointRange {
    std::size_t first, end;
};

/// Calls enter(slot, count) before and f(p) for each of the points, in runs of one brick.
template <int D, class Enter, class F>
void for_each_run_of_brick(const Grid<D>& grid, const BrickSet<D>& set, const std::vector<Vec<D>>& points,
                           const PointRange& range, Enter&& enter, F&& f) {
    const auto brick_at = [&](std::size_t p) { return brick_of<D>(particle_cell<D>(grid, points[p])); };
    for (std::size_t p = range.first; p < range.end;) {
        const Coord<D> brick = brick_at(p);
        std::size_t stop = p + 1;
        while (stop < range.end && brick_at(stop) == brick) ++stop;
        enter(set.find(brick), stop - p);
        for (; p < stop; ++p) f(p);
    }
}

}  // namespace tidelock
