"""Runs inside Blender (script/check_export), on an exported scene: is all of it where the run's own files say?

Everything is compared in Blender's world, where the run's (x, y, z) is (x, -z, y). Positions agree to 1e-5 of the domain
(single precision). The .usda is imported where this Blender reads USD; where not, its text is read here.
"""
import json
import math
import pathlib
import re
import struct
import sys

import bpy
from mathutils import Quaternion, Vector


def fail(text):
    print(f"check_export: {text}")
    sys.exit(1)


def near(seen, wanted, tolerance, what):
    if len(seen) != len(wanted) or any(not abs(a - b) <= tolerance for a, b in zip(seen, wanted)):
        fail(f"{what}: {tuple(seen)}, expected {tuple(wanted)}")


def turned(v):
    return (v[0], -v[2], v[1])


def read_ply(path):
    """Vertices (x y z vx vy vz) of a surface, without Blender's or the export's help."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + 11
    count = int(re.search(rb"element vertex (\d+)", data).group(1))
    width = len(re.findall(rb"property float", data[:end]))
    flat = struct.unpack_from(f"<{count * width}f", data, end)
    return [flat[i:i + width] for i in range(0, len(flat), width)]


def box(points):
    return [min(p[a] for p in points) for a in range(3)] + [max(p[a] for p in points) for a in range(3)]


def places(run):
    """Position and rotation of each body at the end of each frame, from the step log."""
    out = {}
    for line in (run / "steps.jsonl").read_text(encoding="utf-8").splitlines():
        step = json.loads(line)
        out[step["frame"]] = {b["name"]: (b["position"], b["rotation"]) for b in step["bodies"]}
    return out


def in_space(position, rotation):
    if len(position) == 3:
        return position, Quaternion(rotation)
    return (*position, 0), Quaternion((math.cos(rotation[0] / 2), 0, 0, math.sin(rotation[0] / 2)))


def check_volume(scene, frame, run, size):
    thing = bpy.data.objects["fluid"]
    volume = thing.data
    if not volume.grids.load() or volume.grids.error_message:
        fail(f"frame {frame}: the volume cannot be loaded: {volume.grids.error_message}")
    if volume.grids.frame != frame or not volume.grids.frame_filepath.endswith(f"{frame:06d}.vdb"):
        fail(f"frame {frame}: the volume is {volume.grids.frame_filepath}")
    low = scene["domain"].get("origin", [0] * len(scene["domain"]["size"]))
    dx = scene["domain"]["size"][0] / scene["domain"]["cells"][0]
    centre = [a + dx / 2 for a in low] + [0] * (3 - len(low))
    for grid in volume.grids:
        grid.load()
        near((thing.matrix_world @ grid.matrix_object).to_translation(), turned(centre), 1e-5 * size,
             f"frame {frame}: voxel (0, 0, 0) of {grid.name}")
    return len(volume.grids)


def check_surface(frame, run, size):
    wanted = read_ply(run / "frames" / f"{frame:06d}.ply")
    thing = bpy.data.objects["liquid"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = thing.data
    if len(mesh.vertices) != len(wanted):
        fail(f"frame {frame}: the surface has {len(mesh.vertices)} points, expected {len(wanted)}")
    if not wanted:
        return 0
    near(box([thing.matrix_world @ v.co for v in mesh.vertices]), box([turned(p) for p in wanted]), 1e-5 * size,
         f"frame {frame}: box of the surface")
    velocity = mesh.attributes["velocity"].data
    for n in range(0, len(wanted), max(1, len(wanted) // 50)):
        near(velocity[n].vector, wanted[n][3:6], 1e-6, f"frame {frame}: velocity of point {n}")
        near(thing.matrix_world @ mesh.vertices[n].co, turned(wanted[n]), 1e-5 * size, f"frame {frame}: point {n}")
    return len(wanted)


def check_bodies(frame, bodies, size):
    for name, place in bodies.items():
        thing = bpy.data.objects.get(name)
        if thing is None:
            continue  # a plane that no part of the domain is in, and the like
        position, rotation = in_space(*place)
        world = thing.matrix_world
        near(world.to_translation(), turned(position), 2e-5 * size, f"frame {frame}: body {name}")
        for axis in ((1, 0, 0), (0, 1, 0)):
            near(world.to_3x3() @ Vector(axis), turned(rotation @ Vector(axis)), 1e-4, f"frame {frame}: turn of {name}")


def usd_samples(text, prim, attribute):
    """Numbers of an attribute at each time code of a prim, from the layer's text."""
    block = text[re.search(rf'def \w+ "{prim}"', text).end():]
    found = re.search(rf"{re.escape(attribute)}\.timeSamples = {{(.*?)\n\s*}}", block, re.S)
    if found:
        return {int(k): v for k, v in re.findall(r"^\s*(\d+): (.*),$", found.group(1), re.M)}
    return {0: re.search(rf"{re.escape(attribute)} = (.*)", block).group(1)}


