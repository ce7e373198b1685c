/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * linked.h - attribute each byte of a linked kernel to the objects that it was linked from, by the
 * map that the linker wrote (vmlinux.map of CONFIG_VMLINUX_MAP, or of ld's option -Map).
 *
 * The objects of a kernel and its vmlinux differ in size: the linker merges equal constants, drops
 * sections, adds padding and tables. For each section of vmlinux that takes memory:
 *
 *	its size = linked bytes of the objects' sections + rows for bytes that the linker added
 *
 * so the sum over all sections equals that of `size -A vmlinux`. For each section of an object:
 *
 *	its size = linked + merged (equal constants are kept in another object) + discarded
 *
 * A row for bytes of the linker has a name in brackets: a section that is in no object ("[.BTF]"),
 * tables between known symbols ("[kallsyms]", "[init stack]"), an object that is not of the tree,
 * and the rest of a section, "[alignment]", which includes space that the linker script reserves.
 *
 * The program does not link. Without a map, or if the map names vmlinux.o alone (so do kernels with
 * link-time optimisation or CONFIG_X86_KERNEL_IBT), only debugging information tells the source of
 * a byte (stock.h).
 */
#ifndef KMA_IMAGE_LINKED_H
#define KMA_IMAGE_LINKED_H

#include "kbuild/static.h"

/* Bytes of a section of the image that are from no object. */
struct kma_linked_row {
	char *name;		 /* in brackets */
	int output;		 /* index of the section of the image */
	enum kma_metric_id kind; /* KMA_TEXT to KMA_OTHER */
	uint64_t size;		 /* bytes, more than 0 */
};

struct kma_linked {
	struct kma_linked_row *rows;
	size_t nr_rows, room;
	uint64_t size; /* bytes of all sections that take memory */
	size_t differ; /* sections of objects that had another size when they were linked */
	struct kma_binary *bin; /* sections and symbols of the image */
	uint64_t *filled;	/* for each section: bytes that have an owner */
	bool *used;		/* for each section: an object is linked into it */
	const struct kma_binary_symbol **by_name, **by_addr; /* all symbols, sorted */
};

/*
 * Compares the objects @st of the tree @dir with the image. Of their sections that are not in
 * modules, linked, merged, output, padding and kind are set. A section in the range that is freed
 * after boot is counted as init.
 *
 * It is an error if vmlinux is missing, corrupt or not linked, or if the map is missing, of another
 * build, or names no object of the tree. @st is unchanged then.
 */
struct kma_err *kma_linked_create(const char *dir, struct kma_static *st, struct kma_linked **ret);

void kma_linked_destroy(struct kma_linked *image);

/* Name of a section of the image, by @output of a row or of a section of an object. */
const char *kma_linked_section(const struct kma_linked *image, int output);

#endif /* KMA_IMAGE_LINKED_H */
