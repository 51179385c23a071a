# TIDELOCK_UNITY: sources of a target are compiled several at a time. What takes the compiler longest is Eigen's expressions,
# which each source instantiates anew. A batch holds sources of one room, so that a new file moves its own room's only. Anonymous
# namespaces of one batch become one: names in them must differ within a room.
set(tidelock_unity_batch 5)

# tidelock_unity(TARGET): after all its sources are known. Sources that include themselves once a target (src/base/isa.h), and
# OpenVDB's, which have options of their own, stay alone; so does the room run, whose headers name nearly all others.
function(tidelock_unity target)
  if(NOT TIDELOCK_UNITY)
    return()
  endif()
  # g++ takes a batch for a header, where types of anonymous namespaces would be a mistake.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\$<")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} OUTPUT_VARIABLE file)
    if(NOT EXISTS ${file})
      continue()
    endif()
    file(STRINGS ${file} alone REGEX "foreach_target|openvdb/|<embree3/|\"run/")
    if(alone)
      continue()  # in no group
    endif()
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE room)
    string(REGEX MATCH "^[a-z]+" room "${room}")  # none: generated
    math(EXPR batch "${sources_of_${room}} + 0")
    math(EXPR sources_of_${room} "${batch} + 1")
    math(EXPR batch "${batch} / ${tidelock_unity_batch}")
    set_source_files_properties(${file} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${room}_${batch})
  endforeach()
endfunction()
