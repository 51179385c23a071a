#include "scene/block.h"

#include <charconv>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/math.h"

namespace tidelock::scene {

namespace {

constexpr double radians_per_degree = std::numbers::pi / 180;

/// Unit length. What is unit to rounding already stays as it is, so that a written rotation is read back unchanged.
template <std::size_t N>
std::array<double, N> normalized(std::array<double, N> q) {
    double sum = 0;
    for (const double v : q) sum += v * v;
    if (std::abs(sum - 1) < 4e-15) return q;
    for (double& v : q) v /= std::sqrt(sum);
    return q;
}

Rotation to_rotation(const Json& v, int dimension) {
    Rotation result;
    const auto angle = [&]() -> double {
        if (v.kind == JsonKind::number) return v.number * radians_per_degree;
        if (const Json* degrees = v.find("degrees")) return degrees->number * radians_per_degree;
        const Json* radians = v.find("radians");
        return radians ? radians->number : 0;
    };
    if (dimension == 2) {
        result.angle = angle();
    } else if (const Json* q = v.find("quaternion")) {
        for (std::size_t i = 0; i < 4; ++i) result.quaternion[i] = q->items[i].number;
        result.quaternion = normalized(result.quaternion);
    } else {
        std::array<double, 3> axis{};
        for (std::size_t i = 0; i < 3; ++i) axis[i] = v.find("axis")->items[i].number;
        axis = normalized(axis);
        const double half = 0.5 * angle();
        result.quaternion = normalized(
            std::array<double, 4>{cosine(half), sine(half) * axis[0], sine(half) * axis[1], sine(half) * axis[2]});
    }
    return result;
}

Colour to_colour(const Json& v) {
    Colour c{};
    for (std::size_t i = 0; i < 3; ++i) {
        if (v.kind == JsonKind::array) {
            c[i] = v.items[i].number;
        } else {
            int byte = 0;
            std::from_chars(v.text.data() + 1 + 2 * i, v.text.data() + 3 + 2 * i, byte, 16);
            c[i] = byte / 255.0;
        }
    }
    return c;
}

}  // namespace

Json default_value(const Key& key) {
    std::vector<SyntaxError> none;
    return parse_json(key.default_json, none);
}

Block::Block(const Json* json, const ObjectSpec& spec, int dimension, std::string path, const Variant* around)
    : json_(json && json->kind == JsonKind::object ? json : nullptr),
      spec_(&spec),
      dimension_(dimension),
      path_(std::move(path)) {
    if (around && !spec.follows.empty()) variant_ = spec.variant(around->word);
    if (spec.selector.empty()) return;
    const Json* selector = json_ ? json_->find(spec.selector) : nullptr;
    if (!selector)
        variant_ = spec.variant(spec.default_variant);
    else if (selector->kind == JsonKind::string)
        variant_ = spec.variant(selector->text);
}

std::string Block::path(std::string_view name) const {
    return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

const Key& Block::key(std::string_view name) const {
    const Key* found = spec_->find(name, variant_);
    if (!found)
        throw Error("scene: scene/keys does not describe the key " + std::string(name) + " of " +
                    std::string(spec_->name));
    return *found;
}

const Json* Block::get(std::string_view name) const {
    const Json* v = json_ ? json_->find(name) : nullptr;
    if (!v || !v->valid) return nullptr;
    const Key* described = spec_->find(name, variant_);
    return described && (described->dimension == 0 || described->dimension == dimension_) ? v : nullptr;
}

double Block::number(std::string_view name) const {
    if (const Json* v = get(name)) return v->number;
    return key(name).default_json.empty() ? 0 : default_value(key(name)).number;
}

double Block::number(std::string_view name, double fallback) const {
    const Json* v = get(name);
    return v ? v->number : fallback;
}

bool Block::boolean(std::string_view name) const {
    const Json* v = get(name);
    return v ? v->boolean : default_value(key(name)).boolean;
}

std::string Block::text(std::string_view name, const std::string& fallback) const {
    const Json* v = get(name);
    return v ? v->text : fallback;
}

std::string Block::word(std::string_view name) const {
    const Json* v = get(name);
    return v ? v->text : default_value(key(name)).text;
}

Vector Block::vector(std::string_view name, const Vector& fallback) const {
    const Json* v = get(name);
    if (!v) return fallback;
    Vector result{};
    for (std::size_t i = 0; i < v->items.size() && i < 3; ++i) result[i] = v->items[i].number;
    return result;
}

Vector Block::turning(std::string_view name) const {
    const Json* v = get(name);
    if (v && v->kind == JsonKind::number) return {0, 0, v->number};
    return vector(name, {});
}

Rotation Block::rotation(std::string_view name, const Rotation& fallback) const {
    const Json* v = get(name);
    return v ? to_rotation(*v, dimension_) : fallback;
}

Colour Block::colour(std::string_view name, const Colour& fallback) const {
    const Json* v = get(name);
    return v ? to_colour(*v) : fallback;
}

Colour Block::colour(std::string_view name) const { return colour(name, to_colour(default_value(key(name)))); }

std::array<std::string, 2> Block::names(std::string_view name) const {
    const Json* v = get(name);
    return v ? std::array{v->items[0].text, v->items[1].text} : std::array<std::string, 2>();
}

std::optional<std::array<double, 2>> Block::pair(std::string_view name) const {
    const Json* v = get(name);
    if (!v) return {};
    return std::array{v->items[0].number, v->items[1].number};
}

Block Block::object(std::string_view name) const {
    // Also of an object that is not valid as a whole: its right values are still used.
    return {json_ ? json_->find(name) : nullptr, *key(name).object, dimension_, path(name), variant_};
}

std::vector<Block> Block::list(std::string_view name) const {
    std::vector<Block> result;
    const Json* v = get(name);
    if (!v) return result;
    for (std::size_t i = 0; i < v->items.size(); ++i)
        result.emplace_back(&v->items[i], *key(name).object, dimension_, path(name) + "[" + std::to_string(i) + "]");
    return result;
}

}  // namespace tidelock::scene
