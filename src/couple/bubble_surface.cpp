#include "couple/bubble_surface.h"

#include <algorithm>

#include "base/math.h"
#include "couple/cell_lookup.h"
#include "fluid/volume.h"

namespace tidelock {

namespace {

constexpr int shell_layers = 3;
constexpr double most_moved = 0.2;      ///< that a step moves a surface by
constexpr int tries = 4;                ///< of the secant method
constexpr double close_enough = 1e-3;   ///< of what a bubble lacks
constexpr std::ptrdiff_t block = 1024;  ///< cells that one task works on; fixed, so that sums do not depend on threads

/// What moving a bubble's surface changes: phi in the cells near it.
template <int D>
class MovingSurface {
  public:
    MovingSurface(const Grid<D>& grid, const Field<D, std::int32_t>& label, const Bubble& bubble, Field<D, double>& phi)
        : grid_(grid), phi_(phi) {
        const auto own = label.brick(bubble.cells[0].slot)[bubble.cells[0].local];
        for (const auto* cells : {&bubble.cells, &bubble.shell})
            for (const CellPlace& at : *cells) {
                const double level = phi.brick(at.slot)[at.local];
                if (std::abs(level) < shell_layers * grid.dx && !beside_other(label, at, own))
                    moved_.emplace_back(at, level);
            }
    }
    [[nodiscard]] bool empty() const { return moved_.empty(); }
    /// Adds to `rise` what phi has gained.
    void note(Field<D, double>& rise) const {
        for (const auto& [at, level] : moved_) rise.brick(at.slot)[at.local] += phi_.brick(at.slot)[at.local] - level;
    }
    /// Raises phi by `rise` at the surface.
    void move(double rise) {
        for (const auto& [at, level] : moved_) {
            const double fade = std::clamp(shell_layers - std::abs(level) / grid_.dx, 0.0, 1.0);
            phi_.brick(at.slot)[at.local] = level + fade * rise;
        }
    }

  private:
    /// Beside air that is not this bubble's.
    static bool beside_other(const Field<D, std::int32_t>& label, const CellPlace& at, std::int32_t own) {
        for (int a = 0; a < D; ++a)
            for (const int step : {-1, 1}) {
                const auto [slot, local] = neighbour_cell<D>(label.set(), at.slot, at.local, a, step);
                if (slot == label.set().void_slot()) continue;
                if (const std::int32_t there = label.brick(slot)[local]; there != 0 && there != own) return true;
            }
        return false;
    }

