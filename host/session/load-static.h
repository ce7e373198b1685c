/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load-static.h - the static sizes of a built tree beside an account, or alone.
 */
#ifndef KMA_SESSION_LOAD_STATIC_H
#define KMA_SESSION_LOAD_STATIC_H

#include "loaded.h"
#include "options.h"

/**
 * kma_static_load() - put static sizes into the tree
 * @opts: options with a built tree
 * @ret: from kma_load(), in which it is a part; without an account it gets an empty one.
 *	metrics and objects are set
 *
 * The tree may be of no use for the account, and still has sizes of its own. Objects that
 * cannot be read are printed.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_static_load(const struct kma_options *opts, struct kma_loaded *ret);

#endif /* KMA_SESSION_LOAD_STATIC_H */
