#include "fluid/liquid_bricks.h"

namespace tidelock {

template <int D>
BrickSetPtr<D> liquid_bricks(const Grid<D>& grid, const Liquid<D>& liquid, int reach, const BrickSetPtr<D>& also) {
    const int band = reach + liquid_rim;
    BrickSetPtr<D> near = reactivate<D>(liquid.set(), liquid.phi, band);
    if (liquid.particles.size() > 0)
        near = unite<D>(*near, *bricks_of_particles<D>(grid, liquid.particles.position, band));
    if (also) near = unite<D>(*near, *also);
    return *near == *liquid.set() ? liquid.set() : near;
}

template <int D>
void move_to_bricks(const BrickSetPtr<D>& set, Liquid<D>& liquid) {
    remap_all<D>(set, liquid.phi, liquid.pressure);
    if (liquid.velocity.set_ptr() != set) liquid.velocity = liquid.velocity.remapped(set);
}

#define TIDELOCK_INSTANTIATE(D)                                                                          \
    template BrickSetPtr<D> liquid_bricks(const Grid<D>&, const Liquid<D>&, int, const BrickSetPtr<D>&); \
    template void move_to_bricks(const BrickSetPtr<D>&, Liquid<D>&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
