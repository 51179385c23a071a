/// What solve/sweep.h promises. Compiled once a target (base/isa.h).
#include <array>
#include <cstdint>
#include <utility>

#include "grid/read_ahead.h"
#include "solve/brick_view.h"
#include "solve/colour_rows-inl.h"

#if defined(TIDELOCK_SOLVE_SWEEP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TIDELOCK_SOLVE_SWEEP_INL_H_
#undef TIDELOCK_SOLVE_SWEEP_INL_H_
#else
#define TIDELOCK_SOLVE_SWEEP_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace tidelock::HWY_NAMESPACE {

/// Asks for what a brick further on has at place `at` of these arrays, once a line of memory.
template <class T, class... More>
HWY_INLINE void read_line_ahead(int at, const T* array, const More*... more) {
    if (at % (64 / static_cast<int>(sizeof(T))) != 0) return;
    read_ahead<1>(array + at);
    (read_ahead<1>(more + at), ...);
}

/// Coefficients of the cells of a colour in a brick. Cells are named by row k since the last go() and i in it, or by
/// their place `at` in the colour's half.
template <int D, class T, BrickKind kind, int colour>
class ColourCoefficients {
  public:
    using Reader = ColourReader<D, T, colour>;
    using Tag = typename Reader::Tag;
    using V = typename Reader::V;

    HWY_INLINE ColourCoefficients(const LevelView<D, T>& level, std::ptrdiff_t brick)
        : ColourCoefficients(level, std::ptrdiff_t{level.slots[brick]} * Brick<D>::cells + colour * half_brick<D>,
                             FaceSlots<D>(level.neighbours[brick].data(), level.links)) {}

    HWY_INLINE void go(int y, int z) {
        if constexpr (kind == BrickKind::stored || kind == BrickKind::bodied)
            for (auto& c : conductance_) c.go(y, z);
    }
    /// The sum over neighbours, each times the conductance of the face between.
    template <int shift>
    [[nodiscard]] HWY_INLINE V weigh(const V (&lower)[D], const V (&upper)[D], int k, int i, int at) const {
        if constexpr (kind == BrickKind::plain) {
            V sum = lower[0] + upper[0];
            for (int a = 1; a < D; ++a) sum += lower[a] + upper[a];
            return hn::Set(Tag(), uniform_) * sum;
        } else if constexpr (kind == BrickKind::masked) {
            V sum = hn::Zero(Tag());
            const LaneBytes<Tag> open(flags_ + at);
            for (int a = 0; a < D; ++a) {
                sum = add_where(open.has(lower_open(a)), sum, lower[a]);
                sum = add_where(open.has(upper_open(a)), sum, upper[a]);
            }
            return hn::Set(Tag(), uniform_) * sum;
        } else {
            V sum = hn::Zero(Tag());
            for (int a = 0; a < D; ++a)
                sum += hn::LoadU(Tag(), own_[a] + at) * lower[a] +
                       conductance_[static_cast<std::size_t>(a)].template upper<shift>(a, k, i) * upper[a];
            return sum;
        }
    }
    [[nodiscard]] HWY_INLINE V inverse(int at) const {
        if constexpr (kind == BrickKind::plain) return hn::Set(Tag(), uniform_inverse_);
        return hn::LoadU(Tag(), inverse_ + at);
    }
    /// Infinite without an unknown, where nobody uses it.
    [[nodiscard]] HWY_INLINE V diagonal(int at) const {
        const V one = hn::Set(Tag(), T{1});
        if constexpr (kind == BrickKind::plain) return hn::Set(Tag(), static_cast<T>(2 * D) * uniform_);
        if constexpr (kind == BrickKind::bodied) return (one - where_pocket(one, at)) / inverse(at);
        return one / inverse(at);
    }
    /// `v` in pockets, else zero.
    [[nodiscard]] HWY_INLINE V where_pocket(V v, int at) const {
        return hn::IfThenElseZero(LaneBytes<Tag>(flags_ + at).has(pocket_flag), v);
    }
    /// Asks for what a stored brick further on has at place `at`.
    HWY_INLINE void ask_ahead(int at) const {
        if constexpr (kind != BrickKind::plain) read_line_ahead(at, inverse_);
        if constexpr (kind == BrickKind::masked) read_line_ahead(at, flags_);
        if constexpr (kind == BrickKind::stored || kind == BrickKind::bodied)
            for (const T* own : own_) read_line_ahead(at, own, own + (1 - 2 * colour) * half_brick<D>);
    }
    /// `v`, but zero in cells without an unknown.
    [[nodiscard]] HWY_INLINE V where_unknown(V v, int at) const {
        if constexpr (kind == BrickKind::plain) return v;
        return hn::IfThenElseZero(inverse(at) != hn::Zero(Tag()), v);
    }

