/* SPDX-License-Identifier: GPL-2.0 */
/*
 * load-static.h - an account together with the static sizes of a built tree, or these alone.
 */
#ifndef KMA_SESSION_LOAD_STATIC_H
#define KMA_SESSION_LOAD_STATIC_H

#include "loaded.h"
#include "options.h"

/**
 * kma_wants_static() - is an attribute asked for that only a built tree has?
 * @opts: options; without an account all attributes are of the tree
 *
 * Return: true if -a, -o or --columns name one.
 */
bool kma_wants_static(const struct kma_options *opts);

/**
 * kma_check_static() - is there a built tree, if one is needed?
 * @command: its name, for messages
 * @opts: options
 *
 * Return: NULL, or a sentence for the user.
 */
struct kma_err *kma_check_static(const char *command, const struct kma_options *opts);

/**
 * kma_load_static() - kma_load(), with static sizes if they are asked for
 * @opts: checked; without an account the tree alone is loaded
 * @ret: filled in; to be unloaded in any case
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load_static(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_join_static() - put static sizes into what was loaded
 * @opts: options, tree is looked at
 * @ret: from kma_load(); metrics and objects are set
 *
 * The tree may be of no use for the log, and still has sizes of its own.
 *
 * Return: NULL or an error. Objects that cannot be read are said on stderr.
 */
struct kma_err *kma_join_static(const struct kma_options *opts, struct kma_loaded *ret);

#endif /* KMA_SESSION_LOAD_STATIC_H */
