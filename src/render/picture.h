/// Pictures of a 3D scene: solids, liquid and smoke in a studio.
///
/// Solids and liquid are ray-traced, smoke is ray-marched, all lit by one soft key light and a sky, on a ground that
/// fades into the background. Solids throw shadows on smoke, smoke on solids and ground. docs/rendering.md says how.
///
/// The same picture has the same bits on any number of threads.
#pragma once

#include <optional>
#include <string>

#include "render/camera.h"
#include "render/image.h"
#include "render/liquid_look.h"
#include "render/smoke_volume.h"
#include "render/solid_scene.h"

namespace tidelock {

/// Light and colours. Colours are linear (from_hex helps).
struct Look {
    Rgb background = from_hex(0x2f3843);      ///< at the height of the horizon; darker above
    Rgb ground = from_hex(0x393f47);          ///< reflectance
    double ground_tiles = 0;                  ///< edge of the ground's tiles [m], in two shades; 0: none
    float tile_contrast = 0.3f;               ///< [-] in [0, 1]: tiles are this much lighter and darker than the ground
    Rgb smoke = Rgb(0.97f, 0.975f, 0.98f);    ///< albedo: share of light that a scattering leaves
    double smoke_opacity = 1;                 ///< [-] scales extinction; see Picture3d::extinction
    Vec3 to_light = Vec3(-0.74, 0.68, 0.32);  ///< towards the key light; any length
    double light_radius = 0.11;               ///< half the angle under which the light is seen [rad], in [0, 1]
    Rgb light = Rgb(4.1f, 3.9f, 3.6f);        ///< the key light's irradiance over pi
    Rgb sky = Rgb(0.37f, 0.49f, 0.68f);       ///< radiance of the sky overhead
    double exposure = 1;                      ///< [-] > 0
};

/// A bright room with a light floor of tiles, in which liquids look best. `size`: of the domain [m].
[[nodiscard]] Look liquid_look(const Vec3& size);

struct Picture3d {
    std::vector<SolidLook> solids;
    std::optional<SmokeVolume> smoke;
    std::optional<LiquidLook> liquid;
    Bounds<3> domain;              ///< what the scene is about: scale, ground, automatic camera [m]
    Vec3 up = Vec3::UnitY();       ///< against gravity; the ground is the domain's lowest plane square to it
    std::optional<Camera> camera;  ///< automatic_camera if none
    Look look;
    /// Optical depth per metre at density 1, [1/m]. If none: such that 1/24 of the domain's least width of density 1
    /// takes 63 % of the light.
    std::optional<double> extinction;
    bool show_ground = true;
    bool show_domain = false;       ///< thin lines along the domain's edges
    std::string caption;            ///< lower left; empty: none
    int width = 720, height = 960;  ///< [pixels] 1 to 16384
    int samples = 16;               ///< a pixel, for edges and soft shadows; 4 to 256
};

/// Linear radiance before exposure and the film curve, without caption: what tests measure.
[[nodiscard]] FloatImage render_radiance(const Picture3d& picture);

/// The finished picture. Throws InputError for what cannot be drawn, naming it.
[[nodiscard]] Image render(const Picture3d& picture);

}  // namespace tidelock
