# Installs the build folder BUILD into WORK, moves the result elsewhere, and builds and runs the project beside this
# file against it. COMPILER, BUILD_TYPE, GENERATOR and FLAGS are those of the build.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}\nfailed: ${result}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${WORK}/prefix)  # a package must not remember where it was installed

file(GLOB_RECURSE package_files ${WORK}/prefix/*.cmake)
if(NOT package_files)
  message(FATAL_ERROR "no package files under ${WORK}/prefix")
endif()
foreach(file IN LISTS package_files)
  file(READ ${file} text)
  foreach(path ${SOURCE} ${BUILD})
    string(FIND "${text}" "${path}" found)
    if(NOT found EQUAL -1)
      message(FATAL_ERROR "${file} mentions ${path}")
    endif()
  endforeach()
endforeach()

step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build -G ${GENERATOR}
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
  "-DCMAKE_CXX_FLAGS=${FLAGS} -Wall -Wextra -Werror")
step(${CMAKE_COMMAND} --build ${WORK}/build)
step(${WORK}/build/consumer)
