/// Typed access to an object of a checked tree: the value if it is there and valid, else the default of keys.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/json.h"
#include "scene/keys.h"
#include "scene/words.h"

namespace tidelock::scene {

[[nodiscard]] Json default_value(const Key& key);

class Block {
  public:
    /// `json` may be null: everything has its default then.
    /// `around` is the variant of the object around it.
    Block(const Json* json, const ObjectSpec& spec, int dimension, std::string path, const Variant* around = nullptr);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string path(std::string_view name) const;
    [[nodiscard]] int dimension() const { return dimension_; }
    /// Whether there is an object at all.
    [[nodiscard]] bool present() const { return json_ != nullptr; }
    /// Whether the object is there and nothing in it that is required was missing or wrong.
    [[nodiscard]] bool valid() const { return json_ != nullptr && json_->valid; }
    /// Whether the file gives the key, rightly or wrongly.
    [[nodiscard]] bool given(std::string_view name) const { return json_ != nullptr && json_->find(name) != nullptr; }
    /// The value, if it is there and valid.
    [[nodiscard]] const Json* get(std::string_view name) const;

    [[nodiscard]] double number(std::string_view name) const;
    [[nodiscard]] double number(std::string_view name, double fallback) const;
    [[nodiscard]] int integer(std::string_view name) const { return static_cast<int>(number(name)); }
    [[nodiscard]] bool boolean(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name, const std::string& fallback = {}) const;
    /// A word as the value that it stands for; the key's words are those of E.
    template <class E>
    [[nodiscard]] E word(std::string_view name) const {
        return with_word<E>(word(name)).value();
    }
    [[nodiscard]] std::string word(std::string_view name) const;
    [[nodiscard]] Vector vector(std::string_view name, const Vector& fallback) const;
    /// A vector in 3D; a number in 2D, which becomes the third entry.
    [[nodiscard]] Vector turning(std::string_view name) const;
    [[nodiscard]] Rotation rotation(std::string_view name, const Rotation& fallback = {}) const;
    [[nodiscard]] Colour colour(std::string_view name, const Colour& fallback) const;
    /// The key's own default.
    [[nodiscard]] Colour colour(std::string_view name) const;
    /// Two strings; empty if they are not there.
    [[nodiscard]] std::array<std::string, 2> names(std::string_view name) const;
    [[nodiscard]] std::optional<std::array<double, 2>> pair(std::string_view name) const;
    [[nodiscard]] Block object(std::string_view name) const;
    [[nodiscard]] std::vector<Block> list(std::string_view name) const;
    /// The variant that the selector chose; null if it is wrong.
    [[nodiscard]] const Variant* variant() const { return variant_; }
    /// Its word as the value that it stands for. Only with a variant.
    template <class E>
    [[nodiscard]] E chosen() const {
        return with_word<E>(variant_->word).value();
    }

  private:
    [[nodiscard]] const Key& key(std::string_view name) const;

    const Json* json_;
    const ObjectSpec* spec_;
    const Variant* variant_ = nullptr;
    int dimension_;
    std::string path_;
};

}  // namespace tidelock::scene
