# cmake -DOUT=FILE.cpp "-DSCENES=a.json;b.json" -P embed_scenes.cmake: writes the bytes of the files into a source file, as arrays
# of characters, so that no file can be too long or hold a character that ends a literal.
set(arrays "")
set(body "")
foreach(file IN LISTS SCENES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" hex HEX)
  string(LENGTH "${hex}" length)
  math(EXPR bytes "${length} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," chars "${hex}")
  string(MAKE_C_IDENTIFIER "${name}" id)
  string(APPEND arrays "constexpr char text_${id}[] = {\n${chars}\n};\n")
  string(APPEND body "        {\"${name}\", {text_${id}, ${bytes}}},\n")
endforeach()
file(WRITE "${OUT}" "// Written by src/scene/embed_scenes.cmake from scenes/*.json.
#include \"scene/embedded_scenes.h\"

namespace tidelock::scene {

namespace {
${arrays}
}  // namespace

std::vector<EmbeddedScene> embedded_scenes() {
    return {
${body}    };
}

}  // namespace tidelock::scene
")
