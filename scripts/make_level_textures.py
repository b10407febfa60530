#!/usr/bin/env python3
"""Draws the textures of scenes/pixel: a light map, a fence and ripples, from nothing but this file.

light_map.png: 64 x 64 texels, 8-bit RGB, pools of warm light on a floor that is dim and blue. fence.png: 64 x 64 texels, 8-bit RGBA,
a lattice of wires with nothing between. ripples.png: 64 x 64 texels, 8-bit RGB, slopes of waves along x in red and along y in green,
128 where they are level; it repeats without a seam. Standard library only, no randomness, so every run writes the same bytes (of the same zlib).

Usage: scripts/make_level_textures.py [DIRECTORY]
"""

import struct
import sys
import zlib

SIZE = 64
LAMPS = ((14, 16, 11), (46, 20, 9), (30, 48, 14))
DIM = (38, 40, 58)
WARM = (232, 196, 140)
WIRE = 5


def light(x, y):
    """R, G, B of a texel of the light map, in integers."""
    amount = 0
    for lamp_x, lamp_y, radius in LAMPS:
        squared = (x - lamp_x) ** 2 + (y - lamp_y) ** 2
        amount += 256 * radius * radius // (radius * radius + 2 * squared)
    amount = min(amount, 256)
    return tuple(dim + (warm - dim) * amount // 256 for dim, warm in zip(DIM, WARM))


def fence(x, y):
    """R, G, B, A of a texel of the fence."""
    across, along = (x + y) % 32, (x - y) % 32
    nearest = min(across, along)
    if nearest >= WIRE:
        return (60, 60, 64, 0)
    shade = 210 - 28 * abs(nearest - WIRE // 2)
    return (shade, shade, shade + 6, 255)


def wave(place):
    """A wave of period 64 from -100 to 100, of two parabolas, in integers."""
    place %= SIZE
    half = place % 32
    height = 100 * half * (32 - half) // 256
    return height if place < 32 else -height


def ripples(x, y):
    """R, G, B of a texel of the ripples."""
    along_x = (2 * wave(2 * x + y) + wave(3 * x - y)) // 3
    along_y = (2 * wave(2 * y - x) + wave(3 * y + 2 * x)) // 3
    return (128 + along_x, 128 + along_y, 128)


def chunk(kind, data):
    """A PNG chunk."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write(path, texel, color_type):
    """A picture of 8 bits a channel."""
    rows = b"".join(b"\0" + bytes(c for x in range(SIZE) for c in texel(x, y)) for y in range(SIZE))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, color_type, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else "scenes/textures"
    write(f"{directory}/light_map.png", light, 2)
    write(f"{directory}/fence.png", fence, 6)
    write(f"{directory}/ripples.png", ripples, 2)


if __name__ == "__main__":
    main()
