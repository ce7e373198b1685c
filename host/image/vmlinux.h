/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vmlinux.h - a linked kernel while its bytes are attributed to objects: sections and symbols.
 */
#ifndef KMA_IMAGE_VMLINUX_H
#define KMA_IMAGE_VMLINUX_H

#include "lds.h"
#include "symbol/binary.h"

struct kma_vmlinux {
	struct kma_binary *bin; /* the file; its sections are those of the image */
	struct kma_lds *lds;	/* linker script; NULL without one */
	uint64_t *filled;	/* for each section: bytes that have an owner */
	bool *used;		/* for each section: an object is linked into it */
	const struct kma_binary_symbol **by_name, **by_addr; /* all symbols, sorted */
	char **names; /* names of rows, which belong to the image */
	size_t nr_names;
};

/**
 * kma_vmlinux_index() - allocate the arrays by section and sort the symbols
 * @priv: the image; @bin is open
 */
void kma_vmlinux_index(struct kma_vmlinux *priv);

/**
 * kma_vmlinux_deinit() - close the image and free its members
 * @priv: the image; members that were not set are NULL
 */
void kma_vmlinux_deinit(struct kma_vmlinux *priv);

/**
 * kma_vmlinux_symbol() - find a symbol of the image
 * @priv: the image
 * @name: its name
 *
 * Return: any symbol of that name, or NULL.
 */
const struct kma_binary_symbol *kma_vmlinux_symbol(const struct kma_vmlinux *priv,
						   const char *name);

/**
 * kma_vmlinux_is_init() - test whether a section of the image is freed after boot
 * @priv: the image
 * @section: one of its sections
 *
 * Return: true if the section is between __init_begin and __init_end. False for .data..percpu,
 * which is there as the model of the copies for each CPU, and those stay.
 */
bool kma_vmlinux_is_init(const struct kma_vmlinux *priv, const struct kma_binary_section *section);

#endif /* KMA_IMAGE_VMLINUX_H */
