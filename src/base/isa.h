/// Which vector instructions the kernels use: one program holds them compiled for several instruction sets and takes
/// the best that the processor has.
///
/// How      A kernel file includes itself once a target (Highway's foreach_target.h) and exports functions that return
///          tables of kernels; `HWY_DYNAMIC_DISPATCH` picks one, after use_isa(). Code that is compiled once a target
///          lives in files named *-inl.h and in the namespace HWY_NAMESPACE.
/// Tiers    v2, v3, v4: x86-64's levels (SSE4.2; AVX2; AVX-512). arm64 has one, neon. All else in the program is
///          compiled for the lowest.
/// Promise  The same bits on every tier: elements are computed alike in each lane, nothing is contracted
///          (-ffp-contract=off), and sums have a fixed number of parts, whatever the width of a register.
/// Choice   The environment variable TIDELOCK_ISA names a lower tier than the processor's best.
#pragma once

#include <string>
#include <vector>

namespace tidelock {

/// Reads TIDELOCK_ISA, once, before the first kernel is chosen. Throws InputError for a tier that does not exist or
/// that this processor or this build lacks.
void use_isa();

/// The tier in use: "v3", "neon".
[[nodiscard]] std::string isa_name();

/// The tiers that this build holds and this processor has, lowest first.
[[nodiscard]] std::vector<std::string> available_isas();

}  // namespace tidelock
