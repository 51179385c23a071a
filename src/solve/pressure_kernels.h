/// What conjugate gradients do to one brick of double vectors, as a table of functions for the instruction set in use
/// (base/isa.h). One pass each: several vectors are taken line by line, while they are in cache.
#pragma once

#include "solve/brick_view.h"

namespace tidelock {

/// Pointers are to the brick's own cells, but where `all` bricks are named.
template <int D>
struct PressureKernels {
    /// y = A x; x are all bricks (PoissonOperator).
    void (*apply)(const PoissonView<D>& op, std::ptrdiff_t slot, const double* all_x, double* y);
    /// to = scale from, in colour order.
    void (*part)(const double* from, double scale, float* to);
    /// p = scale z + beta p, z in colour order. With beta = 0 nothing of the old p is read: it may not be finite.
    void (*direct)(const float* z, double scale, double beta, double* p);
    /// r = b - product; returns r.r.
    double (*subtract)(const double* b, const double* product, double* r);
    /// x += alpha p, r -= alpha product; returns r.r.
    double (*update)(const double* p, const double* product, double alpha, double* x, double* r);
    double (*dot)(const double* a, const double* b);
};

template <int D>
[[nodiscard]] const PressureKernels<D>& pressure_kernels();

}  // namespace tidelock
