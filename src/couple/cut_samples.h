/// The level set of couple/cut_level.h on a lattice finer than the grid, for the mesher in space; and what is known of
/// each sample beside solids.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "couple/cut_level.h"
#include "geometry/level_set_mesher.h"

namespace tidelock {

class CutSamples final : public LevelSamples {
  public:
    /// Samples a cell, along each axis.
    static constexpr int finer = 2;

    CutSamples(const Grid<3>& grid, const Field<3, double>& phi, const CutLevel<3>& level, double overlap);

    [[nodiscard]] Coord3 cells() const override { return finer * grid_.cells; }
    void fill(const Coord3& low, float* out) const override;

    [[nodiscard]] double spacing() const { return grid_.dx / finer; }
    /// Solids that matter to the block of a sample; none where it lies in one medium.
    [[nodiscard]] const std::vector<int>& parts(const Coord3& sample) const;
    /// Of a sample beside solids; elsewhere what it was taken for.
    [[nodiscard]] SampleMedium medium(const Coord3& sample) const;
    [[nodiscard]] Vec3 to_world(const Vec3& sample) const {
        return grid_.to_world((sample.array() + 0.5) / double{finer});
    }

  private:
    /// Of a block that is neither air nor liquid all over.
    struct Block {
        std::array<float, size> value;
        std::array<SampleMedium, size> medium;
        std::vector<int> parts;
    };
    struct Entry {
        std::unique_ptr<Block> mixed;  ///< null: all of one medium, or not known yet
        SampleMedium all = SampleMedium::air;
        bool known = false;
    };
    [[nodiscard]] std::size_t index(const Coord3& block) const;
    [[nodiscard]] Entry measured(const Coord3& low) const;
    /// Whether liquid, and whether air, may be in sight of a block's samples.
    [[nodiscard]] std::array<bool, 2> media_around(const Coord3& low) const;

    const Grid<3>& grid_;
    const Field<3, double>& phi_;
    const CutLevel<3>& level_;
    int margin_;
    Coord3 count_;
    mutable std::vector<Entry> entries_;  ///< each is written by the thread that fills it first
    std::vector<int> nothing_;
};

}  // namespace tidelock
