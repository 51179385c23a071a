#include "io/body_tracks.h"

#include <algorithm>

#include "base/file.h"

namespace tidelock {

namespace {

template <int D>
Placement<D> place_in(const BodyRecord& record) {
    constexpr std::size_t turns = D == 2 ? 1 : 4;
    if (record.position.size() != D || record.rotation.size() != turns)
        throw FileError("steps.jsonl",
                        fmt::format("body '{}' has {} coordinates, not {}", record.name, record.position.size(), D));
    Placement<D> place;
    std::copy_n(record.position.begin(), D, place.position.data());
    const auto& r = record.rotation;
    if constexpr (D == 2)
        place.rotation = Rotation<2>(r[0]);
    else
        place.rotation = Rotation<3>(Eigen::Quaterniond(r[0], r[1], r[2], r[3]));
    return place;
}

}  // namespace

template <int D>
void BodyTracks<D>::add(double time, const std::vector<RigidBody<D>>& bodies) {
    times.push_back(time);
    auto& row = places.emplace_back();
    for (const auto& body : bodies) row.push_back({body.position, body.rotation});
}

template <int D>
BodyTracks<D> tracks_from_log(const std::vector<RigidBody<D>>& start, const std::vector<StepRecord>& log,
                              std::int64_t last) {
    BodyTracks<D> tracks;
    tracks.add(0, start);
    for (std::size_t i = 0; i < log.size(); ++i) {
        const StepRecord& r = log[i];
        if (r.frame > last) break;
        if (r.bodies.size() != start.size())
            throw FileError("steps.jsonl", fmt::format("step {} has {} bodies, the scene has {}", r.step,
                                                       r.bodies.size(), start.size()));
        if (i + 1 < log.size() && log[i + 1].frame == r.frame) continue;
        tracks.times.push_back(r.time);
        auto& row = tracks.places.emplace_back();
        for (std::size_t k = 0; k < r.bodies.size(); ++k) {
            if (r.bodies[k].name != start[k].name)
                throw FileError("steps.jsonl", fmt::format("step {} has a body '{}' where the scene has '{}'", r.step,
                                                           r.bodies[k].name, start[k].name));
            row.push_back(place_in<D>(r.bodies[k]));
        }
    }
    return tracks;
}

#define TIDELOCK_INSTANTIATE(D)                                                                              \
    template struct BodyTracks<D>;                                                                           \
    template BodyTracks<D> tracks_from_log(const std::vector<RigidBody<D>>&, const std::vector<StepRecord>&, \
                                           std::int64_t);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
