/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * linked.h - from the objects of a kernel to its linked image, to the byte.
 *
 * For each section of vmlinux that takes memory:
 *
 *	its size = what is linked of the objects' sections + rows that the linker made
 *
 * so the sum over all of them equals that of `size -A vmlinux`. For a section of an object:
 *
 *	its size = linked + merged (constants that another has, too) + discarded
 *
 * Output of the linker is a row with a name in brackets: a section that is in no object ("[.BTF]"),
 * tables between known symbols ("[kallsyms]", "[init stack]"), and what remains: "[alignment]",
 * which is also what the linker script reserves. If objects are for link-time optimisation, what
 * has a source file by the debugging information goes there (lto.h); what remains is mostly their
 * code, and is called so.
 *
 * Nothing is linked here. The linker script that kbuild leaves gives the output section of each
 * section; without it, the names of the image's sections do.
 */
#ifndef KMA_IMAGE_LINKED_H
#define KMA_IMAGE_LINKED_H

#include "kbuild/static.h"

#define KMA_LINKED_ALIGNMENT KMA_STATIC_ALIGNMENT
#define KMA_LINKED_LTO	     "[link-time optimisation]"

/* A row of bytes that the linker made in a section of the image. */
struct kma_linked_row {
	const char *name; /* in brackets */
	int output;	  /* place in the sections of the image */
	enum kma_metric_id kind;
	uint64_t size; /* more than 0 */
};

struct kma_linked {
	struct kma_linked_row *rows;
	size_t nr_rows;
	uint64_t size;	 /* of all sections that take memory */
	uint64_t shrunk; /* bytes that the objects have in excess of the image */
	bool has_script; /* of the linker */
	struct kma_vmlinux *priv;
};

/**
 * kma_linked_create() - compare objects with the image that was linked from them
 * @dir: top of the tree that was built
 * @st: what was read with KMA_STATIC_PIECES | KMA_STATIC_BYTES; linked, merged, output
 *	and kind of its sections, as far as they are of no module, are set
 * @ret: the image
 *
 * Objects of which no global symbol is in the image were not linked, nor were sections
 * (--gc-sections). A section in the range that is freed after boot is counted as init.
 *
 * Return: NULL, or an error: there is no vmlinux, or it is damaged.
 */
struct kma_err *kma_linked_create(const char *dir, struct kma_static *st, struct kma_linked **ret);

/**
 * kma_linked_destroy() - forget it
 * @image: from kma_linked_create(); NULL is fine
 */
void kma_linked_destroy(struct kma_linked *image);

/**
 * kma_linked_section() - name of a section of the image
 * @image: the image
 * @output: place, from a row or a section of an object
 *
 * Return: its name, which stays with @image.
 */
const char *kma_linked_section(const struct kma_linked *image, int output);

#endif /* KMA_IMAGE_LINKED_H */
