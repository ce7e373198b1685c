/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load.h - load an account as the options say, for all commands that show one.
 *
 * This is the only way from options to an account: the input, the kinds of sites, the kernel, the
 * static sizes, the branch, the snapshot to save. load.c has the steps in their order.
 */
#ifndef KMA_SESSION_LOAD_H
#define KMA_SESSION_LOAD_H

#include "lib/notes.h"
#include "loaded.h"
#include "open/open.h"
#include "options.h"

/*
 * Loads an account. @ret has to be unloaded also after an error. Prints warnings, and the reason if
 * a kernel cannot be used: the tree then has only callers, and no branch is selected. If a snapshot
 * cannot be saved, the error is only printed and @ret->unsaved is set: an input from a pipe cannot
 * be read again, so it is still shown. An error is of kind KMA_ERR_USAGE if the options need files,
 * and neither the input nor a kernel has them.
 */
struct kma_err *kma_load(const struct kma_load_options *opts, struct kma_loaded *ret);

/*
 * A part of kma_load(): reads an account, selects its rows, and prints its warnings. @ret is
 * zeroed; it has to be unloaded also after an error.
 */
struct kma_err *kma_load_account(const struct kma_load_options *opts, struct kma_loaded *ret);

/*
 * Does a command with @of inputs continue without one, after an error of kma_load_account()? If one
 * of several inputs is corrupt, truncated or not an account, it is left out: @err is destroyed, and
 * @notes gets a sentence. If an input cannot be opened, its name may be mistyped, so this ends the
 * command.
 */
bool kma_load_leaves_out(struct kma_err *err, size_t of, struct kma_notes *notes);

/* The error that all inputs of a command were left out, of kind KMA_ERR_DAMAGED. */
struct kma_err *kma_load_none_left(const char *command);

/*
 * Reads --from and --to, which may also be times of a history, as seconds of an event log. @series:
 * the input; NULL: none. An error is of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_load_interval(const struct kma_load_options *opts,
				  const struct kma_series *series, const char *from, const char *to,
				  struct kma_interval *ret);

/* Selects the rows of an account that was read: the last part of kma_load_account(). */
struct kma_err *kma_load_select(const struct kma_load_options *opts, struct kma_loaded *ret);

/*
 * A part of it: makes an account with rows for slab memory from before @account, and aliases of caches.
 * Of this machine (@opts->account is below /proc or /sys), /proc/slabinfo and /sys/kernel/slab are
 * read unless @opts names other files. NULL: there is nothing to add.
 */
struct kma_err *kma_load_earlier(const struct kma_load_options *opts,
				 const struct kma_account *account, struct kma_account **ret);

/*
 * Replaces an account, whose sites are resolved, by the part that --only and --not select. It is an
 * error if no site is selected, unless @opts->may_miss is set.
 */
struct kma_err *kma_load_only(const struct kma_load_options *opts, struct kma_loaded *ret);

/* Refuses rules by numbers, which change over time. */
struct kma_err *kma_load_over_time(const struct kma_load_options *opts);

/* Finds the kernel of an account and resolves its sites; no tree is built. Prints notes. */
struct kma_err *kma_load_places(const struct kma_load_options *opts, struct kma_loaded *ret);

/*
 * A part of kma_load(), for an account that was composed of several inputs: finds the kernel,
 * builds the tree, selects the branch.
 */
struct kma_err *kma_load_kernel(const struct kma_load_options *opts, struct kma_loaded *ret);

/*
 * A part of kma_load(): does the account have the files and caches that the options by, branch and
 * depth need? NULL also when a kernel was given but could not be used; an error of kind
 * KMA_ERR_USAGE if no kernel was given.
 */
struct kma_err *kma_load_suits(const struct kma_load_options *opts,
			       const struct kma_loaded *loaded);

/* Prints the warnings of an account. */
void kma_load_warn(const struct kma_account *account);

void kma_unload(struct kma_loaded *loaded);

#endif /* KMA_SESSION_LOAD_H */