  private:
    HWY_INLINE ColourCoefficients(const LevelView<D, T>& level, std::ptrdiff_t offset, const FaceSlots<D>& links)
        : uniform_(level.uniform),
          uniform_inverse_(1 / (static_cast<T>(2 * D) * level.uniform)),
          inverse_(level.inverse + offset),
          flags_(level.flags + offset),
          conductance_(readers(level, links, std::make_integer_sequence<int, D>())) {
        for (int a = 0; a < D; ++a)
            own_[a] = level.conductance[a] + links.own * Brick<D>::cells + colour * half_brick<D>;
    }
    template <int... a>
    HWY_INLINE static std::array<Reader, D> readers(const LevelView<D, T>& level, const FaceSlots<D>& links,
                                                    std::integer_sequence<int, a...>) {
        return {Reader(level.conductance[a], links)...};
    }

    T uniform_, uniform_inverse_;
    const T *inverse_, *own_[D];  ///< own_: of the cells' lower faces
    const std::uint8_t* flags_;
    std::array<Reader, D> conductance_;  ///< of their upper ones, which belong to cells of the other colour
};

/// The neighbours of some cells of a colour.
template <int D, class T, int colour>
struct Neighbours {
    using V = typename ColourReader<D, T, colour>::V;
    V lower[D], upper[D];

    HWY_INLINE Neighbours() {}  // NOLINT(modernize-use-equals-default): that one would be compiled for the lowest tier
    template <int shift>
    HWY_INLINE static Neighbours read(const ColourReader<D, T, colour>& from, int k, int i) {
        Neighbours out;
        for (int a = 0; a < D; ++a)
            out.lower[a] = from.template lower<shift>(a, k, i), out.upper[a] = from.template upper<shift>(a, k, i);
        return out;
    }
};

template <int D, class T, BrickKind kind>
void divide_brick(const LevelView<D, T>& level, std::ptrdiff_t brick) {
    using Reader = ColourReader<D, T, 0>;
    const typename Reader::Tag d;
    const ColourCoefficients<D, T, kind, 0> coefficients(level, brick);
    const T* r = level.r + brick * Brick<D>::cells;
    T* x = level.x + brick * Brick<D>::cells;
    for (int at = 0; at < half_brick<D>; at += Reader::step) {
        read_line_ahead(at, r);
        hn::StoreU(coefficients.inverse(at) * hn::LoadU(d, r + at), d, x + at);
    }
}

template <int D, class T, BrickKind kind>
void sweep_from_zero(const LevelView<D, T>& level, std::ptrdiff_t brick) {
    using Reader = ColourReader<D, T, 1>;
    using V = typename Reader::V;
    const typename Reader::Tag d;
    divide_brick<D, T, kind>(level, brick);
    const auto* near = level.neighbours[brick].data();
    Reader r(level.r, FaceSlots<D>(near));
    Reader inverse(level.inverse, FaceSlots<D>(near, level.slots));
    ColourCoefficients<D, T, kind, 1> coefficients(level, brick);
    const T* own = level.r + brick * Brick<D>::cells + half_brick<D>;
    T* x = level.x + brick * Brick<D>::cells + half_brick<D>;
    for_each_vector<D, T, 1>(
        [&]<int shift>(int k, int i, int at) TIDELOCK_LAMBDA {
            read_line_ahead(at, own);
            auto near_values = Neighbours<D, T, 1>::template read<shift>(r, k, i);
            if constexpr (kind != BrickKind::plain)
                for (int a = 0; a < D; ++a) {
                    near_values.lower[a] *= inverse.template lower<shift>(a, k, i);
                    near_values.upper[a] *= inverse.template upper<shift>(a, k, i);
                }
            V sum = coefficients.template weigh<shift>(near_values.lower, near_values.upper, k, i, at);
            if constexpr (kind == BrickKind::plain) sum *= coefficients.inverse(at);
            hn::StoreU(coefficients.inverse(at) * (hn::LoadU(d, own + at) + sum), d, x + at);
        },
        r, inverse, coefficients);
}

