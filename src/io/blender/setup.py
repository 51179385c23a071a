# Written by `tidelock export OUT --blender-script FILE`. Run it in Blender (3.4 or later): Scripting > Open > Run, or
#     blender --python FILE                           to look at it
#     blender --background --python FILE -- --save SCENE.blend
# All objects hang on one that turns the run's axes (y up) into Blender's (z up): (x, y, z) -> (x, -z, y). Within it
# positions and velocities are the run's own numbers, in metres and seconds; Blender's frame k is frame k of the run.
import json
import math
import os
import struct
import sys

import bpy
from mathutils import Matrix, Quaternion, Vector

RUN = json.loads(r"""@RUN@""")
SURFACE = r'''@SURFACE@'''


def add(name, data, collection, root):
    thing = bpy.data.objects.new(name, data)
    collection.objects.link(thing)
    thing.parent = root
    return thing


def principled(name, colour, settings):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    material.diffuse_color = colour
    shader = next((n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED"), None)
    if shader:
        for names, value in settings:
            for key in names:  # Blender 4 renamed some
                if key in shader.inputs:
                    shader.inputs[key].default_value = value
    return material


def read_glb(path):
    """JSON and binary chunk of a .glb file."""
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20:20 + length]), data[28 + length:]


def values(gltf, binary, number):
    accessor = gltf["accessors"][number]
    start = gltf["bufferViews"][accessor["bufferView"]]["byteOffset"]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    flat = struct.unpack_from("<%d%s" % (accessor["count"] * width, {5126: "f", 5125: "I"}[accessor["componentType"]]),
                              binary, start)
    return [flat[i:i + width] for i in range(0, len(flat), width)] if width > 1 else list(flat)


def curve(action, path, index, times, numbers):
    line = action.fcurves.new(path, index=index)
    line.keyframe_points.add(len(times))
    line.keyframe_points.foreach_set("co", [x for pair in zip(times, numbers) for x in pair])
    for key in line.keyframe_points:
        key.interpolation = "LINEAR"
    line.update()


def animate(thing, channels, gltf, binary):
    samplers = gltf["animations"][0]["samplers"]
    thing.animation_data_create()
    thing.animation_data.action = bpy.data.actions.new(thing.name + " motion")
    for channel in channels:
        sampler = samplers[channel["sampler"]]
        times = [t * RUN["fps"] for t in values(gltf, binary, sampler["input"])]
        keys = values(gltf, binary, sampler["output"])
        if channel["target"]["path"] == "translation":
            path = "location"
        else:
            path, keys = "rotation_quaternion", [(w, x, y, z) for x, y, z, w in keys]
        for index in range(len(keys[0])):
            curve(thing.animation_data.action, path, index, times, [key[index] for key in keys])


def add_bodies(collection, root):
    if not RUN["solids"]:
        return
    gltf, binary = read_glb(RUN["solids"])
    for number, node in enumerate(gltf.get("nodes", [])):
        primitive = gltf["meshes"][node["mesh"]]["primitives"][0]
        points = values(gltf, binary, primitive["attributes"]["POSITION"])
        indices = values(gltf, binary, primitive["indices"])
        mesh = bpy.data.meshes.new(node["name"])
        mesh.from_pydata(points, [], [indices[i:i + 3] for i in range(0, len(indices), 3)])
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
        normals = values(gltf, binary, primitive["attributes"]["NORMAL"])
        if bpy.app.version < (4, 1, 0):
            mesh.use_auto_smooth = True
        mesh.normals_split_custom_set_from_vertices(normals)
        look = gltf["materials"][primitive["material"]]["pbrMetallicRoughness"]
        colour = look["baseColorFactor"]
        mesh.materials.append(principled(node["name"], colour, [
            (["Base Color"], colour), (["Roughness"], look["roughnessFactor"]), (["Alpha"], colour[3])]))
        thing = add(node["name"], mesh, collection, root)
        thing.rotation_mode = "QUATERNION"
        thing.location = node["translation"]
        x, y, z, w = node["rotation"]
        thing.rotation_quaternion = (w, x, y, z)
        channels = [c for a in gltf.get("animations", []) for c in a["channels"] if c["target"]["node"] == number]
        if channels:
            animate(thing, channels, gltf, binary)


