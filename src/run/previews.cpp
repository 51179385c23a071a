#include "run/previews.h"

#include <fmt/format.h>

#include "base/timer.h"

namespace tidelock {

template <int D>
Previews<D>::Previews(const scene::Scene& scene, RunPaths paths)
    : scene_(scene), paths_(std::move(paths)), share_(scene.output.preview_share), begun_(wall_seconds()) {}

template <int D>
void Previews<D>::begin() {
    begun_ = wall_seconds();
}

template <int D>
void Previews<D>::frame(const Session<D>& session, const std::vector<Placement<D>>& places) {
    if (!scene_.output.preview) return;
    ++frames_;
    const double before = wall_seconds();
    if (session.frame() > 0 && !session.complete() && !share_.allows(before - begun_)) return;
    const ScopedTimer timer("picture");
    const World<D>& world = session.world();
    if (!painter_) painter_.emplace(scene_, session.bodies_at_start(), world.domain.grid, PictureLook::draft);
    painter_->paint(view_of<D>(world, places), paths_.preview_png(static_cast<int>(session.frame())));
    share_.spend(wall_seconds() - before);
    ++drawn_;
}

template <int D>
std::string Previews<D>::cost_text(double film) const {
    if (drawn_ == 0) return {};
    const double all = wall_seconds() - begun_, spent = share_.spent() + film;
    return fmt::format("pictures: {} of {} frames, {:.1f} s of {:.1f} s ({:.0f} %){}{}", drawn_, frames_, spent, all,
                       100 * spent / all, film > 0 ? fmt::format(", the film's {:.1f} s among them", film) : "",
                       drawn_ < frames_ ? ". All of them, in full: tidelock render" : "");
}

template class Previews<2>;
template class Previews<3>;

}  // namespace tidelock