template <int D, class T, BrickKind kind, int colour>
void relax_brick(const LevelView<D, T>& level, std::ptrdiff_t brick, const T* r) {
    using Reader = ColourReader<D, T, colour>;
    using V = typename Reader::V;
    const typename Reader::Tag d;
    Reader around(level.x, FaceSlots<D>(level.neighbours[brick].data()));
    ColourCoefficients<D, T, kind, colour> coefficients(level, brick);
    T* x = level.x + brick * Brick<D>::cells + colour * half_brick<D>;
    const T* other = x + (1 - 2 * colour) * half_brick<D>;
    r += colour * half_brick<D>;
    for_each_vector<D, T, colour>(
        [&]<int shift>(int k, int i, int at) TIDELOCK_LAMBDA {
            read_line_ahead(at, r, other);
            coefficients.ask_ahead(at);
            const auto near_values = Neighbours<D, T, colour>::template read<shift>(around, k, i);
            const V rest = hn::LoadU(d, r + at) +
                           coefficients.template weigh<shift>(near_values.lower, near_values.upper, k, i, at);
            V fresh = coefficients.inverse(at) * rest;
            // In a pocket L_N has no diagonal, so that the old value is still in the residual.
            if constexpr (kind == BrickKind::bodied) fresh += coefficients.where_pocket(hn::LoadU(d, x + at), at);
            hn::StoreU(fresh, d, x + at);
        },
        around, coefficients);
}

/// Where a brick lies in its parent: the first coarse cell of its octant.
template <int D>
HWY_INLINE std::array<int, 3> octant(const Coord<D>& brick) {
    std::array<int, 3> first{};
    for (int a = 0; a < D; ++a) first[static_cast<std::size_t>(a)] = (brick[a] & 1) * Brick<D>::size[a] / 2;
    return first;
}

/// What some rows of a brick have in the coarse rows that cover them: the cells of a colour in row k lie, in their
/// order, in those of line k / 2.
template <int D, class T>
struct CoarseLines {
    alignas(64) T line[rows_at_once / 2][half_row<D>] = {};

    /// Calls f(line, even, odd) with the places of its cells of even and odd x in the parent, for rows from y on in
    /// layer z of a brick at `first`.
    template <class F>
    HWY_INLINE void for_each(const std::array<int, 3>& first, int y, int z, const F& f) {
        for (int n = 0; n < rows_at_once / 2; ++n) {
            const int up_y = first[1] + y / 2 + n, up_z = first[2] + z / 2;
            f(line[n], even_cells<D>(up_y, up_z) + first[0] / 2, odd_cells<D>(up_y, up_z) + first[0] / 2);
        }
    }
};

/// Adds the residual of a colour's cells in some rows to the coarse lines.
template <int D, class T, BrickKind kind, int colour>
class ColourResidual {
  public:
    using Reader = ColourReader<D, T, colour>;
    using V = typename Reader::V;

    HWY_INLINE ColourResidual(const LevelView<D, T>& level, std::ptrdiff_t brick)
        : around_(level.x, FaceSlots<D>(level.neighbours[brick].data())),
          coefficients_(level, brick),
          x_(level.x + brick * Brick<D>::cells + colour * half_brick<D>),
          r_(level.r + brick * Brick<D>::cells + colour * half_brick<D>) {}

