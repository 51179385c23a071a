#include "io/world_checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/file.h"
#include "state/walk.h"

namespace tidelock {

namespace {

/// Adds what the walk comes to.
class Saver {
  public:
    explicit Saver(CheckpointWriter& writer) : writer_(writer) {}

    template <int D>
    void bricks(const std::string& name, const BrickSetPtr<D>& set) {
        add_records(name, set->bricks().data(), set->bricks().size());
    }
    template <int D, class T>
    void field(const std::string& name, const Field<D, T>& field) {
        if (field.set_ptr()) writer_.add(name, field.values());
    }
    template <class Record>
    void one(const std::string& name, const Record& record) {
        add_records(name, &record, 1);
    }
    template <class Record>
    void list(const std::string& name, const ListCount&, const std::vector<Record>& records) {
        add_records(name, records.data(), records.size());
    }

  private:
    template <class Record>
    void add_records(const std::string& name, const Record* records, std::size_t count) {
        for_each_column(name, records, count, [&]<class T>(const std::string& member, const Column<const T>& column) {
            if (column.dense()) {
                writer_.add(member, std::span<const T>(column.first, column.rows * column.width));
                return;
            }
            const auto numbers = std::make_unique<T[]>(count * column.width);
            for (std::size_t i = 0; i < count; ++i)
                std::copy_n(column.row(i).begin(), column.width, numbers.get() + i * column.width);
            writer_.add_copy(member, std::span<const T>(numbers.get(), count * column.width));
        });
    }

    CheckpointWriter& writer_;
};

/// Sets what the walk comes to, and makes room for it before.
template <int D>
class Loader {
  public:
    explicit Loader(const CheckpointReader& reader) : reader_(reader) {}

    void bricks(const std::string& name, const BrickSetPtr<D>& set) {
        std::vector<Coord<D>> bricks(rows_of<Coord<D>>(name));
        read_records(name, bricks.data(), bricks.size());
        for (const Coord<D>& brick : bricks)
            if (!set->inside(brick)) refuse("array '{}' does not fit the scene's grid", name);
        set_ = std::make_shared<const BrickSet<D>>(set->lattice(), std::move(bricks));
        if (*set_ == *set) set_ = set;
    }
    template <class T>
    void field(const std::string& name, Field<D, T>& field) {
        if (!field.set_ptr() && !reader_.contains(name)) return;
        field = Field<D, T>(set_, field.background());
        if (reader_.count(name) != field.values().size())
            refuse("array '{}' does not have the size of the fluid's bricks", name);
        reader_.read(name, field.values());
    }
    template <class Record>
    void one(const std::string& name, Record& record) {
        read_records(name, &record, 1);
    }
    template <class Record>
    void list(const std::string& name, const ListCount& count, std::vector<Record>& records) {
        const std::size_t rows = rows_of<Record>(name);
        if (count.exactly && *count.exactly != rows) refuse("does not hold {}", count.what);
        records.resize(rows);
        read_records(name, records.data(), rows);
    }

  private:
    template <class... A>
    [[noreturn]] void refuse(fmt::format_string<A...> text, A&&... arguments) const {
        throw FileError(reader_.file(), fmt::format(text, std::forward<A>(arguments)...));
    }

    /// How many records there are, by their first column.
    template <class Record>
    [[nodiscard]] std::size_t rows_of(const std::string& name) const {
        std::optional<std::size_t> rows;
        for_each_column(name, static_cast<Record*>(nullptr), 0, [&](const std::string& member, const auto& column) {
            if (!rows) rows = reader_.count(member) / column.width;
        });
        return *rows;
    }

    template <class Record>
    void read_records(const std::string& name, Record* records, std::size_t count) const {
        for_each_column(name, records, count, [&]<class T>(const std::string& member, const Column<T>& column) {
            const auto numbers = std::make_unique<T[]>(count * column.width);
            reader_.read(member, std::span<T>(numbers.get(), count * column.width));
            for (std::size_t i = 0; i < count; ++i) {
                const std::span<T> row = column.row(i);
                std::copy_n(numbers.get() + i * column.width, column.width, row.begin());
            }
        });
    }

    const CheckpointReader& reader_;
    BrickSetPtr<D> set_;
};

}  // namespace

template <int D>
std::filesystem::path save_world(const World<D>& world, const std::filesystem::path& folder,
                                 const CheckpointIdentity& identity) {
    CheckpointWriter writer;
    walk<D>(Saver(writer), world);
    return writer.write(folder, identity, {world.clock.step, world.clock.frame, world.clock.time});
}

template <int D>
void load_world(const CheckpointReader& reader, World<D>& world) {
    walk<D>(Loader<D>(reader), world);
}

#define TIDELOCK_INSTANTIATE(D)                                                              \
    template std::filesystem::path save_world(const World<D>&, const std::filesystem::path&, \
                                              const CheckpointIdentity&);                    \
    template void load_world(const CheckpointReader&, World<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
