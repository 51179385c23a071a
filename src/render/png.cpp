#include "render/png.h"

#include <png.h>

#include <cstring>

#include "base/error.h"

namespace tidelock {
namespace {

// libpng reports errors by calling back; throwing through its C frames is not allowed, so it jumps, and the message is
// kept here. Nothing with a destructor is created between setjmp and the jump.
struct Messages {
    char text[160] = "";
};

void on_error(png_structp png, png_const_charp message) {
    auto* messages = static_cast<Messages*>(png_get_error_ptr(png));
    std::strncpy(messages->text, message, sizeof(messages->text) - 1);
    longjmp(png_jmpbuf(png), 1);
}
void on_warning(png_structp, png_const_charp) {}

void append(png_structp png, png_bytep data, png_size_t size) {
    auto* out = static_cast<std::vector<unsigned char>*>(png_get_io_ptr(png));
    out->insert(out->end(), data, data + size);
}
void flush(png_structp) {}

bool write_all(png_structp png, png_infop info, const Image& image, std::vector<unsigned char>* out) {
    if (setjmp(png_jmpbuf(png)) != 0) return false;
    png_set_write_fn(png, out, append, flush);
    png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height), 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    // The dithered pictures hardly compress better at higher levels, which cost ten times as much.
    png_set_compression_level(png, 3);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP | PNG_FILTER_PAETH);
    png_write_info(png, info);
    for (int y = 0; y < image.height; ++y) png_write_row(png, image.at(0, y));
    png_write_end(png, info);
    return true;
}

}  // namespace

std::vector<unsigned char> encode_png(const Image& image) {
    const auto expected = 3 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
    if (image.width < 1 || image.height < 1 || image.rgb.size() != expected)
        throw InputError("picture", "{} x {} pixels with {} bytes, must be at least 1 x 1 with 3 bytes a pixel",
                         image.width, image.height, image.rgb.size());
    std::vector<unsigned char> out;
    out.reserve(image.rgb.size() / 2);
    Messages messages;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &messages, on_error, on_warning);
    png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
    const bool good = info != nullptr && write_all(png, info, image, &out);
    png_destroy_write_struct(&png, &info);
    if (!good) throw InputError("picture", "PNG could not be written: {}", static_cast<const char*>(messages.text));
    return out;
}

Image decode_png(std::span<const unsigned char> bytes) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0)
        throw InputError("PNG data", "cannot be read: {}", static_cast<const char*>(png.message));
    png.format = PNG_FORMAT_RGB;
    Image image{static_cast<int>(png.width), static_cast<int>(png.height),
                std::vector<std::uint8_t>(PNG_IMAGE_SIZE(png))};
    const png_color black{0, 0, 0};
    if (png_image_finish_read(&png, &black, image.rgb.data(), 0, nullptr) == 0) {
        png_image_free(&png);
        throw InputError("PNG data", "cannot be read: {}", static_cast<const char*>(png.message));
    }
    return image;
}

}  // namespace tidelock
