// write_scene_schema FILE: writes the JSON Schema of the scene format. Run it after a change of src/scene/keys/ or src/scene/coupling/.
#include <fstream>

#include "scene/schema.h"

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    std::ofstream out(argv[1], std::ios::binary);
    out << tidelock::scene::json_schema();
    return out.flush() ? 0 : 1;
}
