/// A run on the screen.
#pragma once

#include <optional>

#include "app/progress.h"
#include "run/file_recorder.h"

namespace tidelock::app {

template <int D>
class ScreenRecorder final : public Recorder<D> {
  public:
    /// Comes after `files` and `film` among the recorders; all are kept by reference.
    ScreenRecorder(bool quiet, const RunFolder& folder, const FileRecorder<D>& files, const FilmRecorder<D>& film)
        : quiet_(quiet), folder_(folder), files_(files), film_(film) {}

    void begin(Session<D>& session) override;
    void step(const Session<D>& session, const StepDone<D>& done, const StepRecord& record) override;
    void remark(const Session<D>& session, const Remark& remark) override;
    void frame(const Session<D>& session) override;
    void end(Session<D>& session, const Ending& ending) override;

  private:
    bool quiet_;
    const RunFolder& folder_;
    const FileRecorder<D>& files_;
    const FilmRecorder<D>& film_;
    std::optional<Progress> progress_;
};

}  // namespace tidelock::app
