/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load.h - the path from options to a loaded account, for all commands that show one: the
 * input, the kinds of sites, the kernel, the static sizes, the branch, the snapshot to save.
 */
#ifndef KMA_SESSION_LOAD_H
#define KMA_SESSION_LOAD_H

#include "lib/notes.h"
#include "loaded.h"
#include "options.h"

/**
 * kma_load() - load an account as the options say
 * @opts: options
 * @ret: filled in; to be unloaded in any case
 *
 * Prints warnings, and the reason if a kernel cannot be used: the tree then has only callers, and
 * no branch is selected. If a snapshot cannot be saved, the error is only printed: an input from a
 * pipe cannot be read again, so it is still shown.
 *
 * Return: NULL or an error: of kind KMA_ERR_USAGE if the options need files, and neither the input
 * nor a kernel has them.
 */
struct kma_err *kma_load(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_load_account() - read an account and choose the kinds of sites
 * @opts: options; account, or db_file, is the input
 * @ret: account, whole and snapshot are filled in; to be unloaded in any case
 *
 * A part of kma_load(). Warnings of the account are printed.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load_account(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_load_leaves_out() - does an input that cannot be read cost only this input?
 * @err: from kma_load_account(), or NULL; destroyed if so
 * @of: how many inputs the command has
 * @notes: gets a sentence about the input if so
 *
 * Of several inputs, one that is corrupt, truncated or no account is left out, and the command goes
 * on with the others. The name of one that cannot be opened may be wrong, so it ends the command.
 *
 * Return: true if the input is left out.
 */
bool kma_load_leaves_out(struct kma_err *err, size_t of, struct kma_notes *notes);

/**
 * kma_load_none_left() - all inputs of a command were left out
 * @opts: of the command
 *
 * Return: an error of kind KMA_ERR_DAMAGED.
 */
struct kma_err *kma_load_none_left(const struct kma_options *opts);

/**
 * kma_load_interval() - take --from and --to as seconds of an event log
 * @opts: options; past_from and past_to are texts that may also be times of a history
 * @ret: filled in
 *
 * Return: NULL or an error of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_load_interval(const struct kma_options *opts, struct kma_interval *ret);

/**
 * kma_load_kernel() - find the kernel of an account, make its tree, choose the branch
 * @opts: options
 * @ret: account is filled in; the rest but static sizes will be
 *
 * A part of kma_load(), for an account that is not read from an input as it stands.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_load_kernel(const struct kma_options *opts, struct kma_loaded *ret);

/**
 * kma_load_suits() - does an account have the files that options ask for?
 * @opts: options: by, branch and depth are looked at
 * @loaded: a loaded account
 *
 * A part of kma_load().
 *
 * Return: NULL, also when a kernel was given and is of no use; or an error of kind
 * KMA_ERR_USAGE.
 */
struct kma_err *kma_load_suits(const struct kma_options *opts, const struct kma_loaded *loaded);

/**
 * kma_load_warn() - print the warnings of an account
 * @account: the account
 */
void kma_load_warn(const struct kma_account *account);

/**
 * kma_load_stopped() - print that Ctrl-C has ended an input, if it has
 * @input: was read
 *
 * Return: true if so.
 */
bool kma_load_stopped(const struct kma_input *input);

/**
 * kma_unload() - free all that was loaded
 * @loaded: as filled in by kma_load()
 */
void kma_unload(struct kma_loaded *loaded);

#endif /* KMA_SESSION_LOAD_H */
