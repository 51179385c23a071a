/// The pictures of a run as it goes: within a share of its time, so that they never cost more than what they show.
///
/// They have a cheaper look than those that `tidelock render` draws from the same frames (docs/rendering.md). Where even
/// these are too slow there are fewer of them: the first and the last frame always have one, the others where the time
/// allows it. What a picture shows does not depend on the clock, only whether it is there.
#pragma once

#include <optional>
#include <string>

#include "io/run_folder.h"
#include "run/frame_picture.h"
#include "run/session.h"

namespace tidelock {

/// Keeps an expense within its share of the time.
class TimeShare {
  public:
    /// `share` in (0, 1]; 1: no limit.
    explicit TimeShare(double share) : share_(share) {}

    /// Whether all of it is still within the share of the time [s] so far, with one more that takes as long as the last.
    [[nodiscard]] bool allows(double elapsed) const {
        return share_ >= 1 || spent_ + last_ <= share_ * (elapsed + last_);
    }
    void spend(double seconds) {
        spent_ += seconds;
        last_ = seconds;
    }
    [[nodiscard]] double spent() const { return spent_; }  ///< [s]

  private:
    double share_, spent_ = 0, last_ = 0;
};

template <int D>
class Previews {
  public:
    Previews(const scene::Scene& scene, RunPaths paths);

    /// The time of which they have a share begins.
    void begin();
    /// The session stands at a frame, its bodies at these places.
    void frame(const Session<D>& session, const std::vector<Placement<D>>& places);
    /// "pictures: 7 of 25 frames, 1.3 s of 6.1 s (21 %)"; `film`: seconds that it took besides. Empty without pictures.
    [[nodiscard]] std::string cost_text(double film) const;

  private:
    const scene::Scene& scene_;
    RunPaths paths_;
    TimeShare share_;
    std::optional<Painter<D>> painter_;
    double begun_ = 0;  ///< [s]
    int drawn_ = 0, frames_ = 0;
};

}  // namespace tidelock
