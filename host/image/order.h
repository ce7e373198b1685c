/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * order.h - the sections of all objects in the order in which the linker placed them.
 *
 * Two things depend on that order: padding, which belongs to the section whose alignment requires
 * it, and ARM's index of unwinding, where ld drops an entry that repeats the one before it.
 */
#ifndef KMA_IMAGE_ORDER_H
#define KMA_IMAGE_ORDER_H

#include <stddef.h>

#include "kbuild/static.h"
#include "vmlinux.h"

/* A section of an object that was linked into the image. */
struct kma_placed {
	const struct kma_static_object *object;
	struct kma_static_section *section; /* of @object */
	size_t number;			    /* of the object, in the order of linking */
};

/* Sorted by section of the image, then statement of the linker script, then object. */
struct kma_order {
	struct kma_placed *list;
	size_t nr;
};

/**
 * kma_order_create() - sort the linked sections of objects as the linker placed them
 * @objects: in the order of linking; output and rank of their sections are set
 * @nr: number of objects
 * @ret: the order; it refers to the sections of @objects
 */
void kma_order_create(struct kma_static_object *const *objects, size_t nr, struct kma_order *ret);

/**
 * kma_order_deinit() - free the list
 * @order: from kma_order_create(), or zeroed
 */
void kma_order_deinit(struct kma_order *order);

/**
 * kma_order_unwind() - compute the bytes that ld keeps of ARM's index of unwinding
 * @order: the order; linked of the sections .ARM.exidx* is set
 *
 * ld drops an entry with the same unwinding data as the entry before it, also if that is of another
 * object. It adds an entry "cannot unwind" where code without an index follows. Other sections are
 * not changed.
 */
void kma_order_unwind(const struct kma_order *order);

/**
 * kma_order_align() - charge padding to the objects that need it
 * @order: the order; linked and output of all sections are set, padding will be
 * @priv: the image; the padding is added to @priv->filled
 *
 * Padding belongs to the section after it, whose alignment requires it. The sections are laid out
 * one after the other, as ld does. The result is accepted only between two sections whose symbols
 * in the image confirm their addresses; elsewhere padding stays 0. Space that the linker script
 * reserves therefore has no owner.
 */
void kma_order_align(const struct kma_order *order, struct kma_vmlinux *priv);

#endif /* KMA_IMAGE_ORDER_H */
