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

/**
 * kma_load() - load an account as the options say
 * @opts: options
 * @ret: filled in; has to be unloaded also after an error
 *
 * Prints warnings, and the reason if a kernel cannot be used: the tree then has only callers, and
 * no branch is selected. If a snapshot cannot be saved, the error is only printed and @ret->unsaved
 * is set: an input from a pipe cannot be read again, so it is still shown.
 *
 * Return: NULL or an error: of kind KMA_ERR_USAGE if the options need files, and neither the input
 * nor a kernel has them.
 */
struct kma_err *kma_load(const struct kma_load_options *opts, struct kma_loaded *ret);

/**
 * kma_load_account() - read an account and select its rows
 * @opts: options; input, db_file or account is the input; groups, kinds, stacks and by select rows
 * @ret: zeroed by the caller; account, whole and snapshot are filled in; has to be unloaded also
 *	 after an error
 *
 * A part of kma_load(). Warnings of the account are printed.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load_account(const struct kma_load_options *opts, struct kma_loaded *ret);

/**
 * kma_load_leaves_out() - decide whether a command continues without an input
 * @err: from kma_load_account(), or NULL; destroyed if the input is left out
 * @of: number of inputs of the command
 * @notes: gets a sentence about an input that is left out
 *
 * If one of several inputs is corrupt, truncated or not an account, it is left out, and the command
 * continues with the others. If an input cannot be opened, its name may be mistyped, so this ends
 * the command.
 *
 * Return: true if the input is left out.
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
 * Replace an account, whose sites are resolved, by the part that --only and --not select. It is an error
 * if no site is selected, unless @opts->may_miss is set.
 */
struct kma_err *kma_load_only(const struct kma_load_options *opts, struct kma_loaded *ret);

/* Refuse rules by numbers, which change over time. */
struct kma_err *kma_load_over_time(const struct kma_load_options *opts);

/* Find the kernel of an account and resolve its sites; no tree is built. Prints notes. */
struct kma_err *kma_load_places(const struct kma_load_options *opts, struct kma_loaded *ret);

/**
 * kma_load_kernel() - find the kernel of an account, build its tree, select the branch
 * @opts: options
 * @ret: has an account; the other members are filled in, without static sizes
 *
 * A part of kma_load(), for an account that was composed of several inputs.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load_kernel(const struct kma_load_options *opts, struct kma_loaded *ret);

/**
 * kma_load_suits() - check that an account has the files and caches that the options need
 * @opts: options: by, branch and depth are checked
 * @loaded: a loaded account
 *
 * A part of kma_load().
 *
 * Return: NULL, also when a kernel was given but could not be used; an error of kind KMA_ERR_USAGE
 * if no kernel was given; another error if the input has no slab caches.
 */
struct kma_err *kma_load_suits(const struct kma_load_options *opts,
			       const struct kma_loaded *loaded);

/**
 * kma_load_warn() - print the warnings of an account
 * @account: the account
 */
void kma_load_warn(const struct kma_account *account);

/**
 * kma_unload() - free a loaded account
 * @loaded: from kma_load()
 */
void kma_unload(struct kma_loaded *loaded);

#endif /* KMA_SESSION_LOAD_H */
