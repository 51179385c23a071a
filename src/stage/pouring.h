/// Sources and drains of a liquid in one step: they fill and empty the level set and its particles, the ledger notes
/// how much, and bubbles learn of it.
///
/// Ledger   Where particles are the liquid, they are counted. With a particle level set, or a narrow band, below which
///          there are none, it is the volume that counts:
///          what a source adds to it; what drains find, or what has flowed into them, if that much is gone
///          (fluid/liquid_source.h).
/// Room     What comes into being within liquid pushes as much away, by a source in the projection. A region of liquid without air and without a way out takes nothing: its sources wait, and a note says so
///          (couple/way_out.h).
/// Markers  What a source fills has no air in it any more, and what a drain empties no liquid: markers of that side,
///          which find themselves escaped, would take it back, to be filled or emptied again.
#pragma once

#include "couple/bubbles.h"
#include "stage/step.h"

namespace tidelock {

template <int D>
class Pouring {
  public:
    /// While surface and velocity are those of the last solve, and Step::interface is that of the new step.
    void note_inflow(const LiquidParameters<D>& parameters, const Step<D>& step);
    /// Once surface and particles have moved. Without particles, Step::velocity is set in sources.
    void pour(const LiquidParameters<D>& parameters, Step<D>& step);

    /// Cells of drains, which let air in; with bubbles, what was poured where.
    [[nodiscard]] const std::vector<CellPlace>& vents() const { return vents_; }
    [[nodiscard]] const std::vector<PouredCell<D>>& poured() const { return poured_; }
    /// What the flow must make room for.
    [[nodiscard]] const std::vector<FlowSource>& room() const { return room_; }

  private:
    /// Whether a source has somewhere to pour to; a note says where it has not.
    [[nodiscard]] bool has_room(const LiquidParameters<D>& parameters, std::size_t index, Step<D>& step) const;
    /// Particles that one source makes, and the room that they need [m^D].
    double emit(const LiquidParameters<D>& parameters, std::size_t index, Step<D>& step);
    /// What one source adds to the level set, and within it [m^D].
    double fill(const LiquidParameters<D>& parameters, std::size_t index, Step<D>& step);
    void empty_drains(const LiquidParameters<D>& parameters, Step<D>& step);

    double inflow_ = 0;  ///< into all drains [m^D]
    std::vector<CellPlace> vents_;
    std::vector<PouredCell<D>> poured_;
    std::vector<FlowSource> room_;
};

}  // namespace tidelock
