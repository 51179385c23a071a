#include "scene/check_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/check_values.h"

namespace tidelock::scene {

namespace {

std::string below(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

class Checker {
  public:
    Checker(int dimension, Places& places, Problems& problems)
        : dimension_(dimension), places_(places), problems_(problems), values_(dimension, places, problems) {}

    /// `around` is the variant of the object around it.
    void object(Json& value, const ObjectSpec& spec, const std::string& path, const Variant* around = nullptr) {
        places_.add(path, value.place);
        if (value.kind != JsonKind::object)
            return values_.wrong(value, path, fmt::format("{} must be an object {{ ... }}", spec.name));
        const Variant* variant = nullptr;
        if (!spec.selector.empty())
            variant = choose_variant(value, spec, path);
        else if (around && !spec.follows.empty())
            variant = spec.variant(around->word);
        if (!variant && !spec.variants.empty()) return keys_of_all(value, spec, path);
        Slips meant;
        for (std::size_t i = 0; i < value.keys.size(); ++i) {
            const std::string& name = value.keys[i];
            if (!spec.selector.empty() && name == spec.selector) continue;
            const std::string at = below(path, shorten(name));
            if (const Key* key = spec.find(name, variant))
                known(value, i, *key, at, variant);
            else
                unknown(value, i, spec, variant, at, meant);
        }
        for (const Key& key : spec.keys) missing(value, key, path, meant);
        if (variant)
            for (const Key& key : variant->keys) missing(value, key, path, meant);
    }

  private:
    /// Known keys that were probably meant by unknown ones, and how these are written.
    using Slips = std::vector<std::pair<std::string_view, std::string>>;

    [[nodiscard]] bool exists(int dimension) const { return dimension == 0 || dimension == dimension_; }

    void known(Json& value, std::size_t i, const Key& key, const std::string& at, const Variant* variant) {
        if (exists(key.dimension)) return this->value(value.items[i], key, at, variant);
        values_.fail(value.items[i], value.key_places[i], at,
                     fmt::format("exists only in {}D scenes; this one has dimension {}", key.dimension, dimension_));
    }

    /// With a wrong selector a key is judged by that variant which finds the least wrong with it: what is reported is
    /// wrong whichever was meant.
    void keys_of_all(Json& value, const ObjectSpec& spec, const std::string& path) {
        Slips meant;
        for (std::size_t i = 0; i < value.keys.size(); ++i) {
            const std::string& name = value.keys[i];
            if (!spec.selector.empty() && name == spec.selector) continue;
            const std::string at = below(path, shorten(name));
            if (const auto [key, variant] = kindest(value.items[i], name, spec, at); key)
                known(value, i, *key, at, variant);
            else
                unknown(value, i, spec, nullptr, at, meant);
        }
        for (const Key& key : spec.keys) missing(value, key, path, meant);
    }

    /// The key of that name with the fewest objections to the value, and its variant; null if no variant has it.
    [[nodiscard]] std::pair<const Key*, const Variant*> kindest(const Json& value, std::string_view name,
                                                                const ObjectSpec& spec, const std::string& at) const {
        if (const Key* key = spec.find(name)) return {key, nullptr};
        std::vector<std::pair<const Key*, const Variant*>> having;
        for (const Variant& v : spec.variants)
            if (const Key* key = exists(v.dimension) ? spec.find(name, &v) : nullptr) having.emplace_back(key, &v);
        std::pair<const Key*, const Variant*> best{nullptr, nullptr};
        std::size_t least = 0;
        for (const auto& one : having) {
            Problems found;
            if (having.size() > 1) {
                Json trial = value;
                Places nowhere;
                Checker(dimension_, nowhere, found).value(trial, *one.first, at, one.second);
            }
            if (!best.first || found.size() < least) best = one, least = found.size();
        }
        return best;
    }

    /// Null if the selector is wrong.
    const Variant* choose_variant(Json& value, const ObjectSpec& spec, const std::string& path) {
        std::vector<std::string_view> words;
        for (const Variant& v : spec.variants)
            if (exists(v.dimension)) words.push_back(v.word);
        const std::string at = below(path, spec.selector);
        Json* selector = value.find(spec.selector);
        if (!selector) {
            const Variant* variant = spec.variant(spec.default_variant);
            if (!variant)
                values_.fail(value, value.place, at, fmt::format("is missing; allowed: {}", join_words(words)));
            return variant;
        }
        places_.add(at, selector->place);
        const Variant* variant = selector->kind == JsonKind::string ? spec.variant(selector->text) : nullptr;
        if (variant && exists(variant->dimension)) return variant;
        value.valid = false;
        if (variant)
            values_.fail(value, selector->place, at,
                         fmt::format("\"{}\" exists only in {}D scenes; allowed here: {}", variant->word,
                                     variant->dimension, join_words(words)));
        else
            values_.word(*selector, words, spec.later_variants, at);
        return nullptr;
    }

    /// " (it belongs to the method weak)": the variants that have the key.
    [[nodiscard]] std::string owner_text(const ObjectSpec& spec, std::string_view name) const {
        std::vector<std::string_view> owners;
        for (const Variant& v : spec.variants)
            if (exists(v.dimension) && spec.find(name, &v)) owners.push_back(v.word);
        return owners.empty() ? "" : fmt::format(" (it belongs to the {} {})", spec.chooser(), join_words(owners));
    }

    void unknown(Json& value, std::size_t i, const ObjectSpec& spec, const Variant* variant, const std::string& path,
                 Slips& meant) {
        value.items[i].valid = false;
        const std::string_view name = value.keys[i];
        if (std::find(spec.later.begin(), spec.later.end(), name) != spec.later.end())
            return problems_.error(value.key_places[i], path, "is not available yet; remove it");
        std::vector<std::string_view> names, candidates;
        const auto add = [&](const Key& key) {
            if (!exists(key.dimension) || std::find(names.begin(), names.end(), key.name) != names.end()) return;
            if (key.name != "$schema") names.push_back(key.name);
            if (!value.find(key.name)) candidates.push_back(key.name);
        };
        if (!spec.selector.empty()) names.push_back(spec.selector);
        for (const Key& key : spec.keys) add(key);
        for (const Variant& v : spec.variants)
            if (variant ? &v == variant : exists(v.dimension))
                for (const Key& key : v.keys) add(key);
        const std::string owner = owner_text(spec, name);
        const std::string near = owner.empty() ? nearest_word(name, candidates) : "";
        problems_.error(
            value.key_places[i], path,
            fmt::format("unknown key{}{}; {} has: {}", owner, meant_text(near), spec.name, fmt::join(names, ", ")));
        if (near.empty()) return;
        const std::string_view known_name = *std::find(candidates.begin(), candidates.end(), near);
        meant.emplace_back(known_name, shorten(name));
        // What is wrong inside of it is not put off until its name is right.
        const Key* key = spec.find(near, variant);
        if (key && (key->type == KeyType::object || key->type == KeyType::list))
            this->value(value.items[i], *key, path, variant);
    }

    void missing(Json& value, const Key& key, const std::string& path, const Slips& meant) {
        if (!key.required() || value.find(key.name)) return;
        if (!exists(key.dimension)) return;
        value.valid = false;
        const auto slip = std::find_if(meant.begin(), meant.end(), [&](const auto& m) { return m.first == key.name; });
        if (slip != meant.end())
            return problems_.error(
                value.place, below(path, key.name),
                fmt::format("is missing; rename the unknown key \"{}\" if it is meant", slip->second));
        std::string allowed = key.type == KeyType::number || key.type == KeyType::integer || key.type == KeyType::vector
                                  ? range_text(key)
                                  : std::string(key.doc);
        problems_.error(value.place, below(path, key.name),
                        fmt::format("is missing, and only you can know it: {}{}", key.doc,
                                    allowed == key.doc || allowed.empty() ? "" : fmt::format(", {}", allowed)));
    }

    void value(Json& v, const Key& key, const std::string& path, const Variant* around) {
        places_.add(path, v.place);
        if (key.type == KeyType::object) return object(v, *key.object, path, around);
        if (key.type != KeyType::list) return values_.check(v, key, path);
        if (v.kind != JsonKind::array) return values_.wrong(v, path, "must be a list [ ... ]");
        for (std::size_t i = 0; i < v.items.size() && !problems_.full(); ++i)
            object(v.items[i], *key.object, fmt::format("{}[{}]", path, i));
    }

    int dimension_;
    Places& places_;
    Problems& problems_;
    ValueChecker values_;
};

}  // namespace

void check_keys(Json& root, const ObjectSpec& spec, int dimension, Places& places, Problems& problems) {
    Checker(dimension, places, problems).object(root, spec, "");
}

}  // namespace tidelock::scene
