/* SPDX-License-Identifier: GPL-2.0 */
/*
 * load.h - from options to a loaded account.
 */
#ifndef KMA_SESSION_LOAD_H
#define KMA_SESSION_LOAD_H

#include "loaded.h"
#include "options.h"

/**
 * kma_load() - read the account, find the files of its sites, choose the branch
 * @opts: options
 * @ret: filled in; to be unloaded in any case
 *
 * A kernel that cannot be used is said in words on stderr, and leaves @ret->source
 * NULL: the tree then has callers only, and no branch is taken.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load(const struct kma_options *opts, struct kma_loaded *ret);

#endif /* KMA_SESSION_LOAD_H */
