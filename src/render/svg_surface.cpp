#include "render/svg_surface.h"

#include <fmt/format.h>

#include <cmath>

#include "render/plot_text.h"

namespace tidelock {
namespace {

/// Hundredths of a pixel, without trailing zeros.
std::string number(double value) {
    std::string out = fmt::format("{:.2f}", value);
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
    return out == "-0" ? "0" : out;
}

std::string colour_name(std::uint32_t colour) { return fmt::format("#{:06x}", colour); }

/// Move to the first point, lines to the others.
std::string path_of(const Stroke& points) {
    std::string out;
    for (const Vec2& p : points) out += fmt::format("{}{} {}", out.empty() ? "M" : "L", number(p[0]), number(p[1]));
    return out;
}

/// Length of the well-formed UTF-8 character that begins here and that XML 1.0 allows; 0: there is none.
std::size_t xml_character(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[at + n]); };
    const unsigned first = byte(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
    const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                               : (first & 0xf0u) == 0xe0       ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0 || at + length > text.size()) return 0;
    unsigned code = first & (0xffu >> (length + 1));
    for (std::size_t n = 1; n < length; ++n) {
        if ((byte(n) & 0xc0u) != 0x80) return 0;
        code = code << 6 | (byte(n) & 0x3fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool forbidden = (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff || code > 0x10ffff;
    return overlong || forbidden ? 0 : length;
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string out;
    for (std::size_t n = 0; n < text.size();) {
        const std::size_t length = xml_character(text, n);
        switch (text[n]) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&apos;";
                break;
            case '\t':
            case '\n':
            case '\r':
                out += ' ';
                break;
            default:
                out += length == 0 ? "\uFFFD" : text.substr(n, length);
        }
        n += std::max<std::size_t>(length, 1);
    }
    return out;
}

SvgSurface::SvgSurface(int width, int height, std::string_view title) {
    svg_ = fmt::format(
        R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{0}" height="{1}" viewBox="0 0 {0} {1}"
     font-family="sans-serif" fill="none" stroke-linecap="round" stroke-linejoin="round">
<title>{2}</title>
<rect width="{0}" height="{1}" fill="#ffffff"/>
)",
        width, height, xml_text(title));
}

void SvgSurface::begin_group(std::string_view name) { svg_ += fmt::format("<g>\n<title>{}</title>\n", xml_text(name)); }

void SvgSurface::end_group() { svg_ += "</g>\n"; }

void SvgSurface::lines(std::span<const Stroke> lines, const PlotPen& pen) {
    std::string path;
    for (const Stroke& line : lines) path += path_of(line);
    svg_ +=
        fmt::format(R"(<path d="{}" stroke="{}" stroke-width="{}")", path, colour_name(pen.colour), number(pen.width));
    if (pen.dashed)
        svg_ +=
            fmt::format(R"( stroke-dasharray="{} {}")", number(plot_dash * pen.width), number(plot_gap * pen.width));
    svg_ += "/>\n";
}

void SvgSurface::polygon(const Stroke& loop, std::uint32_t colour, double opacity) {
    svg_ += fmt::format(R"(<path d="{}Z" fill="{}" fill-opacity="{}"/>)", path_of(loop), colour_name(colour),
                        number(opacity));
    svg_ += '\n';
}

void SvgSurface::marker(const Vec2& at, const PlotMarker& marker, double radius) {
    Stroke outline = marker_outline(marker.shape);
    if (marker.shape == MarkerShape::circle) {
        svg_ += fmt::format(R"(<circle cx="{}" cy="{}" r="{}")", number(at[0]), number(at[1]),
                            number(radius * outline[0].norm()));
    } else {
        for (Vec2& p : outline) p = at + radius * p;
        svg_ += fmt::format(R"(<path d="{}Z")", path_of(outline));
    }
    const std::string colour = colour_name(marker.colour), white = "#ffffff";
    svg_ += fmt::format(R"( fill="{}" stroke="{}" stroke-width="{}"/>)", marker.hollow ? white : colour,
                        marker.hollow ? colour : white, number(marker_rim * radius));
    svg_ += '\n';
}

void SvgSurface::text(const Vec2& at, std::string_view text, std::string_view raised, const PlotTextLook& look) {
    const double font_size = look.size / capital_height;
    svg_ += fmt::format(R"(<text x="{0}" y="{1}" font-size="{2}" fill="{3}")", number(at[0]), number(at[1]),
                        number(font_size), colour_name(look.colour));
    if (look.align == Align::centre) svg_ += R"( text-anchor="middle")";
    if (look.align == Align::right) svg_ += R"( text-anchor="end")";
    if (look.bold) svg_ += R"( font-weight="bold")";
    if (look.upwards) svg_ += fmt::format(R"~( transform="rotate(-90 {} {})")~", number(at[0]), number(at[1]));
    svg_ += '>';
    svg_ += xml_text(text);
    if (!raised.empty())
        svg_ += fmt::format(R"(<tspan dx="{}" dy="{}" font-size="{}">{}</tspan>)", number(0.4 * raised_gap * look.size),
                            number(-raised_by * look.size), number(raised_size * font_size), xml_text(raised));
    svg_ += "</text>\n";
}

}  // namespace tidelock
