/// Reads back what a plot's SVG says: enough of XML for these files, and strict about what it reads.
#pragma once

#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "render/font.h"

namespace tidelock::test {

struct SvgElement {
    std::string name, group;  ///< the title of the group around it
    std::map<std::string, std::string> attributes;
    std::string text;  ///< unescaped; of children, too, an exponent after "^"

    [[nodiscard]] double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
    /// The points of its path, all parts one after the other.
    [[nodiscard]] Stroke points() const {
        Stroke out;
        const std::string& d = attributes.at("d");
        for (std::size_t n = d.find_first_of("ML"); n != std::string::npos; n = d.find_first_of("ML", n + 1)) {
            std::size_t used = 0;
            const double x = std::stod(d.substr(n + 1), &used);
            out.emplace_back(x, std::stod(d.substr(n + 1 + used)));
        }
        return out;
    }
};

inline std::string unescape(std::string text) {
    const std::pair<const char*, const char*> names[] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}};
    for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
        bool known = false;
        for (const auto& [name, character] : names)
            if (!known && text.compare(at, std::string(name).size(), name) == 0)
                text.replace(at, std::string(name).size(), character), known = true;
        if (!known) throw std::runtime_error("a bare & in: " + text);
    }
    return text;
}

/// All elements in the order of the file. Throws where the file is not well-formed.
inline std::vector<SvgElement> read_svg(const std::string& svg) {
    std::vector<SvgElement> all;
    std::vector<std::size_t> open;
    std::vector<std::string> groups;
    std::size_t at = svg.find("?>") + 2;
    const auto fail = [&](const std::string& why) { throw std::runtime_error(why + " at " + std::to_string(at)); };
    while (at < svg.size()) {
        const std::size_t tag = std::min(svg.find('<', at), svg.size());
        const std::string text = unescape(svg.substr(at, tag - at));
        if (!open.empty()) all[open.back()].text += text;
        at = tag;
        if (at == svg.size()) break;
        const std::size_t end = svg.find('>', at);
        if (end == std::string::npos) fail("no >");
        std::string inside = svg.substr(at + 1, end - at - 1);
        at = end + 1;
        if (inside[0] == '/') {
            if (open.empty() || all[open.back()].name != inside.substr(1)) fail("wrong end of " + inside);
            const SvgElement closed = all[open.back()];
            open.pop_back();
            if (closed.name == "g") groups.pop_back();
            if (closed.name == "title" && !groups.empty()) groups.back() = closed.text;
            if (closed.name == "tspan") all[open.back()].text += "^" + closed.text;
            continue;
        }
        const bool empty = inside.back() == '/';
        if (empty) inside.pop_back();
        SvgElement element;
        std::size_t n = std::min(inside.find(' '), inside.size());
        element.name = inside.substr(0, n);
        if (element.name == "g") groups.emplace_back();
        element.group = groups.empty() ? "" : groups.back();
        while (n < inside.size()) {
            const std::size_t equals = inside.find("=\"", n);
            const std::size_t quote = equals == std::string::npos ? equals : inside.find('"', equals + 2);
            if (quote == std::string::npos) fail("no value in " + inside);
            n = inside.find_first_not_of(" \n", n);
            const std::string name = inside.substr(n, equals - n);
            if (!element.attributes.emplace(name, unescape(inside.substr(equals + 2, quote - equals - 2))).second)
                fail(name + " twice");
            n = quote + 1;
        }
        all.push_back(element);
        if (!empty) open.push_back(all.size() - 1);
    }
    if (!open.empty() || all.empty() || all[0].name != "svg") fail("not closed");
    return all;
}

}  // namespace tidelock::test
