/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load-static.h - add the static sizes of a built tree to an account, or load them alone.
 */
#ifndef KMA_SESSION_LOAD_STATIC_H
#define KMA_SESSION_LOAD_STATIC_H

#include "loaded.h"
#include "options.h"

/**
 * kma_static_load() - add static sizes to the tree
 * @opts: options with a built tree
 * @ret: the account that kma_load() is loading; without an account it gets an empty one. metrics
 *	and objects are set
 *
 * Even if the tree does not fit the account, its sizes can be shown. Objects that cannot be read
 * are reported.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_static_load(const struct kma_load_options *opts, struct kma_loaded *ret);

#endif /* KMA_SESSION_LOAD_STATIC_H */
