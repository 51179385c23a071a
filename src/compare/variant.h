/// A method with what is set of it, as who compares methods names it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidelock::compare {

/// "weak:rounds=50:relaxation=0.2": a method, and keys of "coupling" in the scene.
struct Variant {
    std::string label;              ///< as it was written
    std::string folder;             ///< a file name for it, unlike those of the others
    std::vector<std::string> sets;  ///< PATH=VALUE: makes any scene one for this method
};

/// Variants between commas; no text: every method as it comes, the default one first. Throws InputError for methods
/// that do not exist, settings that are none, and what is there twice.
[[nodiscard]] std::vector<Variant> parse_variants(std::string_view text);

}  // namespace tidelock::compare
