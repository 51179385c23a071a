#include "scene/json_writer.h"

#include <fmt/format.h>

#include "scene/json.h"

namespace tidelock::scene {

namespace {

std::string list(const std::array<double, 3>& v, int count) {
    return count == 2 ? fmt::format("[{}, {}]", v[0], v[1]) : fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
}

}  // namespace

void JsonWriter::open(std::string_view key, char bracket) {
    line(key);
    out_ += bracket;
    ++depth_;
    first_ = true;
}

void JsonWriter::close(char bracket) {
    --depth_;
    if (!first_) new_line();
    out_ += bracket;
    first_ = false;
}

void JsonWriter::raw(std::string_view key, std::string_view value) {
    line(key);
    out_ += value;
}

void JsonWriter::put(std::string_view key, double value) { raw(key, fmt::format("{}", value)); }
void JsonWriter::put(std::string_view key, int value) { raw(key, fmt::format("{}", value)); }
void JsonWriter::put(std::string_view key, bool value) { raw(key, value ? "true" : "false"); }
void JsonWriter::word(std::string_view key, std::string_view value) { raw(key, quote(value)); }
void JsonWriter::vector(std::string_view key, const Vector& v) { raw(key, list(v, dimension_)); }
void JsonWriter::colour(std::string_view key, const Colour& v) { raw(key, list(v, 3)); }

void JsonWriter::rotation(std::string_view key, const Rotation& r) {
    const auto& q = r.quaternion;
    raw(key, dimension_ == 2 ? fmt::format("{{ \"radians\": {} }}", r.angle)
                             : fmt::format("{{ \"quaternion\": [{}, {}, {}, {}] }}", q[0], q[1], q[2], q[3]));
}

void JsonWriter::new_line() {
    out_ += '\n';
    out_.append(2 * static_cast<std::size_t>(depth_), ' ');
}

void JsonWriter::line(std::string_view key) {
    if (!first_) out_ += ',';
    if (depth_ > 0) new_line();
    first_ = false;
    if (!key.empty()) out_ += fmt::format("{}: ", quote(key));
}

}  // namespace tidelock::scene
