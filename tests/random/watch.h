/// What must hold of any scene, step by step; what does not is written down.
#pragma once

#include <string>
#include <vector>

#include "random/energy.h"

namespace tidelock {

/// The worst of a run, each over what is allowed: above 1 is a fault.
struct Worst {
    double speed = 0;        ///< the fastest over what heights, sources and movers allow
    double sample = 0;       ///< the fastest particle over 1.2 times the speed that the log names
    double drift = 0;        ///< of the ledger
    double energy = -1e9;    ///< beyond the bound, over 2 % of what could move
    double divergence = 0;   ///< over what the solver's tolerance leaves
    double penetration = 0;  ///< of solids into each other and into walls, over a quarter of a cell
    double outside = 0;      ///< particles and bodies beyond closed sides, over a thousandth of a cell
    [[nodiscard]] std::vector<std::pair<const char*, double>> list() const {
        return {{"speed", speed},           {"sample", sample},           {"drift", drift},    {"energy", energy},
                {"divergence", divergence}, {"penetration", penetration}, {"outside", outside}};
    }
};

template <int D>
class Watch {
  public:
    Watch(const scene::Scene& scene, const Session<D>& session);
    void step(const Session<D>& session, const StepDone<D>& done);

    [[nodiscard]] const Worst& worst() const { return worst_; }
    [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }

  private:
    void fault(const Session<D>& session, const std::string& text);
    void finite(const Session<D>& session);
    void solves(const Session<D>& session, const StepReport<D>& report);
    void speeds(const Session<D>& session, const StepReport<D>& report);
    void volume(const Session<D>& session);
    void places(const Session<D>& session, const StepReport<D>& report);
    [[nodiscard]] double allowed_speed(const Session<D>& session) const;

    const scene::Scene& scene_;
    EnergyAccount<D> energy_;
    double fastest_given_ = 0;  ///< initial fluid, sources, bodies at the start [m/s]
    Worst worst_;
    std::vector<std::string> faults_;
};

}  // namespace tidelock
