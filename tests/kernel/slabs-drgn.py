#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print the allocated objects of each slab cache of a dump, by drgn: "CACHE NUMBER".

slabs-drgn.py CORE VMLINUX
"""
import sys

import drgn
from drgn.helpers.linux import slab
from drgn.helpers.linux.cpumask import for_each_possible_cpu

# A panic takes the other CPUs offline. drgn would count what is on their free lists as allocated.
slab.for_each_online_cpu = for_each_possible_cpu

program = drgn.Program()
program.set_core_dump(sys.argv[1])
program.load_debug_info([sys.argv[2]])
for cache in slab.for_each_slab_cache(program):
    objects = sum(1 for _ in slab.slab_cache_for_each_allocated_object(cache, "char"))
    print(cache.name.string_().decode(), objects)