    HWY_INLINE void add(int y, int z, CoarseLines<D, T>& lines) {
        const typename Reader::Tag d;
        for_each_vector<D, T, colour>(
            y, z,
            [&]<int shift>(int k, int i, int at) TIDELOCK_LAMBDA {
                read_line_ahead(at, r_, x_, x_ + (1 - 2 * colour) * half_brick<D>);
                const auto near_values = Neighbours<D, T, colour>::template read<shift>(around_, k, i);
                const V rest = hn::LoadU(d, r_ + at) +
                               coefficients_.template weigh<shift>(near_values.lower, near_values.upper, k, i, at) -
                               coefficients_.diagonal(at) * hn::LoadU(d, x_ + at);
                // A cell without an unknown gets no correction, so it must pass no residual on: R = P^T.
                T* line = lines.line[k / 2] + i;
                hn::StoreU(hn::LoadU(d, line) + coefficients_.where_unknown(rest, at), d, line);
            },
            around_, coefficients_);
    }

  private:
    Reader around_;
    ColourCoefficients<D, T, kind, colour> coefficients_;
    const T *x_, *r_;
};

template <int D, class T, BrickKind kind>
void restrict_brick(const LevelView<D, T>& level, std::ptrdiff_t brick, bool both, T* coarse) {
    constexpr int deep = D == 3 ? 2 : 1, nz = D == 3 ? Brick<D>::size[D - 1] : 1;
    ColourResidual<D, T, kind, 0> first_colour(level, brick);
    ColourResidual<D, T, kind, 1> second_colour(level, brick);
    const auto first = octant<D>(level.bricks[brick]);
    coarse += std::ptrdiff_t{level.parent[brick]} * Brick<D>::cells;
    for (int z = 0; z < nz; z += deep)
        for (int y = 0; y < Brick<D>::size[1]; y += rows_at_once) {
            CoarseLines<D, T> lines;
            for (int layer = z; layer < z + deep; ++layer) {
                first_colour.add(y, layer, lines);
                if (both) second_colour.add(y, layer, lines);
            }
            lines.for_each(first, y, z, [&](const T* line, int even, int odd) TIDELOCK_LAMBDA {
                for (int i = 0; i < half_row<D> / 2; ++i)
                    coarse[even + i] = line[2 * i], coarse[odd + i] = line[2 * i + 1];
            });
        }
}

template <int D, class T, BrickKind kind>
void correct_brick(const LevelView<D, T>& level, std::ptrdiff_t brick, bool both, const T* coarse) {
    using Reader = ColourReader<D, T, 0>;
    using V = typename Reader::V;
    const typename Reader::Tag d;
    const T* inverse = level.inverse + std::ptrdiff_t{level.slots[brick]} * Brick<D>::cells;
    const auto first = octant<D>(level.bricks[brick]);
    coarse += std::ptrdiff_t{level.parent[brick]} * Brick<D>::cells;
    T* x = level.x + brick * Brick<D>::cells;
    for_each_row_block<D>([&](int y, int z) TIDELOCK_LAMBDA {
        CoarseLines<D, T> lines;
        lines.for_each(first, y, z, [&](T* line, int even, int odd) TIDELOCK_LAMBDA {
            for (int i = 0; i < half_row<D> / 2; ++i) line[2 * i] = coarse[even + i], line[2 * i + 1] = coarse[odd + i];
        });
        for (int colour = 0; colour < (both ? 2 : 1); ++colour)
            for (int k = 0; k < rows_at_once; ++k)
                for (int i = 0; i < Reader::nx; i += Reader::step) {
                    const int at = colour * half_brick<D> + half_row<D> * (y + k + Brick<D>::size[1] * z) + i;
                    read_line_ahead(at, x);
                    V step = hn::LoadU(d, lines.line[k / 2] + i);
                    if constexpr (kind != BrickKind::plain)
                        step = hn::IfThenElseZero(hn::LoadU(d, inverse + at) != hn::Zero(d), step);
                    hn::StoreU(hn::LoadU(d, x + at) + step, d, x + at);
                }
    });
}

}  // namespace tidelock::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
