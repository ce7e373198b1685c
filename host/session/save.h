/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * save.h - save a loaded account in a DB file.
 */
#ifndef KMA_SESSION_SAVE_H
#define KMA_SESSION_SAVE_H

#include "lib/err.h"
#include "loaded.h"

/*
 * Saves the whole account of kma_load() or kma_load_account() in FILE or FILE@LABEL, even if only
 * some kinds of sites are shown. A snapshot from a DB file keeps its time, host and kernel, and its
 * label if @file has none.
 */
struct kma_err *kma_save_account(const char *file, const struct kma_loaded *loaded);

#endif /* KMA_SESSION_SAVE_H */
