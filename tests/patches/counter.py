#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Let a kernel tree count by itself what its slab allocator gives.

	counter.py TREE

coverage.sh and early.py compare what the account says with three counters in the
allocator. They are in no file of ours and know nothing of events, hooks or tables. They
are parameters of slab_common:

	kma_counted		objects allocated since the machine was switched on, single or
				in bulk, and page-backed kmallocs
	kma_counted_tags	those of them that were reported to /proc/allocinfo
	kma_counted_frees	objects freed, and page-backed kmallocs freed

The text goes in at places that are found by what is written there, not by a patch:
the series change the lines around them. A place that is not there is an error.
"""

import pathlib
import re
import sys

DECLARATION = "\nextern atomic_long_t kma_counted, kma_counted_tags, kma_counted_frees;\n"

DEFINITION = """
atomic_long_t kma_counted, kma_counted_tags, kma_counted_frees;

static int kma_counted_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld\\\\n", atomic_long_read(kp->arg));
}

static const struct kernel_param_ops kma_counted_ops = { .get = kma_counted_get };

module_param_cb(kma_counted, &kma_counted_ops, &kma_counted, 0444);
module_param_cb(kma_counted_tags, &kma_counted_ops, &kma_counted_tags, 0444);
module_param_cb(kma_counted_frees, &kma_counted_ops, &kma_counted_frees, 0444);
"""

OBJECT = "\n\t\tif (p[i])\n\t\t\tatomic_long_inc(&kma_counted);"
LARGE = "\n\tif (ptr)\n\t\tatomic_long_inc(&kma_counted);"
FREED = "\n\tatomic_long_inc(&kma_counted_frees);"
LARGE_TAG = """
	if (ptr) {
		atomic_long_inc(&kma_counted);
		if (mem_alloc_profiling_enabled())
			atomic_long_inc(&kma_counted_tags);
	}"""
TAG = r"{ \1 atomic_long_inc(&kma_counted_tags); }"

# files, place, what comes after it ({} is the place itself), in which kernels
PLACES = (
    (("mm/slab.h",), r"extern enum slab_state slab_state;\n", "{}" + DECLARATION, "all"),
    (("mm/slab_common.c",), r"\nenum slab_state slab_state;\n", "{}" + DEFINITION, "all"),
    # slab_post_alloc_hook(), as each object is about to be given
    (("mm/slab.h", "mm/slub.c"),
     r"\tfor \((?:size_t )?i = 0; i < size; i\+\+\) \{"
     r"(?=\n(?:[^\n}]*\n){0,3}\t\tp\[i\] = kasan_slab_alloc)",
     "{}" + OBJECT, "all"),
    # the first object of all is no allocator's: early_kmem_cache_node_alloc()
    (("mm/slub.c",), r"\n\tn = kasan_slab_alloc\(kmem_cache_node, n, GFP_KERNEL, false\);",
     "{}\n\tatomic_long_inc(&kma_counted);", "all"),
    # slab_free_hook(), for each object
    (("mm/slub.c",), r"\n\tkmemleak_free_recursive\(x, s->flags\);", "{}" + FREED, "all"),
    (("mm/slab_common.c", "mm/slub.c"), r"\n\tkmsan_kfree_large\(object\);", "{}" + FREED, "all"),
    (("mm/slab_common.c",), r"\n\tkmsan_kmalloc_large\(ptr, size, flags\);", "{}" + LARGE, "old"),
    (("mm/slub.c",), r"\n\tkmsan_kmalloc_large\(ptr, size, flags\);", "{}" + LARGE_TAG, "tags"),
    (("mm/slub.c",), r"(alloc_tag_add\(&obj_exts?->ref, current->alloc_tag, s->size\);)",
     TAG, "tags"),
)


def count_in(tree):
    """Put the counters into the tree; all of them, or exit."""
    kernels = "tags" if (tree / "include/linux/alloc_tag.h").exists() else "old"
    for names, place, text, where in PLACES:
        if where not in ("all", kernels):
            continue
        done = 0
        for name in names:
            path = tree / name
            old = path.read_text()
            new, n = re.subn(place, lambda m: m.expand(text.replace("{}", r"\g<0>")),
                             old, count=1)
            if n:
                path.write_text(new)
                done += n
        if done != 1:
            sys.exit(f"counter.py: {' or '.join(names)} of {tree}: {done} places for {place!r}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    count_in(pathlib.Path(sys.argv[1]))
