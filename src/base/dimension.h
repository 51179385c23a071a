/// From a dimension that is known at run time to templates of it: the one place that tells 2 from 3.
#pragma once

#include <type_traits>

namespace tidelock {

template <int D>
using Dimension = std::integral_constant<int, D>;

/// f(Dimension<2>()) or f(Dimension<3>()): a generic lambda takes it as `[&]<int D>(Dimension<D>) { ... }`.
template <class F>
decltype(auto) visit_dimension(int dimension, F&& f) {
    return dimension == 2 ? f(Dimension<2>()) : f(Dimension<3>());
}

}  // namespace tidelock
