#!/usr/bin/env python3
"""Draws assets/emblem.png: a palettised picture with transparency, from nothing but this file.

256 x 256 texels, 8-bit palette with 97 used entries, alpha through tRNS. A ring of 96 hues (12 sectors of 8 shades)
on a transparent ground, with a soft rim of half-transparent entries. Standard library only, no randomness, so every
run writes the same bytes (of the same zlib).

Usage: scripts/make_emblem.py [OUT.png]
"""

import colorsys
import math
import struct
import sys
import zlib

SIZE = 256
SECTORS = 12
SHADES = 8


def palette():
    """Entry 0 is transparent white; entry 1 + 8 * sector + shade the ring; shade 7 is the half-transparent rim."""
    entries = [(255, 255, 255, 0)]
    for sector in range(SECTORS):
        for shade in range(SHADES):
            red, green, blue = colorsys.hsv_to_rgb(sector / SECTORS, 0.75, 0.35 + 0.6 * shade / (SHADES - 1))
            alpha = 128 if shade == SHADES - 1 else 255
            entries.append((round(red * 255), round(green * 255), round(blue * 255), alpha))
    return entries


def index(x, y):
    """Palette entry of one texel."""
    across, down = x - (SIZE - 1) / 2, y - (SIZE - 1) / 2
    radius = math.hypot(across, down) / (SIZE / 2)
    if not 0.3 <= radius <= 0.97:
        return 0
    sector = int((math.atan2(down, across) / math.tau % 1.0) * SECTORS) % SECTORS
    shade = SHADES - 1 if radius > 0.93 else int((radius - 0.3) / 0.63 * (SHADES - 1))
    return 1 + SHADES * sector + shade


def chunk(kind, data):
    """A PNG chunk: length, type, data, CRC."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "assets/emblem.png"
    entries = palette()
    rows = b"".join(b"\0" + bytes(index(x, y) for x in range(SIZE)) for y in range(SIZE))
    png = b"\x89PNG\r\n\x1a\n"
    png += chunk(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 3, 0, 0, 0))
    png += chunk(b"PLTE", b"".join(bytes(entry[:3]) for entry in entries))
    png += chunk(b"tRNS", bytes(entry[3] for entry in entries))
    png += chunk(b"IDAT", zlib.compress(rows, 9))
    png += chunk(b"IEND", b"")
    with open(path, "wb") as file:
        file.write(png)


if __name__ == "__main__":
    main()
