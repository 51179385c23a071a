#include "geometry/ply.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/file.h"

namespace tidelock {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

enum class Encoding { ascii, little, big };
enum class Number { i8, u8, i16, u16, i32, u32, f32, f64 };

struct Property {
    std::string name;
    Number type = Number::f32;
    bool list = false;
    Number count_type = Number::u8;
};
struct Element {
    std::string name;
    std::size_t count = 0;
    std::vector<Property> properties;
};

/// Reads numbers from the body, whatever their encoding; running off the end is an InputError.
class Reader {
  public:
    Reader(std::string bytes, std::string place) : bytes_(std::move(bytes)), place_(std::move(place)) {}

    std::vector<Element> header() {
        if (line() != "ply") fail("is not a PLY file: must begin with 'ply'");
        std::vector<Element> elements;
        for (std::string text = line(); text != "end_header"; text = line()) {
            std::istringstream words(text);
            std::string key;
            words >> key;
            if (key == "format") {
                std::string name;
                words >> name;
                encoding_ = encoding(name);
            } else if (key == "element") {
                Element element;
                if (!(words >> element.name >> element.count)) fail("has a damaged element in its header: " + text);
                elements.push_back(element);
            } else if (key == "property") {
                if (elements.empty()) fail("has a property before any element");
                elements.back().properties.push_back(property(words, text));
            } else if (key != "comment" && key != "obj_info" && !key.empty()) {
                fail("has an unknown word in its header: " + key);
            }
        }
        return elements;
    }

    double number(Number type) {
        if (encoding_ == Encoding::ascii) return text_number();
        switch (type) {
            case Number::i8:
                return raw<std::int8_t>();
            case Number::u8:
                return raw<std::uint8_t>();
            case Number::i16:
                return raw<std::int16_t>();
            case Number::u16:
                return raw<std::uint16_t>();
            case Number::i32:
                return raw<std::int32_t>();
            case Number::u32:
                return raw<std::uint32_t>();
            case Number::f32:
                return static_cast<double>(raw<float>());
            default:
                return raw<double>();
        }
    }

    /// Every number takes a byte at least: a count beyond that is a lie, and must not be allocated.
    [[nodiscard]] std::size_t bytes_left() const { return bytes_.size() - at_; }
    [[noreturn]] void fail(const std::string& what) const { throw InputError(place_, "{}", what); }

  private:
    std::string line() {
        if (at_ >= bytes_.size()) fail("ends within its header");
        const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
        std::string text = bytes_.substr(at_, end - at_);
        at_ = std::min(end + 1, bytes_.size());
        while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.pop_back();
        return text;
    }

    [[nodiscard]] Encoding encoding(const std::string& name) const {
        if (name == "ascii") return Encoding::ascii;
        if (name == "binary_little_endian") return Encoding::little;
        if (name == "binary_big_endian") return Encoding::big;
        fail("has the unknown format '" + name + "', allowed: ascii, binary_little_endian, binary_big_endian");
    }

    [[nodiscard]] Number number_type(const std::string& name) const {
        static constexpr std::array<std::array<const char*, 2>, 8> names{{{"char", "int8"},
                                                                          {"uchar", "uint8"},
                                                                          {"short", "int16"},
                                                                          {"ushort", "uint16"},
                                                                          {"int", "int32"},
                                                                          {"uint", "uint32"},
                                                                          {"float", "float32"},
                                                                          {"double", "float64"}}};
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (name == names[i][0] || name == names[i][1]) return static_cast<Number>(i);
        }
        fail("has a property of unknown type '" + name + "'");
    }

    Property property(std::istringstream& words, const std::string& text) const {
        Property result;
        std::string type;
        words >> type;
        if (type == "list") {
            result.list = true;
            words >> type;
            result.count_type = number_type(type);
            words >> type;
        }
        result.type = number_type(type);
        if (!(words >> result.name)) fail("has a damaged property in its header: " + text);
        return result;
    }

    double text_number() {
        while (at_ < bytes_.size() && std::isspace(static_cast<unsigned char>(bytes_[at_]))) ++at_;
        if (at_ < bytes_.size() && bytes_[at_] == '+') ++at_;
        double value = 0;
        const auto [end, error] = std::from_chars(bytes_.data() + at_, bytes_.data() + bytes_.size(), value);
        if (at_ >= bytes_.size()) fail("ends too early");
        if (error != std::errc()) fail("holds something that is not a number: " + bytes_.substr(at_, 12));
        at_ = static_cast<std::size_t>(end - bytes_.data());
        return value;
    }

    template <class T>
    T raw() {
        if (bytes_left() < sizeof(T)) fail("ends too early");
        char copy[sizeof(T)];
        std::memcpy(copy, bytes_.data() + at_, sizeof(T));
        if (encoding_ == Encoding::big) std::reverse(copy, copy + sizeof(T));
        at_ += sizeof(T);
        T value;
        std::memcpy(&value, copy, sizeof(T));
        return value;
    }

    std::string bytes_, place_;
    std::size_t at_ = 0;
    Encoding encoding_ = Encoding::ascii;
};