def add_surface(collection, root):
    frames = RUN["surfaces"]
    if not frames:
        return
    mesh = bpy.data.meshes.new("liquid")
    mesh["tidelock_surface"] = RUN["frames"]
    mesh["tidelock_frames"] = frames
    mesh.materials.append(principled("liquid", (0.25, 0.5, 0.65, 1), [
        (["Base Color"], (0.85, 0.95, 1, 1)), (["Roughness"], 0.0), (["IOR"], 1.333),
        (["Transmission", "Transmission Weight"], 1.0)]))
    add("liquid", mesh, collection, root)
    text = bpy.data.texts.get("tidelock_surface.py") or bpy.data.texts.new("tidelock_surface.py")
    text.from_string(SURFACE)
    text.use_module = True
    exec(compile(SURFACE, "tidelock_surface.py", "exec"), {"__name__": "tidelock_surface"})


def add_volume(collection, root):
    frames = RUN["volumes"]
    if not frames:
        return
    volume = bpy.data.volumes.new("fluid")
    volume.filepath = os.path.join(RUN["frames"], "%06d.vdb" % frames[0])
    volume.is_sequence = True
    volume.frame_start = frames[0]
    volume.frame_duration = frames[-1] - frames[0] + 1
    volume.frame_offset = frames[0] - 1  # Blender counts a sequence's files from 1
    volume.velocity_grid = "velocity"
    volume.velocity_unit = "SECOND"
    thing = add("fluid", volume, collection, root)
    if RUN["liquid"]:  # its surface is what is seen
        thing.hide_render = True
        return
    material = bpy.data.materials.new("smoke")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.clear()
    shader, output = nodes.new("ShaderNodeVolumePrincipled"), nodes.new("ShaderNodeOutputMaterial")
    shader.inputs["Density"].default_value = RUN["smoke_density"]
    shader.inputs["Density Attribute"].default_value = "density"
    material.node_tree.links.new(shader.outputs["Volume"], output.inputs["Volume"])
    volume.materials.append(material)


def add_camera(scene, collection, root):
    view = RUN["camera"]
    data = bpy.data.cameras.new("camera")
    data.sensor_fit = "VERTICAL"
    data.angle_y = view["fov"]
    position, target = Vector(view["position"]), Vector(view["target"])
    away = (position - target).length
    data.clip_start, data.clip_end = 1e-3 * away, 1e3 * away
    if view["height"] > 0:
        data.type, data.ortho_scale = "ORTHO", view["height"]
    thing = add("camera", data, collection, root)
    back = (position - target).normalized()
    right = Vector(view["up"]).cross(back).normalized()
    turn = Matrix((right, back.cross(right), back)).transposed()
    thing.matrix_local = Matrix.Translation(position) @ turn.to_4x4()
    scene.camera = thing
    scene.render.resolution_x, scene.render.resolution_y = view["pixels"]


def add_light(scene, collection, root):
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy = 3
    add("sun", sun, collection, root).rotation_euler = (-0.8, 0.5, 0)
    if scene.world is None:
        scene.world = bpy.data.worlds.new("world")
        scene.world.use_nodes = True
        ground = scene.world.node_tree.nodes.get("Background")
        if ground:
            ground.inputs["Color"].default_value = (*RUN["background"], 1)


def build():
    scene = bpy.context.scene
    # Frames a second: a whole number and what it is divided by.
    scene.render.fps = max(1, round(RUN["fps"]))
    scene.render.fps_base = scene.render.fps / RUN["fps"]
    scene.frame_start, scene.frame_end = 0, RUN["last_frame"]
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", 1
    x, y, z = RUN["gravity"]
    scene.gravity = (x, -z, y)
    scene.render.use_motion_blur = True
    if "CYCLES" in {e.identifier for e in type(scene.render).bl_rna.properties["engine"].enum_items} or hasattr(
            bpy.types, "CyclesRenderSettings"):
        try:
            scene.render.engine = "CYCLES"
        except TypeError:
            pass
    collection = bpy.data.collections.new("tidelock " + RUN["name"])
    scene.collection.children.link(collection)
    root = bpy.data.objects.new("tidelock", None)
    root.rotation_euler = (math.pi / 2, 0, 0)
    collection.objects.link(root)
    add_volume(collection, root)
    add_surface(collection, root)
    add_bodies(collection, root)
    add_camera(scene, collection, root)
    add_light(scene, collection, root)
    scene.frame_set(0)


def save(path):
    path = os.path.abspath(path)
    for mesh in bpy.data.meshes:
        if "tidelock_surface" in mesh:
            try:
                mesh["tidelock_surface"] = bpy.path.relpath(RUN["frames"], start=os.path.dirname(path))
            except ValueError:  # another drive
                pass
    bpy.ops.wm.save_as_mainfile(filepath=path, relative_remap=True)


arguments = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
saving = arguments[1] if len(arguments) == 2 and arguments[0] == "--save" else None
if saving:
    bpy.ops.wm.read_factory_settings(use_empty=True)
build()
if saving:
    save(saving)
