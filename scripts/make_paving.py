#!/usr/bin/env python3
"""Draws scenes/textures/paving.png: light and dark paving slabs with joints, from nothing but this file.

256 x 256 texels, 8-bit RGB, 4 x 4 slabs of slightly different brightness, each with a bevel. It repeats without a seam
and is rich in contrast, so that a floor of it shows mip levels and aliasing. Standard library only, no
randomness, so every run writes the same bytes (of the same zlib).

Usage: scripts/make_paving.py [OUT.png]
"""

import struct
import sys
import zlib

SIZE = 256
SLAB = 64
JOINT = 3
LIGHT = (214, 203, 184)
DARK = (104, 62, 50)
MORTAR = (70, 68, 66)


def hashed(*numbers):
    """A number of 0 to 255 that looks random, from integers (FNV-1a)."""
    value = 0x811C9DC5
    for number in numbers:
        for byte in number.to_bytes(4, "little"):
            value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return (value ^ (value >> 15)) & 0xFF


def texel(x, y):
    """R, G, B of a texel."""
    column, row = x // SLAB, y // SLAB
    left, top = x % SLAB, y % SLAB
    edge = min(left, top, SLAB - 1 - left, SLAB - 1 - top)
    if edge < JOINT:
        return MORTAR
    base = LIGHT if (column + row) % 2 == 0 else DARK
    shade = hashed(column, row, 7) // 8 - 16
    if edge < JOINT + 2:
        shade += 18 if min(left, top) == edge else -18
    return tuple(max(0, min(255, channel + shade)) for channel in base)


def chunk(kind, data):
    """A PNG chunk."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "scenes/textures/paving.png"
    rows = b"".join(b"\0" + bytes(c for x in range(SIZE) for c in texel(x, y)) for y in range(SIZE))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    main()
