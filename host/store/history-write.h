/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * history-write.h - add samples to a history.
 */
#ifndef KMA_STORE_HISTORY_WRITE_H
#define KMA_STORE_HISTORY_WRITE_H

#include "history.h"

/**
 * kma_history_create() - open a directory for writing samples; create it if it does not exist
 * @path: the directory; an empty one becomes a history
 * @bounds: its limits
 * @ret: the history
 *
 * Return: NULL, or an error: the directory has other files, or a history of another version.
 */
struct kma_err *kma_history_create(const char *path, const struct kma_history_bounds *bounds,
				   struct kma_history **ret);

/**
 * kma_history_append() - write a sample
 * @history: from kma_history_create()
 * @account: finished, with its times as notes
 * @host: name of the machine
 * @bytes: set to the bytes of the sample's data
 * @notes: sentences for the user are added: why a series begins, which days were removed
 *
 * Return: NULL, or an error; the sample is then lost, and the history has no part of it.
 */
struct kma_err *kma_history_append(struct kma_history *history, const struct kma_account *account,
				   const char *host, size_t *bytes, struct kma_notes *notes);

#endif /* KMA_STORE_HISTORY_WRITE_H */
