# Writes OUT, a source file with the build's name: hashes the files of every room whose code decides about numbers.
# Run at build time, so that the name follows the sources without a new configuration.
file(GLOB_RECURSE files RELATIVE ${SOURCE}/src ${SOURCE}/src/*.h ${SOURCE}/src/*.cpp)
list(FILTER files INCLUDE REGEX "^(base|grid|geometry|solve|fluid|solid|couple|state|stage|methods|scene|run)/")
list(SORT files)
set(digest "${SETTINGS}")
foreach(file IN LISTS files)
  file(SHA256 ${SOURCE}/src/${file} hash)
  string(APPEND digest "\n${file} ${hash}")
endforeach()
string(SHA256 digest "${digest}")
string(SUBSTRING ${digest} 0 16 digest)
file(WRITE ${OUT} "#include \"app/build_id.h\"

namespace tidelock::app {

const char* version() { return \"${VERSION}\"; }
std::string build_id() { return \"tidelock ${VERSION}, ${COMPILER}, ${BUILD_TYPE}, ${digest}\"; }

}  // namespace tidelock::app
")
