#include "scene/mesh_folders.h"

#include <system_error>

namespace tidelock::scene {

namespace fs = std::filesystem;

std::vector<fs::path> mesh_folders() {
    std::vector<fs::path> folders;
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
    if (!unknown) folders.push_back(program.parent_path().parent_path() / "share/tidelock/meshes");
    folders.emplace_back(TIDELOCK_MESH_DIR);
    return folders;
}

}  // namespace tidelock::scene
