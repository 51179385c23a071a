#include "run/frame_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/file.h"
#include "couple/cut_surface.h"
#include "io/body_surface.h"
#include "render/flow_fields.h"
#include "render/picture.h"
#include "render/picture2d.h"
#include "render/png.h"

namespace tidelock {

namespace {

constexpr double draft_pixels = 90'000;   ///< at most, of a draft: 300 x 300
constexpr int draft_samples = 4;          ///< a pixel
constexpr double smoke_opacity = 0.3;     ///< bodies in smoke of concentration 1 can still be seen
constexpr double shell_wall = 1.0 / 150;  ///< of the domain's longest edge: how thick a shell of the plane is drawn
constexpr double open_side_fade = 0.12;   ///< of the domain's shortest edge: where smoke fades before an open side

Rgb to_rgb(const scene::Colour& c) {
    return {srgb_decode(static_cast<float>(c[0])), srgb_decode(static_cast<float>(c[1])),
            srgb_decode(static_cast<float>(c[2]))};
}

std::string caption(const scene::Scene& scene, double time) {
    return fmt::format("{}   t = {:.2f} s", scene.name, time);
}

void write_png(const Image& image, const std::filesystem::path& file) {
    const auto bytes = encode_png(image);
    write_file_atomically(file, std::as_bytes(std::span(bytes)));
}

/// The hottest that the scene lets in: colours keep their meaning through a film.
std::pair<double, double> temperature_range(const scene::Fluid& fluid) {
    double low = fluid.ambient_temperature, high = low;
    const auto include = [&](double t) { low = std::min(low, t), high = std::max(high, t); };
    for (const auto& s : fluid.sources) include(s.temperature);
    for (const auto& s : fluid.initial) include(s.temperature);
    return {low, std::max(high, low + 1)};
}

/// Chooses what a picture of the plane shows; a field that is computed for it is kept in `storage`.
void choose_field(const scene::Scene& scene, const FrameView<2>& view, Field<2, double>& storage, Picture2d& picture) {
    switch (scene.render.field) {
        case scene::RenderField::density:
            picture.scalar = view.density;
            picture.map = ColourMap::mist;
            picture.range = {0.0, 1.0};
            picture.label = std::string("smoke");
            return;
        case scene::RenderField::temperature:
            picture.scalar = view.temperature;
            picture.map = ColourMap::ember;
            picture.range = temperature_range(scene.fluid);
            picture.label = std::string("temperature");
            picture.unit = std::string("K");
            return;
        case scene::RenderField::speed:
            storage = flow_speed(view.velocity, picture.grid);
            picture.map = ColourMap::tide;
            picture.label = std::string("speed");
            picture.unit = std::string("m/s");
            break;
        case scene::RenderField::vorticity:
            storage = flow_vorticity(view.velocity, picture.grid);
            picture.map = ColourMap::swirl;
            picture.label = std::string("vorticity");
            picture.unit = std::string("1/s");
            break;
    }
    picture.scalar = &storage;
}

}  // namespace

template <int D>
struct Painter<D>::Parts {
    scene::Scene scene;
    Grid<D> grid;
    std::vector<RigidBody<D>> bodies;
    std::vector<std::shared_ptr<const Surface<D>>> surfaces;  ///< of the bodies; null: nothing to see
    int width = 0, height = 0;                                ///< [pixels]
    std::optional<int> samples;                               ///< a pixel, if not the renderer's own number
};

template <int D>
Painter<D>::Painter(const scene::Scene& scene, const std::vector<RigidBody<D>>& bodies, const Grid<D>& grid,
                    PictureLook look)
    : parts_(std::make_unique<Parts>()) {
    parts_->scene = scene;
    parts_->grid = grid;
    const double pixels = static_cast<double>(scene.render.width) * scene.render.height;
    const double shrink = look == PictureLook::draft ? std::min(1.0, std::sqrt(draft_pixels / pixels)) : 1;
    const auto even = [&](int full) { return std::max(16, 2 * static_cast<int>(std::lround(0.5 * shrink * full))); };
    parts_->width = even(scene.render.width);
    parts_->height = even(scene.render.height);
    if (look == PictureLook::draft) parts_->samples = draft_samples;
    parts_->bodies = bodies;
    for (const auto& body : bodies) {
        Surface<D> surface = body_surface<D>(body, grid);
        const bool shell = body.shell_thickness > 0;
        if constexpr (D == 2)
            if (shell && std::isfinite(body.radius))
                surface = hollowed(body, shell_wall * grid.dx * grid.cells.maxCoeff());
        parts_->surfaces.push_back(surface.points.empty() ? nullptr : std::make_shared<Surface<D>>(std::move(surface)));
    }
}

template <int D>
Painter<D>::~Painter() = default;

/// It reaches into solids: of two surfaces in one place each would be seen in half of the pixels.
template <int D>
Surface<D> Painter<D>::liquid_surface(const FrameView<D>& view) const {
    constexpr double overlap = 0.5;  // [cells]
    std::vector<RigidBody<D>> bodies = parts_->bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].position = view.places[i].position;
        bodies[i].rotation = view.places[i].rotation;
    }
    return cut_surface<D>(parts_->grid, *view.phi, standing_surfaces<D>(bodies), overlap * parts_->grid.dx);
}

