#!/usr/bin/env python3
"""Makes scenes/mesh/: jobs of the engine `mesh`, and the points of their meshes.

Points are 26.6 fixed-point numbers, worked out with integers or rounded once, so every run writes the same bytes. Standard
library only. Pictures are those of assets/, with the licences that are stated there.

Usage: scripts/make_mesh_jobs.py [FOLDER]
"""

import math
import sys
from pathlib import Path

ONE = 64  # A texel, in points' units.
COFFEE = "../../assets/coffee.jpg"
GRAVEL = "../../assets/gravel.png"
EMBLEM = "../../assets/emblem.png"
CHELSEA = "../../assets/chelsea.png"


def points(across, down, place):
    """The CSV text of a mesh: `place` gives a point's column and row in the texture, in texels."""
    rows = ["x,y,u,v"]
    for y in range(down + 1):
        for x in range(across + 1):
            u, v = (round(ONE * value) for value in place(x, y))
            rows.append(f"{x},{y},{u},{v}")
    return "\n".join(rows) + "\n"


def scaled(width, height, across, down, at=(0, 0), rectangle=16):
    """A part of the texture, from `at` on, over the whole mesh."""
    sx, sy = width / (across * rectangle), height / (down * rectangle)
    return lambda x, y: (at[0] + x * rectangle * sx, at[1] + y * rectangle * sy)


def turned(angle, scale, center, across, down, rectangle=16):
    """The texture around `center`, turned by `angle` degrees, `scale` texels a pixel."""
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    middle = (across * rectangle / 2, down * rectangle / 2)

    def place(x, y):
        dx, dy = x * rectangle - middle[0], y * rectangle - middle[1]
        return (
            center[0] + scale * (cosine * dx - sine * dy),
            center[1] + scale * (sine * dx + cosine * dy),
        )

    return place


def warped(x, y):
    """A picture behind waves: 640 x 480 pixels of a texture of 512 x 512."""
    u, v = 512 * x / 40, 512 * y / 30
    return (u + 14 * math.sin(y / 2.7), v + 14 * math.sin(x / 3.4))


def job(about, mesh, keys):
    """The text of a job."""
    lines = [f"# {about}", "# Made by scripts/make_mesh_jobs.py.", f'vertices = "{mesh}.csv"']
    return "\n".join(lines + [f"{key} = {value}" for key, value in keys]) + "\n"


def texture(path):
    return ("texture", f'"{path}"')


def size(across, down):
    return [("hmeshlast", across), ("vmeshlast", down)]


def frame(width, height):
    return [("frame_width", width), ("frame_height", height)]


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "scenes" / "mesh"
    folder.mkdir(parents=True, exist_ok=True)
    full = size(40, 30) + frame(640, 480)
    wrap = [("mask_x", "0x7fff"), ("mask_y", "0x7fff")]
    small = size(20, 15) + frame(320, 240)
    small_one = scaled(320, 240, 20, 15)
    jobs = {
        "copy": ("One texel a pixel.", scaled(512, 480, 32, 30), size(32, 30) + frame(512, 480) + [texture(GRAVEL)]),
        "zoom-in": ("A quarter of the picture's side over the whole frame, filtered.",
                    scaled(160, 120, 40, 30, (150, 110)), full + [texture(COFFEE)]),
        "zoom-out": ("Two texels a pixel.", scaled(512, 512, 16, 16), size(16, 16) + frame(256, 256) + [texture(GRAVEL)]),
        "rotozoom": ("Turned by 30 degrees and made smaller; the masks let the texture repeat.",
                     turned(30, 1.4, (256, 256), 40, 30), full + [texture(GRAVEL)] + wrap),
        "turn": ("A turn by 90 degrees: pixels go along columns of the texture.",
                 lambda x, y: (16 * y, 511 - 16 * x), size(32, 32) + frame(512, 512) + [texture(GRAVEL)]),
        "warp": ("A picture behind waves.", warped, full + [texture(COFFEE)]),
        "sprite": ("An emblem over a picture: what has the key's colour is left out, so is what lies outside the frame.",
                   scaled(256, 256, 16, 16),
                   size(16, 16) + [("x_offset", 320), ("y_offset", -24), texture(EMBLEM), ("frame", f'"{COFFEE}"'),
                                   ("chroma_key_enable", "true"), ("chroma_key", '"ffffff"')]),
        "fade": ("From black to full brightness in eight steps.", small_one,
                 small + [texture(COFFEE)]),
        "tile": ("The masks let 64 x 64 texels repeat, also to the left of and above the texture.",
                 lambda x, y: (16 * x - 320, 16 * y - 240), full + [texture(GRAVEL), ("mask_x", "0xfff"), ("mask_y", "0xfff")]),
        "echo": ("A video echo: each picture is drawn turned and larger into the next one, half by half with a fresh one.",
                 turned(4, 0.94, (160, 120), 20, 15), small + [texture(CHELSEA)]),
    }
    for name, (about, place, keys) in jobs.items():
        values = dict(keys)
        (folder / f"{name}.csv").write_text(points(values["hmeshlast"], values["vmeshlast"], place))
        text = job(about, name, keys)
        if name == "fade":
            text += "delay_ms = 100\n" + "".join(f"\n[[step]]\nbrightness = {8 * step - 1}\n" for step in range(1, 9))
        if name == "echo":
            # The fresh picture, small and in the middle, upon the echo of all before.
            (folder / "echo-fresh.csv").write_text(points(8, 6, scaled(451, 300, 8, 6)))
            fresh = "\n".join(["", "[[step]]", 'vertices = "echo-fresh.csv"', "hmeshlast = 8", "vmeshlast = 6",
                               "x_offset = 96", "y_offset = 72", "frame_is_previous = true", ""])
            echo = "\n".join(["", "[[step]]", "texture_is_previous = true", "brightness = 60", "output = false", ""])
            text += "delay_ms = 60\n" + fresh + (echo + fresh) * 23
        (folder / f"{name}.toml").write_text(text)


if __name__ == "__main__":
    main()
