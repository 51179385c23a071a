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
    /// The same with surfaces that are at the same places (SolidSurfaces::stands_as), whatever their velocities: what
    /// has been measured serves both.
    SolidObstacles(const SolidObstacles& same, std::shared_ptr<const SolidSurfaces<D>> surfaces);
    [[nodiscard]] const SolidSurfaces<D>& surfaces() const { return *surfaces_; }

    [[nodiscard]] bool near_brick(std::ptrdiff_t slot) const override { return !at(slot).parts.empty(); }
    [[nodiscard]] Clearance clearance(const Vec<D>& x, double enough) const override;
    [[nodiscard]] bool clip(const Vec<D>& arrival, Vec<D>& departure) const override;
    [[nodiscard]] bool carry(const Vec<D>& departure, Vec<D>& arrival, double gap) const override;
    [[nodiscard]] double distance_after(const Vec<D>& x) const override;
    [[nodiscard]] bool hides(const Vec<D>& x, const Vec<D>& y, Vec<D>& velocity) const override;
    [[nodiscard]] bool hides_after(const Vec<D>& x, const Vec<D>& y) const override;
    [[nodiscard]] unsigned hidden(const Vec<D>& x, double clearance, Moment moment,
                                  const GridSample<D>& low) const override;
    [[nodiscard]] Wall<D> wall(const Vec<D>& x, const Vec<D>& y, Moment moment) const override;
    [[nodiscard]] Vec<D> solid_velocity(const Vec<D>& x) const override;

  private:
    static constexpr int blocks = Brick<D>::cells >> D;

    /// What is known of the places of a brick: nobody asks for most of them, others are looked at from many points. A
    /// block's are measured when one of them is asked for.
    struct Rooms {
        std::mutex measuring;
        std::array<std::atomic<bool>, blocks> known{};
        /// Lower bounds of the distance at faces and centres, per Moment and GridSample::axis; -inf: a solid holds the
        /// place, and hides it from wherever one looks [m].
        std::array<std::array<float, Brick<D>::cells>, D + 1> at[2];
        std::array<float, Brick<D>::cells> least;    ///< Clearance::least of a cell's centre, or less [m]
        std::array<float, blocks> steepness;         ///< that of its parts
        std::array<std::vector<int>, blocks> close;  ///< the parts that come nearer to a point of it than close_by()
    };

    /// Parts near a brick, listed for each of its blocks of 2^D cells: a brick that lies among many parts has few
    /// near each of its points.
    struct NearParts {
        std::vector<int> parts;           ///< block by block
        std::vector<std::int32_t> first;  ///< per block: where its parts begin; one more at the end. Empty without any
        std::unique_ptr<Rooms> rooms;
    };
    /// Where a point is, in the cells of the domain: points beyond it count to its last cells.
    struct Place {
        std::int32_t slot;
        int local;
        Coord<D> cell;
    };
    [[nodiscard]] Place place_of(const Vec<D>& x) const;
    /// Parts that matter to a point: those near its block; in bricks that are not active all of them.
    [[nodiscard]] std::span<const int> near(const Vec<D>& x) const { return near(place_of(x)); }
    [[nodiscard]] std::span<const int> near(const Place& place) const;
    [[nodiscard]] NearParts& at(std::ptrdiff_t slot) const { return (*near_)[static_cast<std::size_t>(slot)]; }
    void list_near(std::ptrdiff_t slot);
    [[nodiscard]] const Rooms& measured(std::ptrdiff_t slot, int block) const;
    void measure(std::ptrdiff_t slot, int block, Rooms& rooms) const;
    void measure_samples(const Coord<D>& cell, int block, double least, Rooms& rooms) const;
    /// What is nearer can stand between a point and the samples around it, and matters to where a particle goes [m].
    [[nodiscard]] double close_by() const { return 2 * steepest_distance * (std::sqrt(double{D}) * grid_.dx + touch_); }
    [[nodiscard]] Vec<D> position(const GridSample<D>& sample) const {
        return grid_.to_world(sample.at.template cast<double>() + offset(sample.axis));
    }
    [[nodiscard]] Vec<D> offset(int axis) const {
        return axis == GridSample<D>::cell ? Centring<D>::cell().offset : Centring<D>::face(axis).offset;
    }
    /// `length`: of the way to the sample.
    [[nodiscard]] bool sees(SightLine<D> line, double length, Moment moment, const GridSample<D>& sample) const;
    /// Whether one of the parts stands on a line.
    [[nodiscard]] bool hides(std::span<const int> parts, Moment moment, SightLine<D> line) const;
    [[nodiscard]] Vec<D> block_middle(std::ptrdiff_t slot, int block) const;
    [[nodiscard]] std::span<const int> near(const NearParts& brick, int block) const {
        return std::span(brick.parts)
            .subspan(static_cast<std::size_t>(brick.first[static_cast<std::size_t>(block)]),
                     static_cast<std::size_t>(brick.first[static_cast<std::size_t>(block) + 1] -
                                              brick.first[static_cast<std::size_t>(block)]));
    }
    static int block_of(int local);
    [[nodiscard]] double sight_touch() const { return 0.5 * touch_; }
    /// Of these parts, and not more than `beyond`.
    [[nodiscard]] Clearance clearance(std::span<const int> parts, const Vec<D>& x, double beyond) const;
    [[nodiscard]] std::optional<std::size_t> nearest(std::span<const int> parts, const Vec<D>& x, Moment moment) const;

    const Grid<D>& grid_;
    const BrickSet<D>& set_;
    std::shared_ptr<const SolidSurfaces<D>> surfaces_;
    double touch_;   ///< how near counts as touching [m]
    double beyond_;  ///< nothing that is not listed comes nearer to a block's points than this [m]
    std::shared_ptr<std::vector<NearParts>> near_;  ///< per brick
    std::vector<int> all_;
};

/// In a step in which they do not move (standing_surfaces()).
template <int D>
SolidObstacles<D> standing_obstacles(const Grid<D>& grid, const BrickSet<D>& set,
                                     std::shared_ptr<const SolidSurfaces<D>> surfaces);

/// Solids that stand, asked for by one stage after the other: what is known of them serves as long as bricks and poses
/// stay.
template <int D>
class StandingObstacles {
  public:
    /// Grid and bricks are kept by reference: they outlive what is made of them.
    [[nodiscard]] SolidObstacles<D> on(const Grid<D>& grid, const BrickSetPtr<D>& set,
                                       std::shared_ptr<const SolidSurfaces<D>> surfaces);

  private:
    BrickSetPtr<D> set_;
    std::optional<SolidObstacles<D>> last_;
};

}  // namespace tidelock
