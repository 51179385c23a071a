#include "app/screen_recorder.h"

#include <fmt/format.h>

#include "run/run_session.h"

namespace tidelock::app {

template <int D>
void ScreenRecorder<D>::begin(Session<D>& session) {
    progress_.emplace(quiet_, session.frames(), session.end_time());
    if (folder_.kept()) progress_->say(fmt::format("{}: {}", folder_.paths().folder.string(), files_.beginning()));
    progress_->begin(session.time());
}

template <int D>
void ScreenRecorder<D>::step(const Session<D>& /*session*/, const StepDone<D>& /*done*/, const StepRecord& record) {
    progress_->step(record);
}

template <int D>
void ScreenRecorder<D>::remark(const Session<D>& /*session*/, const Remark& remark) {
    if (remark.note && remark.first) progress_->warn(fmt::format("note: {}", remark.text));
}

template <int D>
void ScreenRecorder<D>::frame(const Session<D>& session) {
    progress_->frame(session.frame());
}

template <int D>
void ScreenRecorder<D>::end(Session<D>& session, const Ending& ending) {
    const std::string folder = folder_.paths().folder.string();
    progress_->say(fmt::format("{}\n  in {}", ending_text(session, ending), folder));
    if (!ending.complete) progress_->say(fmt::format("  go on with: tidelock run {} --resume", folder));
    if (film_.made()) progress_->say(fmt::format("  film: {}", folder_.paths().film().string()));
    if (const std::string cost = files_.previews().cost_text(film_.seconds()); !cost.empty())
        progress_->say("  " + cost);
}

template class ScreenRecorder<2>;
template class ScreenRecorder<3>;

}  // namespace tidelock::app
