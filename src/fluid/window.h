/// A brick of a field with its surroundings, read by whole rows of points: plain arithmetic and gathers, no branches,
/// in the instruction set in use (base/isa.h).
#pragma once

#include <array>
#include <cmath>

#include "grid/domain.h"
#include "grid/halo.h"

namespace tidelock {

/// Samples around the brick, along each axis.
inline constexpr int window_rim = 4;
/// Largest displacement that stays inside a window, stencil included [cells].
inline constexpr double window_reach = window_rim - 1.01;

template <int D>
inline constexpr int row_length = Brick<D>::size[0];
/// One row of a brick: a point per sample, coordinate by coordinate [cell units].
template <int D>
using Points = std::array<std::array<double, row_length<D>>, D>;
template <int D>
using Values = std::array<double, row_length<D>>;

/// Where a field's samples are, and how far they go.
template <int D>
struct Frame {
    Vec<D> offset, high;
    Frame(const Grid<D>& grid, const Centring<D>& centring)
        : offset(centring.offset), high(grid.last_index(centring).template cast<double>()) {}
};

/// What kernels read: the samples, those of the brick beginning at HaloBuffer::at(0, 0, 0).
template <int D>
struct WindowView {
    using Buffer = HaloBuffer<D, window_rim, double>;
    const double* samples;
    double shift[D];  ///< where in its cell a sample sits [cells]
    double high[D];   ///< the field's last sample
    double first[D];  ///< the brick's first
};

template <int D>
struct WindowKernels {
    void (*linear)(const WindowView<D>& window, const Points<D>& x, Values<D>& out);
    /// The smallest and the largest of the 2^D samples around each point.
    void (*range)(const WindowView<D>& window, const Points<D>& x, Values<D>& least, Values<D>& most);
    /// Half way to the next sample along the axes of `between`, from `row` on.
    void (*between)(const double* row, const std::array<bool, 3>& between, Values<D>& out);
    double (*largest)(const WindowView<D>& window);
};
template <int D>
[[nodiscard]] const WindowKernels<D>& window_kernels();

/// Lives in scratch memory: load() sets all of it.
template <int D>
class Window {
  public:
    void load(const Field<D, double>& field, std::ptrdiff_t slot, const Frame<D>& frame) {
        buffer_.load(field.data(), field.set().neighbours(slot).data());
        const Coord<D> first = first_cell<D>(field.set().brick(slot));
        view_.samples = buffer_.v;
        for (int a = 0; a < D; ++a) {
            view_.shift[a] = frame.offset[a];
            view_.high[a] = frame.high[a];
            view_.first[a] = first[a];
        }
    }
    /// The largest size of a sample.
    [[nodiscard]] double largest() const { return window_kernels<D>().largest(view_); }
    [[nodiscard]] bool holds_only(double value) const {
        constexpr int depth = D == 3 ? window_rim : 0, layers = D == 3 ? Buffer::nz : 1;
        for (int z = -depth; z < layers + depth; ++z)
            for (int y = -window_rim; y < Buffer::ny + window_rim; ++y) {
                const double* row = buffer_.v + Buffer::at(-window_rim, y, z);
                bool same = true;
                for (int x = 0; x < Buffer::nx + 2 * window_rim; ++x) same &= row[x] == value;
                if (!same) return false;
            }
        return true;
    }
    void linear(const Points<D>& x, Values<D>& out) const { window_kernels<D>().linear(view_, x, out); }
    void range(const Points<D>& x, Values<D>& least, Values<D>& most) const {
        window_kernels<D>().range(view_, x, least, most);
    }
    /// linear() at the row of samples (y, z) of another centring, whose place among ours differs by whole and half
    /// cells; only where nothing is held at a side.
    void linear_at_samples(const Vec<D>& offset, int y, int z, Values<D>& out) const {
        int low[3] = {0, 0, 0};
        std::array<bool, 3> between{};
        for (int a = 0; a < D; ++a) {
            const double place = offset[a] - view_.shift[a];
            low[a] = static_cast<int>(std::floor(place));
            between[static_cast<std::size_t>(a)] = place != low[a];
        }
        window_kernels<D>().between(buffer_.v + Buffer::at(low[0], y + low[1], z + low[2]), between, out);
    }
    /// Whether that holds for a brick: no sample of it, and none a cell further, is at a side.
    [[nodiscard]] bool away_from_sides() const {
        for (int a = 0; a < D; ++a)
            if (view_.first[a] < 1 || view_.first[a] + Brick<D>::size[a] >= view_.high[a]) return false;
        return true;
    }

  private:
    using Buffer = typename WindowView<D>::Buffer;
    WindowView<D> view_;
    Buffer buffer_;
};

}  // namespace tidelock
