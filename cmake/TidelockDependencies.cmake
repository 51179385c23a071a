# Everything comes from the system's packages (script/setup installs them).
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

# What the library needs to link but its headers do not show.
add_library(tidelock_private_dependencies INTERFACE)
target_link_libraries(tidelock_private_dependencies INTERFACE Threads::Threads)
