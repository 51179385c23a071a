#include "scene/reader.h"

#include <fmt/format.h>

#include <fstream>

#include "base/error.h"
#include "scene/bind.h"
#include "scene/check_keys.h"
#include "scene/coupling/method_keys.h"
#include "scene/overrides.h"

namespace tidelock::scene {

namespace {

/// Looked at before anything else, because the lengths of vectors depend on it; if wrong, check_keys() says so.
int dimension_of(const Json& root) {
    const Json* dimension = root.kind == JsonKind::object ? root.find("dimension") : nullptr;
    return dimension && dimension->kind == JsonKind::number && dimension->number == 2 ? 2 : 3;
}

void pass_over_other_methods(Json& root) {
    Json* coupling = root.kind == JsonKind::object ? root.find("coupling") : nullptr;
    if (!coupling || coupling->kind != JsonKind::object) return;
    const Json* chosen = coupling->find("method");
    const MethodKeys* method = chosen ? find_method(chosen->text) : &coupling_methods().front();
    if (method) drop_keys_of_others(*coupling, *method, coupling_methods());
}

}  // namespace

Reading read_scene(std::string_view text, const ReadOptions& options) {
    Reading result;
    Problems problems;
    Json root;
    try {
        std::vector<SyntaxError> duplicates;
        root = parse_json(text, duplicates);
        for (const SyntaxError& d : duplicates) problems.error(d.place, "", d.text);
    } catch (const SyntaxError& error) {
        problems.error(error.place, "", error.text);
        result.problems = problems.take();
        return result;
    }
    apply_overrides(root, options.sets, problems);
    if (options.any_method) pass_over_other_methods(root);
    result.parsed = root.kind == JsonKind::object;
    const int dimension = dimension_of(root);
    check_keys(root, scene_keys(), dimension, result.places, problems);
    result.scene = bind_scene(root, dimension, options, result.places, problems);
    result.problems = problems.take();
    return result;
}

Reading read_scene_file(const std::filesystem::path& file, ReadOptions options) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(file, error);
    if (error) throw InputError(file.string(), "the scene cannot be read: {}", error.message());
    if (bytes > json_max_bytes)
        throw InputError(file.string(), "{} bytes; a scene may have at most {}", bytes, json_max_bytes);
    std::ifstream in(file, std::ios::binary);
    std::string text(bytes, '\0');
    if (!in || !in.read(text.data(), static_cast<std::streamsize>(bytes)))
        throw InputError(file.string(), "the scene cannot be read");
    options.name = file.stem().string();
    options.folder = file.parent_path().empty() ? std::filesystem::path(".") : file.parent_path();
    return read_scene(text, options);
}

}  // namespace tidelock::scene
