#include "base/settings.h"

#include <algorithm>

namespace tidelock {

void Settings::set(std::string_view name, Value value) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.first == name; });
    if (found != entries_.end())
        found->second = std::move(value);
    else
        entries_.emplace_back(name, std::move(value));
}

template <class T>
const T& Settings::get(std::string_view name, std::string_view type) const {
    for (const auto& [key, value] : entries_)
        if (const T* typed = std::get_if<T>(&value); typed != nullptr && key == name) return *typed;
    throw InputError(std::string(name), "is not set to a {}", type);
}

bool Settings::boolean(std::string_view name) const { return get<bool>(name, "boolean"); }
int Settings::integer(std::string_view name) const { return get<int>(name, "whole number"); }
double Settings::number(std::string_view name) const { return get<double>(name, "number"); }
const std::string& Settings::word(std::string_view name) const { return get<std::string>(name, "word"); }

}  // namespace tidelock
