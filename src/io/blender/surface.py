# Shows the liquid's surface of the current frame: reads frames/NNNNNN.ply of a run of tidelock into each mesh that has the
# property "tidelock_surface". A text block of the .blend, which runs when the file is opened and Python is allowed to
# (File > External Data > "Trusted Source", or blender --enable-autoexec).
import os
import sys

import bpy
import numpy

TYPES = {"float": "<f4", "double": "<f8", "int": "<i4", "uint": "<u4", "uchar": "<u1"}


def read_ply(path):
    """Points, velocities, triangles and edges of a binary PLY file as tidelock writes it."""
    with open(path, "rb") as file:
        data = file.read()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    elements = []
    for line in data[:end].decode("ascii").split("\n"):
        words = line.split()
        if words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:2] == ["property", "list"]:
            elements[-1][2].extend([("count", TYPES[words[2]]), (words[4], TYPES[words[3]], (3,))])
        elif words[:1] == ["property"]:
            elements[-1][2].append((words[2], TYPES[words[1]]))
    found = {}
    for name, count, fields in elements:
        kind = numpy.dtype(fields)
        found[name] = numpy.frombuffer(data, kind, count, end)
        end += count * kind.itemsize
    points = found["vertex"]
    place = numpy.stack([points[c] for c in ("x", "y", "z")], axis=1)
    moves = "vx" in points.dtype.names
    speed = numpy.stack([points[c] for c in ("vx", "vy", "vz")], axis=1) if moves else numpy.zeros_like(place)
    faces = found["face"]["vertex_indices"] if "face" in found else numpy.zeros((0, 3), "<i4")
    edges = numpy.zeros((0, 2), "<i4")
    if "edge" in found:
        edges = numpy.stack([found["edge"]["vertex1"], found["edge"]["vertex2"]], axis=1)
    return place, speed, faces, edges


def fill(mesh, path):
    place, speed, faces, edges = read_ply(path)
    mesh.clear_geometry()
    if len(place) == 0:
        return
    mesh.vertices.add(len(place))
    mesh.vertices.foreach_set("co", place.ravel())
    if len(faces):
        mesh.loops.add(faces.size)
        mesh.loops.foreach_set("vertex_index", faces.ravel())
        mesh.polygons.add(len(faces))
        mesh.polygons.foreach_set("loop_start", numpy.arange(0, faces.size, 3, dtype="<i4"))
        if bpy.app.version < (4, 0, 0):
            mesh.polygons.foreach_set("loop_total", numpy.full(len(faces), 3, "<i4"))
        mesh.polygons.foreach_set("use_smooth", numpy.ones(len(faces), bool))
    if len(edges):
        mesh.edges.add(len(edges))
        mesh.edges.foreach_set("vertices", edges.ravel())
    mesh.update(calc_edges=len(edges) == 0)
    # Cycles takes motion blur from it [m/s].
    velocity = mesh.attributes.get("velocity") or mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
    velocity.data.foreach_set("vector", speed.ravel())


def show(frame):
    for mesh in bpy.data.meshes:
        if "tidelock_surface" not in mesh:
            continue
        frames = list(mesh["tidelock_frames"])
        wanted = max([f for f in frames if f <= frame], default=frames[0])
        path = os.path.join(bpy.path.abspath(mesh["tidelock_surface"]), "%06d.ply" % wanted)
        if mesh.get("tidelock_shown") == wanted:
            continue
        try:
            fill(mesh, path)
            mesh["tidelock_shown"] = wanted
        except (OSError, ValueError, KeyError) as error:
            print("tidelock: %s: %s" % (path, error), file=sys.stderr)


@bpy.app.handlers.persistent
def tidelock_on_frame(scene, *_):
    show(round(scene.frame_current_final))  # motion blur asks for times between frames: the same mesh


def register():
    handlers = bpy.app.handlers.frame_change_pre
    for old in [h for h in handlers if getattr(h, "__name__", "") == "tidelock_on_frame"]:
        handlers.remove(old)
    handlers.append(tidelock_on_frame)


register()