def numbers(text):
    return [float(x) for x in re.findall(r"-?[\d.]+(?:e[-+]?\d+)?", text)]


def check_usd_text(file, run, frames, bodies, size):
    text = file.read_text(encoding="utf-8")
    for head in ('upAxis = "Y"', "metersPerUnit = 1"):
        if head not in text:
            fail(f"{file.name}: has no {head}")
    for name in bodies[frames[-1]] if bodies else []:
        prim = re.sub(r"\W", "_", name)
        if f'def Xform "{prim}"' not in text:
            continue
        track = usd_samples(text, prim, "xformOp:translate")
        for frame in frames:
            if frame in bodies and frame in track:
                near(numbers(track[frame]), in_space(*bodies[frame][name])[0], 1e-9 * size, f"usd, frame {frame}: {name}")
    if "liquid" in bpy.data.objects and 'def Mesh "Liquid"' in text:
        points = usd_samples(text, "Liquid", "points")
        speeds = usd_samples(text, "Liquid", "velocities")
        for frame in frames:
            wanted = read_ply(run / "frames" / f"{frame:06d}.ply")
            flat, speed = numbers(points[frame]), numbers(speeds[frame])
            near(flat[:3 * len(wanted)][0::3], [p[0] for p in wanted], 1e-6 * size, f"usd, frame {frame}: points")
            near(speed[:3 * len(wanted)][1::3], [p[4] for p in wanted], 1e-6, f"usd, frame {frame}: velocities")
    for path in re.findall(r"@(.*?)@", text):
        if not (file.parent / path).is_file():
            fail(f"{file.name}: names {path}, which is not there")
    return "read as text: this Blender has no USD"


def check_usd_import(file, frames, bodies, size):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.usd_import(filepath=str(file))
    for frame in frames:
        if frame not in bodies:
            continue
        bpy.context.scene.frame_set(frame)
        for name, place in bodies[frame].items():
            thing = bpy.data.objects.get(re.sub(r"\W", "_", name))
            if thing is not None:
                near(thing.matrix_world.to_translation(), turned(in_space(*place)[0]), 2e-5 * size,
                     f"usd import, frame {frame}: {name}")
    return "imported"


def main():
    run, usda = (pathlib.Path(a) for a in sys.argv[sys.argv.index("--") + 1:])
    scene = json.loads(re.sub(r"^\s*//.*$", "", (run / "scene.json").read_text(encoding="utf-8"), flags=re.M))
    size = max(scene["domain"]["size"])
    bodies = places(run)
    last = max(bodies)
    frames = sorted({0, last // 2, last})
    here = bpy.context.scene
    if (here.frame_start, here.frame_end) != (0, last):
        fail(f"frames {here.frame_start} to {here.frame_end}, expected 0 to {last}")
    near([here.render.fps / here.render.fps_base], [scene["time"]["fps"]], 1e-4, "frames a second")
    if here.unit_settings.scale_length != 1 or here.camera is None:
        fail("units or camera are missing")
    seen = []
    for frame in frames:
        here.frame_set(frame)
        if "fluid" in bpy.data.objects:
            seen.append(f"{check_volume(scene, frame, run, size)} grids")
        if "liquid" in bpy.data.objects:
            seen.append(f"{check_surface(frame, run, size)} points")
        if frame in bodies:
            check_bodies(frame, bodies[frame], size)
    if not seen:
        fail("neither a volume nor a surface is there")
    usd = (check_usd_import(usda, frames, bodies, size) if getattr(bpy.app.build_options, "usd", False)
           else check_usd_text(usda, run, frames, bodies, size))
    names = sorted(bodies[last])
    print(f"check_export: frames {frames}: {', '.join(seen)}; {len(names)} bodies; usda {usd}")


main()
