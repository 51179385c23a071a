#include "render/image.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "render/png.h"

namespace tidelock {
namespace {

TEST(Image, TransferCurveHasItsPublishedValues) {
    EXPECT_EQ(srgb_encode(0), 0);
    EXPECT_NEAR(srgb_encode(1), 1, 1e-6f);
    EXPECT_NEAR(srgb_encode(0.2140f), 0.5f, 1e-4f);  // IEC 61966-2-1: 0.5 decodes to 0.21404
    for (int n = 0; n <= 255; ++n) {
        const float v = static_cast<float>(n) / 255;
        EXPECT_NEAR(srgb_encode(srgb_decode(v)), v, 1e-5f);
    }
    EXPECT_NEAR(from_hex(0xff8000)[1], srgb_decode(128.0f / 255), 1e-7f);
    EXPECT_EQ(from_hex(0xff8000)[2], 0);
}

TEST(Image, FilmCurveKeepsBlackMiddleGreyAndOrder) {
    EXPECT_EQ(filmic(Rgb::Zero(), 1), Rgb(Rgb::Zero()));
    EXPECT_NEAR(filmic(Rgb::Constant(0.18f), 1)[0], 0.18f, 0.005f);
    float before = -1;
    for (float v = 0; v < 100; v = 1.1f * v + 0.001f) {
        const float now = filmic(Rgb::Constant(v), 1)[0];
        EXPECT_GE(now, before);
        EXPECT_LE(now, 1);
        before = now;
    }
    EXPECT_GT(filmic(Rgb::Constant(1e6f), 1)[0], 0.999f);
    EXPECT_EQ(filmic(Rgb::Constant(0.1f), 3), filmic(Rgb::Constant(0.3f), 1));
}

TEST(Image, QuantisingIsRightOnAverage) {
    // A grey between two levels: the mean over many pixels is the grey, not the nearest level.
    FloatImage image(90, 90, Rgb::Constant(srgb_decode(100.3f / 255)));
    image.at(0, 0) = Rgb::Constant(std::nanf(""));
    const Image out = quantise(image);
    EXPECT_EQ(out.at(0, 0)[0], 0);
    double sum = 0;
    for (std::size_t n = 3; n < out.rgb.size(); ++n) {
        EXPECT_TRUE(out.rgb[n] == 100 || out.rgb[n] == 101);
        sum += out.rgb[n];
    }
    EXPECT_NEAR(sum / static_cast<double>(out.rgb.size() - 3), 100.3, 0.02);  // the pattern is even to a percent
    const Image white = quantise(FloatImage(9, 9, Rgb::Ones())), black = quantise(FloatImage(9, 9));
    for (const int value : white.rgb) EXPECT_EQ(value, 255);
    for (const int value : black.rgb) EXPECT_EQ(value, 0);
}

TEST(Png, RoundTripIsExact) {
    const Random random(9);
    Image image{37, 23, {}};
    for (std::uint64_t n = 0; n < 37 * 23 * 3; ++n) image.rgb.push_back(static_cast<std::uint8_t>(random.bits(n)));
    const auto bytes = encode_png(image);
    const unsigned char signature[] = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a};
    ASSERT_GT(bytes.size(), 8u);
    for (std::size_t n = 0; n < 8; ++n) EXPECT_EQ(bytes[n], signature[n]);
    EXPECT_TRUE(decode_png(bytes) == image);
}

TEST(Png, RefusesDamage) {
    EXPECT_THROW((void)encode_png(Image{}), InputError);
    EXPECT_THROW((void)encode_png(Image{4, 4, std::vector<std::uint8_t>(5)}), InputError);
    auto bytes = encode_png(Image{8, 8, std::vector<std::uint8_t>(192, 7)});
    EXPECT_THROW((void)decode_png({bytes.data(), 20}), InputError);
    bytes[60] ^= 0xff;  // in the compressed data, after the signature and two chunks of 46 bytes
    EXPECT_THROW((void)decode_png(bytes), InputError);
    EXPECT_THROW((void)decode_png({}), InputError);
}

}  // namespace
}  // namespace tidelock
