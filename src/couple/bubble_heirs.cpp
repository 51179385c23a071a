#include "couple/bubble_heirs.h"

#include <algorithm>
#include <limits>
#include <map>

namespace tidelock {

namespace {

/// Who gets the volume that somebody else cannot have.
template <int D>
class Heirs {
  public:
    Heirs(const BrickSet<D>& set, std::vector<Bubble>& bubbles) {
        for (Bubble& bubble : bubbles) {
            if (bubble.foam) continue;
            Candidate next{&bubble, Coord<D>::Constant(std::numeric_limits<int>::max()), Coord<D>::Constant(-1)};
            for (const CellPlace& at : bubble.cells) {
                const Coord<D> cell = first_cell<D>(set.brick(at.slot)) + local_coord<D>(at.local);
                next.low = next.low.cwiseMin(cell);
                next.high = next.high.cwiseMax(cell);
            }
            candidates_.push_back(next);
        }
    }
    /// The nearest bubble, by the box around it, that has ten times as much as it gains or loses; else the largest one.
    /// Null if there is none.
    [[nodiscard]] Bubble* find(const Coord<D>& cell, double change) const {
        Bubble *nearest = nullptr, *largest = nullptr;
        int least = std::numeric_limits<int>::max();
        for (const Candidate& c : candidates_) {
            if (largest == nullptr || c.bubble->target > largest->target) largest = c.bubble;
            if (c.bubble->target < 10 * std::abs(change)) continue;
            const Coord<D> way = (c.low - cell).cwiseMax(cell - c.high).cwiseMax(Coord<D>::Zero());
            if (way.squaredNorm() < least) least = way.squaredNorm(), nearest = c.bubble;
        }
        return nearest != nullptr ? nearest : largest;
    }

  private:
    struct Candidate {
        Bubble* bubble;
        Coord<D> low, high;
    };
    std::vector<Candidate> candidates_;
};

/// Foam has the volume that it has; what it should have beyond that goes to a bubble.
template <int D>
void settle_foam(const BrickSet<D>& set, std::vector<Bubble>& bubbles) {
    const Heirs<D> heirs(set, bubbles);
    for (Bubble& foam : bubbles) {
        if (!foam.foam || foam.target == foam.volume) continue;
        const CellPlace& at = foam.cells.front();
        const double change = foam.target - foam.volume;
        Bubble* heir = heirs.find(first_cell<D>(set.brick(at.slot)) + local_coord<D>(at.local), change);
        if (heir == nullptr) continue;
        heir->target += change;
        foam.target = foam.volume;
        foam.missing = 0;
    }
}

/// What became of an old bubble.
template <int D>
struct Fate {
    bool burst = false;                ///< some of its cells are the atmosphere's now
    double handed = 0;                 ///< cells of new bubbles that come from it
    Coord<D> last = Coord<D>::Zero();  ///< one of its cells
};

/// New bubbles take from the old ones by the shares of the cells that they have of them. What has burst gives nothing:
/// air that is cut off from the atmosphere, or was left by a bubble that joined it, begins with what is measured.
template <int D>
class Inheritance {
  public:
    Inheritance(const BubbleState<D>& state, const Field<D, std::int32_t>& label, std::vector<Bubble>& bubbles)
        : state_(state), label_(label), set_(label.set()), bubbles_(bubbles), fates_(state.target.size()) {}

    void settle() {
        look_back();
        look_forward();
        for (std::size_t n = 0; n < bubbles_.size(); ++n) inherit(n);
        const Heirs<D> heirs(set_, bubbles_);
        for (std::size_t o = 0; o < fates_.size(); ++o)
            if (fates_[o].handed == 0 && !fates_[o].burst) hand_over(o, heirs);
    }

  private:
    static std::size_t index(std::int32_t label) { return static_cast<std::size_t>(label - air_label::first_bubble); }
    [[nodiscard]] Coord<D> cell_of(const CellPlace& at) const {
        return first_cell<D>(set_.brick(at.slot)) + local_coord<D>(at.local);
    }

