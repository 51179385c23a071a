# `cmake --install` leaves a package: find_package(tidelock) gives tidelock::tidelock.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tidelock)

install(TARGETS tidelock EXPORT tidelockTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tidelock
  FILES_MATCHING PATTERN "*.h")
install(EXPORT tidelockTargets NAMESPACE tidelock:: DESTINATION ${package_dir})

# A static library hands what it links privately on to its users. The package finds those libraries on the user's
# machine: imported targets by the packages that define them (in tidelockConfig.cmake.in), plain library files by name.
get_target_property(private_links tidelock_private_dependencies INTERFACE_LINK_LIBRARIES)
set(findable_targets Threads::Threads hwy::hwy OpenVDB::openvdb embree nlohmann_json::nlohmann_json PNG::PNG assimp::assimp)
set(TIDELOCK_PRIVATE_TARGETS "")
set(TIDELOCK_PRIVATE_LIBRARIES "")
foreach(link IN LISTS private_links)
  if(IS_ABSOLUTE "${link}")
    cmake_path(GET link STEM LAST_ONLY name)
    string(REGEX REPLACE "^lib" "" name "${name}")
    list(APPEND TIDELOCK_PRIVATE_LIBRARIES ${name})
  elseif(link IN_LIST findable_targets)
    list(APPEND TIDELOCK_PRIVATE_TARGETS ${link})
  else()
    message(FATAL_ERROR "tidelock links ${link}: say in cmake/tidelockConfig.cmake.in how an installed tidelock finds it, "
      "and add it to findable_targets in cmake/TidelockInstall.cmake")
  endif()
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tidelockConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/tidelockConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/tidelockConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/package/tidelockConfig.cmake
  ${PROJECT_BINARY_DIR}/package/tidelockConfigVersion.cmake
  DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tidelock)
