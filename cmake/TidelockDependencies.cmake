# Everything comes from the system's packages (script/setup installs them).
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
find_package(embree 3 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(PNG REQUIRED)
find_package(CLI11 REQUIRED)
find_package(spdlog REQUIRED)
find_package(hwy REQUIRED)

# OpenVDB ships a find module instead of a config file; it comes last on the path because its folder also holds
# a FindTBB.cmake that must not shadow oneTBB's own config.
list(APPEND CMAKE_MODULE_PATH /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/OpenVDB)
set(CMAKE_MESSAGE_LOG_LEVEL NOTICE)  # the module is chatty, and tells of Python bindings nobody asked for
find_package(OpenVDB 10 REQUIRED)
unset(CMAKE_MESSAGE_LOG_LEVEL)
list(POP_BACK CMAKE_MODULE_PATH)

# assimp's exported target names the libraries of all its formats (draco, minizip); the shared library is enough.
find_path(ASSIMP_INCLUDE_DIR assimp/Importer.hpp REQUIRED)
find_library(ASSIMP_LIBRARY assimp REQUIRED)

# What the library needs to link but its headers do not show.
add_library(tidelock_private_dependencies INTERFACE)
target_include_directories(tidelock_private_dependencies SYSTEM INTERFACE ${ASSIMP_INCLUDE_DIR})
target_link_libraries(tidelock_private_dependencies INTERFACE
  Threads::Threads hwy::hwy OpenVDB::openvdb embree nlohmann_json::nlohmann_json PNG::PNG ${ASSIMP_LIBRARY})
