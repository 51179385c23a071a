#include "couple/level_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/math.h"
#include "grid/neighbour_cell.h"

namespace tidelock {
namespace {

constexpr int fit_reach = 2;         ///< [cells]
constexpr int longest_detour = 2;    ///< [cells] longer ways lead around a rim, or the end of a wall, to the other side
constexpr double surface_near = 1;   ///< [cells] cells beside the surface keep phi as it was carried, exact for planes;
constexpr double far_weight = 1e-9;  ///< others count where these do not tell
constexpr double ridge = 1e-18;      ///< of the squares' sum: far below that of samples with far_weight
constexpr double rounding = 1e-13;   ///< [cells] directions along which samples differ by less than this are none
constexpr double steepest = 1.5;     ///< slope of a distance that is a little off

/// Samples (offset from the cell [cells], phi [cells]) and their weights.
template <int D>
class PlaneSamples {
  public:
    void add(const Vec<D>& x, double phi) {
        double w = 1 / power(x.squaredNorm(), 2);
        if (std::abs(phi) > surface_near)
            w *= far_weight;
        else
            near_surface_ = true;
        liquid_ = liquid_ || phi < 0;
        samples_[static_cast<std::size_t>(count_++)] = {x, phi, w};
    }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    /// Far from the surface most samples are as far as the level set goes: nothing to fit.
    [[nodiscard]] bool all_equal() const {
        return std::all_of(samples_.begin(), samples_.begin() + count_,
                           [&](const Sample& s) { return s.phi == samples_[0].phi; });
    }
    /// Value at offset 0, and slope.
    [[nodiscard]] LevelPlane<D> plane() const {
        if (all_equal()) return {samples_[0].phi, Vec<D>::Zero(), near_surface_};
        double weight = 0, mean = 0;
        Vec<D> middle = Vec<D>::Zero();
        for_each([&](const Sample& s) { weight += s.weight, mean += s.weight * s.phi, middle += s.weight * s.x; });
        mean /= weight, middle /= weight;
        // About the middle: sums about 0 would lose what samples of little weight say.
        Matrix squares{};
        Vec<D> slope = Vec<D>::Zero();
        double trace = 0;
        for_each([&](const Sample& s) {
            Vec<D> x = s.x - middle;
            for (int i = 0; i < D; ++i) x[i] = std::abs(x[i]) > rounding ? x[i] : 0;
            for (int i = 0; i < D; ++i) {
                slope[i] += s.weight / weight * x[i] * (s.phi - mean);
                for (int j = 0; j <= i; ++j) squares[at(i)][at(j)] += s.weight / weight * x[i] * x[j];
            }
        });
        for (int i = 0; i < D; ++i) trace += squares[at(i)][at(i)];
        LevelPlane<D> out{mean, Vec<D>::Zero(), near_surface_, liquid_};
        if (!(trace > 0)) return out;
        solve(squares, ridge * trace, slope);
        const double steep = std::sqrt(slope.squaredNorm());
        out.slope = steep > steepest ? Vec<D>(slope * (steepest / steep)) : slope;
        for (int i = 0; i < D; ++i) out.value -= out.slope[i] * middle[i];
        return out;
    }

  private:
    struct Sample {
        Vec<D> x;
        double phi, weight;
    };
    using Matrix = std::array<std::array<double, D>, D>;
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    template <class F>
    void for_each(F&& f) const {
        for (int n = 0; n < count_; ++n) f(samples_[at(n)]);
    }
    /// (squares + least I) x = right by Cholesky's factor; squares holds the lower half.
    static void solve(const Matrix& squares, double least, Vec<D>& right) {
        Matrix factor{};
        for (int i = 0; i < D; ++i)
            for (int j = 0; j <= i; ++j) {
                double c = squares[at(i)][at(j)] + (i == j ? least : 0);
                for (int k = 0; k < j; ++k) c -= factor[at(i)][at(k)] * factor[at(j)][at(k)];
                factor[at(i)][at(j)] = i == j ? std::sqrt(std::max(c, least)) : c / factor[at(j)][at(j)];
            }
        for (int i = 0; i < D; ++i) {
            for (int k = 0; k < i; ++k) right[i] -= factor[at(i)][at(k)] * right[k];
            right[i] /= factor[at(i)][at(i)];
        }
        for (int i = D - 1; i >= 0; --i) {
            for (int k = i + 1; k < D; ++k) right[i] -= factor[at(k)][at(i)] * right[k];
            right[i] /= factor[at(i)][at(i)];
        }
    }

    std::array<Sample, D == 2 ? 25 : 125> samples_;
    int count_ = 0;
    bool near_surface_ = false, liquid_ = false;
};

/// The cells up to `fit_reach` away along each axis from one, by brick and place in it.
template <int D>
class Window {
  public:
    static constexpr int width = 2 * fit_reach + 1;
    static constexpr int cells = D == 2 ? width * width : width * width * width;
    static constexpr int middle = cells / 2;

