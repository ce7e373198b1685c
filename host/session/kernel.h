/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel.h - the kernel that an account belongs to.
 */
#ifndef KMA_SESSION_KERNEL_H
#define KMA_SESSION_KERNEL_H

#include "loaded.h"
#include "options.h"

/**
 * kma_load_kernel() - find the files of an account's call sites, make its tree
 * @opts: options
 * @ret: account is filled in; source, root, stats and maintainers will be
 *
 * A part of kma_load().
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load_kernel(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_inlines_mode() - what --inlines says
 * @opts: options
 *
 * Return: KMA_INLINES_OUTER by default, KMA_NR_INLINES_MODES if it is none.
 */
enum kma_inlines_mode kma_inlines_mode(const struct kma_options *opts);

/**
 * kma_load_owners() - find the subsystems of files, if rows are by them
 * @opts: options
 * @ret: loaded; again when there are more files in its tree
 *
 * A part of kma_load().
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load_owners(const struct kma_options *opts, struct kma_loaded *ret);

#endif /* KMA_SESSION_KERNEL_H */
