/// Moving solids as a transport scheme sees them (fluid/obstacles.h): by their signed distances, at both ends of a
/// step.
///
/// A point of the fluid and a solid are compared in the solid's own frame: there the solid rests, and what moves past
/// it is the straight way from the departure, seen from the solid's pose at the beginning, to the arrival, seen from
/// its pose at the end. A way that does not meet the solid in that frame does not cross it, however fast the solid
/// moves and however thin it is (numerics/transport 2).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "couple/solid_surfaces.h"
#include "grid/domain.h"

namespace tidelock {

template <int D>
class SolidObstacles final : public Obstacles<D> {
  public:
    /// `reach` [m]: how far a sample can come from.
    SolidObstacles(const Grid<D>& grid, const BrickSet<D>& set, std::shared_ptr<const SolidSurfaces<D>> surfaces,
                   double reach);

    [[nodiscard]] bool near_brick(std::ptrdiff_t slot) const override {
        return !near_[static_cast<std::size_t>(slot)].parts.empty();
    }
    [[nodiscard]] Clearance clearance(const Vec<D>& x) const override;
    [[nodiscard]] bool clip(const Vec<D>& arrival, Vec<D>& departure) const override;
    [[nodiscard]] bool carry(const Vec<D>& departure, Vec<D>& arrival, double gap) const override;
    [[nodiscard]] double distance_after(const Vec<D>& x) const override;
    [[nodiscard]] bool hides(const Vec<D>& x, const Vec<D>& y, Vec<D>& velocity) const override;
    [[nodiscard]] bool hides_after(const Vec<D>& x, const Vec<D>& y) const override;
    [[nodiscard]] bool shows_face(const Vec<D>& x, double clearance, Moment moment, int axis,
                                  const Coord<D>& face) const override;
    [[nodiscard]] Wall<D> wall(const Vec<D>& x, const Vec<D>& y, Moment moment) const override;
    [[nodiscard]] Vec<D> solid_velocity(const Vec<D>& x) const override;

  private:
    static constexpr int blocks = Brick<D>::cells >> D;

    /// Clearances of a brick's faces, or less. Each face is looked at from many points, but in most bricks none: a
    /// block's are measured when one of them is asked for.
    struct FaceRooms {
        std::mutex measuring;
        std::array<std::atomic<bool>, blocks> known{};
        std::array<std::array<float, Brick<D>::cells>, D> at[2];  ///< per Moment and axis [m]
    };

    /// Parts near a brick, listed for each of its blocks of 2^D cells: a brick that lies among many parts has few
    /// near each of its points.
    struct NearParts {
        std::vector<int> parts;           ///< block by block
        std::vector<std::int32_t> first;  ///< per block: where its parts begin; one more at the end. Empty without any
        std::unique_ptr<FaceRooms> rooms;
    };
    /// Parts that matter to a point: those near its block. Points beyond the domain count to its last cells, and in
    /// bricks that are not active all parts matter.
    [[nodiscard]] std::span<const int> near(const Vec<D>& x) const;
    void list_near(std::ptrdiff_t slot);
    void measure_faces(std::ptrdiff_t slot, int block) const;
    [[nodiscard]] Vec<D> block_middle(std::ptrdiff_t slot, int block) const;
    [[nodiscard]] std::span<const int> near(const NearParts& brick, int block) const {
        return std::span(brick.parts)
            .subspan(static_cast<std::size_t>(brick.first[static_cast<std::size_t>(block)]),
                     static_cast<std::size_t>(brick.first[static_cast<std::size_t>(block) + 1] -
                                              brick.first[static_cast<std::size_t>(block)]));
    }
    static int block_of(int local);
    [[nodiscard]] Clearance clearance(std::span<const int> parts, const Vec<D>& x) const;
    [[nodiscard]] std::optional<std::size_t> nearest(std::span<const int> parts, const Vec<D>& x, Moment moment) const;

    const Grid<D>& grid_;
    const BrickSet<D>& set_;
    std::shared_ptr<const SolidSurfaces<D>> surfaces_;
    double touch_;                 ///< how near counts as touching [m]
    double beyond_;                ///< nothing that is not listed comes nearer to a block's points than this [m]
    std::vector<NearParts> near_;  ///< per brick
    std::vector<int> all_;
};

/// In a step in which they do not move (standing_surfaces()).
template <int D>
SolidObstacles<D> standing_obstacles(const Grid<D>& grid, const BrickSet<D>& set,
                                     std::shared_ptr<const SolidSurfaces<D>> surfaces);

}  // namespace tidelock
