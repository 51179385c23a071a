#include "render/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "render/box_lines.h"
#include "render/canvas.h"
#include "render/liquid_tracer.h"
#include "render/pattern.h"
#include "render/surface_pass.h"

namespace tidelock {
namespace {

using Vec3f = Eigen::Vector3f;

constexpr double smoke_elevation = 0.17, liquid_elevation = 0.36;  // [rad] of the camera: pools are seen from above
constexpr std::ptrdiff_t fine_voxels = 1'200'000;                  // refine coarser smoke: its voxels would be seen

void check(const LiquidLook& liquid) {
    const char* place = "picture, liquid";
    if (!liquid.mesh) throw InputError(place, "has no mesh");
    if (!(liquid.refraction >= 1) || !(liquid.refraction <= 3))
        throw InputError(place, "index of refraction must be in [1, 3], got {}", liquid.refraction);
    for (const Rgb& c : {liquid.deep, liquid.absorption.value_or(Rgb::Zero())})
        if (!c.allFinite() || c.minCoeff() < 0)
            throw InputError(place, "colours must be finite and >= 0, got [{}, {}, {}]", c[0], c[1], c[2]);
    if (liquid.contact && (!(*liquid.contact >= 0) || !std::isfinite(*liquid.contact)))
        throw InputError(place, "contact must be >= 0 m, got {}", *liquid.contact);
}

void check(const Picture3d& p) {
    const char* place = "picture";
    if (p.width < 1 || p.height < 1 || p.width > 16384 || p.height > 16384)
        throw InputError(place, "size must be 1 to 16384 pixels, got {} x {}", p.width, p.height);
    if (p.samples < 4 || p.samples > 256) throw InputError(place, "samples must be 4 to 256, got {}", p.samples);
    if (p.domain.empty() || !(p.domain.size().minCoeff() > 0) || !p.domain.low.allFinite() ||
        !p.domain.high.allFinite())
        throw InputError(place, "the domain must be a finite box with an inside");
    if (!(p.up.norm() > 0) || !p.up.allFinite()) throw InputError(place, "up must be finite and not zero");
    const Look& look = p.look;
    if (!(look.to_light.norm() > 0) || !look.to_light.allFinite())
        throw InputError(place, "the direction to the light must be finite and not zero");
    if (!(look.exposure > 0) || !std::isfinite(look.exposure))
        throw InputError(place, "exposure must be > 0, got {}", look.exposure);
    if (!(look.smoke_opacity >= 0) || !std::isfinite(look.smoke_opacity))
        throw InputError(place, "smoke opacity must be >= 0, got {}", look.smoke_opacity);
    if (!(look.light_radius >= 0) || !(look.light_radius <= 1))
        throw InputError(place, "light radius must be in [0, 1] rad, got {}", look.light_radius);
    for (const Rgb& c : {look.background, look.ground, look.smoke, look.light, look.sky})
        if (!c.allFinite() || c.minCoeff() < 0)
            throw InputError(place, "colours must be finite and >= 0, got [{}, {}, {}]", c[0], c[1], c[2]);
    if (!(look.ground_tiles >= 0) || !std::isfinite(look.ground_tiles))
        throw InputError(place, "ground tiles must be >= 0 m, got {}", look.ground_tiles);
    if (!(look.tile_contrast >= 0) || !(look.tile_contrast <= 1))
        throw InputError(place, "tile contrast must be in [0, 1], got {}", look.tile_contrast);
    if (p.liquid) check(*p.liquid);
    if (p.extinction && (!(*p.extinction >= 0) || !std::isfinite(*p.extinction)))
        throw InputError(place, "extinction must be >= 0, got {} /m", *p.extinction);
}

/// Something along a pixel's ray that covers what is behind it, wholly or partly.
struct Layer {
    float depth;
    float alpha;
    Rgb colour;
    int sample;  // within the pixel; -1: all of them
};

/// The picture's stages share this.
struct Stage {
    const Picture3d& picture;
    View view;
    SolidScene solids;
    Studio studio;
    // A Stage is never copied: the studio points to the map, the tracer to the studio.
    std::optional<GroundLight> light_map;
    std::optional<LiquidTracer> tracer;
    SurfacePass surfaces;
    std::vector<Rgb> liquid_colours;
    std::vector<LinePixel> lines;

    explicit Stage(const Picture3d& p)
        : picture(p),
          view(p.camera ? *p.camera
                        : automatic_camera(p.domain, static_cast<double>(p.width) / p.height, p.up,
                                           p.liquid ? liquid_elevation : smoke_elevation),
               p.width, p.height),
          solids(p.solids, p.domain.centre(), p.liquid ? p.liquid->mesh.get() : nullptr),
          studio(p, view, solids) {
        if (solids.has_liquid()) light_liquid();
    }

