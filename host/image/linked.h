/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * linked.h - attribute each byte of a linked kernel to the objects that it was linked from.
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
 * tables between known symbols ("[kallsyms]", "[init stack]"), and the rest of a section,
 * "[alignment]", which includes space that the linker script reserves. Objects for link-time
 * optimisation have no code; linked.c attributes the image's code to them by the debugging
 * information. The rest is then mostly code, too, and is called "[link-time optimisation]".
 *
 * The program does not link. It repeats the decisions of the linker: the linker script that kbuild
 * leaves in the tree gives the output section of each section (lds.h); without it, the names of the
 * image's sections do. linked.c has the steps.
 */
#ifndef KMA_IMAGE_LINKED_H
#define KMA_IMAGE_LINKED_H

#include "kbuild/static.h"

#define KMA_LINKED_ALIGNMENT KMA_STATIC_ALIGNMENT
#define KMA_LINKED_LTO	     "[link-time optimisation]"

/* Bytes of a section of the image that are from no object. */
struct kma_linked_row {
	const char *name;	 /* in brackets */
	int output;		 /* index of the section of the image */
	enum kma_metric_id kind; /* KMA_TEXT to KMA_OTHER */
	uint64_t size;		 /* bytes, more than 0 */
};

struct kma_linked {
	struct kma_linked_row *rows;
	size_t nr_rows;
	uint64_t size;		  /* bytes of all sections that take memory */
	uint64_t shrunk;	  /* bytes that the objects have in excess of the image */
	bool has_script;	  /* the linker script was found and used */
	struct kma_vmlinux *priv; /* sections and symbols of the image */
};

/**
 * kma_linked_create() - compare objects with the image that was linked from them
 * @dir: top of the tree that was built
 * @st: the objects, read with KMA_STATIC_PIECES | KMA_STATIC_BYTES. Of the sections that are not
 *	in modules, linked, merged, output, padding and kind are set
 * @ret: the image, to be freed by kma_linked_destroy()
 *
 * If an object, or one of its sections, has global symbols and none of them is in the image, it was
 * not linked (--gc-sections). A section in the range that is freed after boot is counted as init.
 *
 * Return: NULL, or an error: vmlinux is missing, corrupt or not linked.
 */
struct kma_err *kma_linked_create(const char *dir, struct kma_static *st, struct kma_linked **ret);

/* Free an image. */
void kma_linked_destroy(struct kma_linked *image);

/**
 * kma_linked_section() - get the name of a section of the image
 * @image: the image
 * @output: index of the section, from a row or a section of an object
 *
 * Return: its name, which belongs to @image.
 */
const char *kma_linked_section(const struct kma_linked *image, int output);

#endif /* KMA_IMAGE_LINKED_H */
