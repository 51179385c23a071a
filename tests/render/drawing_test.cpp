#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "render/canvas.h"
#include "render/colour_map.h"

namespace tidelock {
namespace {

double sum_of(const FloatImage& image) {
    double sum = 0;
    for (const Rgb& c : image.pixels) sum += double(c[0]);
    return sum;
}

TEST(ColourMap, LightnessRisesAlongSequentialMaps) {
    for (const ColourMap map : {ColourMap::mist, ColourMap::ember, ColourMap::tide}) {
        float before = -1;
        for (int n = 0; n <= 200; ++n) {
            const Rgb c = colour_of(map, n / 200.0);
            EXPECT_GT(luminance(c), before) << n;
            EXPECT_GE(c.minCoeff(), 0);
            EXPECT_LE(c.maxCoeff(), 1);
            before = luminance(c);
        }
        EXPECT_LT(luminance(colour_of(map, 0)), 0.02f);
        EXPECT_GT(luminance(colour_of(map, 1)), 0.75f);
        EXPECT_EQ(colour_of(map, -3), colour_of(map, 0));
        EXPECT_EQ(colour_of(map, 7), colour_of(map, 1));
        EXPECT_EQ(colour_of(map, std::nan("")), colour_of(map, 0));
    }
}

TEST(ColourMap, DivergingMapIsDarkestInTheMiddleAndTellsTheSides) {
    float before = -1;
    for (int n = 0; n <= 100; ++n) {
        const Rgb low = colour_of(ColourMap::swirl, 0.5 - n / 200.0),
                  high = colour_of(ColourMap::swirl, 0.5 + n / 200.0);
        EXPECT_GT(luminance(high), before);
        // Equal steps on both sides look equally light; Oklab's lightness is not quite luminance.
        EXPECT_NEAR(std::cbrt(luminance(low)), std::cbrt(luminance(high)), 0.06f);
        before = luminance(high);
    }
    EXPECT_GT(colour_of(ColourMap::swirl, 0)[2], colour_of(ColourMap::swirl, 0)[0]);  // blue
    EXPECT_GT(colour_of(ColourMap::swirl, 1)[0], colour_of(ColourMap::swirl, 1)[2]);  // orange
}

TEST(Oklab, HasItsPublishedWhiteAndPrimaries) {
    EXPECT_LT((from_oklab({1, 0, 0}) - Rgb::Ones()).norm(), 1e-4f);
    EXPECT_LT((from_oklab({0.62796f, 0.22486f, 0.12585f}) - Rgb(1, 0, 0)).norm(), 1e-3f);  // sRGB red
}

TEST(Canvas, CoverageIsArea) {
    FloatImage image(60, 50);
    Stroke circle;
    for (int n = 0; n < 400; ++n) {
        const double a = 2 * std::numbers::pi * n / 400;
        circle.push_back({30.3 + 15 * std::cos(a), 24.6 + 15 * std::sin(a)});
    }
    Canvas(image).fill({&circle, 1}, Rgb::Ones());
    // 8 lines a pixel row, exact along x.
    EXPECT_NEAR(sum_of(image) / (std::numbers::pi * 225), 1, 1e-3);

    FloatImage lines(60, 50);
    const Stroke line = {{10, 20}, {40, 31}};
    Canvas(lines).strokes({&line, 1}, 4, Rgb::Ones());
    const double expected = 4 * std::hypot(30, 11) + std::numbers::pi * 4;
    EXPECT_NEAR(sum_of(lines) / expected, 1, 0.02);  // linear ramp over one pixel at the rim
    const double once = sum_of(lines);
    const std::vector<Stroke> twice = {line, line};
    FloatImage again(60, 50);
    Canvas(again).strokes(twice, 4, Rgb::Constant(1), 0.5f);
    EXPECT_NEAR(sum_of(again), 0.5 * once, 1e-3);  // overlaps count once
}

TEST(Canvas, DrawsNothingOutside) {
    FloatImage image(20, 10);
    Canvas canvas(image);
    const Stroke far = {{-100, -50}, {-20, -5}}, through = {{-30, 5}, {50, 5}}, bad = {{std::nan(""), 1}, {2, 3}};
    canvas.strokes({&far, 1}, 3, Rgb::Ones());
    canvas.strokes({&bad, 1}, 3, Rgb::Ones());
    canvas.text({-500, 300}, 12, "far away", Rgb::Ones(), Align::left);
    EXPECT_EQ(sum_of(image), 0);
    canvas.strokes({&through, 1}, 2, Rgb::Ones());
    EXPECT_NEAR(sum_of(image), 40, 1e-3);
    FloatImage wide(20, 10);
    const Stroke endless = {{-1e12, 5}, {1e12, 5}};
    Canvas(wide).strokes({&endless, 1}, 2, Rgb::Ones());
    EXPECT_NEAR(sum_of(wide), 40, 1e-3);
}

TEST(Font, EveryCharacterIsThereAndDistinct) {
    std::map<std::vector<int>, std::string> seen;
    std::vector<std::string> characters;
    for (char c = 33; c < 127; ++c) characters.emplace_back(1, c);
    for (const char* c : {"°", "·", "²", "³", "µ", "×", "ä"}) characters.emplace_back(c);  // the last: a box
    for (const std::string& c : characters) {
        FloatImage image(32, 40);
        Canvas(image).text({6, 28}, 20, c, Rgb::Ones(), Align::left);
        EXPECT_GT(sum_of(image), 3) << c;
        std::vector<int> pixels;
        for (const Rgb& p : image.pixels) pixels.push_back(static_cast<int>(255 * p[0]));
        const auto [other, fresh] = seen.emplace(pixels, c);
        EXPECT_TRUE(fresh) << c << " looks like " << other->second;
        EXPECT_GT(text_width(c), 0) << c;
    }
}

TEST(Font, WidthHoldsTheStrokesAndDigitsAreEven) {
    const std::string text = "t = 0.125 s, Re 1e-3";
    double right = 0;
    for (const Stroke& stroke : text_strokes(text))
        for (const Vec2& p : stroke) {
            right = std::max(right, p[0]);
            EXPECT_GE(p[0], 0);
            EXPECT_GE(p[1], -0.34);
            EXPECT_LE(p[1], 1.09);
        }
    EXPECT_LE(right, text_width(text) + 1e-12);
    EXPECT_GT(right, 0.95 * text_width(text));
    for (char c = '1'; c <= '9'; ++c) EXPECT_EQ(text_width(std::string(1, c)), text_width("0"));
    EXPECT_EQ(text_width(""), 0);
}

}  // namespace
}  // namespace tidelock
