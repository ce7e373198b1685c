/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * history-write.h - adds samples to a history.
 */
#ifndef KMA_HISTORY_HISTORY_WRITE_H
#define KMA_HISTORY_HISTORY_WRITE_H

#include "history.h"

/**
 * kma_history_create() - open a folder to write samples; it is made if it is not there
 * @path: the folder; an empty one becomes a history
 * @bounds: what is kept
 * @ret: the history
 *
 * Return: NULL or an error: it is a folder with other files, or of a newer version.
 */
struct kma_err *kma_history_create(const char *path, const struct kma_history_bounds *bounds,
				   struct kma_history **ret);

/**
 * kma_history_append() - write a sample
 * @history: from kma_history_create()
 * @account: finished, with a moment
 * @host: name of the machine
 * @bytes: set to the bytes of the sample as kept
 * @notes: what a user should know is added: why a series begins, days that were removed
 *
 * Return: NULL, or an error; then the sample is lost, and the history is as it was.
 */
struct kma_err *kma_history_append(struct kma_history *history, const struct kma_account *account,
				   const char *host, size_t *bytes, struct kma_notes *notes);

#endif /* KMA_HISTORY_HISTORY_WRITE_H */
