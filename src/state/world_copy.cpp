#include "state/world_copy.h"

#include <algorithm>

#include "state/walk.h"

namespace tidelock {

namespace {

/// From the first world to the second.
struct Copy {
    template <int D>
    void bricks(const std::string&, const BrickSetPtr<D>&, const BrickSetPtr<D>&) {}  // fields bring theirs
    template <int D, class T>
    void field(const std::string&, const Field<D, T>& from, Field<D, T>& to) {
        if (from.set_ptr() && from.set_ptr() == to.set_ptr() && from.background() == to.background()) {
            std::ranges::copy(from.values(), to.values().begin());  // into the memory that is there
            return;
        }
        to = from.set_ptr() ? from.remapped(from.set_ptr()) : Field<D, T>();
    }
    template <class Record>
    void one(const std::string&, const Record& from, Record& to) {
        to = from;
    }
    template <class Record>
    void list(const std::string&, const ListCount&, const std::vector<Record>& from, std::vector<Record>& to) {
        to = from;
    }
};

}  // namespace

template <int D>
World<D> clone(const World<D>& world) {
    World<D> out;
    out.domain = world.domain;
    out.solids.joints = world.solids.joints;
    std::visit([&]<class F>(const F&) { out.fluid.template emplace<F>(); }, world.fluid);
    copy_state<D>(world, out);
    return out;
}

template <int D>
void copy_state(const World<D>& from, World<D>& to) {
    walk<D>(Copy{}, from, to);
}

template void copy_state(const World<2>&, World<2>&);
template void copy_state(const World<3>&, World<3>&);
template World<2> clone(const World<2>&);
template World<3> clone(const World<3>&);

}  // namespace tidelock
