/* SPDX-License-Identifier: GPL-2.0 */
/*
 * snapshot.h - accounts from any input, and into a DB file.
 */
#ifndef KMA_SESSION_SNAPSHOT_H
#define KMA_SESSION_SNAPSHOT_H

#include "loaded.h"
#include "options.h"

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
 * kma_warn_account() - say what an account is to be taken with
 * @account: its warnings are printed
 */
void kma_warn_account(const struct kma_account *account);

/**
 * kma_warn_stopped() - say that Ctrl-C has ended an input, if it has
 * @input: was read
 *
 * Return: true if so.
 */
bool kma_warn_stopped(const struct kma_input *input);

/**
 * kma_save_account() - add a snapshot to a DB file
 * @file: FILE or FILE@LABEL
 * @loaded: from kma_load(), or account, whole and snapshot alone
 *
 * All of the account is saved, whatever kinds are shown. What comes from a DB file
 * keeps its time, host and kernel, and its label if @file has none.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_save_account(const char *file, const struct kma_loaded *loaded);

#endif /* KMA_SESSION_SNAPSHOT_H */