    void light_liquid() {
        const LiquidLook& liquid = *picture.liquid;
        studio.absorption = liquid.absorption.value_or(default_absorption(picture.domain.size()));
        if (picture.show_ground) {
            GroundLightSetting setting;
            setting.up = studio.up;
            setting.to_key = studio.to_key;
            setting.ground_height = studio.ground_height;
            setting.key_spread = studio.key_spread;
            setting.refraction = liquid.refraction;
            setting.absorption = studio.absorption;
            setting.scale = studio.scale;
            // As fine as the picture can show: 224 texels for 640 pixels.
            setting.texels = std::clamp(7 * std::max(picture.width, picture.height) / 20, 64, 448);
            setting.rays = setting.texels * 24 / 7;
            light_map.emplace(solids, setting);
            studio.light_map = &*light_map;
        }
        tracer.emplace(studio, liquid);
    }

    [[nodiscard]] Lighting light_once(const SurfacePoint& point, int x, int y, int n, float smoke) const {
        const Random random(0x7d1e);
        const auto pixel = static_cast<std::uint64_t>(y) * 65536u + static_cast<std::uint64_t>(x);
        const auto u = static_cast<float>(random.uniform(pixel, 0)), v = static_cast<float>(random.uniform(pixel, 1));
        const Eigen::Vector2f p = even_point(n, u, v), q = even_point(n, v, u);
        return {smoke * studio.key_sample(point, p[0], p[1]), studio.sky_sample(point, q[0], q[1])};
    }

    /// Surfaces of a pixel that sees several: samples spread over it, each with its own layers.
    void edge_layers(int x, int y, std::vector<Layer>& layers) const {
        const int count = picture.samples;
        float shadow = 1;
        int shadowed = SurfacePoint::background;
        for (int n = 0; n < count; ++n) {
            const Eigen::Vector2f at = even_point(n, 0.5f, 0.5f);
            const Vec3f direction = view.direction(x + double(at[0]), y + double(at[1])).cast<float>();
            SurfacePoint point = studio.trace(direction);
            if (n == 0 || point.kind != shadowed) {  // once a surface: smoke is soft within a pixel
                shadow = studio.smoke_shadow(point, gradient_noise(x, y));
                shadowed = point.kind;
            }
            float near = 0;
            constexpr int most_layers = 8;
            for (int layer = 0; layer < most_layers; ++layer) {
                const SurfaceHit hit = solids.clear_hit(studio.eye, direction, near, point.t);
                if (hit.solid < 0) break;
                SurfacePoint shell{hit.solid, hit.t, studio.eye + hit.t * direction, hit.normal, hit.face};
                // Seen at a slant a shell is more mirror than window.
                const float facing = std::abs(direction.dot(hit.normal));
                const float opacity = solids.look(hit.solid).opacity;
                const float alpha = opacity + (1 - opacity) * std::pow(1 - facing, 4.0f);
                const Lighting light = light_once(shell, x, y, n, studio.smoke_shadow(shell, 0.5f));
                layers.push_back({hit.t, alpha, studio.shade(shell, direction, light), n});
                near = hit.t * 1.0001f + 1e-6f * studio.scale;
            }
            if (point.kind == SurfacePoint::liquid) {
                const Eigen::Vector2f lights = even_point(n, gradient_noise(x, y), gradient_noise(x + 113, y + 71));
                layers.push_back({point.t, 1, tracer->radiance(studio.eye, direction, lights[0], lights[1]), n});
                continue;
            }
            const Lighting light =
                point.kind == SurfacePoint::background ? Lighting{} : light_once(point, x, y, n, shadow);
            layers.push_back({point.t, 1, studio.shade(point, direction, light), n});
        }
    }

    [[nodiscard]] Rgb smoke_colour(const Eigen::Vector2f& scattered) const {
        const Look& look = picture.look;
        // An even scatterer sends 1/4 of (irradiance over pi) each way. A little more, since the sum of exponentials
        // does not gain from light that goes through the smoke twice; the sky a little less, for contrast.
        return look.smoke.cwiseProduct(0.40f * scattered[0] * look.light + 0.8f * scattered[1] * look.sky);
    }

    /// Front to back over all layers of all samples of a pixel, the smoke between them included. One march serves all.
    [[nodiscard]] Rgb compose(int x, int y, std::vector<Layer>& layers, std::vector<float>& depths,
                              std::vector<SmokeSoFar>& smoke, int samples) const {
        std::stable_sort(layers.begin(), layers.end(),
                         [](const Layer& a, const Layer& b) { return a.depth < b.depth; });
        depths.clear();
        for (const Layer& layer : layers) depths.push_back(layer.depth);
        smoke.assign(layers.size(), {});
        if (studio.smoke != nullptr)
            studio.smoke->march(studio.eye, view.direction(x + 0.5, y + 0.5).cast<float>(), gradient_noise(x, y),
                                depths, smoke.data());
        Rgb sum = Rgb::Zero();
        for (int n = 0; n < samples; ++n) {
            Eigen::Vector2f before = Eigen::Vector2f::Zero();
            float open = 1;
            for (std::size_t i = 0; i < layers.size(); ++i) {
                if (layers[i].sample >= 0 && layers[i].sample != n) continue;
                sum += open * smoke_colour(smoke[i].scattered - before);
                sum += open * smoke[i].transmittance * layers[i].alpha * layers[i].colour;
                open *= 1 - layers[i].alpha;
                before = smoke[i].scattered;
                if (layers[i].alpha >= 1) break;
            }
        }
        return sum / static_cast<float>(samples);
    }

