#include "render/font.h"

#include <algorithm>
#include <string>

namespace tidelock {
namespace {

// A glyph is a list of strokes. Each is a row of points, two characters a point: x, then y, from 0 to 9 and on from a.
// The baseline is at y = 4, small letters reach c (12), capitals g (16), descenders 0. A stroke that begins with ~ is a
// quadratic B-spline over its points, from the first to the last; one that begins with @ is a closed one.
struct Glyph {
    const char* name;  // UTF-8
    const char* strokes;
};

constexpr Glyph glyphs[] = {
    {"A", "045ga4 2888"},
    {"B", "040g ~0g6g9g9a6a0a ~0a7aaaa47404"},
    {"C", "~ad9g0g0494a7"},
    {"D", "040g ~0g5gaga45404"},
    {"E", "9g0g0494 0a7a"},
    {"F", "9g0g04 0a7a"},
    {"G", "~ad9g0g04a4aa aa6a"},
    {"H", "040g 949g 0a9a"},
    {"I", "0444 0g4g 2g24"},
    {"J", "~7g7b740408"},
    {"K", "040g 9g08 3a94"},
    {"L", "0g0484"},
    {"M", "040g57aga4"},
    {"N", "040g949g"},
    {"O", "@04a4ag0g"},
    {"P", "040g ~0g6gaga96909"},
    {"Q", "@04a4ag0g 68a3"},
    {"R", "040g ~0g6gaga96909 5994"},
    {"S", "~9d8g0g0a9a941407"},
    {"T", "0gag 5g54"},
    {"U", "~0g0a0494999g"},
    {"V", "0g54ag"},
    {"W", "0g346d94cg"},
    {"X", "049g 0g94"},
    {"Y", "0g59ag 5954"},
    {"Z", "0g9g0494"},
    {"a", "@04848c0c 8c84"},
    {"b", "0g04 @04848c0c"},
    {"c", "~8a7c0c047486"},
    {"d", "8g84 @04848c0c"},
    {"e", "0888 ~888c0c047486"},
    {"f", "~6g2g2c24 0c5c"},
    {"g", "@04848c0c ~8c84801002"},
    {"h", "0g04 ~080c8c8884"},
    {"i", "1c14 1f1g"},
    {"j", "~3c343000 3f3g"},
    {"k", "0g04 7c07 2974"},
    {"l", "1g14"},
    {"m", "040c ~080c6c6864 ~686cccc8c4"},
    {"n", "040c ~080c8c8884"},
    {"o", "@04848c0c"},
    {"p", "0c00 @04848c0c"},
    {"q", "8c80 @04848c0c"},
    {"r", "040c ~080c4c6b"},
    {"s", "~7a6c0c0888841406"},
    {"t", "~2g262464 0c5c"},
    {"u", "~0c08048488 8c84"},
    {"v", "0c448c"},
    {"w", "0c245b84ac"},
    {"x", "047c 0c74"},
    {"y", "0c45 8c20"},
    {"z", "0c7c0474"},
    {"0", "@04848g0g"},
    {"1", "1d4g44"},
    {"2", "~0c0g8g8b04 0484"},
    {"3", "~0d1g8g8a3a ~3a8a841407"},
    {"4", "646g0888"},
    {"5", "7g1g0a ~0a1c8c841406"},
    {"6", "@04848b0b ~7e6g0g0c08"},
    {"7", "0g8g34"},
    {"8", "@1a7a7g1g @04848a0a"},
    {"9", "@0g8g8909 ~162484888c"},
    {".", "1415"},
    {",", "1502"},
    {":", "1415 1b1c"},
    {";", "1502 1b1c"},
    {"-", "1979"},
    {"−", "1979"},
    {"+", "1979 4d45"},
    {"=", "1b7b 1777"},
    {"/", "037h"},
    {"\\", "0h73"},
    {"%", "029h @0d4d4h0h @62a2a666"},
    {"(", "~4h0d0642"},
    {")", "~0h4d4602"},
    {"[", "4h1h1242"},
    {"]", "0h3h3202"},
    {"{", "~5h2h2b09 ~09272252"},
    {"}", "~0h3h3b59 ~59373202"},
    {"_", "0282"},
    {"*", "4g4a 1e7c 1c7e"},
    {"'", "1g1d"},
    {"\"", "1g1d 4g4d"},
    {"`", "1g3d"},
    {"!", "1g18 1415"},
    {"?", "~0d0g8g8b4b47 4445"},
    {"<", "7d1975"},
    {">", "1d7915"},
    {"^", "1c4g7c"},
    {"|", "1h12"},
    {"~", "~080b4b47878a"},
    {"#", "2g14 6g54 0b8b 0787"},
    {"$", "~8d7f0f0a8a851507 4h43"},
    {"&", "~840d0g6g6d0a0424848a"},
    {"@", "@37797c4c ~7c78a8ag0g04a4"},
    {"°", "@0d4d4h0h"},
    {"·", "1919"},
    {"²", "~0f0h4h4e0a 0a4a"},
    {"³", "~0g1h4h4d2d ~2d4d4a0a0b"},
    {"µ", "0c00 ~0c080484888c 8884"},
    {"×", "1d75 157d"},
};

constexpr const char* unknown = "0g8g84040g";
constexpr double unit = 1.0 / 12;  // capitals are 12 units high
constexpr double gap = 3.6;        // between characters
constexpr double space = 6;

double digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/// Points along the quadratic B-spline of a control polygon.
Stroke smooth(const Stroke& control, bool closed) {
    constexpr int pieces = 8;
    Stroke out;
    const std::size_t n = control.size();
    if (n < 3) return control;
    const auto arc = [&](const Vec2& a, const Vec2& b, const Vec2& c) {
        for (int k = 0; k < pieces; ++k) {
            const double t = static_cast<double>(k) / pieces;
            out.push_back((1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c);
        }
    };
    if (closed) {
        for (std::size_t i = 0; i < n; ++i) {
            const Vec2 &a = control[i], &b = control[(i + 1) % n], &c = control[(i + 2) % n];
            arc(0.5 * (a + b), b, 0.5 * (b + c));
        }
        out.push_back(out.front());
    } else {
        for (std::size_t i = 1; i + 1 < n; ++i) {
            const Vec2 from = i == 1 ? control[0] : Vec2(0.5 * (control[i - 1] + control[i]));
            const Vec2 to = i + 2 == n ? control[n - 1] : Vec2(0.5 * (control[i] + control[i + 1]));
            arc(from, control[i], to);
        }
        out.push_back(control.back());
    }
    return out;
}

/// The strokes that a glyph's text describes, in units.
std::vector<Stroke> parse(const char* text) {
    std::vector<Stroke> strokes;
    Stroke points;
    char kind = 0;
    const auto finish = [&] {
        if (!points.empty()) strokes.push_back(kind == 0 ? points : smooth(points, kind == '@'));
        points.clear();
        kind = 0;
    };
    for (const char* c = text; *c != 0; ++c) {
        if (*c == ' ') {
            finish();
        } else if (*c == '~' || *c == '@') {
            kind = *c;
        } else {
            points.emplace_back(digit(c[0]), digit(c[1]) - 4);
            ++c;
        }
    }
    finish();
    return strokes;
}

/// Strokes in units and the advance to the next character.
struct Letter {
    std::vector<Stroke> strokes;
    double advance = 0;
};

Letter letter(std::string_view character) {
    if (character == " ") return {{}, space};
    const char* text = unknown;
    for (const Glyph& glyph : glyphs)
        if (character == glyph.name) text = glyph.strokes;
    Letter out{parse(text), 0};
    for (const Stroke& stroke : out.strokes)
        for (const Vec2& p : stroke) out.advance = std::max(out.advance, p[0]);
    // Digits are equally wide, so that changing numbers do not dance.
    if (character.size() == 1 && character[0] >= '0' && character[0] <= '9') out.advance = 8;
    out.advance += gap;
    return out;
}

/// Length in bytes of the UTF-8 character that begins here.
std::size_t character_length(std::string_view text, std::size_t at) {
    const auto c = static_cast<unsigned char>(text[at]);
    const std::size_t length = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    return std::min(length, text.size() - at);
}

}  // namespace

std::vector<Stroke> text_strokes(std::string_view text) {
    std::vector<Stroke> out;
    double x = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        Letter next = letter(text.substr(i, length));
        for (Stroke& stroke : next.strokes) {
            for (Vec2& p : stroke) p = unit * (p + Vec2(x, 0));
            out.push_back(std::move(stroke));
        }
        x += next.advance;
        i += length;
    }
    return out;
}

double text_width(std::string_view text) {
    double x = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        x += letter(text.substr(i, length)).advance;
        i += length;
    }
    return unit * std::max(0.0, x - gap);
}

}  // namespace tidelock
