/// Whether a value is what its key says, apart from objects and lists.
#pragma once

#include "scene/json.h"
#include "scene/keys.h"
#include "scene/problem.h"

namespace tidelock::scene {

/// Reports what does not fit, and clears `valid` of the value.
class ValueChecker {
  public:
    ValueChecker(int dimension, Places& places, Problems& problems)
        : dimension_(dimension), places_(places), problems_(problems) {}

    void check(Json& v, const Key& key, const std::string& path);
    void word(Json& v, const std::vector<std::string_view>& allowed, const std::vector<std::string_view>& later,
              const std::string& path);

    void fail(Json& value, const Place& place, const std::string& path, std::string text);
    /// "WHAT, not ...".
    void wrong(Json& value, const std::string& path, const std::string& what);

  private:
    bool number(Json& v, const Key& key, const std::string& path);
    bool whole(Json& v, const Key& key, const std::string& path);
    void numbers(Json& v, const Key& key, std::size_t count, bool integers, const std::string& path);
    void step(Json& v, const Key& key, const std::string& path);
    void names(Json& v, const std::string& path);
    void pair(Json& v, const Key& key, const std::string& path);
    void colour(Json& v, const Key& key, const std::string& path);
    void rotation(Json& v, const std::string& path);
    void rotation_entries(Json& v, const std::string& path);

    int dimension_;
    Places& places_;
    Problems& problems_;
};

/// "in [0, 1]", "greater than 0", "at least 1": the range and its unit.
[[nodiscard]] std::string range_text(const Key& key);

}  // namespace tidelock::scene