template <>
Image Painter<2>::draw(const FrameView<2>& view) const {
    const scene::Scene& scene = parts_->scene;
    Picture2d picture;
    picture.grid = parts_->grid;
    picture.width = std::max(160, parts_->width);
    Field<2, double> storage;
    if (view.phi != nullptr)
        picture.liquid = liquid_surface(view);
    else
        choose_field(scene, view, storage, picture);
    picture.velocity = &view.velocity;
    picture.marks = scene.render.streamlines ? FlowMarks::streamlines : FlowMarks::none;
    picture.caption = caption(scene, view.time);
    for (std::size_t i = 0; i < parts_->surfaces.size(); ++i) {
        if (!parts_->surfaces[i]) continue;
        BodyLook2d look{*parts_->surfaces[i], Eigen::Isometry2d::Identity(), to_rgb(scene.solids[i].colour)};
        look.pose.translate(view.places[i].position);
        look.pose.rotate(view.places[i].rotation.angle());
        picture.bodies.push_back(std::move(look));
    }
    return render(picture);
}

template <>
Image Painter<3>::draw(const FrameView<3>& view) const {
    const scene::Scene& scene = parts_->scene;
    const Grid<3>& grid = parts_->grid;
    Picture3d picture;
    picture.domain = {grid.origin, grid.upper()};
    if (view.phi != nullptr) {
        picture.liquid.emplace().mesh = std::make_shared<TriangleMesh>(liquid_surface(view));
        picture.look = liquid_look(grid.upper() - grid.origin);
    }
    if (view.density != nullptr) {
        picture.smoke = SmokeVolume::from_field(*view.density, grid);
        std::array<bool, 6> open{};
        for (std::size_t side = 0; side < open.size(); ++side)
            open[side] = scene.domain.walls[side] == scene::Wall::open;
        picture.smoke->fade(open, open_side_fade * (grid.upper() - grid.origin).minCoeff());
    }
    const Vec3 gravity(scene.gravity[0], scene.gravity[1], scene.gravity[2]);
    if (gravity.norm() > 0) picture.up = -gravity.normalized();
    if (scene.render.camera) {
        const scene::Camera& c = *scene.render.camera;
        picture.camera = Camera{{c.position[0], c.position[1], c.position[2]},
                                {c.target[0], c.target[1], c.target[2]},
                                picture.up,
                                c.fov_degrees * std::numbers::pi / 180};
    }
    picture.look.background = to_rgb(scene.render.background);
    picture.look.smoke = to_rgb(scene.render.smoke_colour);
    picture.look.smoke_opacity = smoke_opacity;
    picture.width = parts_->width;
    picture.height = parts_->height;
    if (parts_->samples) picture.samples = *parts_->samples;
    picture.caption = caption(scene, view.time);
    for (std::size_t i = 0; i < parts_->surfaces.size(); ++i) {
        if (!parts_->surfaces[i]) continue;
        SolidLook look{parts_->surfaces[i], Eigen::Isometry3d::Identity(), to_rgb(scene.solids[i].colour),
                       static_cast<float>(scene.solids[i].opacity)};
        look.pose.translate(view.places[i].position);
        look.pose.rotate(view.places[i].rotation.quaternion());
        picture.solids.push_back(std::move(look));
    }
    return render(picture);
}

template <int D>
void Painter<D>::paint(const FrameView<D>& view, const std::filesystem::path& file) const {
    write_png(draw(view), file);
}

template class Painter<2>;
template class Painter<3>;

}  // namespace tidelock
