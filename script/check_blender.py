"""Runs inside Blender (script/check_blender): imports one frame as a volume and checks what Blender sees.

Prints a line a grid and the bounding box. Fails if the file does not load, a grid has another type than its name asks
for, or voxels that are not cubes or differ between grids. If the frame lies in a run's folder, the run's scene.json says
where the domain is, and place and scale are checked against it.
"""
import json
import pathlib
import re
import sys

import bpy

TYPES = {
    "density": "FLOAT",
    "temperature": "FLOAT",
    "pressure": "FLOAT",
    "solid": "FLOAT",
    "velocity": "VECTOR_FLOAT",
}


def fail(text):
    print(f"check_blender: {text}")
    sys.exit(1)


def domain_of(frame):
    """Voxel size, lower corner and upper corner from OUT/scene.json; nothing if there is none."""
    scene = frame.parent.parent / "scene.json"
    if not scene.is_file():
        return None
    domain = json.loads(re.sub(r"^\s*//.*$", "", scene.read_text(encoding="utf-8"), flags=re.M))["domain"]
    size, cells = domain["size"], domain["cells"]
    voxel = size[0] / cells[0]
    low = list(domain.get("origin", [0] * len(size)))
    high = [a + b for a, b in zip(low, size)]
    if len(size) == 2:  # a slab one voxel thick around z = 0
        low.append(-voxel / 2)
        high.append(voxel / 2)
    return voxel, low, high


def look_at(grid):
    """Edge of a voxel and centre of voxel (0, 0, 0), as Blender places them in the object."""
    grid.load()
    edges = [grid.matrix_object.col[axis].to_3d().length for axis in range(3)]
    centre = grid.matrix_object.to_translation()
    print("{}: {}, voxel {:.7g} m, centre of voxel (0, 0, 0) at ({:.7g}, {:.7g}, {:.7g})".format(
        grid.name, grid.data_type, edges[0], *centre))
    if TYPES.get(grid.name, grid.data_type) != grid.data_type:
        fail(f"{grid.name} is {grid.data_type}, expected {TYPES[grid.name]}")
    if max(edges) - min(edges) > 1e-6 * max(edges):
        fail(f"{grid.name}: voxels are not cubes: {edges}")
    return edges[0], centre


def main():
    path = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    bpy.ops.object.volume_import(filepath=str(path), align="WORLD", location=(0, 0, 0))
    if bpy.context.object is None:
        fail(f"{path}: Blender cannot import it")
    volume = bpy.context.object.data
    if not volume.grids.load() or volume.grids.error_message:
        fail(f"{path}: Blender cannot load it: {volume.grids.error_message}")
    if len(volume.grids) == 0:
        fail(f"{path}: Blender sees no grid")
    seen = [(grid.name, *look_at(grid)) for grid in volume.grids]
    bpy.context.view_layer.update()
    corners = bpy.context.object.bound_box
    low = [min(corner[axis] for corner in corners) for axis in range(3)]
    high = [max(corner[axis] for corner in corners) for axis in range(3)]
    print("bounding box: ({:.7g}, {:.7g}, {:.7g}) to ({:.7g}, {:.7g}, {:.7g}) m".format(*low, *high))
    if any(b <= a for a, b in zip(low, high)):
        fail("the bounding box is empty")
    voxel, corner, upper = domain_of(path) or (seen[0][1], [c - seen[0][1] / 2 for c in seen[0][2]], None)
    near = 1e-5 * max([voxel] + [abs(c) for c in corner])  # Blender's matrices are float
    for name, edge, centre in seen:
        if abs(edge - voxel) > 1e-5 * voxel:
            fail(f"{name}: voxels of {edge} m, expected {voxel} m")
        for axis in range(3):
            if abs(centre[axis] - corner[axis] - voxel / 2) > near:
                fail(f"{name}: voxel (0, 0, 0) is at {tuple(centre)}, expected half a voxel above {tuple(corner)}")
    if upper is not None:
        # Blender's box goes by whole leaves of 8 voxels. The faces of the upper walls belong to voxels one beyond the
        # domain.
        for axis in range(3):
            voxels = round((upper[axis] - corner[axis]) / voxel) + 1
            leaves = 8 * ((voxels + 7) // 8) * voxel
            if low[axis] < corner[axis] - near or high[axis] > corner[axis] + leaves + near:
                fail(f"the bounding box leaves the domain {corner} to {upper}")
    where = "at their place in the domain" if upper is not None else "at one place (no scene.json to compare with)"
    print(f"check_blender: {path}: {len(seen)} grids {where}")


main()
