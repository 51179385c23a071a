#include <numbers>

#include "base/math.h"
#include "random/draft.h"

namespace tidelock {

namespace {

/// What all parts of a container have in common: how they are held or moved.
class Parts {
  public:
    explicit Parts(Draft& draft) : draft_(draft) {
        const int kind = draft.dice.below(10);
        if (kind < 5)
            type_ = R"("type": "static")";
        else if (kind < 7)
            type_ = R"("type": "kinematic")";
        else if (kind < 9)
            type_ = moving();
        else
            rigid_ = true,
            type_ = fmt::format(R"("density": {:.4g})", draft.density * draft.dice.power_in(draft.weak ? 3 : 0.5, 10));
        friction_ = fmt::format(R"("friction": {:.3g})", draft.dice.in(0, 1));
    }
    [[nodiscard]] bool rigid() const { return rigid_; }
    [[nodiscard]] const std::string& words() const { return type_; }

    /// A box at a place of the container's own frame.
    void box(const std::string& name, const std::array<double, 3>& size, const std::array<double, 3>& at,
             double more_degrees = 0) {
        const Inside& in = draft_.inside;
        const double a = in.degrees * std::numbers::pi / 180, c = cosine(a), s = sine(a);
        draft_.solids.push_back(
            fmt::format(R"({{ "name": "{}", {}, {}, "shape": {}, "position": {}, "rotation": {} }})", name, type_,
                        friction_, draft_.box(size[0], size[1], size[2]),
                        draft_.vec(in.x + c * at[0] - s * at[1], in.y + s * at[0] + c * at[1], in.z + at[2]),
                        draft_.turn(in.degrees + more_degrees)));
        if (rigid_ && !names_.empty())
            draft_.joints.push_back(
                fmt::format(R"({{ "type": "fixed", "bodies": ["{}", "{}"] }})", name, names_.front()));
        names_.push_back(name);
    }
    /// A rigid container may hang in the world.
    void hold() {
        if (rigid_ && draft_.dice.chance(0.6))
            draft_.joints.push_back(fmt::format(R"({{ "type": "fixed", "bodies": ["{}", "world"] }})", names_.front()));
    }

  private:
    [[nodiscard]] std::string moving() const {
        Dice& dice = draft_.dice;
        const double speed = draft_.size * dice.in(-0.5, 0.5);
        if (dice.chance(0.5))
            return fmt::format(R"("type": "kinematic", "velocity": {})", draft_.vec(speed, 0.5 * speed, 0));
        return fmt::format(
            R"("type": "kinematic", "motion": {{ "type": "oscillate", "amplitude": {}, "frequency": {:.3g} }})",
            draft_.vec(0.05 * draft_.size, 0, 0), dice.in(0.5, 3));
    }

