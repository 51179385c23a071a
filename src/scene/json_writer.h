/// JSON text with objects on lines of their own, and values beside each other.
#pragma once

#include <string>
#include <string_view>

#include "scene/scene.h"

namespace tidelock::scene {

class JsonWriter {
  public:
    /// Vectors have that many entries, and rotations are those of that dimension.
    explicit JsonWriter(int dimension) : dimension_(dimension) {}

    /// Begins an object or a list; an empty key is that of an entry of a list.
    void open(std::string_view key, char bracket);
    void close(char bracket);
    /// `value` as it stands.
    void raw(std::string_view key, std::string_view value);
    /// Shortest text that reads back as the same double.
    void put(std::string_view key, double value);
    void put(std::string_view key, int value);
    void put(std::string_view key, bool value);
    void put(std::string_view key, const std::string& value) { word(key, value); }
    void word(std::string_view key, std::string_view value);
    void vector(std::string_view key, const Vector& v);
    void colour(std::string_view key, const Colour& v);
    void rotation(std::string_view key, const Rotation& r);

    [[nodiscard]] int dimension() const { return dimension_; }
    [[nodiscard]] std::string take() { return std::move(out_) + "\n"; }

  private:
    void new_line();
    void line(std::string_view key);

    std::string out_;
    int dimension_;
    int depth_ = 0;
    bool first_ = true;
};

}  // namespace tidelock::scene
