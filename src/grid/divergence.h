/// Divergence of a staggered velocity and gradient of a cell field, with open fractions of the faces.
///
///   (D u)_c = (1/dx) * sum_f s_cf A_f u_f        s_cf = +1 on the upper face of each axis, -1 on the lower     [BBB07]
///   (G p)_f = (p_hi - p_lo) / dx                 0 where A_f = 0
///
/// Promise  <D u, p> = -<u, G p>_A with <u, v>_A = sum_f A_f u_f v_f, term by term, wherever the domain is closed: A_f
///          = 0 on its outer faces and on faces between an active and an inactive brick, and a background of 0.
/// Symbols  u velocity [m/s], A_f in [0, 1] open fraction of face f [-], p any cell value, dx edge of a cell [m].
/// Not here flux carried by moving solids.
#pragma once

#include "grid/field.h"

namespace tidelock {

/// Face values around a place in a buffer: lower face along an axis at the place, upper face one stride on.
template <int D, class T>
struct FaceView {
    std::array<const T*, D> values;
    std::array<int, D> stride;
    [[nodiscard]] TIDELOCK_HD T lower(int axis, int c) const { return values[static_cast<std::size_t>(axis)][c]; }
    [[nodiscard]] TIDELOCK_HD T upper(int axis, int c) const {
        return values[static_cast<std::size_t>(axis)][c + stride[static_cast<std::size_t>(axis)]];
    }
};

/// Stands for area fractions that are all 1.
struct OpenFaces {
    TIDELOCK_HD static float lower(int, int) { return 1; }
    TIDELOCK_HD static float upper(int, int) { return 1; }
};

/// (D u)_c at place c of the views [1/s].
template <int D, class Velocity, class Area>
TIDELOCK_HD double divergence_at(int c, const Velocity& u, const Area& area, double inv_dx) {
    double flux = 0;
    for (int axis = 0; axis < D; ++axis)
        flux += static_cast<double>(area.upper(axis, c)) * u.upper(axis, c) -
                static_cast<double>(area.lower(axis, c)) * u.lower(axis, c);
    return flux * inv_dx;
}

/// out = D u. `area` may be null (all open). All fields share one set; T and A are float or double.
template <int D, class T, class A>
void divergence(const FaceField<D, T>& u, const FaceField<D, A>* area, double dx, Field<D, T>& out);

/// out = G p.
template <int D, class T, class A>
void gradient(const Field<D, T>& p, const FaceField<D, A>* area, double dx, FaceField<D, T>& out);

/// The same into new fields with background 0.
template <int D, class T, class A>
Field<D, T> divergence(const FaceField<D, T>& u, const FaceField<D, A>& area, double dx) {
    Field<D, T> out(u.set_ptr());
    divergence<D, T, A>(u, &area, dx, out);
    return out;
}
template <int D, class T>
Field<D, T> divergence(const FaceField<D, T>& u, double dx) {
    Field<D, T> out(u.set_ptr());
    divergence<D, T, float>(u, nullptr, dx, out);
    return out;
}
template <int D, class T, class A>
FaceField<D, T> gradient(const Field<D, T>& p, const FaceField<D, A>& area, double dx) {
    FaceField<D, T> out(p.set_ptr());
    gradient<D, T, A>(p, &area, dx, out);
    return out;
}
template <int D, class T>
FaceField<D, T> gradient(const Field<D, T>& p, double dx) {
    FaceField<D, T> out(p.set_ptr());
    gradient<D, T, float>(p, nullptr, dx, out);
    return out;
}

}  // namespace tidelock
