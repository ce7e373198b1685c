/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kma_keep.h - objects that outlive the module that allocated them.
 */
#ifndef KMA_KEEP_H
#define KMA_KEEP_H

/**
 * kma_keep() - take over an object
 * @object: from kmalloc(), one of 8192 at most; freed with kma_keep.ko
 *
 * Context: process, one caller at a time.
 */
void kma_keep(void *object);

#endif /* KMA_KEEP_H */