    void draw_row(int y, FloatImage& image) const {
        std::vector<Layer> layers;
        std::vector<float> depths;
        std::vector<SmokeSoFar> smoke;
        auto line =
            std::lower_bound(lines.begin(), lines.end(), y, [](const LinePixel& a, int row) { return a.y < row; });
        for (int x = 0; x < picture.width; ++x) {
            const std::size_t i = image.index(x, y);
            layers.clear();
            int samples = 1;
            if (surfaces.edge[i] != 0) {
                samples = picture.samples;
                edge_layers(x, y, layers);
            } else {
                const SurfacePoint& point = surfaces.points[i];
                const Vec3f direction = view.direction(x + 0.5, y + 0.5).cast<float>();
                const bool liquid = point.kind == SurfacePoint::liquid;
                layers.push_back(
                    {point.t, 1, liquid ? liquid_colours[i] : studio.shade(point, direction, surfaces.light[i]), 0});
            }
            for (; line != lines.end() && line->y == y && line->x == x; ++line)
                layers.push_back({line->depth, line->alpha, Rgb::Constant(0.75f), -1});
            image.pixels[i] = compose(x, y, layers, depths, smoke, samples);
        }
    }
};

}  // namespace

Look liquid_look(const Vec3& size) {
    Look look;
    look.background = from_hex(0x7f8d9a);
    look.ground = from_hex(0x8d9196);
    look.ground_tiles = size.minCoeff() / 5;
    look.tile_contrast = 0.22f;
    look.to_light = Vec3(-0.55, 0.90, 0.30);
    look.light_radius = 0.06;
    look.light = Rgb(2.4f, 2.3f, 2.15f);
    return look;
}

FloatImage render_radiance(const Picture3d& picture) {
    check(picture);
    Stage stage(picture);
    const Vec3 middle = picture.domain.centre();
    const double extinction =
        picture.look.smoke_opacity * picture.extinction.value_or(24 / picture.domain.size().minCoeff());
    std::optional<SmokeVolume> fine;
    std::optional<SmokeLight> light;
    std::optional<SmokeMarcher> marcher;
    if (picture.smoke && !picture.smoke->empty() && extinction > 0) {
        SmokeLightSetting setting;
        setting.to_key = picture.look.to_light.normalized();
        setting.up = picture.up.normalized();
        setting.camera = stage.view.position();
        setting.extinction = extinction;
        setting.frame_origin = middle;
        if (!stage.solids.empty()) {
            setting.key_visibility = [&](const Vec3& x, int voxel) {
                const Vec3f from = (x - middle).cast<float>();
                constexpr int rays = 4;
                const float u = gradient_noise(voxel, voxel / 61);
                float sum = 0;
                for (int n = 0; n < rays; ++n) {
                    const Eigen::Vector2f p = even_point(n, u, 0.5f);
                    sum += stage.solids.visibility(from, stage.studio.key_direction(p[0], p[1]),
                                                   std::numeric_limits<float>::infinity());
                }
                return sum / rays;
            };
        }
        light = light_smoke(*picture.smoke, setting);
        const SmokeVolume* volume = &*picture.smoke;
        while (volume->cells().cast<std::ptrdiff_t>().prod() <= fine_voxels) {
            fine = volume->refined();
            volume = &*fine;
        }
        marcher.emplace(*volume, *light, extinction, middle, 0.8f);
        stage.studio.smoke = &*marcher;
    }
    const Raster raster{stage.view, picture.width, picture.height, picture.samples};
    stage.surfaces = surface_pass(stage.studio, raster);
    if (stage.tracer) stage.liquid_colours = liquid_pass(*stage.tracer, stage.studio, raster, stage.surfaces);
    if (picture.show_domain) stage.lines = box_lines(picture.domain, stage.view, picture.width, picture.height);
    FloatImage image(picture.width, picture.height);
    parallel_for("draw picture", picture.height,
                 [&](std::ptrdiff_t row) { stage.draw_row(static_cast<int>(row), image); });
    return image;
}

Image render(const Picture3d& picture) {
    FloatImage image = render_radiance(picture);
    const auto exposure = static_cast<float>(picture.look.exposure);
    parallel_for("film curve", picture.height, [&](std::ptrdiff_t row) {
        for (int x = 0; x < picture.width; ++x) {
            Rgb& c = image.at(x, static_cast<int>(row));
            c = filmic(c, exposure);
        }
    });
    if (!picture.caption.empty()) {
        Canvas canvas(image);
        // As high as suits the picture, but never wider than it.
        const double size =
            std::min(std::max(11.0, 0.021 * picture.height), picture.width / (text_width(picture.caption) + 2.6));
        canvas.text({1.3 * size, picture.height - 1.3 * size}, size, picture.caption, Rgb::Constant(0.80f),
                    Align::left);
    }
    return quantise(image);
}

}  // namespace tidelock