    Window(const BrickSet<D>& set, const CellPlace& cell) {
        const Coord<D> centre = local_coord<D>(cell.local);
        // Along each axis: the brick beside, and the place's share in it.
        std::array<std::array<int, width>, D> brick, local;
        for (int a = 0; a < D; ++a)
            for (int n = 0; n < width; ++n) {
                const int size = Brick<D>::size[a], to = centre[a] + n - fit_reach;
                const int side = to < 0 ? -1 : to >= size ? 1 : 0;
                brick[index(a)][index(n)] = side * brick_stride(a);
                local[index(a)][index(n)] = (to - side * size) * local_stride<D>(a);
            }
        const auto neighbours = set.neighbours(cell.slot);
        for (int n = 0; n < cells; ++n) {
            const Coord<D> at = steps(n);
            int beside = neighbour_slot<D>(Coord<D>::Zero()), place = 0;
            for (int a = 0; a < D; ++a) beside += brick[index(a)][index(at[a])], place += local[index(a)][index(at[a])];
            at_[index(n)] = {neighbours[static_cast<std::size_t>(beside)], place};
        }
    }

    [[nodiscard]] const CellPlace& operator[](int n) const { return at_[index(n)]; }
    template <class F>
    [[nodiscard]] bool all_of(F&& f) const {
        return std::all_of(at_.begin(), at_.end(), f);
    }
    /// From the middle to cell n.
    static Coord<D> offset(int n) { return steps(n) - Coord<D>::Constant(fit_reach); }
    static constexpr int stride(int axis) { return axis == 0 ? 1 : axis == 1 ? width : width * width; }

  private:
    static constexpr int brick_stride(int axis) { return axis == 0 ? 1 : axis == 1 ? 3 : 9; }
    static constexpr std::size_t index(int n) { return static_cast<std::size_t>(n); }
    static Coord<D> steps(int n) {
        Coord<D> out;
        for (int a = 0; a < D; ++a, n /= width) out[a] = n % width;
        return out;
    }

    std::array<CellPlace, cells> at_;
};

}  // namespace

template <int D>
bool LevelFit<D>::beside_known(const CellPlace& cell, const Coord<D>& place) const {
    const unsigned ways = ways_.brick(cell.slot)[cell.local];
    for (int a = 0; a < D; ++a)
        for (const int side : {0, 1}) {
            Coord<D> to = place;
            to[a] += 2 * side - 1;
            if ((ways >> (2 * a + side) & 1u) == 0 || !grid_.contains(to)) continue;
            const auto [slot, local] = neighbour_cell<D>(phi_.set(), cell.slot, cell.local, a, 2 * side - 1);
            if (slot != phi_.set().void_slot() && known_.brick(slot)[local] != 0) return true;
        }
    return false;
}

template <int D>
std::optional<LevelPlane<D>> LevelFit<D>::at(const CellPlace& cell) const {
    const auto& set = phi_.set();
    const Coord<D> centre = first_cell<D>(set.brick(cell.slot)) + local_coord<D>(cell.local);
    if (!beside_known(cell, centre)) return {};
    const Window<D> window(set, cell);
    const double level = phi_.brick(cell.slot)[cell.local];
    if (window.all_of([&](const CellPlace& at) { return phi_.brick(at.slot)[at.local] == level; }))
        return LevelPlane<D>{level, Vec<D>::Zero(), std::abs(level) <= surface_near * grid_.dx, level < 0};
    std::array<int, Window<D>::cells> queue;
    std::array<bool, Window<D>::cells> seen{};
    int count = 0;
    std::array<int, Window<D>::cells> steps{};
    const auto visit = [&](int n, int way) {
        bool& done = seen[static_cast<std::size_t>(n)];
        if (done || window[n].slot == set.void_slot()) return;
        done = true;
        queue[static_cast<std::size_t>(count++)] = n;
        steps[static_cast<std::size_t>(n)] = way;
    };
    PlaneSamples<D> samples;
    visit(Window<D>::middle, 0);
    for (int n = 0; n < count; ++n) {
        const int here = queue[static_cast<std::size_t>(n)];
        const CellPlace& at = window[here];
        const Coord<D> offset = Window<D>::offset(here);
        if (n > 0 && known_.brick(at.slot)[at.local] != 0)
            samples.add(offset.template cast<double>(), phi_.brick(at.slot)[at.local] / grid_.dx);
        const unsigned ways = ways_.brick(at.slot)[at.local];
        for (int a = 0; a < D; ++a)
            for (int side = 0; side < 2; ++side) {
                Coord<D> there = offset;
                there[a] += 2 * side - 1;
                const int way = steps[static_cast<std::size_t>(here)] + 1;
                const bool straight = way <= there.cwiseAbs().sum() + longest_detour;
                if ((ways >> (2 * a + side) & 1u) == 0 || !straight || std::abs(there[a]) > fit_reach ||
                    !grid_.contains(Coord<D>(centre + there)))
                    continue;
                visit(here + (2 * side - 1) * Window<D>::stride(a), way);
            }
    }
    if (samples.empty()) return {};
    LevelPlane<D> out = samples.plane();
    out.value *= grid_.dx;
    return out;
}

template class LevelFit<2>;
template class LevelFit<3>;

}  // namespace tidelock
