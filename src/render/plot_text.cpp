#include "render/plot_text.h"

#include <algorithm>

#include "render/font.h"

namespace tidelock {
namespace {

/// Upper bounds of the widths of DejaVu Sans, in font sizes. Multi-byte characters count once, by their first byte.
double usual_advance(char c) {
    const auto any_of = [&](std::string_view set) { return set.find(c) != std::string_view::npos; };
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0u) == 0x80) return 0;
    if (byte >= 0x80) return 0.84;  // signs such as × and −
    if (any_of(" .,'ijlI|/\\:;")) return 0.34;
    if (any_of("()[]-\"ftr!_")) return 0.5;
    if (any_of("m%MW@")) return 1;
    if (any_of("+=<>~^#wGHNOQDU&")) return 0.84;
    if (c >= 'A' && c <= 'Z') return 0.7;
    return 0.64;
}

double usual_width(std::string_view text) {
    double width = 0;
    for (const char c : text) width += usual_advance(c);
    return width;
}

double exponent_width(double width) { return width > 0 ? raised_gap + raised_size * width : 0; }

}  // namespace

double drawn_text_width(std::string_view text, std::string_view raised, double size) {
    return size * (plot_letter_width * text_width(text) + exponent_width(plot_letter_width * text_width(raised)));
}

double plot_text_width(std::string_view text, std::string_view raised, double size, bool bold) {
    const double usual =
        size * (usual_width(text) / capital_height + exponent_width(usual_width(raised) / capital_height));
    return std::max(drawn_text_width(text, raised, size), usual) * (bold ? 1.1 : 1);
}

std::vector<std::string> wrapped_text(std::string_view text, double size, double width, bool bold) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string word(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (word.empty()) continue;
        const std::string longer = lines.empty() ? word : lines.back() + ' ' + word;
        if (lines.empty() || plot_text_width(longer, "", size, bold) > width)
            lines.push_back(word);
        else
            lines.back() = longer;
    }
    return lines;
}

}  // namespace tidelock
