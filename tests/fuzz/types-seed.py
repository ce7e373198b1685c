#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A table of types as fuzz-types.c takes it: numbers of elements of 16 bits, and the parts.

	types-seed.py TABLE SEED
"""
import struct
import subprocess
import sys

table = open(sys.argv[1], "rb").read()
numbers = struct.unpack("=8Q", table[24:88])
parts = subprocess.run(["zstd", "-dc"], input=table[88:], stdout=subprocess.PIPE, check=True).stdout
open(sys.argv[2], "wb").write(struct.pack("=8H", *numbers) + parts)
