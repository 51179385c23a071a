/// Values of a field between its samples: (bi-, tri-) linear and cubic interpolation at a point in cell units.
///
/// Source   Cubic: [CR74], the Hermite cubic with central-difference slopes, one axis after the other. It
///          reproduces polynomials of degree 2 and can overshoot; cubic_limited clamps it to the 2^D corners of the
///          point's cell (numerics/transport 1), which keeps bounds and costs the order at extrema.
/// Outside  Inactive bricks read the field's background. With a Grid, the point is first clamped to the samples inside
///          the domain and taps beyond them repeat the last one; without, everything outside reads the background.
/// Speed    A Sampler remembers the brick of its last sample. A stencil inside one brick is plain strides; one that
///          crosses reads the neighbour table. The lattice is looked up only when the brick changes to a far one.
/// Contract One Sampler per thread (copying is cheap); the field outlives it. A coordinate that is not a number is
///          taken as the lower end. The result is the same whatever was sampled before.
#pragma once

#include <limits>

#include "grid/domain.h"

namespace tidelock {

constexpr int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

/// Weights of the Catmull-Rom cubic at fraction f in [0, 1] between taps 1 and 2; they sum to 1.
TIDELOCK_HD inline std::array<double, 4> catmull_rom(double f) {
    return {f * (-0.5 + f * (1.0 - 0.5 * f)), 1.0 + f * f * (-2.5 + 1.5 * f), f * (0.5 + f * (2.0 - 1.5 * f)),
            f * f * (-0.5 + 0.5 * f)};
}

template <int D, class T>
class Sampler {
  public:
    Sampler() = default;
    /// Background outside the lattice.
    Sampler(const Field<D, T>& field, const Centring<D>& centring) : field_(&field), offset_(centring.offset) {
        for (int a = 0; a < D; ++a) {
            low_[a] = -4, high_[a] = field.set().lattice()[a] * Brick<D>::size[a] + 4;  // beyond every stencil
            tap_low_[a] = std::numeric_limits<int>::min(), tap_high_[a] = std::numeric_limits<int>::max();
        }
        move_home(Coord<D>::Zero());
    }
    /// Clamped to the domain.
    Sampler(const Field<D, T>& field, const Centring<D>& centring, const Grid<D>& grid)
        : field_(&field), offset_(centring.offset), tap_low_(Coord<D>::Zero()), tap_high_(grid.last_index(centring)) {
        low_.setZero();
        high_ = tap_high_.template cast<double>();
        move_home(Coord<D>::Zero());
    }

    /// Linear interpolation at x [cell units].
    [[nodiscard]] double linear(const Vec<D>& x) {
        Vec<D> f;
        double v[1 << D];
        gather<2>(locate(x, f), v);
        return reduce(v, f);
    }

    /// Gradient of the linear interpolant [value per cell]; divide by dx for [value/m]. Constant along its own axis
    /// inside a cell of samples, so it jumps between them.
    [[nodiscard]] Vec<D> gradient(const Vec<D>& x) {
        Vec<D> f, g;
        double v[1 << D];
        gather<2>(locate(x, f), v);
        for (int a = 0; a < D; ++a) {
            double w[1 << D];
            for (int n = 0; n < (1 << D); ++n) w[n] = v[n | (1 << a)] - v[n & ~(1 << a)];
            g[a] = reduce(w, f);
        }
        return g;
    }

    /// Value and gradient [value per cell] at once. Along an axis on which x was clamped the gradient is 0, as that of
    /// the clamped interpolant.
    [[nodiscard]] double linear(const Vec<D>& x, Vec<D>& gradient) {
        Vec<D> f;
        double v[1 << D];
        gather<2>(locate(x, f), v);
        for (int a = 0; a < D; ++a) {
            double w[1 << D];
            for (int n = 0; n < (1 << D); ++n) w[n] = v[n | (1 << a)] - v[n & ~(1 << a)];
            const double s = x[a] - offset_[a];
            gradient[a] = s < low_[a] || s > high_[a] ? 0.0 : reduce(w, f);
        }
        return reduce(v, f);
    }

    /// Cubic interpolation at x [cell units], exact for polynomials of degree 2; may leave the range of the samples.
    [[nodiscard]] double cubic(const Vec<D>& x) {
        Vec<D> f;
        double v[power(4, D)];
        gather<4>(locate(x, f), v);
        return reduce_cubic(v, f);
    }

    /// The same clamped to the range of the 2^D samples around x.
    [[nodiscard]] double cubic_limited(const Vec<D>& x) {
        Vec<D> f;
        double v[power(4, D)];
        gather<4>(locate(x, f), v);
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (int n = 0; n < (1 << D); ++n) {
            int corner = 0;
            for (int a = 0; a < D; ++a) corner += (1 + ((n >> a) & 1)) * power(4, a);
            least = std::min(least, v[corner]);
            most = std::max(most, v[corner]);
        }
        return std::clamp(reduce_cubic(v, f), least, most);
    }

    /// Least and greatest of the 2^D samples around x.
    [[nodiscard]] std::pair<double, double> range(const Vec<D>& x) {
        Vec<D> f;
        double v[1 << D];
        gather<2>(locate(x, f), v);
        const auto [least, most] = std::minmax_element(v, v + (1 << D));
        return {*least, *most};
    }

  private:
    /// Sample at or below x along each axis, and the fraction of the way to the next.
    Coord<D> locate(const Vec<D>& x, Vec<D>& fraction) const {
        Coord<D> i;
        for (int a = 0; a < D; ++a) {
            double s = x[a] - offset_[a];
            s = s > low_[a] ? s : low_[a];
            s = s < high_[a] ? s : high_[a];
            const double whole = std::floor(s);
            fraction[a] = s - whole;
            i[a] = static_cast<int>(whole);
        }
        return i;
    }

