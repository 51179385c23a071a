#include "couple/cut_samples.h"

#include <algorithm>
#include <cmath>

namespace tidelock {

namespace {

constexpr float far = 3;       ///< [samples] distances beyond are not told apart
constexpr float near = 1e-3f;  ///< [samples] the surface keeps this far from samples: no slivers

Coord3 place_in_block(int k) { return {k >> 6, (k >> 3) & 7, k & 7}; }

}  // namespace

CutSamples::CutSamples(const Grid<3>& grid, const Field<3, double>& phi, const CutLevel<3>& level, double overlap)
    : grid_(grid), phi_(phi), level_(level), margin_(2 + static_cast<int>(std::ceil(overlap / grid.dx))) {
    for (int a = 0; a < 3; ++a) count_[a] = (cells()[a] + 1) / edge + 2;  // as the mesher has them
    entries_.resize(static_cast<std::size_t>(count_.cast<std::ptrdiff_t>().prod()));
}

std::size_t CutSamples::index(const Coord3& block) const {
    return static_cast<std::size_t>((static_cast<std::ptrdiff_t>(block[2]) * count_[1] + block[1]) * count_[0] +
                                    block[0]);
}

std::array<bool, 2> CutSamples::media_around(const Coord3& low) const {
    Coord3 first, last;
    for (int a = 0; a < 3; ++a) {
        const int top = grid_.cells[a] - 1;
        first[a] = std::clamp((low[a] >> 1) - margin_, 0, top);
        last[a] = std::clamp(((low[a] + edge) >> 1) + margin_, 0, top);
    }
    static_assert(finer == 2);
    bool liquid = false, air = false;
    const auto& set = phi_.set();
    for (int z = first[2]; z <= last[2]; ++z)
        for (int y = first[1]; y <= last[1]; ++y)
            for (int x = first[0]; x <= last[0];) {
                const Coord3 cell(x, y, z);
                const int end = std::min(last[0], x | (Brick<3>::size[0] - 1));
                const auto slot = set.find(brick_of<3>(cell));
                if (slot == set.void_slot()) {
                    air = true, x = end + 1;
                    continue;
                }
                const double* row = phi_.brick(slot) + local_index<3>(cell);
                for (; x <= end; ++x, ++row) (*row < 0 ? liquid : air) = true;
                if (liquid && air) return {true, true};
            }
    return {liquid, air};
}

CutSamples::Entry CutSamples::measured(const Coord3& low) const {
    Entry out;
    out.known = true;
    const auto [liquid, air] = media_around(low);
    if (!liquid) return out;
    const Vec3 middle = to_world(low.cast<double>().array() + 0.5 * (edge - 1));
    const double reach = spacing() * (std::sqrt(3.0) * 0.5 * edge + 2 * finer);
    std::vector<int> parts = level_.near(middle, reach);
    if (!air && parts.empty()) {
        out.all = SampleMedium::liquid;
        return out;
    }
    out.mixed = std::make_unique<Block>();
    VisibleSurface<3> view = level_.view();
    for (int k = 0; k < size; ++k) {
        const Coord3 at = low + place_in_block(k);
        const Coord3 inner = at.cwiseMax(0).cwiseMin(cells().array().matrix() - Coord3::Ones());
        auto& value = out.mixed->value[static_cast<std::size_t>(k)];
        auto& medium = out.mixed->medium[static_cast<std::size_t>(k)];
        if ((at - inner).cwiseAbs().maxCoeff() > 1) {  // beyond the sides all is outside
            value = far, medium = SampleMedium::air;
            continue;
        }
        const LevelSample<3> sample = level_.sample(to_world(inner.cast<double>()), parts, view);
        const float d = std::clamp(static_cast<float>(sample.value / spacing()), -far, far);
        medium = sample.medium;
        value = medium == SampleMedium::liquid ? std::min(d, -near) : std::max(d, near);
    }
    out.mixed->parts = std::move(parts);
    return out;
}

void CutSamples::fill(const Coord3& low, float* out) const {
    Entry& entry = entries_[index(low.array() / edge + 1)];
    if (!entry.known) entry = measured(low);
    if (entry.mixed) {
        std::copy(entry.mixed->value.begin(), entry.mixed->value.end(), out);
        return;
    }
    if (entry.all == SampleMedium::air) {
        std::fill_n(out, size, far);
        return;
    }
    for (int k = 0; k < size; ++k) {
        const Coord3 at = low + place_in_block(k);
        const bool inside = (at.array() >= -1).all() && (at.array() <= cells().array()).all();
        out[k] = inside ? -far : far;
    }
}

const std::vector<int>& CutSamples::parts(const Coord3& sample) const {
    Coord3 block;
    for (int a = 0; a < 3; ++a) block[a] = (sample[a] >> 3) + 1;
    const Entry& entry = entries_[index(block)];
    return entry.mixed ? entry.mixed->parts : nothing_;
}

SampleMedium CutSamples::medium(const Coord3& sample) const {
    Coord3 block;
    for (int a = 0; a < 3; ++a) block[a] = (sample[a] >> 3) + 1;
    const Entry& entry = entries_[index(block)];
    if (!entry.mixed) return entry.all;
    const Coord3 at = sample - 8 * (block - Coord3::Ones());
    return entry.mixed->medium[static_cast<std::size_t>((at[0] << 6) | (at[1] << 3) | at[2])];
}

}  // namespace tidelock