    Draft& draft_;
    bool rigid_ = false;
    std::string type_, friction_;
    std::vector<std::string> names_;
};

/// Five boxes (in the plane three), or four (two) on the tank's floor.
void boxes(Draft& d, bool basin) {
    Inside& in = d.inside;
    Parts parts(d);
    const double wall = d.h() * d.dice.power_in(0.4, 4), w = in.width, t = wall;
    in.floor = !basin;
    if (basin) in.degrees = 0, in.y = parts.rigid() ? 0.52 * d.h() : 0;
    if (in.floor || parts.rigid()) {
        if (basin) in.y += wall;
        parts.box("floor", {w + 2 * t, t, w + 2 * t}, {0, -0.5 * t, 0});
    }
    parts.box("left", {t, in.height, w + 2 * t}, {-0.5 * (w + t), 0.5 * in.height, 0});
    parts.box("right", {t, in.height, w + 2 * t}, {0.5 * (w + t), 0.5 * in.height, 0});
    if (d.dimension == 3) {
        parts.box("back", {w, in.height, t}, {0, 0.5 * in.height, -0.5 * (w + t)});
        parts.box("front", {w, in.height, t}, {0, 0.5 * in.height, 0.5 * (w + t)});
    }
    parts.hold();
}

/// Two plates that lean: they meet (a trough), or leave a gap (a funnel).
void plates(Draft& d, bool funnel) {
    Inside& in = d.inside;
    Parts parts(d);
    const double t = d.h() * d.dice.power_in(0.6, 4), lean = d.dice.in(25, 60), a = lean * std::numbers::pi / 180;
    const double length = 0.7 * in.width, gap = funnel ? d.h() * d.dice.in(2, 5) : (parts.rigid() ? t : 0);
    const double deep = d.dimension == 3 && d.dice.chance(0.5) && !parts.rigid() ? 1.1 * d.size : in.width;
    in.degrees = 0;
    for (const double side : {-1.0, 1.0})
        parts.box(side < 0 ? "left" : "right", {length, t, deep},
                  {side * (0.5 * gap + 0.5 * length * cosine(a)), 0.5 * length * sine(a), 0}, side * lean);
    parts.hold();
}

/// A container of one piece: only its surface is solid, and liquid may be inside.
void shell(Draft& d) {
    Inside& in = d.inside;
    const Parts parts(d);
    const int kind = d.dice.below(d.dimension == 2 ? 2 : 4);
    const double r = 0.5 * in.width, up = 0.5 * in.height;
    const std::string shape =
        kind == 0   ? d.box(in.width, in.height, in.width)
        : kind == 1 ? Draft::sphere(r)
        : kind == 2 ? fmt::format(R"({{ "type": "cylinder", "radius": {:.6g}, "height": {:.6g} }})", r, in.height)
                    : fmt::format(R"({{ "type": "capsule", "radius": {:.6g}, "height": {:.6g} }})", 0.7 * r, up);
    in.y = std::max(in.y, 1.2 * r), in.closed = true;
    d.solids.push_back(
        fmt::format(R"({{ "name": "shell", {}, "shell": true, "shape": {}, "position": {}, "rotation": {} }})",
                    parts.words(), shape, d.vec(in.x, in.y + up, in.z), d.turn(in.degrees)));
}

void mesh(Draft& d) {
    Inside& in = d.inside;
    const Parts parts(d);
    const std::string file = d.dice.word({"cup-thin", "cup", "cup-thick", "tumbler", "bottle"});
    const double scale = 0.5 * in.width;
    in.height = 2 * scale;
    d.solids.push_back(fmt::format(
        R"({{ "name": "vessel", {}, "shape": {{ "type": "mesh", "file": "{}/{}.ply", "scale": {:.6g}, "origin": "mesh" }}, "position": {}, "rotation": {} }})",
        parts.words(), d.meshes, file, scale, d.vec(in.x, in.y, in.z), d.turn(in.degrees)));
}

}  // namespace

void add_container(Draft& d) {
    Inside& in = d.inside;
    in.width = d.size * d.dice.in(0.3, 0.5), in.height = d.size * d.dice.in(0.25, 0.5);
    in.x = d.size * d.dice.in(0.42, 0.58), in.z = d.size * d.dice.in(0.45, 0.55), in.y = d.size * d.dice.in(0.2, 0.3);
    if (d.dice.chance(0.5)) in.degrees = d.dice.in(-30, 30);
    const int kind = d.dice.below(d.dimension == 3 ? 9 : 7);
    if (kind < 2) return boxes(d, false);
    if (kind == 2) return boxes(d, true);
    if (kind == 3) return plates(d, false);
    if (kind == 4) return plates(d, true);
    if (kind == 5) return shell(d);
    if (kind > 6) return mesh(d);
    in = {.width = 0.9 * d.size,
          .height = 0.6 * d.size,
          .x = 0.5 * d.size,
          .y = 0,
          .z = 0.5 * d.size,
          .degrees = 0,
          .floor = false};
}

}  // namespace tidelock
