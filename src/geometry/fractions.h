/// Parts of edges, faces and cells that lie in a region, from signed distances at their corners.
///
/// Every function returns the fraction with phi < 0, in [0, 1], exact where phi is linear, and continuous in the values
/// (face_fraction with one exception, said there).
/// phi = 0 counts as outside. The open fraction of a face beside a solid is 1 - face_fraction(psi...).
/// Source   numerics/interface 4: faces by marching squares, cells by 2^D sub-cells cut in closed form.
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

/// Of a square (a face in 3D). Two opposite corners inside: joined if the centre value (the mean) is inside, otherwise
/// apart; only there does the result jump.
TIDELOCK_HD inline double face_fraction(double p00, double p10, double p01, double p11) {
    const double bottom = edge_fraction(p00, p10), top = edge_fraction(p01, p11);
    const double left = edge_fraction(p00, p01), right = edge_fraction(p10, p11);
    const int inside = (p00 < 0) | (p10 < 0) << 1 | (p01 < 0) << 2 | (p11 < 0) << 3;
    switch (inside) {
        case 0b0000:
            return 0;
        case 0b0001:
            return 0.5 * bottom * left;
        case 0b0010:
            return 0.5 * bottom * right;
        case 0b0100:
            return 0.5 * top * left;
        case 0b1000:
            return 0.5 * top * right;
        case 0b0011:
        case 0b1100:
            return 0.5 * (left + right);
        case 0b0101:
        case 0b1010:
            return 0.5 * (bottom + top);
        case 0b1110:
            return 1 - 0.5 * (1 - bottom) * (1 - left);
        case 0b1101:
            return 1 - 0.5 * (1 - bottom) * (1 - right);
        case 0b1011:
            return 1 - 0.5 * (1 - top) * (1 - left);
        case 0b0111:
            return 1 - 0.5 * (1 - top) * (1 - right);
        default:
            break;
    }
    if (inside == 0b1111) return 1;
    const bool joined = p00 + p10 + p01 + p11 < 0;
    if (inside == 0b1001) {
        return joined ? 1 - 0.5 * ((1 - bottom) * (1 - right) + (1 - top) * (1 - left))
                      : 0.5 * (bottom * left + top * right);
    }
    return joined ? 1 - 0.5 * ((1 - bottom) * (1 - left) + (1 - top) * (1 - right))
                  : 0.5 * (bottom * right + top * left);
}

namespace fractions_detail {

/// One corner `a` of one sign, the others of the other sign: the part cut off at a.
TIDELOCK_HD inline double corner_part(double a, double b, double c, double d) {
    return (a / (a - b)) * (a / (a - c)) * (a / (a - d));
}
/// a, b inside and c, d outside: the wedge between them, as three tetrahedra.
TIDELOCK_HD inline double wedge_part(double a, double b, double c, double d) {
    const double ac = a / (a - c), ad = a / (a - d), bc = b / (b - c), bd = b / (b - d);
    return ac * ad * (1 - bd) + ac * bd * (1 - bc) + bc * bd;
}

}  // namespace fractions_detail

/// Of a tetrahedron.
TIDELOCK_HD inline double tetrahedron_fraction(double a, double b, double c, double d) {
    using fractions_detail::corner_part, fractions_detail::wedge_part;
    switch ((a < 0) | (b < 0) << 1 | (c < 0) << 2 | (d < 0) << 3) {
        case 0b0000:
            return 0;
        case 0b0001:
            return corner_part(a, b, c, d);
        case 0b0010:
            return corner_part(b, a, c, d);
        case 0b0100:
            return corner_part(c, a, b, d);
        case 0b1000:
            return corner_part(d, a, b, c);
        case 0b0011:
            return wedge_part(a, b, c, d);
        case 0b0101:
            return wedge_part(a, c, b, d);
        case 0b1001:
            return wedge_part(a, d, b, c);
        case 0b0110:
            return wedge_part(b, c, a, d);
        case 0b1010:
            return wedge_part(b, d, a, c);
        case 0b1100:
            return wedge_part(c, d, a, b);
        case 0b1110:
            return 1 - corner_part(a, b, c, d);
        case 0b1101:
            return 1 - corner_part(b, a, c, d);
        case 0b1011:
            return 1 - corner_part(c, a, b, d);
        case 0b0111:
            return 1 - corner_part(d, a, b, c);
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
    switch ((a < 0) | (b < 0) << 1 | (c < 0) << 2) {
        case 0b000:
            return 0;
        case 0b001:
            return (a / (a - b)) * (a / (a - c));
        case 0b010:
            return (b / (b - a)) * (b / (b - c));
        case 0b100:
            return (c / (c - a)) * (c / (c - b));
        case 0b110:
            return 1 - (a / (a - b)) * (a / (a - c));
        case 0b101:
            return 1 - (b / (b - a)) * (b / (b - c));
        case 0b011:
            return 1 - (c / (c - a)) * (c / (c - b));
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
