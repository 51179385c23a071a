# Compiler settings for our own targets: warnings are errors, assertions and sanitizers by option.
# Never -ffast-math: NaN checks and reproducible bits depend on strict semantics. For the same reason
# contraction of a*b+c into fused operations is left to what the source says (-ffp-contract=off would
# cost speed; the same binary gives the same bits on any number of threads either way).
add_library(tidelock_options INTERFACE)
target_compile_options(tidelock_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees uninitialised values in its own AVX-512 intrinsics wherever Eigen uses them.
  target_compile_options(tidelock_options INTERFACE -Wno-maybe-uninitialized -Wno-uninitialized)
  # Collecting the compiler's own garbage less often takes a tenth more memory and saves 7 % of a clean build.
  target_compile_options(tidelock_options INTERFACE --param=ggc-min-expand=300)
endif()
if(TIDELOCK_NATIVE)
  target_compile_options(tidelock_options INTERFACE -march=native)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(tidelock_options INTERFACE -mprefer-vector-width=512)
  endif()
endif()
if(TIDELOCK_ASSERTIONS)
  target_compile_definitions(tidelock_options INTERFACE TIDELOCK_ASSERTIONS=1)
endif()
if(TIDELOCK_SANITIZE)
  # What a sanitizer finds must fail a test, not only print a line.
  add_compile_options(-fsanitize=${TIDELOCK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TIDELOCK_SANITIZE})
  add_compile_definitions(TIDELOCK_SANITIZED=1)  # compilers do not agree on a name of their own
endif()
