#include "app/world_checkpoint.h"

#include "base/file.h"

namespace tidelock::app {

template <int D>
std::filesystem::path save_world(World<D>& world, const std::filesystem::path& folder,
                                 const CheckpointIdentity& identity) {
    CheckpointWriter writer;
    for (const ArrayRef& array : world.arrays())
        writer.add(array.name, {static_cast<const std::byte*>(array.data), array.bytes}, ArrayType::f64);
    const std::vector<double> bodies = pack_bodies<D>(world.bodies);
    writer.add("bodies", bodies);
    const std::vector<double> contacts = pack_contacts<D>(world.contacts);
    writer.add("contacts", contacts);
    const std::vector<double> loads = pack_loads<D>(world.loads);
    writer.add("loads", loads);
    return writer.write(folder, identity, {world.step, world.frame, world.time});
}

template <int D>
void load_world(const CheckpointReader& reader, World<D>& world) {
    for (const ArrayRef& array : world.arrays()) {
        if (reader.count(array.name) * sizeof(double) != array.bytes)
            throw FileError(reader.file(),
                            fmt::format("array '{}' does not have the size of the scene's grid", array.name));
        reader.read(array.name, {static_cast<std::byte*>(array.data), array.bytes}, ArrayType::f64);
    }
    const std::vector<double> bodies = reader.read_vector<double>("bodies");
    if (bodies.size() != world.bodies.size() * body_state_size<D>)
        throw FileError(reader.file(), "does not hold the states of the scene's bodies");
    unpack_bodies<D>(bodies, world.bodies);
    world.contacts = unpack_contacts<D>(reader.read_vector<double>("contacts"));
    world.loads = unpack_loads<D>(reader.read_vector<double>("loads"));
    if (!world.loads.empty() && world.loads.size() != world.bodies.size())
        throw FileError(reader.file(), "does not hold the loads of the scene's bodies");
    world.step = reader.moment().step;
    world.frame = reader.moment().frame;
    world.time = reader.moment().time;
}

#define TIDELOCK_INSTANTIATE(D)                                                                                    \
    template std::filesystem::path save_world(World<D>&, const std::filesystem::path&, const CheckpointIdentity&); \
    template void load_world(const CheckpointReader&, World<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock::app
