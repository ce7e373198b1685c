/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vmlinux.h - the image that the kernel was linked to: its sections and symbols.
 */
#ifndef KMA_IMAGE_VMLINUX_H
#define KMA_IMAGE_VMLINUX_H

#include "lds.h"
#include "lib/err.h"
#include "symbol/binary.h"

struct kma_vmlinux {
	struct kma_binary *bin; /* vmlinux; its sections are those of the image */
	struct kma_lds *lds;	/* NULL without a script */
	uint64_t *filled;	/* by section: what of it has an owner */
	bool *used;		/* by section: an object is linked into it */
	const struct kma_binary_symbol **by_name, **by_addr;
	char **names; /* of rows */
	size_t nr_names;
};

/**
 * kma_vmlinux_index() - allocate data for the sections, sort the symbols
 * @priv: with @bin
 *
 * Return: NULL or an error; kma_vmlinux_deinit() is needed in any case.
 */
struct kma_err *kma_vmlinux_index(struct kma_vmlinux *priv);

/**
 * kma_vmlinux_deinit() - close the image, free all that belongs to it
 * @priv: the image; what was not made is NULL
 */
void kma_vmlinux_deinit(struct kma_vmlinux *priv);

/**
 * kma_vmlinux_symbol() - a symbol of the image
 * @priv: the image
 * @name: its name
 *
 * Return: one of that name, or NULL.
 */
const struct kma_binary_symbol *kma_vmlinux_symbol(const struct kma_vmlinux *priv,
						   const char *name);

/**
 * kma_vmlinux_is_init() - test whether a section of the image is freed after boot
 * @priv: the image
 * @section: one of its sections
 *
 * Return: true if it is. Per-CPU data is not: it is the model for the copies that stay.
 */
bool kma_vmlinux_is_init(const struct kma_vmlinux *priv, const struct kma_binary_section *section);

#endif /* KMA_IMAGE_VMLINUX_H */