    /// The old bubbles' cells: whose are they now?
    void look_back() {
        for (std::ptrdiff_t b = 0; b < set_.count(); ++b)
            for (int i = 0; i < Brick<D>::cells; ++i) {
                const std::int32_t old = state_.label.brick(b)[i];
                if (old < air_label::first_bubble) continue;
                Fate<D>& fate = fates_[index(old)];
                fate.last = cell_of({static_cast<std::int32_t>(b), i});
                fate.burst = fate.burst || label_.brick(b)[i] == air_label::atmosphere;
            }
    }
    /// The new bubbles' cells: whose were they?
    void look_forward() {
        for (const Bubble& bubble : bubbles_) {
            std::map<std::int32_t, double> cells;  // by old label
            for (const CellPlace& at : bubble.cells)
                if (const std::int32_t old = state_.label.brick(at.slot)[at.local]; old != air_label::none)
                    cells[old] += 1;
            // A drop of air that has moved by more than its size belongs to what is near.
            if (cells.empty()) {
                const Coord<D> middle = cell_of(bubble.cells[bubble.cells.size() / 2]);
                const std::int32_t old = nearest_label<D>(state_.label, middle, air_label::atmosphere);
                if (old != air_label::none) cells[old] = static_cast<double>(bubble.cells.size());
            }
            for (const auto& [old, count] : cells)
                if (old >= air_label::first_bubble) fates_[index(old)].handed += count;
            overlap_.push_back(std::move(cells));
        }
    }
    void inherit(std::size_t n) {
        Bubble& bubble = bubbles_[n];
        const bool cut_off = std::any_of(overlap_[n].begin(), overlap_[n].end(), [&](const auto& part) {
            return part.first == air_label::atmosphere || fates_[index(part.first)].burst;
        });
        if (cut_off) {
            bubble.target = bubble.volume;
            return;
        }
        for (const auto& [old, cells] : overlap_[n]) {
            const double share = cells / fates_[index(old)].handed;
            bubble.target += state_.target[index(old)] * share;
            bubble.missing += state_.missing[index(old)] * share;
        }
    }
    /// A bubble without a cell left gives its volume to the one that is beside: it has joined it; or to an heir: it is
    /// too small to be seen. What is nearer to the atmosphere has joined that.
    void hand_over(std::size_t o, const Heirs<D>& heirs) {
        const std::int32_t near = nearest_label<D>(label_, fates_[o].last, air_label::atmosphere);
        if (near == air_label::atmosphere) return;
        Bubble* heir = near == air_label::none ? heirs.find(fates_[o].last, state_.target[o]) : &bubbles_[index(near)];
        if (heir != nullptr) heir->target += state_.target[o];
    }

    const BubbleState<D>& state_;
    const Field<D, std::int32_t>& label_;
    const BrickSet<D>& set_;
    std::vector<Bubble>& bubbles_;
    std::vector<Fate<D>> fates_;
    std::vector<std::map<std::int32_t, double>> overlap_;  ///< per new bubble: cells by old label
};

}  // namespace

template <int D>
std::int32_t nearest_label(const Field<D, std::int32_t>& label, const Coord<D>& cell, std::int32_t least) {
    constexpr int reach = 3, width = 2 * reach + 1;
    std::int32_t found = air_label::none;
    int nearest = std::numeric_limits<int>::max();
    for (int n = 0; n < (D == 3 ? width * width * width : width * width); ++n) {
        Coord<D> offset;
        offset[0] = n % width - reach;
        offset[1] = n / width % width - reach;
        if constexpr (D == 3) offset[2] = n / (width * width) - reach;
        const std::int32_t there = label.at(cell + offset);
        if (there < least || offset.squaredNorm() >= nearest) continue;
        nearest = offset.squaredNorm();
        found = there;
    }
    return found;
}

template <int D>
void inherit_volumes(const BubbleState<D>& before, const Field<D, std::int32_t>& label, std::vector<Bubble>& bubbles) {
    Inheritance<D>(before, label, bubbles).settle();
    settle_foam<D>(label.set(), bubbles);
}

#define TIDELOCK_INSTANTIATE(D)                                                                        \
    template std::int32_t nearest_label(const Field<D, std::int32_t>&, const Coord<D>&, std::int32_t); \
    template void inherit_volumes(const BubbleState<D>&, const Field<D, std::int32_t>&, std::vector<Bubble>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
