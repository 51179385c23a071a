/// Sizes of meshes for people, and scales that make them fit.
#pragma once

#include <string>

#include "base/vec.h"

namespace tidelock::scene {

/// "0.2 x 0.15 x 0.2 m".
template <int D>
[[nodiscard]] std::string size_text(const Vec<D>& size);

/// The greatest power of ten with which a mesh of that size fits into the domain, whichever way it is turned by right
/// angles: files are in millimetres, centimetres or metres.
[[nodiscard]] double fitting_scale(const Vec3& mesh, const Vec3& domain);

}  // namespace tidelock::scene
