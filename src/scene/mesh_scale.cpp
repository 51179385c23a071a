#include "scene/mesh_scale.h"

#include <fmt/format.h>

#include <algorithm>

namespace tidelock::scene {

template <int D>
std::string size_text(const Vec<D>& size) {
    std::string text;
    for (int a = 0; a < D; ++a) text += fmt::format("{}{:.4g}", a > 0 ? " x " : "", size[a]);
    return text + " m";
}

double fitting_scale(const Vec3& mesh, const Vec3& domain) {
    Vec3 m = mesh, d = domain;
    std::sort(m.data(), m.data() + 3);
    std::sort(d.data(), d.data() + 3);
    const auto fits = [&](double scale) { return (scale * m.array() <= d.array()).all(); };
    // From the words of the numbers: a power that is multiplied up has other digits.
    double best = 1e-6;
    for (const double power : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1., 1e1, 1e2, 1e3, 1e4, 1e5, 1e6})
        if (fits(power)) best = power;
    return best;
}

template std::string size_text<2>(const Vec<2>&);
template std::string size_text<3>(const Vec<3>&);

}  // namespace tidelock::scene
