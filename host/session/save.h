/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * save.h - save a loaded account in a DB file.
 */
#ifndef KMA_SESSION_SAVE_H
#define KMA_SESSION_SAVE_H

#include "lib/err.h"
#include "loaded.h"

/**
 * kma_save_account() - add a snapshot to a DB file
 * @file: FILE or FILE@LABEL
 * @loaded: from kma_load(), or kma_load_account() alone
 *
 * The whole account is saved, even if only some kinds of sites are shown. A snapshot from a DB file
 * keeps its time, host and kernel, and its label if @file has none.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_save_account(const char *file, const struct kma_loaded *loaded);

#endif /* KMA_SESSION_SAVE_H */
