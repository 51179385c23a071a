/// The files of a frame: its fields (frames/NNNNNN.vdb), and the bodies of all frames so far (solids.glb).
#pragma once

#include <filesystem>

#include "io/body_tracks.h"
#include "io/gltf.h"
#include "scene/scene.h"
#include "state/world.h"

namespace tidelock {

/// Shells and other solids thinner than a cell would vanish between the voxels: shells are written one cell thick.
/// `particles`: those of a liquid, too.
template <int D>
void write_vdb_frame(const World<D>& world, bool particles, const std::filesystem::path& file);

/// The surface of a liquid with its velocities, closed, ending at solids (couple/cut_surface.h) and at the sides of the
/// domain.
template <int D>
void write_surface(const World<D>& world, const Surface<D>& surface, const std::filesystem::path& file);

/// The fields of a frame that pictures show.
template <int D>
struct FrameFields {
    Grid<D> grid;
    Field<D, double> density, temperature;  ///< of smoke
    Field<D, double> phi;                   ///< of a liquid
    FaceField<D, double> velocity;
    double time = 0;  ///< [s]
};

/// Reads a frame back, on the grid of its scene. Throws FileError for one that is damaged or lacks a field.
template <int D>
[[nodiscard]] FrameFields<D> read_vdb_frame(const std::filesystem::path& file, const Grid<D>& grid,
                                            const Sides<D>& sides, double ambient_temperature);
template <int D>
[[nodiscard]] FrameFields<D> read_liquid_frame(const std::filesystem::path& file, const Grid<D>& grid);

/// The bodies of a run as files hold them. Bodies of the plane become slabs one cell thick, as the fields' voxels are.
template <int D>
[[nodiscard]] GltfScene gltf_bodies(const scene::Scene& scene, const std::vector<RigidBody<D>>& bodies,
                                    const Grid<D>& grid, const BodyTracks<D>& tracks);
/// Writes nothing if there is no body.
template <int D>
void write_solids(const std::filesystem::path& file, const scene::Scene& scene, const std::vector<RigidBody<D>>& bodies,
                  const Grid<D>& grid, const BodyTracks<D>& tracks);

}  // namespace tidelock
