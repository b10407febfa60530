#!/usr/bin/env python3
"""Makes scenes/meshes/torus.obj and scenes/meshes/column.gltf from nothing but this file.

torus.obj: 48 x 24 quads, u around the axis and v around the tube, relative to nothing, with normals left out.
column.gltf: a twisted square column of four triangle strips with 16-bit indices, its buffer embedded, under two nodes.
Standard library only; every run writes the same bytes.

Usage: scripts/make_meshes.py [DIRECTORY]
"""

import base64
import json
import math
import struct
import sys


def torus(around=48, tube=24, radius=1.0, thickness=0.42):
    """OBJ text of a torus about the y axis."""
    lines = ["# Made by scripts/make_meshes.py: a torus about the y axis. CC0-1.0."]
    for i in range(around):
        for j in range(tube):
            a, b = math.tau * i / around, math.tau * j / tube
            ring = radius + thickness * math.cos(b)
            lines.append(f"v {ring * math.sin(a):.5f} {thickness * math.sin(b):.5f} {ring * math.cos(a):.5f}")
    lines += [f"vt {i / around:.5f} {j / tube:.5f}" for i in range(around + 1) for j in range(tube + 1)]
    for i in range(around):
        for j in range(tube):
            corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            places = [(x % around * tube + y % tube + 1, x * (tube + 1) + y + 1) for x, y in corners]
            lines.append("f " + " ".join(f"{v}/{vt}" for v, vt in places))
    return "\n".join(lines) + "\n"


def column(steps=32, turns=0.35, half=0.5, height=4.0):
    """glTF document of a square column that is twisted on its way up. v runs from the top downwards."""
    corners = [(-half, half), (half, half), (half, -half), (-half, -half)]
    positions, uvs, indices = [], [], []
    for side in range(4):
        for step in range(steps + 1):
            part = step / steps
            sine, cosine = math.sin(math.tau * turns * part), math.cos(math.tau * turns * part)
            for end in (0, 1):
                x, z = corners[(side + end) % 4]
                positions.append((x * cosine + z * sine, height * part, z * cosine - x * sine))
                uvs.append((float(end), height * (1 - part)))
        first = side * 2 * (steps + 1)
        indices.append(list(range(first, first + 2 * (steps + 1))))
    # A strip of left, right, left above, right above … turns counter-clockwise as (left, right, left above).
    data = b"".join(struct.pack("<3f", *position) for position in positions)
    uv_start = len(data)
    data += b"".join(struct.pack("<2f", *uv) for uv in uvs)
    index_start = len(data)
    data += b"".join(struct.pack(f"<{len(strip)}H", *strip) for strip in indices)
    lows = [min(position[axis] for position in positions) for axis in range(3)]
    highs = [max(position[axis] for position in positions) for axis in range(3)]
    rounded = [struct.unpack("<3f", struct.pack("<3f", *place)) for place in (lows, highs)]
    strip_bytes = 2 * len(indices[0])
    return {
        "asset": {"version": "2.0", "generator": "scripts/make_meshes.py", "copyright": "CC0-1.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "stand", "children": [1]}, {"name": "column", "mesh": 0, "translation": [0.0, -2.0, 0.0]}],
        "meshes": [{
            "primitives": [
                {"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2 + side, "mode": 5} for side in range(4)
            ]
        }],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(positions), "type": "VEC3",
             "min": rounded[0], "max": rounded[1]},
            {"bufferView": 1, "componentType": 5126, "count": len(uvs), "type": "VEC2"},
        ] + [
            {"bufferView": 2, "byteOffset": side * strip_bytes, "componentType": 5123, "count": len(indices[side]),
             "type": "SCALAR"} for side in range(4)
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": uv_start},
            {"buffer": 0, "byteOffset": uv_start, "byteLength": index_start - uv_start},
            {"buffer": 0, "byteOffset": index_start, "byteLength": len(data) - index_start},
        ],
        "buffers": [{
            "byteLength": len(data),
            "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode(),
        }],
    }


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else "scenes/meshes"
    with open(f"{directory}/torus.obj", "w", encoding="utf-8", newline="\n") as file:
        file.write(torus())
    with open(f"{directory}/column.gltf", "w", encoding="utf-8", newline="\n") as file:
        json.dump(column(), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