    const Grid<D>& grid_;
    Field<D, double>& phi_;
    std::vector<std::pair<CellPlace, double>> moved_;  ///< with phi as it was
};

/// Moves one surface until the bubble has its volume, or as far as it may. True if it moved.
template <int D>
bool restore_volume(const Grid<D>& grid, const Field<D, double>* open, const AirFields<D>& air, Bubble& bubble) {
    Field<D, double>& phi = air.phi;
    const double lacks = bubble.lacks(), cell = power(grid.dx, D), most = most_moved * grid.dx;
    if (std::abs(lacks) <= 1e-9 * cell) return false;
    MovingSurface<D> surface(grid, air.label, bubble, phi);
    if (surface.empty()) return false;
    // Secant method on volume - target; the first slope is that of a ball.
    const double before = bubble.volume;
    double last = 0, last_error = -lacks;
    double rise = std::clamp(lacks / ball_surface<D>(std::max(before, cell)), -most, most);
    for (int attempt = 0; attempt < tries; ++attempt) {
        surface.move(rise);
        bubble.volume = air_volume<D>(grid, phi, open, bubble);
        const double error = -bubble.lacks(), slope = (error - last_error) / (rise - last);
        if (std::abs(error) <= close_enough * std::abs(lacks) || !(slope > 0)) break;
        const double next = std::clamp(rise - error / slope, -most, most);
        if (next == rise) break;
        last = rise, last_error = error, rise = next;
    }
    const bool lost = std::none_of(bubble.cells.begin(), bubble.cells.end(),
                                   [&](const CellPlace& at) { return phi.brick(at.slot)[at.local] >= 0; });
    if (lost || std::abs(bubble.lacks()) >= std::abs(lacks)) {
        surface.move(0);
        bubble.volume = before;
        return false;
    }
    surface.note(air.rise);
    return true;
}

/// Cells that have changed sides with their surface.
template <int D>
void change_sides(const AirFields<D>& air, Bubble& bubble) {
    const CellPlace at = bubble.cells[0];
    const auto name = air.label.brick(at.slot)[at.local];
    const CellContent content = air.contents.at(at.slot, at.local);
    const auto is_air = [&](const CellPlace& c) { return air.phi.brick(c.slot)[c.local] >= 0; };
    const auto lost = std::stable_partition(bubble.cells.begin(), bubble.cells.end(), is_air);
    const auto won = std::stable_partition(bubble.shell.begin(), bubble.shell.end(), is_air);
    const std::vector<CellPlace> to_liquid(lost, bubble.cells.end()), to_air(bubble.shell.begin(), won);
    bubble.cells.erase(lost, bubble.cells.end());
    bubble.shell.erase(bubble.shell.begin(), won);
    for (const CellPlace& c : to_liquid) {
        air.label.brick(c.slot)[c.local] = air_label::none;
        air.contents.set(c.slot, c.local, CellContent::liquid);
        bubble.shell.push_back(c);
    }
    for (const CellPlace& c : to_air) {
        air.label.brick(c.slot)[c.local] = name;
        air.contents.set(c.slot, c.local, content);
        bubble.cells.push_back(c);
    }
    if (!to_air.empty()) std::sort(bubble.cells.begin(), bubble.cells.end());
}

}  // namespace

template <int D>
double air_volume(const Grid<D>& grid, const Field<D, double>& phi, const Field<D, double>* open,
                  const Bubble& bubble) {
    double sum = 0;
    for (const auto* cells : {&bubble.cells, &bubble.shell})
        sum += ordered_sum("bubble volume", static_cast<std::ptrdiff_t>((cells->size() + block - 1) / block), 0.0,
                           [&](std::ptrdiff_t k) {
                               Sampler<D, double> sampler(phi, Centring<D>::cell(), grid);
                               const auto first = static_cast<std::size_t>(k) * block;
                               double part = 0;
                               for (std::size_t i = first; i < std::min(cells->size(), first + block); ++i) {
                                   const auto [slot, local] = (*cells)[i];
                                   const Coord<D> cell = first_cell<D>(phi.set().brick(slot)) + local_coord<D>(local);
                                   part += (open != nullptr ? open->brick(slot)[local] : 1.0) *
                                           (1 - liquid_share<D>(grid, sampler, cell, phi.brick(slot)[local]));
                               }
                               return part;
                           });
    return sum * power(grid.dx, D);
}

template <int D>
void find_shells(const Interface<D>& interface, const Field<D, std::int32_t>& label, const CellContents<D>& contents,
                 std::vector<Bubble>& bubbles) {
    const auto& set = label.set();
    Mask<D> taken(label.set_ptr(), 0);
    for (Bubble& bubble : bubbles) bubble.shell.clear();
    // Layer by layer, so that what lies between two bubbles goes to the nearer one.
    std::vector<std::size_t> first(bubbles.size(), 0);
    for (int layer = 0; layer < shell_layers; ++layer)
        for (std::size_t n = 0; n < bubbles.size(); ++n) {
            std::vector<CellPlace>& shell = bubbles[n].shell;
            const std::size_t begin = first[n];
            first[n] = shell.size();
            const auto look_around = [&](const CellPlace& at) {
                for (int a = 0; a < D; ++a)
                    for (const int step : {-1, 1}) {
                        const auto [slot, local] = neighbour_cell<D>(set, at.slot, at.local, a, step);
                        if (slot == set.void_slot() || label.brick(slot)[local] != 0 || taken.brick(slot)[local] != 0 ||
                            contents.at(slot, local) != CellContent::liquid)
                            continue;
                        const double open = step < 0 ? open_share<D>(interface, at.slot, at.local, a)
                                                     : open_share<D>(interface, slot, local, a);
                        if (open <= 0) continue;
                        taken.brick(slot)[local] = 1;
                        shell.push_back({slot, local});
                    }
            };
            if (layer == 0)
                for (const CellPlace& at : bubbles[n].cells) look_around(at);
            else
                for (std::size_t i = begin; i < first[n]; ++i) look_around(CellPlace(shell[i]));
        }
}

template <int D>
void restore_volumes(const Grid<D>& grid, const Field<D, double>* open, const AirFields<D>& air,
                     std::vector<Bubble>& bubbles) {
    for (Bubble& bubble : bubbles)
        if (!bubble.foam && restore_volume<D>(grid, open, air, bubble)) change_sides<D>(air, bubble);
}

template <int D>
void move_markers(const Grid<D>& grid, const Field<D, double>& phi, const Field<D, double>& rise, Markers<D>& markers) {
    const auto n = static_cast<std::ptrdiff_t>(markers.position.size());
    const Vec<D> end = grid.cells.template cast<double>();
    parallel_for("markers of bubbles", (n + block - 1) / block, [&](std::ptrdiff_t k) {
        Sampler<D, double> level(phi, Centring<D>::cell(), grid), gain(rise, Centring<D>::cell(), grid);
        for (auto p = k * block; p < std::min((k + 1) * block, n); ++p) {
            const Vec<D> x = grid.to_cells(markers.position[static_cast<std::size_t>(p)]);
            const double step = gain.linear(x);
            if (step == 0) continue;
            Vec<D> gradient;
            (void)level.linear(x, gradient);
            const double slope = gradient.norm();
            if (!(slope > 0)) continue;
            const Vec<D> to = x - step / (grid.dx * slope) * gradient;
            if ((to.array() > 0).all() && (to.array() < end.array()).all())
                markers.position[static_cast<std::size_t>(p)] = grid.to_world(to);
        }
    });
}

#define TIDELOCK_INSTANTIATE(D)                                                                                        \
    template double air_volume(const Grid<D>&, const Field<D, double>&, const Field<D, double>*, const Bubble&);       \
    template void find_shells(const Interface<D>&, const Field<D, std::int32_t>&, const CellContents<D>&,              \
                              std::vector<Bubble>&);                                                                   \
    template void restore_volumes(const Grid<D>&, const Field<D, double>*, const AirFields<D>&, std::vector<Bubble>&); \
    template void move_markers(const Grid<D>&, const Field<D, double>&, const Field<D, double>&, Markers<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
