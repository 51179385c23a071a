/// A staggered velocity as a point of the fluid sees it: linear between faces; where a solid stands between the point
/// and a face, that face has the solid's velocity (METHODS 3.6, 3.7).
#pragma once

#include "fluid/obstacles.h"
#include "grid/interpolate.h"

namespace tidelock {

/// The 2^D faces of one component around a point, held inside the domain as the Sampler does.
template <int D>
struct FaceStencil {
    Coord<D> low;
    Vec<D> fraction;
    std::array<bool, D> held;  ///< the point lies beyond the outermost samples along this axis

    FaceStencil(const Centring<D>& centring, const Coord<D>& last, const Vec<D>& x) {
        for (int a = 0; a < D; ++a) {
            double s = x[a] - centring.offset[a];
            held[static_cast<std::size_t>(a)] = s < 0 || s > last[a];
            s = s > 0 ? s : 0;
            s = s < last[a] ? s : last[a];
            low[a] = std::min(static_cast<int>(s), std::max(last[a] - 1, 0));
            fraction[a] = s - low[a];
        }
    }
    [[nodiscard]] Coord<D> face(int n) const {
        Coord<D> f = low;
        for (int a = 0; a < D; ++a) f[a] += n >> a & 1;
        return f;
    }
    /// N of face n without the factors of the axes in the mask `skip`.
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

/// Whether a solid may stand between a particle and the faces around it.
template <int D>
bool near_solid(const Grid<D>& grid, const Obstacles<D>* obstacles, const Vec<D>& x) {
    return obstacles != nullptr && obstacles->clearance(x) <= std::sqrt(double{D}) * grid.dx;
}

/// When solids are looked at: at the beginning or at the end of the step.
enum class Moment { beginning, end };

/// Velocities at points anywhere in the domain. One per thread; the field outlives it.
template <int D>
class VisibleVelocity {
  public:
    VisibleVelocity(const Grid<D>& grid, const FaceField<D, double>& u, const Obstacles<D>* obstacles, Moment moment)
        : grid_(grid), u_(u), obstacles_(obstacles), moment_(moment), samplers_(u, grid) {}

    /// Velocity at x [m], and row a of `affine`: the gradient of component a [1/s].
    Vec<D> read(const Vec<D>& x, Mat<D>& affine) {
        Vec<D> v;
        const bool careful = near_solid(grid_, obstacles_, x);
        for (int a = 0; a < D; ++a) {
            Vec<D> gradient;
            v[a] = careful ? read_visible(a, x, gradient) : samplers_.component(a).linear(grid_.to_cells(x), gradient);
            affine.row(a) = gradient.transpose() / grid_.dx;
        }
        return v;
    }

    /// The same without the gradients.
    Vec<D> read(const Vec<D>& x) {
        Mat<D> affine;
        if (near_solid(grid_, obstacles_, x)) return read(x, affine);
        return sample_velocity(samplers_, grid_.to_cells(x));
    }

  private:
    double read_visible(int axis, const Vec<D>& x, Vec<D>& gradient) const {
        const auto centring = Centring<D>::face(axis);
        const FaceStencil<D> stencil(centring, grid_.last_index(centring), grid_.to_cells(x));
        double v = 0;
        gradient.setZero();
        for (int n = 0; n < (1 << D); ++n) {
            const Coord<D> face = stencil.face(n);
            const Vec<D> where = grid_.position(face, centring);
            const double u = value(axis, face, x, where);
            v += stencil.weight(n) * u;
            for (int b = 0; b < D; ++b) gradient[b] += stencil.slope(n, b) * u;
        }
        return v;
    }

    [[nodiscard]] double value(int axis, const Coord<D>& face, const Vec<D>& x, const Vec<D>& where) const {
        Vec<D> solid;
        if (moment_ == Moment::beginning) return obstacles_->hides(x, where, solid) ? solid[axis] : u_[axis].at(face);
        return obstacles_->hides_after(x, where) ? obstacles_->solid_velocity(where)[axis] : u_[axis].at(face);
    }

    const Grid<D>& grid_;
    const FaceField<D, double>& u_;
    const Obstacles<D>* obstacles_;
    Moment moment_;
    VelocitySampler<D, double> samplers_;
};

}  // namespace tidelock
