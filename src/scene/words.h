/// The words of the scene format for its enums: keys, reading, writing and messages all take them from here.
#pragma once

#include "base/words.h"
#include "scene/scene.h"

namespace tidelock {

template <>
inline constexpr auto words<scene::Wall> = word_table<scene::Wall>({{scene::Wall::closed, "closed"},
                                                                    {scene::Wall::open, "open"}});

template <>
inline constexpr auto words<scene::ShapeKind> = word_table<scene::ShapeKind>({
    {scene::ShapeKind::sphere, "sphere"},
    {scene::ShapeKind::box, "box"},
    {scene::ShapeKind::cylinder, "cylinder"},
    {scene::ShapeKind::capsule, "capsule"},
    {scene::ShapeKind::torus, "torus"},
    {scene::ShapeKind::plane, "plane"},
    {scene::ShapeKind::mesh, "mesh"},
});

template <>
inline constexpr auto words<scene::MeshOrigin> = word_table<scene::MeshOrigin>({{scene::MeshOrigin::centre, "centre"},
                                                                                {scene::MeshOrigin::mesh, "mesh"}});

template <>
inline constexpr auto words<scene::FluidKind> = word_table<scene::FluidKind>({{scene::FluidKind::smoke, "smoke"},
                                                                              {scene::FluidKind::liquid, "liquid"}});

template <>
inline constexpr auto words<Transport> = word_table<Transport>({{Transport::semi_lagrangian, "semi-lagrangian"},
                                                                {Transport::maccormack, "maccormack"}});

template <>
inline constexpr auto words<LiquidTransport> = word_table<LiquidTransport>({
    {LiquidTransport::apic, "apic"},
    {LiquidTransport::flip, "flip"},
    {LiquidTransport::narrow_band_flip, "narrow-band-flip"},
    {LiquidTransport::semi_lagrangian, "semi-lagrangian"},
});

template <>
inline constexpr auto words<LiquidSurface> = word_table<LiquidSurface>(
    {{LiquidSurface::particles, "particles"}, {LiquidSurface::particle_level_set, "particle-level-set"}});

template <>
inline constexpr auto words<DriftCorrection> = word_table<DriftCorrection>({{DriftCorrection::displacement,
                                                                             "displacement"},
                                                                            {DriftCorrection::divergence, "divergence"},
                                                                            {DriftCorrection::none, "none"}});

template <>
inline constexpr auto words<scene::Bubbles> = word_table<scene::Bubbles>({{scene::Bubbles::none, "none"},
                                                                          {scene::Bubbles::constraint, "constraint"}});

template <>
inline constexpr auto words<scene::SolidType> = word_table<scene::SolidType>({
    {scene::SolidType::rigid, "rigid"},
    {scene::SolidType::static_, "static"},
    {scene::SolidType::kinematic, "kinematic"},
});

/// A constant motion has no word: it is what a solid without one does.
template <>
inline constexpr auto words<scene::MotionType> = word_table<scene::MotionType>({
    {scene::MotionType::keyframes, "keyframes"},
    {scene::MotionType::spin, "spin"},
    {scene::MotionType::oscillate, "oscillate"},
});

template <>
inline constexpr auto words<scene::Interpolation> = word_table<scene::Interpolation>(
    {{scene::Interpolation::linear, "linear"}, {scene::Interpolation::smooth, "smooth"}});

template <>
inline constexpr auto words<JointKind> = word_table<JointKind>({
    {JointKind::hinge, "hinge"},
    {JointKind::ball, "ball"},
    {JointKind::slider, "slider"},
    {JointKind::fixed, "fixed"},
});

template <>
inline constexpr auto words<scene::RenderField> = word_table<scene::RenderField>({
    {scene::RenderField::density, "density"},
    {scene::RenderField::vorticity, "vorticity"},
    {scene::RenderField::speed, "speed"},
    {scene::RenderField::temperature, "temperature"},
});

}  // namespace tidelock