/// One entry of an element; `use(property, values)` sees each property in turn.
template <class Use>
void read_entry(Reader& reader, const Element& element, Use&& use) {
    std::vector<double> values;
    for (const Property& property : element.properties) {
        const double count = property.list ? reader.number(property.count_type) : 1;
        if (!(count >= 0) || count > static_cast<double>(reader.bytes_left())) reader.fail("ends too early");
        values.clear();
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
            values.push_back(reader.number(property.type));
        use(property, values);
    }
}

void check_corners(const Reader& reader, const std::vector<double>& corners, const TriangleMesh& mesh) {
    for (const double corner : corners) {
        if (!(corner >= 0) || !(corner < static_cast<double>(mesh.points.size()))) {
            reader.fail(fmt::format("has a face that refers to point {}, allowed: 0 to {}", corner,
                                    static_cast<std::ptrdiff_t>(mesh.points.size()) - 1));
        }
    }
}

void append_polygon(const Reader& reader, const std::vector<double>& corners, TriangleMesh& mesh) {
    check_corners(reader, corners, mesh);
    for (std::size_t k = 2; k < corners.size(); ++k) {
        mesh.triangles.push_back(
            {static_cast<int>(corners[0]), static_cast<int>(corners[k - 1]), static_cast<int>(corners[k])});
    }
}

template <class T>
void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <int D>
void put_vector(std::string& out, const std::filesystem::path& file, const Vec<D>& x) {
    for (int a = 0; a < 3; ++a) {
        const float value = a < D ? static_cast<float>(x[std::min(a, D - 1)]) : 0.0f;
        if (!std::isfinite(value))
            throw InputError(file.string(), "a point or velocity holds {}, which is not finite", value);
        put(out, value);
    }
}

/// Header and vertices; `rest` declares what follows them.
template <int D>
std::string vertices(const std::filesystem::path& file, std::span<const Vec<D>> points,
                     std::span<const Vec<D>> velocity, const std::string& rest) {
    if (!velocity.empty() && velocity.size() != points.size())
        throw InputError(file.string(), "{} velocities for {} points", velocity.size(), points.size());
    std::string out = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment tidelock\nelement vertex {}\nproperty float x\nproperty float "
        "y\nproperty float z\n",
        points.size());
    if (!velocity.empty()) out += "property float vx\nproperty float vy\nproperty float vz\n";
    out += rest + "end_header\n";
    for (std::size_t i = 0; i < points.size(); ++i) {
        put_vector<D>(out, file, points[i]);
        if (!velocity.empty()) put_vector<D>(out, file, velocity[i]);
    }
    return out;
}

}  // namespace

PlySurface read_ply_surface(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw InputError(file.string(), "cannot be read");
    Reader reader(std::string(std::istreambuf_iterator<char>(in), {}), file.string());
    PlySurface surface;
    for (const Element& element : reader.header()) {
        if (!element.properties.empty() && element.count > reader.bytes_left()) reader.fail("ends too early");
        if (element.properties.empty()) continue;
        const bool moves = std::any_of(element.properties.begin(), element.properties.end(),
                                       [](const Property& p) { return p.name == "vx"; });
        for (std::size_t i = 0; i < element.count; ++i) {
            Vec3 x = Vec3::Zero(), v = Vec3::Zero();
            std::vector<double> ends(2, -1.0);
            read_entry(reader, element, [&](const Property& property, const std::vector<double>& values) {
                const std::string& name = property.name;
                const char last = name.empty() ? ' ' : name.back();
                const bool axis = !property.list && last >= 'x' && last <= 'z';
                if (axis && name.size() == 1) x[last - 'x'] = values[0];
                if (axis && name.size() == 2 && name[0] == 'v') v[last - 'x'] = values[0];
                if (!property.list && name == "vertex1") ends[0] = values[0];
                if (!property.list && name == "vertex2") ends[1] = values[0];
                const bool corners = name == "vertex_indices" || name == "vertex_index";
                if (element.name == "face" && corners) append_polygon(reader, values, surface.mesh);
            });
            if (element.name == "vertex") surface.mesh.points.push_back(x);
            if (element.name == "vertex" && moves) surface.velocity.push_back(v);
            if (element.name == "edge") {
                check_corners(reader, ends, surface.mesh);
                surface.edges.push_back({static_cast<int>(ends[0]), static_cast<int>(ends[1])});
            }
        }
    }
    return surface;
}

TriangleMesh read_ply(const std::filesystem::path& file) { return read_ply_surface(file).mesh; }

void write_ply(const std::filesystem::path& file, const TriangleMesh& mesh, std::span<const Vec3> velocity) {
    std::string out =
        vertices<3>(file, mesh.points, velocity,
                    fmt::format("element face {}\nproperty list uchar int vertex_indices\n", mesh.triangles.size()));
    for (const auto& triangle : mesh.triangles) {
        put(out, static_cast<unsigned char>(3));
        for (const int i : triangle) put(out, i);
    }
    write_file_atomically(file, out);
}

void write_ply(const std::filesystem::path& file, const Polyline& outline, std::span<const Vec2> velocity) {
    std::string out = vertices<2>(
        file, outline.points, velocity,
        fmt::format("element edge {}\nproperty int vertex1\nproperty int vertex2\n", outline.segments.size()));
    for (const auto& segment : outline.segments)
        for (const int i : segment) put(out, i);
    write_file_atomically(file, out);
}

}  // namespace tidelock
