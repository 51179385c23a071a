/// Parts of edges and cells that lie in a region, from signed distances at their corners.
///
/// Every function returns the fraction with phi < 0, in [0, 1], exact where phi is linear, and continuous in the
/// values. phi = 0 counts as outside.
/// Source   numerics/interface 4: cells by 2^D sub-cells cut in closed form.
/// Corners  index bit a set = upper end along axis a: in 2D 00, 10, 01, 11 (x fastest); grids of 3^D likewise.
/// Plain functions of numbers without memory or branches on types: also device code.
#pragma once

#include "base/vec.h"

namespace tidelock {

/// Of an edge between two values.
TIDELOCK_HD inline double edge_fraction(double a, double b) {
    if (a < 0) return b < 0 ? 1.0 : a / (a - b);
    return b < 0 ? b / (b - a) : 0.0;
}

namespace fractions_detail {

/// One corner `a` of one sign, the others of the other sign: the part cut off at a.
TIDELOCK_HD inline double corner_part(double a, double b, double c, double d) {
    return (a / (a - b)) * (a / (a - c)) * (a / (a - d));
}
/// The same of a triangle.
TIDELOCK_HD inline double corner_part(double a, double b, double c) { return (a / (a - b)) * (a / (a - c)); }
/// a, b inside and c, d outside: the wedge between them, as three tetrahedra.
TIDELOCK_HD inline double wedge_part(double a, double b, double c, double d) {
    const double ac = a / (a - c), ad = a / (a - d), bc = b / (b - c), bd = b / (b - d);
    return ac * ad * (1 - bd) + ac * bd * (1 - bc) + bc * bd;
}

/// Values by their sign, each kind in the order given.
template <int N>
struct BySign {
    double in[N] = {}, out[N] = {};
    int inside = 0;
    TIDELOCK_HD explicit BySign(const double (&phi)[N]) {
        int outside = 0;
        for (const double value : phi) (value < 0 ? in[inside++] : out[outside++]) = value;
    }
};

}  // namespace fractions_detail

/// Of a tetrahedron.
TIDELOCK_HD inline double tetrahedron_fraction(double a, double b, double c, double d) {
    using fractions_detail::corner_part, fractions_detail::wedge_part;
    const auto [in, out, inside] = fractions_detail::BySign<4>({a, b, c, d});
    switch (inside) {
        case 0:
            return 0;
        case 1:
            return corner_part(in[0], out[0], out[1], out[2]);
        case 2:
            return wedge_part(in[0], in[1], out[0], out[1]);
        case 3:
            return 1 - corner_part(out[0], in[0], in[1], in[2]);
        default:
            return 1;
    }
}

/// Of a cube from its 8 corners: six tetrahedra around the diagonal from corner `start` to the opposite one.
TIDELOCK_HD inline double cube_fraction(const double (&phi)[8], int start = 0) {
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
        for (int turn = 1; turn <= 2; ++turn) {
            const int first = 1 << a, second = first | 1 << (a + turn) % 3;
            sum += tetrahedron_fraction(phi[start], phi[start ^ first], phi[start ^ second], phi[start ^ 7]);
        }
    }
    return sum / 6;
}

/// Of a triangle.
TIDELOCK_HD inline double triangle_fraction(double a, double b, double c) {
    using fractions_detail::corner_part;
    const auto [in, out, inside] = fractions_detail::BySign<3>({a, b, c});
    switch (inside) {
        case 0:
            return 0;
        case 1:
            return corner_part(in[0], out[0], out[1]);
        case 2:
            return 1 - corner_part(out[0], in[0], in[1]);
        default:
            return 1;
    }
}

/// Of a 2D cell from 3 x 3 values: four quarters, each cut into two triangles along the diagonal to the middle.
TIDELOCK_HD inline double cell_fraction(const double (&phi)[9]) {
    double sum = 0;
    for (int corner = 0; corner < 4; ++corner) {
        const int x = (corner & 1) * 2, y = (corner >> 1) * 2;
        const double outer = phi[x + 3 * y], middle = phi[4];
        sum += triangle_fraction(outer, middle, phi[1 + 3 * y]) + triangle_fraction(outer, middle, phi[x + 3]);
    }
    return sum / 8;
}

/// Of a 3D cell from 3 x 3 x 3 values: eight sub-cubes, the diagonals of all meeting in the middle, so that mirroring
/// the values along an axis does not change the result.
TIDELOCK_HD inline double cell_fraction(const double (&phi)[27]) {
    double sum = 0;
    for (int part = 0; part < 8; ++part) {
        double corner[8];
        for (int c = 0; c < 8; ++c) {
            const int x = (part & 1) + (c & 1), y = (part >> 1 & 1) + (c >> 1 & 1), z = (part >> 2) + (c >> 2);
            corner[c] = phi[x + 3 * y + 9 * z];
        }
        sum += cube_fraction(corner, part);
    }
    return sum / 8;
}

/// Of the rectangle or box with lower corner `low` and these edges, phi(x) being a function of position: samples 3^D
/// values.
template <int D, class Phi>
TIDELOCK_HD double box_fraction(const Phi& phi, const Vec<D>& low, const Vec<D>& edges) {
    double values[D == 2 ? 9 : 27];
    for (int i = 0; i < (D == 2 ? 9 : 27); ++i) {
        Vec<D> x = low;
        for (int a = 0, rest = i; a < D; ++a, rest /= 3) x[a] += 0.5 * edges[a] * (rest % 3);
        values[i] = phi(x);
    }
    return cell_fraction(values);
}

/// The same of the square or cube of edge `h`.
template <int D, class Phi>
TIDELOCK_HD double cell_fraction(const Phi& phi, const Vec<D>& low, double h) {
    return box_fraction<D>(phi, low, Vec<D>::Constant(h));
}

}  // namespace tidelock
