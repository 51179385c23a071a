#include "io/world_checkpoint.h"

#include <gtest/gtest.h>

#include "base/files_testing.h"
#include "state/world_copy.h"
#include "state/world_hash.h"
#include "state/worlds.h"

namespace tidelock {
namespace {

const CheckpointIdentity identity{"scene", 1, "build"};

/// A world of the same scene before anything has happened: no particles, bricks or bubbles of its own yet.
template <int D>
World<D> at_start(const World<D>& world) {
    World<D> out = clone(world);
    out.clock = {};
    for (auto& body : out.solids.bodies) body.position.setZero(), body.rotation = {}, body.velocity.setZero();
    out.solids.contacts.clear();
    for (auto& load : out.solids.loads) load.setZero();
    if (!out.has_liquid()) return out;
    Liquid<D>& liquid = out.liquid();
    const auto set = make_dense<D>(liquid.set()->lattice());
    liquid.phi = Field<D, double>(set, liquid.phi.background());
    liquid.pressure = Field<D, double>(set, 0.0);
    liquid.velocity = FaceField<D, double>(set, 0.0);
    liquid.particles = {};
    liquid.markers = {};
    liquid.bubbles = {};
    liquid.ledger = {};
    for (auto& progress : liquid.progress) progress = {};
    return out;
}

template <int D>
void expect_round_trip(const World<D>& world) {
    const Folder folder;
    const auto file = save_world(world, folder.path(), identity);
    World<D> back = at_start(world);
    EXPECT_NE(hash_of(back), hash_of(world));
    load_world(CheckpointReader(file), back);
    EXPECT_EQ(hash_of(back), hash_of(world));
    EXPECT_EQ(CheckpointReader(file).moment().step, world.clock.step);
}

TEST(WorldCheckpoint, ComesBackBitForBit) {
    expect_round_trip(worlds::smoky<2>());
    expect_round_trip(worlds::smoky<3>());
    expect_round_trip(worlds::wet<2>());
    expect_round_trip(worlds::wet<3>());
    expect_round_trip(worlds::with_bodies<3>());
}

/// What is said about a checkpoint of a world when another one is to be loaded from it.
template <int D>
std::string refusal(const World<D>& saved, World<D> other) {
    const Folder folder;
    const auto file = save_world(saved, folder.path(), identity);
    return error_of<FileError>([&] { load_world(CheckpointReader(file), other); });
}

TEST(WorldCheckpoint, RefusesWhatDoesNotFit) {
    const World<2> saved = worlds::wet<2>();
    World<2> other = clone(saved);
    other.solids.bodies.pop_back();
    expect_contains(refusal(saved, clone(other)), "does not hold the states of the scene's bodies");
    other = clone(saved);
    other.liquid().progress.pop_back();
    expect_contains(refusal(saved, clone(other)), "does not hold the states of the scene's sources");
    expect_contains(refusal(other, worlds::smoky<2>()), "holds no array 'density'");
    // A body's load is missing, a particle's velocity, a brick of the grid.
    World<2> broken = clone(saved);
    broken.solids.loads.pop_back();
    expect_contains(refusal(broken, clone(saved)), "does not hold the loads of the scene's bodies");
    broken = clone(saved);
    broken.liquid().particles.velocity.pop_back();
    expect_contains(refusal(broken, clone(saved)), "does not hold the velocities of all particles");
    broken = clone(saved);
    broken.liquid().bubbles.label = broken.liquid().bubbles.label.remapped(make_dense<2>(Coord2(2, 2)));
    expect_contains(refusal(broken, clone(saved)),
                    "array 'bubbles.label' does not have the size of the fluid's bricks");
    other = clone(saved);
    other.liquid().phi = Field<2, double>(make_dense<2>(Coord2(1, 1)), 0.5);
    broken.liquid().phi = Field<2, double>(make_dense<2>(Coord2(2, 2)), 0.5);
    expect_contains(refusal(broken, clone(other)), "array 'bricks' does not fit the scene's grid");
}

}  // namespace
}  // namespace tidelock
