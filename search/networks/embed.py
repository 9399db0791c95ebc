#!/usr/bin/env python3
"""Turns the file of a network into the initializer of a Network, for the program to have it built in.

usage: embed.py NETWORK OUTPUT

The layout of the file is told in search/network_file.c.
"""

import struct
import sys
import zlib

HEADER = struct.Struct('<8sII16sII24x')
SIDES = 2
KINDS_AND_SQUARES = 4 * 36


def main(source, target):
    data = open(source, 'rb').read()
    magic, version, hidden, _, buckets, checksum = HEADER.unpack_from(data)
    if magic != b'CrownNet' or version != 1 or checksum != zlib.crc32(data[HEADER.size:]):
        sys.exit(f'{source}: not a network, or damaged')
    shorts = (KINDS_AND_SQUARES + 1 + buckets * SIDES) * hidden
    body = struct.unpack(f'<{shorts}h{buckets + 1}i', data[HEADER.size:])
    rows = [body[at:at + hidden] for at in range(0, shorts, hidden)]

    def row(numbers):
        return '{' + ', '.join(map(str, numbers)) + '}'

    inputs, bias, outputs = rows[:KINDS_AND_SQUARES], rows[KINDS_AND_SQUARES], rows[KINDS_AND_SQUARES + 1:]
    with open(target, 'w', encoding='ascii') as stream:
        stream.write('.inputs = {' + ',\n'.join(map(row, inputs)) + '},\n')
        stream.write('.input_bias = ' + row(bias) + ',\n.outputs = {')
        stream.write(',\n'.join('{' + row(outputs[at]) + ', ' + row(outputs[at + 1]) + '}'
                                for at in range(0, len(outputs), SIDES)))
        stream.write('},\n.output_bias = ' + row(body[shorts:-1]) + f',\n.scale = {body[-1]},\n')


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
