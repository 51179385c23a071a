#include "scene/library.h"

#include <algorithm>
#include <string>

#include "scene/embedded_scenes.h"
#include "scene/json.h"

namespace tidelock::scene {

namespace {

/// Up to the first full stop that ends a sentence.
std::string first_sentence(const std::string& text) {
    const std::size_t end = text.find(". ");
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

struct Library {
    std::vector<std::string> lines;
    std::vector<LibraryScene> scenes;

    Library() {
        const std::vector<EmbeddedScene> files = embedded_scenes();
        lines.reserve(files.size());  // the entries point into it
        for (const EmbeddedScene& file : files) {
            std::vector<SyntaxError> none;
            const Json root = parse_json(file.text, none);
            const Json* comment = root.find("comment");
            lines.push_back(comment ? first_sentence(comment->text) : "");
            scenes.push_back({file.name, lines.back(), file.text});
        }
        std::sort(scenes.begin(), scenes.end(),
                  [](const LibraryScene& a, const LibraryScene& b) { return a.name < b.name; });
    }
};

}  // namespace

const std::vector<LibraryScene>& scenes() {
    static const Library library;
    return library.scenes;
}

const LibraryScene* find_scene(std::string_view name) {
    for (const LibraryScene& s : scenes())
        if (s.name == name) return &s;
    return nullptr;
}

}  // namespace tidelock::scene
