#include "state/world_hash.h"

#include "base/hash.h"
#include "state/walk.h"

namespace tidelock {

namespace {

class HashVisitor {
  public:
    [[nodiscard]] std::uint64_t value() const { return hasher_.value(); }

    template <int D>
    void bricks(const std::string& name, const BrickSetPtr<D>& set) {
        begin(name, set ? set->bricks().size() : 0);
        if (!set) return;
        for (const Coord<D>& brick : set->bricks()) add(numbers_of(brick));
    }
    template <int D, class T>
    void field(const std::string& name, const Field<D, T>& field) {
        begin(name, field.set_ptr() ? field.values().size() : 0);
        if (!field.set_ptr()) return;
        const T background = field.background();
        add(numbers_of(background));
        add(field.values());
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
    void begin(const std::string& name, std::size_t count) {
        hasher_.add(name);
        add(numbers_of(count));
    }
    template <class T, std::size_t Extent>
    void add(std::span<T, Extent> numbers) {
        hasher_.add(std::as_bytes(numbers));
    }
    template <class Record>
    void add_records(const std::string& name, const Record* records, std::size_t count) {
        for_each_column(name, records, count, [&](const std::string& member, const auto& column) {
            begin(member, count);
            for (std::size_t i = 0; i < column.rows; ++i) add(column.row(i));
        });
    }

    Hasher hasher_;
};

struct CountBytes {
    std::size_t bytes = 0;

    template <int D>
    void bricks(const std::string&, const BrickSetPtr<D>& set) {
        bytes += set ? set->bytes() : 0;
    }
    template <int D, class T>
    void field(const std::string&, const Field<D, T>& field) {
        bytes += field.bytes();
    }
    template <class Record>
    void one(const std::string&, const Record&) {
        bytes += sizeof(Record);
    }
    template <class Record>
    void list(const std::string&, const ListCount&, const std::vector<Record>& records) {
        bytes += records.size() * sizeof(Record);
    }
};

}  // namespace

template <int D>
std::uint64_t hash_of(const World<D>& world) {
    HashVisitor visitor;
    walk<D>(visitor, world);
    return visitor.value();
}

template <int D>
std::size_t bytes_of(const World<D>& world) {
    CountBytes visitor;
    walk<D>(visitor, world);
    return visitor.bytes;
}

#define TIDELOCK_INSTANTIATE(D)                      \
    template std::uint64_t hash_of(const World<D>&); \
    template std::size_t bytes_of(const World<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
