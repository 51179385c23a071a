# Compiler settings for our own targets: warnings, assertions and sanitizers by option.
# The same bits on every machine: never -ffast-math (NaN checks rest on strict semantics too), and no contraction of
# a*b+c into one rounding, which only some instruction sets have.
add_library(tidelock_options INTERFACE)
target_compile_options(tidelock_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual)
target_compile_options(tidelock_options INTERFACE -ffp-contract=off)
if(TIDELOCK_WERROR)
  target_compile_options(tidelock_options INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # What g++ guesses from optimised code changes with inlining, and is often wrong: told to who develops, but no error.
  set(guesses array-bounds stringop-overflow stringop-overread stringop-truncation format-truncation restrict nonnull
              free-nonheap-object dangling-pointer use-after-free clobbered)
  foreach(guess IN LISTS guesses)
    if(TIDELOCK_WERROR)
      target_compile_options(tidelock_options INTERFACE -Wno-error=${guess})
    else()
      target_compile_options(tidelock_options INTERFACE -Wno-${guess})
    endif()
  endforeach()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees uninitialised values in its own AVX-512 intrinsics.
  target_compile_options(tidelock_options INTERFACE -Wno-maybe-uninitialized -Wno-uninitialized)
  # Collecting the compiler's own garbage less often takes a tenth more memory and saves 7 % of a clean build.
  target_compile_options(tidelock_options INTERFACE --param=ggc-min-expand=300)
endif()
if(TIDELOCK_NATIVE)
  target_compile_options(tidelock_options INTERFACE -march=native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # What every x86-64 processor since 2009 has; kernels choose more at run time (src/base/isa.h).
  target_compile_options(tidelock_options INTERFACE -march=x86-64-v2)
endif()
# The targets of kernels: x86-64's levels and neon. Processors with SSE4.2 or AVX2 but no AES count, too.
target_compile_definitions(tidelock_options INTERFACE
  HWY_DISABLE_PCLMUL_AES
  "HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3_DL|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
if(TIDELOCK_ASSERTIONS)
  target_compile_definitions(tidelock_options INTERFACE TIDELOCK_ASSERTIONS=1)
endif()
if(TIDELOCK_SANITIZE)
  # What a sanitizer finds must fail a test, not only print a line.
  add_compile_options(-fsanitize=${TIDELOCK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TIDELOCK_SANITIZE})
  add_compile_definitions(TIDELOCK_SANITIZED=1)  # compilers do not agree on a name of their own
endif()
