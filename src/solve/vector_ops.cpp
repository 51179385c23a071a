#include "solve/vector_ops.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.h"

namespace tidelock {
namespace {

std::ptrdiff_t blocks(std::ptrdiff_t n) { return (n + vector_block - 1) / vector_block; }

/// f(begin, end) for each block.
template <class F>
void for_blocks(const char* label, std::ptrdiff_t n, F&& f) {
    parallel_for(label, blocks(n), [&](std::ptrdiff_t i) { f(i * vector_block, std::min(n, (i + 1) * vector_block)); });
}

/// Sum of f(begin, end) over the blocks, in their order.
template <class F>
double sum_blocks(const char* label, std::ptrdiff_t n, F&& f) {
    return ordered_sum(label, blocks(n), 0.0,
                       [&](std::ptrdiff_t i) { return f(i * vector_block, std::min(n, (i + 1) * vector_block)); });
}

/// Sum of f(i) over one block, in eight partial sums so that it can use vector registers.
template <class F>
double sum_lanes(std::ptrdiff_t begin, std::ptrdiff_t end, F&& f) {
    double lanes[8] = {};
    std::ptrdiff_t i = begin;
    for (; i + 8 <= end; i += 8)
        for (int l = 0; l < 8; ++l) lanes[l] += f(i + l);
    for (int l = 0; i < end; ++i, ++l) lanes[l] += f(i);
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

}  // namespace

double dot(std::ptrdiff_t n, const double* a, const double* b) {
    return sum_blocks("dot", n, [=](std::ptrdiff_t begin, std::ptrdiff_t end) {
        return sum_lanes(begin, end, [=](std::ptrdiff_t i) { return a[i] * b[i]; });
    });
}

double norm(std::ptrdiff_t n, const double* a) { return std::sqrt(dot(n, a, a)); }

bool all_finite(std::ptrdiff_t n, const double* a) {
    return sum_blocks("all finite", n, [=](std::ptrdiff_t begin, std::ptrdiff_t end) {
               // 0 * v is NaN for a NaN or an infinity and zero otherwise.
               return sum_lanes(begin, end, [=](std::ptrdiff_t i) { return 0.0 * a[i]; });
           }) == 0.0;
}

double max_abs(std::ptrdiff_t n, const double* a) {
    struct Largest {
        double value;
        Largest& operator+=(const Largest& other) {
            value = std::max(value, other.value);
            return *this;
        }
    };
    return ordered_sum("max abs", blocks(n), Largest{0},
                       [=](std::ptrdiff_t block) {
                           Largest most{0};
                           const std::ptrdiff_t end = std::min(n, (block + 1) * vector_block);
                           for (std::ptrdiff_t i = block * vector_block; i < end; ++i) most += Largest{std::abs(a[i])};
                           return most;
                       })
        .value;
}

void copy(std::ptrdiff_t n, const double* from, double* to) {
    for_blocks("copy", n, [=](std::ptrdiff_t begin, std::ptrdiff_t end) {
        std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin) * sizeof(double));
    });
}

void set_zero(std::ptrdiff_t n, double* a) {
    for_blocks("set zero", n, [=](std::ptrdiff_t begin, std::ptrdiff_t end) { std::fill(a + begin, a + end, 0.0); });
}

void scale(std::ptrdiff_t n, double s, const double* x, double* y) {
    for_blocks("scale", n, [=](std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t i = begin; i < end; ++i) y[i] = s * x[i];
    });
}

void add_scaled(std::ptrdiff_t n, double s, const double* x, double* y) {
    for_blocks("add scaled", n, [=](std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t i = begin; i < end; ++i) y[i] += s * x[i];
    });
}

void scale_and_add(std::ptrdiff_t n, const double* x, double s, double* y) {
    for_blocks("scale and add", n, [=](std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t i = begin; i < end; ++i) y[i] = x[i] + s * y[i];
    });
}

double add_scaled_squares(std::ptrdiff_t n, double s, const double* x, double* y) {
    return sum_blocks("add scaled", n, [=](std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t i = begin; i < end; ++i) y[i] += s * x[i];
        return sum_lanes(begin, end, [=](std::ptrdiff_t i) { return y[i] * y[i]; });
    });
}

double subtract_from_squares(std::ptrdiff_t n, const double* b, double* y) {
    return sum_blocks("residual", n, [=](std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t i = begin; i < end; ++i) y[i] = b[i] - y[i];
        return sum_lanes(begin, end, [=](std::ptrdiff_t i) { return y[i] * y[i]; });
    });
}

}  // namespace tidelock
