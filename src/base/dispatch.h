/// TIDELOCK_KERNELS(function): the table that `function`, exported by HWY_EXPORT in this file, makes for the
/// instruction set in use (base/isa.h); made once.
#pragma once

#include "base/isa.h"

#define TIDELOCK_KERNELS(function)                   \
    [] {                                             \
        static const auto table = [] {               \
            use_isa();                               \
            return HWY_DYNAMIC_DISPATCH(function)(); \
        }();                                         \
        return &table;                               \
    }()
