/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * order.h - the sections of all objects in the order in which the linker placed them.
 */
#ifndef KMA_IMAGE_ORDER_H
#define KMA_IMAGE_ORDER_H

#include <stddef.h>

#include "kbuild/static.h"
#include "vmlinux.h"

/* A section of an object that went to the image. */
struct kma_placed {
	const struct kma_static_object *object;
	struct kma_static_section *section;
	size_t number; /* of the object, in the order of the linker */
};

/* By section of the image, statement of the script, object. */
struct kma_order {
	struct kma_placed *list;
	size_t nr;
};

/**
 * kma_order_create() - the order in which sections lie
 * @objects: in the order of the linker, their sections assigned
 * @nr: how many
 * @ret: the order
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_order_create(struct kma_static_object *const *objects, size_t nr,
				 struct kma_order *ret);

/**
 * kma_order_deinit() - forget it
 * @order: from kma_order_create(), or zeroed
 */
void kma_order_deinit(struct kma_order *order);

/**
 * kma_order_unwind() - what ld keeps of ARM's index of unwinding
 * @order: the order; linked of such sections is set
 *
 * An entry that says the same as the one before it, of whichever object, is dropped, and
 * code without entries is fenced off by one. Sections without that index stay as they are.
 */
void kma_order_unwind(const struct kma_order *order);

/**
 * kma_order_align() - charge padding to the objects that need it
 * @order: the order, linked and output of all sections known
 * @priv: the image; what is found is added to what of its sections has an owner
 *
 * Padding belongs to the section after it, whose alignment requires it. Sections are laid out one
 * after the other. The result is accepted only between two sections whose symbols confirm their
 * addresses. Space that the linker script reserves therefore has no owner.
 */
void kma_order_align(const struct kma_order *order, struct kma_vmlinux *priv);

#endif /* KMA_IMAGE_ORDER_H */
