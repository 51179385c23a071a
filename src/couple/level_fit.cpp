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
    /// Value at offset 0, and slope.
    [[nodiscard]] LevelPlane<D> plane() const {
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

/// Cells up to `fit_reach` away along each axis.
template <int D>
struct Window {
    static constexpr int width = 2 * fit_reach + 1;
    static constexpr int cells = D == 2 ? width * width : width * width * width;
    static int place(const Coord<D>& offset) {
        int out = 0;
        for (int a = D - 1; a >= 0; --a) out = out * width + offset[a] + fit_reach;
        return out;
    }
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
    struct Seen {
        CellPlace at;
        Coord<D> offset;
        int steps;
    };
    const auto& set = phi_.set();
    const Coord<D> centre = first_cell<D>(set.brick(cell.slot)) + local_coord<D>(cell.local);
    if (!beside_known(cell, centre)) return {};
    std::array<Seen, Window<D>::cells> queue;
    std::array<bool, Window<D>::cells> seen{};
    int count = 0;
    const auto visit = [&](const CellPlace& at, const Coord<D>& offset, int steps) {
        bool& done = seen[static_cast<std::size_t>(Window<D>::place(offset))];
        if (done || at.slot == set.void_slot()) return;
        done = true;
        queue[static_cast<std::size_t>(count++)] = {at, offset, steps};
    };
    PlaneSamples<D> samples;
    visit(cell, Coord<D>::Zero(), 0);
    for (int n = 0; n < count; ++n) {
        const Seen here = queue[static_cast<std::size_t>(n)];
        if (n > 0 && known_.brick(here.at.slot)[here.at.local] != 0)
            samples.add(here.offset.template cast<double>(), phi_.brick(here.at.slot)[here.at.local] / grid_.dx);
        const unsigned ways = ways_.brick(here.at.slot)[here.at.local];
        for (int a = 0; a < D; ++a)
            for (int side = 0; side < 2; ++side) {
                Coord<D> offset = here.offset;
                offset[a] += 2 * side - 1;
                const bool straight = here.steps + 1 <= offset.cwiseAbs().sum() + longest_detour;
                if ((ways >> (2 * a + side) & 1u) == 0 || !straight || std::abs(offset[a]) > fit_reach ||
                    !grid_.contains(Coord<D>(centre + offset)))
                    continue;
                const auto [slot, local] = neighbour_cell<D>(set, here.at.slot, here.at.local, a, 2 * side - 1);
                visit({slot, local}, offset, here.steps + 1);
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
