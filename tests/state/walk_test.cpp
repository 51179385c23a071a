/// Everything in a World is walked: whatever number is changed, the hash changes, and a clone has it.
#include "state/walk.h"

#include <gtest/gtest.h>

#include "state/world_copy.h"
#include "state/world_hash.h"
#include "state/worlds.h"

namespace tidelock {
namespace {

// The members of every record of the state, by structured bindings: who adds one sees this not compile, and has to walk
// it (or to say here that a scene fixes it).
template <int D>
auto members(World<D>& world) {
    auto& [clock, domain, fluid, solids] = world;
    [[maybe_unused]] auto& [grid, gravity, sides] = domain;  // fixed
    return std::tie(clock, fluid, solids);
}
auto members(Clock& clock) {
    auto& [time, step, frame] = clock;
    return std::tie(time, step, frame);
}
template <int D>
auto members(Solids<D>& solids) {
    auto& [bodies, joints, contacts, loads] = solids;  // joints are fixed
    return std::tie(bodies, contacts, loads);
}
template <int D>
auto members(RigidBody<D>& body) {
    auto& [name, type, shape, offset, volume, mass, inertia, shell, motion, cores, samples, friction, restitution,
           radius, start, position, rotation, velocity, angular_momentum] = body;  // fixed, but for the last four
    return std::tie(position, rotation, velocity, angular_momentum);
}
template <int D>
auto members(ContactMemory<D>& contact) {
    auto& [a, b, id, force] = contact;
    return std::tie(a, b, id, force);
}
template <int D>
auto members(Smoke<D>& smoke) {
    auto& [velocity, density, temperature, pressure] = smoke;
    return std::tie(velocity, density, temperature, pressure);
}
template <int D>
auto members(Liquid<D>& liquid) {
    auto& [velocity, phi, pressure, particles, markers, ledger, bubbles, progress] = liquid;
    return std::tie(velocity, phi, pressure, particles, markers, ledger, bubbles, progress);
}
template <int D>
auto members(Particles<D>& particles) {
    auto& [position, velocity, affine, with_affine] = particles;
    return std::tie(position, velocity, affine, with_affine);
}
template <int D>
auto members(Markers<D>& markers) {
    auto& [position, radius, sign] = markers;
    return std::tie(position, radius, sign);
}
auto members(VolumeLedger& ledger) {
    auto& [expected, present, integral, poured, drained] = ledger;
    return std::tie(expected, present, integral, poured, drained);
}
template <int D>
auto members(BubbleState<D>& bubbles) {
    auto& [label, target, missing] = bubbles;
    return std::tie(label, target, missing);
}
template <int D>
auto members(SourceProgress<D>& progress) {
    auto& [travelled, running] = progress;
    return std::tie(travelled, running);
}

/// Calls change() for the nth place of a record where a number or the length of a list can be changed.
class Changer {
  public:
    explicit Changer(int n) : left_(n) {}
    [[nodiscard]] bool done() const { return left_ < 0; }

    template <class T>
    requires std::is_arithmetic_v<T>
    void visit(T& x) {
        if (left_-- == 0) x = static_cast<T>(x == T{0} ? T{1} : T{0});
    }
    template <class T, int R, int C>
    void visit(Eigen::Matrix<T, R, C>& m) {
        visit(m.data()[m.size() - 1]);
    }
    void visit(Rotation<2>& r) { visit(r.numbers()[0]); }
    void visit(Rotation<3>& r) { visit(r.numbers()[3]); }
    template <int D, class T>
    void visit(Field<D, T>& field) {
        visit(field.values().back());
        if (left_-- == 0) {
            auto bricks = field.set().bricks();
            bricks.pop_back();
            field = field.remapped(std::make_shared<const BrickSet<D>>(field.set().lattice(), std::move(bricks)));
        }
        if (left_-- == 0) field = {};
    }
    template <int D, class T>
    void visit(FaceField<D, T>& field) {
        for (int a = 0; a < D; ++a) visit(field[a].values().front());
    }
    template <class T>
    void visit(std::vector<T>& list) {
        visit(list.back());
        if (left_-- == 0) list.pop_back();
    }
    template <class... F>
    void visit(std::variant<std::monostate, F...>& fluid) {
        std::visit(
            [&](auto& x) {
                if constexpr (!std::is_same_v<decltype(x), std::monostate&>) visit(x);
            },
            fluid);
    }
    template <class Record>
    requires requires(Record& r) { members(r); }
    void visit(Record& record) {
        std::apply([&](auto&... member) { (visit(member), ...); }, members(record));
    }

  private:
    int left_;
};

template <int D>
int changes_seen(World<D> (*make)()) {
    const World<D> original = make();
    const auto hash = hash_of(original);
    for (int n = 0;; ++n) {
        World<D> world = make();
        Changer changer(n);
        changer.visit(world);
        if (!changer.done()) return n;
        EXPECT_NE(hash_of(world), hash) << "change " << n << " of " << D << " dimensions was not seen";
        EXPECT_EQ(hash_of(clone(world)), hash_of(world)) << "change " << n << " was not copied";
        EXPECT_EQ(hash_of(original), hash);
    }
}

TEST(Walk, ComesToEverything) {
    EXPECT_GT(changes_seen<2>(worlds::smoky<2>), 25);
    EXPECT_GT(changes_seen<3>(worlds::smoky<3>), 25);
    EXPECT_GT(changes_seen<2>(worlds::wet<2>), 50);
    EXPECT_GT(changes_seen<3>(worlds::wet<3>), 50);
    EXPECT_GE(changes_seen<3>(worlds::with_bodies<3>), 15);
}

TEST(Walk, NamesAndKindsOfFluidCount) {
    World<2> nothing = worlds::with_bodies<2>();
    EXPECT_NE(hash_of(nothing), hash_of(worlds::smoky<2>()));
    EXPECT_GT(bytes_of(worlds::wet<2>()), bytes_of(nothing) + 5 * Brick<2>::cells * sizeof(double));
}

TEST(Walk, CutsRecordsIntoColumns) {
    auto world = worlds::with_bodies<3>();
    auto& bodies = world.solids.bodies;
    std::vector<std::string> names;
    for_each_column("bodies", bodies.data(), bodies.size(), [&](const std::string& name, const auto& column) {
        names.push_back(name);
        EXPECT_EQ(column.rows, 2u);
        EXPECT_FALSE(column.dense());
        EXPECT_EQ(column.width, name == "bodies.rotation" ? 4u : 3u);
    });
    EXPECT_EQ(names, (std::vector<std::string>{"bodies.position", "bodies.rotation", "bodies.velocity",
                                               "bodies.angular_momentum"}));
    auto& loads = world.solids.loads;
    for_each_column("loads", loads.data(), loads.size(), [&](const std::string& name, const auto& column) {
        EXPECT_EQ(name, "loads");
        EXPECT_TRUE(column.dense());
        EXPECT_EQ(column.row(1)[5], 1.0 / 3);
    });
}

// A clone shares no number with its original.
TEST(Clone, GoesItsOwnWay) {
    World<3> world = worlds::wet<3>();
    World<3> copy = clone(world);
    const auto hash = hash_of(world);
    copy.liquid().phi.fill(1);
    copy.liquid().particles.position[0].setZero();
    copy.solids.bodies[0].position.setZero();
    copy.clock.advance(1);
    EXPECT_EQ(hash_of(world), hash);
    EXPECT_EQ(copy.domain.grid, world.domain.grid);
    EXPECT_EQ(copy.solids.bodies[0].shape, world.solids.bodies[0].shape);
}

}  // namespace
}  // namespace tidelock
