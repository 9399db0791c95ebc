#!/usr/bin/env python3
"""Turns the entries of an opening book's file into an initializer, for the program to have them built in.

usage: embed.py BOOK OUTPUT

The layout of the file is told in book/book.h.
"""

import struct
import sys
import zlib

HEADER = struct.Struct('<8sII16sQI20x')
CHECKED = 40  # bytes of the header under the checksum
ENTRY = 20


def main(source, target):
    data = open(source, 'rb').read()
    magic, version, count, _, _, checksum = HEADER.unpack_from(data)
    entries = data[HEADER.size:]
    if (magic != b'CrownBok' or version != 1 or len(entries) != count * ENTRY or
            checksum != zlib.crc32(data[:CHECKED] + entries)):
        sys.exit(f'{source}: not an opening book, or damaged')
    with open(target, 'w', encoding='ascii') as stream:
        for at in range(0, len(entries), ENTRY):
            stream.write(','.join(map(str, entries[at:at + ENTRY])) + ',\n')


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