    /// The N^D samples from i - (N/2 - 1) on, x fastest.
    template <int N>
    void gather(const Coord<D>& i, double* out) {
        constexpr int rows = power(N, D - 1);
        const Coord<D> b = brick_of<D>(i);
        if (b != home_) move_home(b);
        Coord<D> first, l;
        bool plain = true;
        for (int a = 0; a < D; ++a) {
            first[a] = i[a] - (N / 2 - 1);
            l[a] = first[a] - (b[a] << Brick<D>::bits[a]);
            plain = plain && l[a] >= 0 && l[a] + N <= Brick<D>::size[a] && first[a] >= tap_low_[a] &&
                    first[a] <= tap_high_[a] - (N - 1);
        }
        if (plain) {
            const T* p = field_->data() + static_cast<std::ptrdiff_t>(slot_) * Brick<D>::cells;
            for (int a = 0, shift = 0; a < D; shift += Brick<D>::bits[a], ++a) p += l[a] << shift;
            for (int row = 0; row < rows; ++row) {
                const T* q = p;
                for (int a = 1, rest = row, shift = 0; a < D; ++a, rest /= N)
                    shift += Brick<D>::bits[a - 1], q += (rest % N) << shift;
                for (int k = 0; k < N; ++k) out[row * N + k] = q[k];
            }
        } else {
            gather_across<N>(first, out);
        }
    }

    /// The same over several bricks, by the row of the neighbour table.
    template <int N>
    void gather_across(const Coord<D>& first, double* out) {
        int side[D][N], place[D][N];  // contributions of each tap to the place in the row and in the brick
        for (int a = 0, shift = 0; a < D; shift += Brick<D>::bits[a], ++a)
            for (int k = 0; k < N; ++k) {
                const int c = std::clamp(first[a] + k, tap_low_[a], tap_high_[a]) - (home_[a] << Brick<D>::bits[a]);
                side[a][k] = (c >> Brick<D>::bits[a]) * power(3, a);
                place[a][k] = (c & (Brick<D>::size[a] - 1)) << shift;
            }
        if (row_ == nullptr && !own_row_known_) {
            own_row_ = field_->set().neighbours_of(home_);
            own_row_known_ = true;
        }
        const std::int32_t* centre = (row_ != nullptr ? row_ : own_row_.data()) + Brick<D>::neighbours / 2;
        for (int row = 0; row < power(N, D - 1); ++row) {
            int s = 0, p = 0;
            for (int a = 1, rest = row; a < D; ++a, rest /= N) s += side[a][rest % N], p += place[a][rest % N];
            for (int k = 0; k < N; ++k)
                out[row * N + k] =
                    field_->data()[static_cast<std::ptrdiff_t>(centre[s + side[0][k]]) * Brick<D>::cells + p +
                                   place[0][k]];
        }
    }

    void move_home(const Coord<D>& brick) {
        const auto& set = field_->set();
        const Coord<D> step = brick - home_;
        const bool near = row_ != nullptr && (step.array() >= -1).all() && (step.array() <= 1).all();
        slot_ = near ? row_[neighbour_slot<D>(step)] : set.find(brick);
        row_ = slot_ != set.void_slot() ? set.neighbours(slot_).data() : nullptr;
        own_row_known_ = false;
        home_ = brick;
    }

    static double reduce(const double* v, const Vec<D>& f) {
        double w[1 << D];
        for (int n = 0; n < (1 << D); ++n) w[n] = v[n];
        for (int a = 0, left = 1 << (D - 1); a < D; ++a, left /= 2)
            for (int n = 0; n < left; ++n) w[n] = w[2 * n] + f[a] * (w[2 * n + 1] - w[2 * n]);
        return w[0];
    }
    static double reduce_cubic(double* v, const Vec<D>& f) {
        for (int a = 0, left = power(4, D - 1); a < D; ++a, left /= 4) {
            const auto w = catmull_rom(f[a]);
            for (int n = 0; n < left; ++n)
                v[n] = w[0] * v[4 * n] + w[1] * v[4 * n + 1] + w[2] * v[4 * n + 2] + w[3] * v[4 * n + 3];
        }
        return v[0];
    }

    const Field<D, T>* field_ = nullptr;
    Vec<D> offset_, low_, high_;
    Coord<D> tap_low_, tap_high_;
    Coord<D> home_ = Coord<D>::Constant(-2);
    std::int32_t slot_ = 0;
    const std::int32_t* row_ = nullptr;  ///< the home brick's row; null when it is not active: then own_row_, on demand
    bool own_row_known_ = false;
    typename BrickSet<D>::Neighbours own_row_{};
};

/// The D components of a staggered velocity at one point. One per thread.
template <int D, class T>
class VelocitySampler {
  public:
    explicit VelocitySampler(const FaceField<D, T>& u) {
        for (int a = 0; a < D; ++a) component(a) = Sampler<D, T>(u[a], Centring<D>::face(a));
    }
    VelocitySampler(const FaceField<D, T>& u, const Grid<D>& grid) {
        for (int a = 0; a < D; ++a) component(a) = Sampler<D, T>(u[a], Centring<D>::face(a), grid);
    }
    [[nodiscard]] Sampler<D, T>& component(int axis) { return components_[static_cast<std::size_t>(axis)]; }

  private:
    std::array<Sampler<D, T>, D> components_;
};

/// Velocity at x [cell units], each component linear between its own faces.
template <int D, class T>
Vec<D> sample_velocity(VelocitySampler<D, T>& u, const Vec<D>& x) {
    Vec<D> v;
    for (int a = 0; a < D; ++a) v[a] = u.component(a).linear(x);
    return v;
}

}  // namespace tidelock
