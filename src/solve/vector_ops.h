/// Sums and updates of flat vectors of doubles, in blocks of 1024.
///
/// Contract: every sum adds up its blocks in their order, so results have the same bits on any number of threads.
/// Vectors passed to one call are either the same or do not overlap.
#pragma once

#include <cstddef>

namespace tidelock {

/// Values per block of the loops below.
inline constexpr std::ptrdiff_t vector_block = 1024;

[[nodiscard]] double dot(std::ptrdiff_t n, const double* a, const double* b);
/// The 2-norm, without protection against overflow of the squares.
[[nodiscard]] double norm(std::ptrdiff_t n, const double* a);
[[nodiscard]] bool all_finite(std::ptrdiff_t n, const double* a);
/// Largest |a_i|; NaN entries are passed over.
[[nodiscard]] double max_abs(std::ptrdiff_t n, const double* a);

void copy(std::ptrdiff_t n, const double* from, double* to);
void set_zero(std::ptrdiff_t n, double* a);
/// y = s x; x may be y.
void scale(std::ptrdiff_t n, double s, const double* x, double* y);
/// y += s x.
void add_scaled(std::ptrdiff_t n, double s, const double* x, double* y);
/// y = x + s y.
void scale_and_add(std::ptrdiff_t n, const double* x, double s, double* y);
/// y += s x, and the sum of squares of the new y.
[[nodiscard]] double add_scaled_squares(std::ptrdiff_t n, double s, const double* x, double* y);
/// y = b - y, the sum of squares of the new y.
[[nodiscard]] double subtract_from_squares(std::ptrdiff_t n, const double* b, double* y);

}  // namespace tidelock
