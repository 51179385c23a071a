# Headers that most files read are read once for the library, once for the programs and once for all tests: a fifth of a
# clean build.
# CMAKE_DISABLE_PRECOMPILE_HEADERS turns it off, as the preset `clang` does, so that a forgotten #include is found there.
set(tidelock_headers
  <algorithm> <array> <cmath> <cstdint> <cstring> <filesystem> <functional> <limits> <map> <memory> <numbers> <optional>
  <span> <string> <string_view> <utility> <vector> <Eigen/Dense> <fmt/format.h>)

# What ccache needs to keep objects made with a precompiled header (with the sloppiness that script/build names).
if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(tidelock_options INTERFACE -fpch-preprocess)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(tidelock_options INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()

# tidelock_precompile(TARGET [HEADER...]): TARGET's own precompiled header, with HEADERs beside the usual ones.
function(tidelock_precompile target)
  target_precompile_headers(${target} PRIVATE ${tidelock_headers} ${ARGN})
endfunction()
