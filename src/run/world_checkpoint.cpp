#include "run/world_checkpoint.h"

#include "base/file.h"

namespace tidelock {

namespace {

/// The bricks of a liquid, as coordinates one after the other.
template <int D>
std::vector<std::int32_t> pack_bricks(const BrickSet<D>& set) {
    std::vector<std::int32_t> out;
    for (const Coord<D>& brick : set.bricks()) out.insert(out.end(), brick.data(), brick.data() + D);
    return out;
}

template <int D>
void load_liquid(const CheckpointReader& reader, Liquid<D>& liquid) {
    const auto numbers = reader.read_vector<std::int32_t>("bricks");
    std::vector<Coord<D>> bricks(numbers.size() / D);
    for (std::size_t b = 0; b < bricks.size(); ++b) std::copy_n(&numbers[D * b], D, bricks[b].data());
    const auto set = std::make_shared<const BrickSet<D>>(liquid.set()->lattice(), std::move(bricks));
    liquid.phi = Field<D, double>(set, liquid.phi.background());
    liquid.pressure = Field<D, double>(set, 0.0);
    liquid.velocity = FaceField<D, double>(set, 0.0);
    Particles<D>& particles = liquid.particles;
    const std::size_t count = reader.count("particles.position") / D;
    particles.position.resize(count);
    particles.velocity.resize(count);
    particles.affine.resize(particles.with_affine ? count : 0);
    Markers<D>& markers = liquid.markers;
    const std::size_t marks = reader.count("markers.radius");
    markers.position.resize(marks);
    markers.radius.resize(marks);
    markers.sign.resize(marks);
    const auto sources = reader.read_vector<double>("sources");
    if (sources.size() != liquid.progress.size() * (D + 1))
        throw FileError(reader.file(), "does not hold the states of the scene's sources");
    for (std::size_t i = 0; i < liquid.progress.size(); ++i) {
        std::copy_n(&sources[(D + 1) * i], D, liquid.progress[i].travelled.data());
        liquid.progress[i].running = sources[(D + 1) * i + D] != 0;
    }
    liquid.bubbles.target = reader.read_vector<double>("bubbles.target");
    liquid.bubbles.missing = reader.read_vector<double>("bubbles.missing");
    if (reader.contains("bubbles.label")) {
        liquid.bubbles.label = Field<D, std::int32_t>(set, 0);
        if (reader.count("bubbles.label") != liquid.bubbles.label.values().size())
            throw FileError(reader.file(), "array 'bubbles.label' does not have the size of the liquid's bricks");
        reader.read("bubbles.label", liquid.bubbles.label.values());
    }
    const auto ledger = reader.read_vector<double>("ledger");
    if (ledger.size() != 5) throw FileError(reader.file(), "does not hold the account of the liquid's volume");
    liquid.ledger = {ledger[0], ledger[1], ledger[2], ledger[3], ledger[4]};
}

/// Signs of markers are bytes, all other arrays of a World are doubles.
ArrayType type_of(const ArrayRef& array) { return array.name == "markers.sign" ? ArrayType::u8 : ArrayType::f64; }

}  // namespace

template <int D>
std::filesystem::path save_world(const World<D>& world, const std::filesystem::path& folder,
                                 const CheckpointIdentity& identity) {
    CheckpointWriter writer;
    // The list could be written through; here it is read.
    for (const ArrayRef& array : list_arrays<D>(const_cast<World<D>&>(world)))
        writer.add(array.name, {static_cast<const std::byte*>(array.data), array.bytes}, type_of(array));
    std::vector<std::int32_t> bricks;
    std::vector<double> ledger, sources;
    if (world.has_liquid()) {
        const Liquid<D>& liquid = world.liquid();
        for (const auto& [travelled, running] : liquid.progress) {
            sources.insert(sources.end(), travelled.data(), travelled.data() + D);
            sources.push_back(running ? 1 : 0);
        }
        const VolumeLedger& volume = liquid.ledger;
        ledger = {volume.expected, volume.present, volume.integral, volume.poured, volume.drained};
        writer.add("sources", sources);
        writer.add("bubbles.target", liquid.bubbles.target);
        writer.add("bubbles.missing", liquid.bubbles.missing);
        if (liquid.bubbles.label.set_ptr())
            writer.add("bubbles.label", std::span<const std::int32_t>(liquid.bubbles.label.values()));
        bricks = pack_bricks<D>(*liquid.set());
        writer.add("bricks", bricks);
        writer.add("ledger", ledger);
    }
    const std::vector<double> bodies = pack_bodies<D>(world.solids.bodies);
    writer.add("bodies", bodies);
    const std::vector<double> contacts = pack_contacts<D>(world.solids.contacts);
    writer.add("contacts", contacts);
    const std::vector<double> loads = pack_loads<D>(world.solids.loads);
    writer.add("loads", loads);
    return writer.write(folder, identity, {world.clock.step, world.clock.frame, world.clock.time});
}

template <int D>
void load_world(const CheckpointReader& reader, World<D>& world) {
    if (world.has_liquid()) load_liquid<D>(reader, world.liquid());
    for (const ArrayRef& array : list_arrays<D>(world)) {
        if (reader.count(array.name) * (type_of(array) == ArrayType::u8 ? 1 : sizeof(double)) != array.bytes)
            throw FileError(reader.file(),
                            fmt::format("array '{}' does not have the size of the scene's grid", array.name));
        reader.read(array.name, {static_cast<std::byte*>(array.data), array.bytes}, type_of(array));
    }
    const std::vector<double> bodies = reader.read_vector<double>("bodies");
    if (bodies.size() != world.solids.bodies.size() * body_state_size<D>)
        throw FileError(reader.file(), "does not hold the states of the scene's bodies");
    unpack_bodies<D>(bodies, world.solids.bodies);
    world.solids.contacts = unpack_contacts<D>(reader.read_vector<double>("contacts"));
    world.solids.loads = unpack_loads<D>(reader.read_vector<double>("loads"));
    if (!world.solids.loads.empty() && world.solids.loads.size() != world.solids.bodies.size())
        throw FileError(reader.file(), "does not hold the loads of the scene's bodies");
    world.clock.step = reader.moment().step;
    world.clock.frame = reader.moment().frame;
    world.clock.time = reader.moment().time;
}

#define TIDELOCK_INSTANTIATE(D)                                                              \
    template std::filesystem::path save_world(const World<D>&, const std::filesystem::path&, \
                                              const CheckpointIdentity&);                    \
    template void load_world(const CheckpointReader&, World<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
