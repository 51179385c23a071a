/// Disjoint sets of the numbers 0 ... n - 1, joined pair by pair; the smallest member is a set's root.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tidelock {

class UnionFind {
  public:
    explicit UnionFind(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

    [[nodiscard]] std::int32_t root(std::int32_t i) {
        while (parent(i) != i) i = parent(i) = parent(parent(i));  // halves the path on the way
        return i;
    }
    void join(std::int32_t i, std::int32_t j) {
        const auto a = root(i), b = root(j);
        parent(std::max(a, b)) = std::min(a, b);
    }
    /// Numbers the sets in the order of their roots; returns the number of each member's set.
    [[nodiscard]] std::vector<std::int32_t> labels() {
        std::vector<std::int32_t> label(parent_.size());
        std::int32_t count = 0;
        for (std::size_t i = 0; i < label.size(); ++i) {
            const auto r = static_cast<std::size_t>(root(static_cast<std::int32_t>(i)));
            label[i] = r == i ? count++ : label[r];
        }
        return label;
    }

  private:
    std::int32_t& parent(std::int32_t i) { return parent_[static_cast<std::size_t>(i)]; }

    std::vector<std::int32_t> parent_;
};

}  // namespace tidelock
