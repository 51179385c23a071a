/// Values on the cells, faces or nodes of a sparse grid.
///
/// A Field holds one value per cell of each active brick. What the value stands for is its centring: the cell's centre,
/// its lower face along an axis, or its lower corner; index (i, j, k) then names the sample at (i, j, k) plus the
/// centring's offset, times the cell size (docs/conventions.md). A staggered field is one Field per axis.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "base/big_array.h"
#include "base/parallel.h"
#include "grid/brick_set.h"

namespace tidelock {

/// Where a sample sits in its cell: the offset from the cell's lower corner, in cells.
template <int D>
struct Centring {
    Vec<D> offset;
    static Centring cell() { return {Vec<D>::Constant(0.5)}; }
    static Centring node() { return {Vec<D>::Zero()}; }
    static Centring face(int axis) {
        Centring c = cell();
        c.offset[axis] = 0;
        return c;
    }
};

template <int D, class T>
class Field {
  public:
    Field() = default;
    explicit Field(BrickSetPtr<D> set, T background = T{})
        : set_(std::move(set)),
          background_(background),
          data_(static_cast<std::size_t>(set_->cells() + Brick<D>::cells), Uninitialised{}) {
        fill(background);
    }

    [[nodiscard]] const BrickSet<D>& set() const { return *set_; }
    [[nodiscard]] const BrickSetPtr<D>& set_ptr() const { return set_; }
    [[nodiscard]] T background() const { return background_; }
    [[nodiscard]] T* data() { return data_.data(); }
    [[nodiscard]] const T* data() const { return data_.data(); }
    [[nodiscard]] T* brick(std::ptrdiff_t slot) { return data_.data() + slot * Brick<D>::cells; }
    [[nodiscard]] const T* brick(std::ptrdiff_t slot) const { return data_.data() + slot * Brick<D>::cells; }
    /// All active values, without the void brick.
    [[nodiscard]] std::span<T> values() { return {data_.data(), static_cast<std::size_t>(set_->cells())}; }
    [[nodiscard]] std::span<const T> values() const { return {data_.data(), static_cast<std::size_t>(set_->cells())}; }
    [[nodiscard]] std::size_t bytes() const { return data_.bytes(); }

    /// Value at a cell anywhere; the background where no brick is active. For tests and set-up; kernels use bricks.
    [[nodiscard]] T at(const Coord<D>& cell) const {
        return brick(set_->find(brick_of<D>(cell)))[local_index<D>(cell)];
    }
    /// The cell must lie in an active brick.
    [[nodiscard]] T& ref(const Coord<D>& cell) { return brick(set_->find(brick_of<D>(cell)))[local_index<D>(cell)]; }
    [[nodiscard]] bool active(const Coord<D>& cell) const { return set_->find(brick_of<D>(cell)) != set_->void_slot(); }

    /// Sets every value, the void brick's included.
    void fill(T value) {
        background_ = value;
        parallel_for("fill field", set_->count() + 1, [&](std::ptrdiff_t b) {
            T* values = brick(b);
            for (int i = 0; i < Brick<D>::cells; ++i) values[i] = value;
        });
    }

    /// The same values on another set of bricks: shared bricks are copied, new ones hold the background.
    [[nodiscard]] Field remapped(BrickSetPtr<D> target) const {
        Field out;  // every brick is written once below, so it skips the constructor's fill
        out.background_ = background_;
        out.data_ = BigArray<T>(static_cast<std::size_t>(target->cells() + Brick<D>::cells), Uninitialised{});
        out.set_ = std::move(target);
        parallel_for("remap field", out.set().count() + 1, [&](std::ptrdiff_t b) {
            const auto from = b < out.set().count() ? set_->find(out.set().brick(b)) : set_->void_slot();
            if (from != set_->void_slot())
                std::memcpy(out.brick(b), brick(from), Brick<D>::cells * sizeof(T));
            else
                std::fill_n(out.brick(b), Brick<D>::cells, background_);
        });
        return out;
    }

  private:
    BrickSetPtr<D> set_;
    T background_{};
    BigArray<T> data_;
};

/// One Field per axis: component a lives on the lower a-faces of the cells.
template <int D, class T>
class FaceField {
  public:
    FaceField() = default;
    explicit FaceField(const BrickSetPtr<D>& set, T background = T{}) {
        for (auto& c : components_) c = Field<D, T>(set, background);
    }
    [[nodiscard]] Field<D, T>& operator[](int axis) { return components_[static_cast<std::size_t>(axis)]; }
    [[nodiscard]] const Field<D, T>& operator[](int axis) const { return components_[static_cast<std::size_t>(axis)]; }
    [[nodiscard]] const BrickSet<D>& set() const { return components_[0].set(); }
    [[nodiscard]] const BrickSetPtr<D>& set_ptr() const { return components_[0].set_ptr(); }
    [[nodiscard]] FaceField remapped(const BrickSetPtr<D>& target) const {
        FaceField out;
        for (int a = 0; a < D; ++a) out[a] = (*this)[a].remapped(target);
        return out;
    }

  private:
    std::array<Field<D, T>, D> components_;
};

}  // namespace tidelock
